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
  // Only the repositories of what differs can be gained or lost.
  const differing = new Set([...gained, ...lost].map((label) => model.repository(label)));
  const there = (/** @type {Result} */ result) => {
    /** @type {Set<string>} */
    const found = new Set();
    for (let label = 0; label < model.size && differing.size; label++) if (result.reached[label]) found.add(model.repository(label));
    return [...differing].filter((name) => found.has(name));
  };
  const [old, now] = [there(before), there(after)];
  /** @type {[number, number, number, boolean][]} */
  const edges = [];
  let edgeCount = 0;
  for (let label = 0; label < model.size; label++) {
    if (!before.reached[label] || !after.reached[label]) continue;
    if (!before.graph.own[label] && !after.graph.own[label]) {
      // The rows of a target that no load has otherwise are the same in all graphs.
      const end = after.graph.first[label] + after.graph.count[label];
      for (let row = after.graph.first[label]; row < end; row++) {
        const isNew = after.taken[row] > 0;
        if (isNew !== before.taken[row] > 0 && ++edgeCount <= 500) edges.push([label, after.graph.to[row], after.graph.attribute[row], isNew]);
      }
      continue;
    }
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
    gainedRepositories: now.filter((name) => !old.includes(name)).sort(),
    lostRepositories: old.filter((name) => !now.includes(name)).sort(),
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
  const taken = (/** @type {Result} */ of, /** @type {Select} */ select) => {
    const branch = select.formulas.findIndex((formula) => of.nodes[formula] === YES);
    return branch < 0 ? -1 : select.conditions[branch];
  };
  /** @type {BranchChange[]} */
  const changes = [];
  for (const select of selects) {
    const { label, name, place } = select;
    if (!before.reached[label] || !after.reached[label]) continue;
    const [old, now] = [taken(before, select), taken(after, select)];
    if (old !== now) changes.push({ label, name: model.details.texts[name], place: model.place(place), old, now });
  }
  return changes;
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
