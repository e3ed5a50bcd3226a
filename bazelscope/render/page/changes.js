// @ts-check
// What one line has that another has not.

const GAINED = 1;
const LOST = 2;

/** @param {Model} model @param {Result} before @param {Result} after @returns {Changes} */
function changed(model, before, after) {
  /** @type {number[]} */
  const gained = [];
  /** @type {number[]} */
  const lost = [];
  const marks = new Uint8Array(model.size);
  for (let label = 0; label < model.size; label++) {
    const [isNow, was] = [after.reached[label] > 0, before.reached[label] > 0];
    if (isNow === was) continue;
    marks[label] = isNow ? GAINED : LOST;
    (isNow ? gained : lost).push(label);
  }
  const [old, now] = [repositoriesOf(model, before), repositoriesOf(model, after)];
  /** @type {[number, number, number, boolean][]} */
  const edges = [];
  let edgeCount = 0;
  for (let label = 0; label < model.size; label++) {
    if (!before.reached[label] || !after.reached[label]) continue;
    if (takesAlike(before, after, label)) continue;
    const one = takenFrom(before, label);
    const other = takenFrom(after, label);
    for (const [key, edge] of other) {
      if (!one.has(key) && ++edgeCount <= 500) edges.push([label, after.graph.to[edge], after.graph.attribute[edge], true]);
    }
    for (const [key, edge] of one) {
      if (!other.has(key) && ++edgeCount <= 500) edges.push([label, before.graph.to[edge], before.graph.attribute[edge], false]);
    }
  }
  const last = (/** @type {number} */ label) => Number(CONDITION_KINDS.has(model.kind(after.graph, label)));
  for (const list of [gained, lost]) list.sort((one, other) => last(one) - last(other));
  return {
    gained,
    lost,
    marks,
    gainedRepositories: [...now].filter((name) => !old.has(name)).sort(),
    lostRepositories: [...old].filter((name) => !now.has(name)).sort(),
    edges,
    edgeCount,
  };
}

/**
 * The select()s that take another branch, of targets that both need; null until details are read.
 * @param {Model} model @param {Result} before @param {Result} after
 */
function changedBranches(model, before, after) {
  const selects = model.selects(after.graph);
  if (!model.details || !selects) return null;
  /** @type {BranchChange[]} */
  const changes = [];
  for (const { label, name, place, branches } of selects) {
    if (!before.reached[label] || !after.reached[label]) continue;
    const old = conditionTaken(before, branches);
    const now = conditionTaken(after, branches);
    if (old !== now) changes.push({ label, name: model.details.texts[name], place: model.place(place), old, now });
  }
  return changes;
}

/** The condition of the branch that a select() takes; -1 if none is known. @param {Result} result @param {number[][]} branches */
function conditionTaken(result, branches) {
  for (const branch of branches) if (result.nodes[branch[1]] === YES) return branch[0];
  return -1;
}

/** The repositories of what is needed. @param {Model} model @param {Result} result @returns {Set<string>} */
function repositoriesOf(model, result) {
  const { data } = model;
  const packageOf = data.labels[0];
  const isThere = new Uint8Array(data.packages.length);
  for (let label = 0; label < model.size; label++) if (result.reached[label]) isThere[packageOf[label]] = 1;
  return new Set(data.packages.filter((_, n) => isThere[n]).map(([repository]) => repository));
}

/** Whether a target takes the same rows in both. That it takes others does not say that it leads elsewhere: two branches may. @param {Result} before @param {Result} after @param {number} label */
function takesAlike(before, after, label) {
  const [one, other] = [before.graph, after.graph];
  // What neither load has otherwise is as the first of all loads has it.
  const isSame = one === other || (!one.own[label] && !other.own[label]);
  const count = one.count[label];
  if (count !== other.count[label]) return false;
  let [first, second] = [one.first[label], other.first[label]];
  for (const end = first + count; first < end; first++, second++) {
    if (before.taken[first] > 0 !== after.taken[second] > 0) return false;
    if (!isSame && (one.to[first] !== other.to[second] || one.attribute[first] !== other.attribute[second])) return false;
  }
  return true;
}

/** By target and attribute, the rows of the edges that a target takes. @param {Result} result @param {number} label */
function takenFrom(result, label) {
  const { graph, taken } = result;
  /** @type {Map<number, number>} */
  const found = new Map();
  const end = graph.first[label] + graph.count[label];
  for (let edge = graph.first[label]; edge < end; edge++) {
    if (taken[edge]) found.set(graph.to[edge] * 4096 + (graph.attribute[edge] % 4096), edge);
  }
  return found;
}

/**
 * The options in force: by name (and key of a define), who counts and who is beaten.
 * @param {Model} model @param {Line} line
 * @returns {{name: string, winners: {instance: Instance, word: string}[], losers: {instance: Instance, word: string}[]}[]}
 */
function inForce(model, line) {
  const number = baseOf(model, line.host);
  const dropped = new Set(line.words.flatMap((text) => (wordsData(model, number, text) || { drops: [] }).drops));
  /** @type {{instance: Instance, word: string}[]} */
  const all = model.data.bases[number].instances.filter((_, n) => !dropped.has(n)).map((instance) => ({ instance, word: "" }));
  for (const text of line.words) {
    for (const instance of (wordsData(model, number, text) || { instances: [] }).instances) {
      all.push({ instance, word: text });
    }
  }
  /** @type {Map<string, {instance: Instance, word: string}[]>} */
  const byName = new Map();
  for (const one of all) {
    const [name, value] = one.instance;
    if (name === "config") continue;
    const key = name === "define" ? `define=${(value || "").split("=")[0]}` : name;
    byName.set(key, [...(byName.get(key) || []), one]);
  }
  return [...byName]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, instances]) => {
      const several = model.accumulating.has(instances[0].instance[0]) && !name.startsWith("define=");
      return {
        name,
        winners: several ? instances : instances.slice(-1),
        losers: several ? [] : instances.slice(0, -1).reverse(),
      };
    });
}
