// @ts-check
// Repositories, folders, packages and targets as one tree, and the boxes that a state shows of it.

const MOST_CHILDREN = 24;
const CONDITION_KINDS = new Set([
  "config_setting",
  "constraint_value",
  "constraint_setting",
  "bool_flag",
  "string_flag",
  "int_flag",
  "platform",
]);

/** @param {Model} model @returns {{root: Group, byId: Map<string, Group>}} */
function grouped(model) {
  /** @type {Group} */
  const root = { id: "", text: "", parent: null, children: [], label: -1, size: 0, repository: "" };
  /** @type {Map<string, Group>} */
  const byId = new Map([["", root]]);
  /** @param {string} id @param {string} text @param {Group} parent @param {string} repository @param {number} label */
  const child = (id, text, parent, repository, label) => {
    let found = byId.get(id);
    if (!found) {
      found = { id, text, parent, children: [], label, size: 0, repository };
      byId.set(id, found);
      parent.children.push(found);
    }
    return found;
  };
  const folders = new Set();
  for (const [repository, path] of model.data.packages) {
    const parts = path.split("/");
    for (let n = 1; n < parts.length; n++) folders.add(labelText([repository, parts.slice(0, n).join("/")], null));
    if (path) folders.add(labelText([repository, ""], null));
  }
  for (let label = 0; label < model.size; label++) {
    const [repository, path] = model.data.packages[model.data.labels[0][label]];
    const whole = repository ? `@${repository}` : "//";
    let at = child(whole, repository ? `@${repository}` : "// (this workspace)", root, repository, -1);
    let sofar = "";
    for (const part of path ? path.split("/") : []) {
      sofar = sofar ? `${sofar}/${part}` : part;
      at = child(labelText([repository, sofar], null), labelText([repository, sofar], null), at, repository, -1);
    }
    // Targets beside folders stand in a box of their own.
    const own = labelText([repository, path], null);
    if (folders.has(own)) at = child(`${own}:`, `${own}:*`, at, repository, -1);
    child(model.labels[label], model.labels[label], at, repository, label);
    for (let up = /** @type {Group | null} */ (at); up; up = up.parent) up.size++;
  }
  return { root, byId };
}

/** @type {Map<Group, number[]>} */
const targetsOfGroups = new Map();

/** The targets in a group, however deep. @param {Group} group @returns {number[]} */
function labelsIn(group) {
  const known = targetsOfGroups.get(group);
  if (known) return known;
  const found = group.label >= 0 ? [group.label] : group.children.flatMap(labelsIn);
  targetsOfGroups.set(group, found);
  return found;
}

/** Opens a group, and what is alone in it. @param {State} state @param {Group} group */
function opened(state, group) {
  let at = group;
  state.open.add(at.id);
  while (at.children.length === 1 && at.children[0].label < 0) {
    at = at.children[0];
    state.open.add(at.id);
  }
}

/** The folder or repository that holds a target or group, as far as one can close it. @param {State} state @param {Group | null} group */
function openParent(state, group) {
  let at = group ? group.parent : null;
  while (at && !state.open.has(at.id)) at = at.parent;
  while (at && at.parent && at.parent.children.length === 1 && at.parent.id) at = at.parent;
  return at && at.id ? at : null;
}

/**
 * The boxes of a state, and the box of each label (-1: none is shown).
 * @param {Model} model @param {Group} root @param {State} state @param {Result} result @param {Changes} changes
 */
