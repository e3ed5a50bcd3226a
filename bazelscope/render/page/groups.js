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
 * @param {number} beside how many repositories stand beside one that is open
 */
function boxed(model, root, state, result, changes, beside) {
  /** @type {Box[]} */
  const boxes = [];
  const boxOf = model.scratch.boxOf.fill(-1);
  const { reached, graph } = result;
  const { marks } = changes;
  const isCondition = model.data.texts.map((text) => CONDITION_KINDS.has(text));
  const shown = new Uint8Array(model.size);
  for (let label = 0; label < model.size; label++) {
    const isThere = reached[label] > 0 || marks[label] === LOST;
    shown[label] = Number(isThere && (state.conditions || !isCondition[graph.kind[label]]));
  }
  // Who asks for a target sees it, whatever the flags are and whatever it is: in a box of its own.
  for (const label of state.pinned) shown[label] = 0;
  const isShown = (/** @type {number} */ label) => shown[label] > 0;
  const sizeOf = (/** @type {Group} */ group) => {
    let size = 0;
    for (const label of labelsIn(group)) size += shown[label];
    return size;
  };
  /** @param {string} id @param {string} text @param {Group | null} group @param {() => number[]} labelsOf @param {number} label @param {number} rest */
  const add = (id, text, group, labelsOf, label, rest) => {
    /** @type {number[] | null} */
    let labels = null;
    /** @type {Box} */
    const box = {
      id, text, under: "", group, label, rest, size: 0, reached: 0, gained: 0, lost: 0, unknown: 0,
      isStart: label >= 0 && model.starts.has(label), repository: "", x: 0, y: 0, width: 0, height: 0,
      // Few boxes are asked for theirs: arrays for all would be made at every turn of a flag.
      get labels() {
        return (labels = labels || labelsOf());
      },
    };
    boxes.push(box);
    return box;
  };
  /** Counts a label as one of a box. @param {Box} box @param {number} label */
  const count = (box, label) => {
    boxOf[label] = boxes.length - 1;
    if (!box.size++) box.repository = model.repository(label);
    if (reached[label]) box.reached++;
    if (marks[label] === GAINED) box.gained++;
    if (marks[label] === LOST) box.lost++;
    if (reached[label] && graph.problems.has(label)) box.unknown++;
  };
  /** @param {string} id @param {string} text @param {Group} group @param {Group[]} members @param {number} rest */
  const addGroups = (id, text, group, members, rest) => {
    if (state.hidden.has(id)) return;
    const box = add(id, text, group, () => members.flatMap((one) => labelsIn(one).filter(isShown)), group.label, rest);
    for (const one of members) for (const label of labelsIn(one)) if (shown[label]) count(box, label);
  };
  /** @param {Group} group */
  const visit = (group) => {
    const parts = group.children.map((child) => ({ child, size: sizeOf(child) })).filter((one) => one.size);
    parts.sort((one, other) => other.size - one.size || (one.child.id < other.child.id ? -1 : 1));
    const isBeside = !group.parent && parts.some(({ child }) => state.open.has(child.id));
    const all = state.open.has(`${group.id}#all`) ? 120 : isBeside ? beside : MOST_CHILDREN;
    const cut = parts.length > all + 2 ? all : parts.length;
    const isChosen = (/** @type {{child: Group}} */ { child }) => child.id === state.selected || child.id === state.only || state.open.has(child.id);
    for (const { child } of [...parts.slice(0, cut), ...parts.slice(cut).filter(isChosen)]) {
      if (child.label < 0 && state.open.has(child.id)) visit(child);
      else addGroups(child.id, child.text, child, [child], 0);
    }
    const rest = parts.slice(cut).filter((one) => !isChosen(one));
    if (rest.length) {
      const text = group.id ? `${NUMBERS.format(rest.length)} more in ${group.id}` : `${NUMBERS.format(rest.length)} more repositories`;
      addGroups(`${group.id}#all`, text, group, rest.map((one) => one.child), rest.length);
    }
  };
  for (const label of state.pinned) {
    const id = model.labels[label];
    if (graph.row[label] >= 0 && !state.hidden.has(id)) count(add(id, id, null, () => [label], label, 0), label);
  }
  visit(root);
  for (const box of boxes) {
    if (box.label >= 0) box.under = `${model.kind(graph, box.label)}${box.reached || box.lost ? "" : ", not needed"}`;
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
          : changes.marks[graph.to[row]] === (isOld ? LOST : GAINED) || changes.marks[label] === (isOld ? LOST : GAINED);
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
    members.sort((one, other) => other.size - one.size);
    const repositories = members.every((box) => box.group && !box.group.parent?.parent);
    const sum = (/** @type {"size" | "reached" | "unknown"} */ name) => members.reduce((all, box) => all + box[name], 0);
    /** @type {Box} */
    const fan = {
      ...members[0], id, text: `${members.length} ${repositories ? "repositories" : "boxes"} lead no further`, group: null, label: -1,
      names: members.map((box) => box.text).join("\n"), rest: members.length, size: sum("size"), reached: sum("reached"), unknown: sum("unknown"),
      get labels() {
        return members.flatMap((box) => box.labels);
      },
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