function boxed(model, root, state, result, changes) {
  /** @type {Box[]} */
  const boxes = [];
  const boxOf = new Int32Array(model.size).fill(-1);
  const texts = model.data.texts;
  const isCondition = texts.map((text) => CONDITION_KINDS.has(text));
  const isShown = (/** @type {number} */ label) =>
    (result.reached[label] > 0 || changes.lostSet.has(label)) && (state.conditions || !isCondition[result.graph.kind[label]]);
  /** @param {string} id @param {string} text @param {Group | null} group @param {number[]} labels @param {number} rest */
  const add = (id, text, group, labels, rest) => {
    if (state.hidden.has(id)) return;
    const single = labels.length === 1 && (!group || group.label >= 0) ? labels[0] : -1;
    /** @type {Box} */
    const box = {
      id, text, under: "", group, label: single, labels, rest,
      reached: 0, gained: 0, lost: 0, unknown: 0, isStart: single >= 0 && model.starts.has(single),
      repository: labels.length ? model.repository(labels[0]) : "", x: 0, y: 0, width: 0, height: 0,
    };
    for (const label of labels) {
      boxOf[label] = boxes.length;
      if (result.reached[label]) box.reached++;
      if (changes.gainedSet.has(label)) box.gained++;
      if (changes.lostSet.has(label)) box.lost++;
      if (result.graph.problems.has(label) && result.reached[label]) box.unknown++;
    }
    boxes.push(box);
  };
  /** @param {Group} group @returns {number[]} */
  const labelsOf = (group) => labelsIn(group).filter((label) => isShown(label) && !state.pinned.has(label));
  /** @param {Group} group */
  const visit = (group) => {
    const parts = group.children.map((child) => ({ child, labels: labelsOf(child) })).filter((one) => one.labels.length);
    parts.sort((one, other) => other.labels.length - one.labels.length || (one.child.id < other.child.id ? -1 : 1));
    const all = state.open.has(`${group.id}#all`) ? 120 : MOST_CHILDREN;
    const cut = parts.length > all + 2 ? all : parts.length;
    const isChosen = (/** @type {{child: Group}} */ { child }) => child.id === state.selected || child.id === state.only || state.open.has(child.id);
    for (const { child, labels } of [...parts.slice(0, cut), ...parts.slice(cut).filter(isChosen)]) {
      if (child.label < 0 && state.open.has(child.id)) visit(child);
      else add(child.id, child.text, child, labels, 0);
    }
    const rest = parts.slice(cut).filter((one) => !isChosen(one));
    if (rest.length) {
      const labels = rest.flatMap((one) => one.labels);
      add(`${group.id}#all`, group.id ? `${NUMBERS.format(rest.length)} more in ${group.id}` : `${NUMBERS.format(rest.length)} more repositories`, group, labels, rest.length);
    }
  };
  // Who asks for a target sees it, whatever the flags are and whatever it is.
  for (const label of state.pinned) if (result.graph.row[label] >= 0) add(model.labels[label], model.labels[label], null, [label], 0);
  visit(root);
  for (const box of boxes) {
    if (box.label >= 0) box.under = `${model.kind(result.graph, box.label)}${box.reached || box.lost ? "" : ", not needed"}`;
    else box.under = counted(box.reached, "target");
    if (box.label >= 0) box.group = null;
  }
  return { boxes, boxOf };
}

/**
 * The arrows between boxes.
 * @param {Model} model @param {State} state @param {Box[]} boxes @param {Int32Array} boxOf @param {Result} before @param {Result} result @param {Changes} changes
 */
function arrowsOf(model, state, boxes, boxOf, before, result, changes) {
  /** @type {Map<number, Arrow>} */
  const arrows = new Map();
  const same = before.graph === result.graph;
  /** @param {number} source @param {number} target @param {number} row */
  const arrowOf = (source, target, row) => {
    const key = source * 10000 + target;
    let arrow = arrows.get(key);
    if (!arrow) {
      arrow = {
        source: boxes[source], target: boxes[target], count: 0, gained: 0, lost: 0, perhaps: 0,
        conditional: 0, first: row, isBack: false, isHidden: false, points: [],
      };
      arrows.set(key, arrow);
    }
    return arrow;
  };
  /** @param {Result} of @param {boolean} isOld */
  const collect = (of, isOld) => {
    const graph = of.graph;
    for (let label = 0; label < model.size; label++) {
      const source = boxOf[label];
      if (source < 0 || !of.reached[label]) continue;
      const end = graph.first[label] + graph.count[label];
      for (let row = graph.first[label]; row < end; row++) {
        const target = boxOf[graph.to[row]];
        if (target < 0 || target === source || !of.taken[row]) continue;
        const isChanged = same
          ? !(isOld ? result : before).taken[row]
          : (isOld ? changes.lostSet : changes.gainedSet).has(graph.to[row]) ||
            (isOld ? changes.lostSet : changes.gainedSet).has(label);
        if (isOld && !isChanged) continue;
        const arrow = arrowOf(source, target, row);
        if (isOld) arrow.lost++;
        else {
          arrow.count++;
          if (isChanged) arrow.gained++;
          if (of.taken[row] === 1) arrow.perhaps++;
          if (graph.condition[row] >= 0) arrow.conditional++;
        }
      }
    }
  };
  collect(result, false);
  if (before !== result) collect(before, true);
  // Between targets that were asked for, edges that these flags don't take are drawn, too.
  for (const label of state.pinned) {
    const { first, count, to } = result.graph;
    for (let row = first[label]; row < first[label] + count[label]; row++) {
      const isApart = boxOf[label] >= 0 && boxOf[to[row]] >= 0 && to[row] !== label;
      if (isApart && state.pinned.has(to[row])) arrowOf(boxOf[label], boxOf[to[row]], row);
    }
  }
  return [...arrows.values()];
}

const LEAST_FAN = 5;

/**
 * Folds boxes that nothing leads on from, and that the same boxes lead to, into one each: fans of
 * leaves, which would fill the map with arrows.
 * @param {State} state @param {Box[]} boxes @param {Arrow[]} arrows
 */
function fanned(state, boxes, arrows) {
  const outgoing = new Map(boxes.map((box) => [box, /** @type {Arrow[]} */ ([])]));
  for (const arrow of arrows) outgoing.get(arrow.source)?.push(arrow);
  breakCycles(boxes, outgoing);
  hideImplied(boxes, arrows, columnsOf(boxes, arrows));
  /** @type {Map<Box, string[]>} */
  const sources = new Map();
  const leads = new Set(arrows.filter((arrow) => arrow.source !== arrow.target).map((arrow) => arrow.source));
  for (const arrow of arrows) if (!arrow.isHidden) sources.set(arrow.target, [...(sources.get(arrow.target) || []), arrow.source.id]);
  /** @type {Map<string, Box[]>} */
  const fans = new Map();
  for (const box of boxes) {
    if (leads.has(box) || box.isStart || box.gained || box.lost || box.id === state.selected || box.id === state.only || box.rest) continue;
    if (box.label >= 0 && state.pinned.has(box.label)) continue;
    const id = `fan:${(sources.get(box) || []).sort().join(" ")}`;
    if (!state.open.has(id) && !state.hidden.has(id)) fans.set(id, [...(fans.get(id) || []), box]);
  }
  /** @type {Map<Box, Box>} */
  const instead = new Map();
  const added = [];
  for (const [id, members] of fans) {
    if (members.length < LEAST_FAN) continue;
    members.sort((one, other) => other.labels.length - one.labels.length);
    const repositories = members.every((box) => box.group && !box.group.parent?.parent);
    const sum = (/** @type {"reached" | "unknown"} */ name) => members.reduce((all, box) => all + box[name], 0);
    /** @type {Box} */
    const fan = {
      ...members[0], id, text: `${members.length} ${repositories ? "repositories" : "boxes"} lead no further`, group: null, label: -1,
      names: members.map((box) => box.text).join("\n"), labels: members.flatMap((box) => box.labels), rest: members.length, reached: sum("reached"), unknown: sum("unknown"),
    };
    fan.under = `${members.slice(0, 2).map((box) => box.text.replace(/^.*[/:]/, "")).join(", ")}…`;
    for (const box of members) instead.set(box, fan);
    added.push(fan);
  }
  if (!added.length) return { boxes, arrows };
  /** @type {Map<string, Arrow>} */
  const merged = new Map();
  for (const arrow of arrows) {
    const target = instead.get(arrow.target) || arrow.target;
    const key = `${arrow.source.id} -> ${target.id}`;
    const known = merged.get(key);
    if (!known) merged.set(key, { ...arrow, target });
    else for (const name of /** @type {("count" | "gained" | "lost" | "perhaps" | "conditional")[]} */ (["count", "gained", "lost", "perhaps", "conditional"])) known[name] += arrow[name];
  }
  return { boxes: [...boxes.filter((box) => !instead.has(box)), ...added], arrows: [...merged.values()] };
}
