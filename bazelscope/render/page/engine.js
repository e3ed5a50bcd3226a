// @ts-check
// Evaluates a command line: what every variable is, which formulas hold, which targets are needed.

const OTHER = -1;
const NOT_KNOWN = -2;
const NO = 0;
const YES = 1;
const PERHAPS = 2;

/** The number of a host among the bases. @param {Model} model @param {string} host */
function baseOf(model, host) {
  const found = model.data.bases.findIndex((base) => base.host === host);
  return found < 0 ? 0 : found;
}

/**
 * What is known of one word of a command line: null if nothing.
 * @param {Model} model @param {number} base @param {string} text @returns {WordsData | null}
 */
function wordsData(model, base, text) {
  const known = model.words[base].get(text);
  if (known) return known;
  const flag = model.flags.get(text) || otherValue(model, text);
  if (!flag) return null;
  const [variable, value] = flag;
  const what = model.data.variables[variable].what || "";
  const option = what.startsWith("--define=") ? "define" : what.replace(/^--/, "");
  const given = text.slice(text.indexOf("=") + 1);
  const decides = model.data.bases[base].platform.some(([name]) => name === option);
  return {
    words: [text],
    instances: [[option, given, text, null, null, []]],
    sets: [[variable, value]],
    resets: [],
    drops: [],
    platform: decides ? [[option, given]] : [],
    environment: [],
    otherwise: false,
    problem: "",
  };
}

/** A flag with a value that no condition asks for. @param {Model} model @param {string} text @returns {[number, number] | null} */
function otherValue(model, text) {
  const cut = text.lastIndexOf("=");
  const found = model.data.variables.findIndex(
    (one) => one.what && !one.isConstraint && !one.isClosed && !one.accumulates && dashed(one.what) === text.slice(0, cut),
  );
  return found < 0 ? null : [found, OTHER];
}

/** @param {string} what */
function dashed(what) {
  return what.startsWith("--") ? what : `--${what}`;
}

/** What the variables are under a line. @param {Model} model @param {Line} line @returns {Assignment} */
function assigned(model, line) {
  const number = baseOf(model, line.host);
  const base = model.data.bases[number];
  const values = Int32Array.from(base.values);
  const platform = new Map(base.platform);
  const environment = new Map(Object.entries(base.environment));
  /** @type {string[]} */
  const others = [];
  /** @type {string[]} */
  const notes = [];
  /** @type {string[]} */
  const problems = base.problem ? [base.problem] : [];
  for (const text of line.words) {
    for (const [variable, value] of (wordsData(model, number, text) || { resets: [] }).resets) values[variable] = value;
  }
  for (const text of line.words) {
    const words = wordsData(model, number, text);
    if (!words) {
      notes.push(`This page knows nothing of ${text}: make one with it on the line.`);
      continue;
    }
    if (words.problem) problems.push(`${text}: ${words.problem}`);
    for (const [variable, value] of words.sets) values[variable] = value;
    for (const [option, value] of words.platform) platform.set(option, value);
    for (const [name, value] of words.environment) environment.set(name, value);
    if (words.otherwise) others.push(text);
  }
  if (platform.size) {
    const key = JSON.stringify([...platform.values()]);
    const entry = base.platforms.find(([one]) => JSON.stringify(one) === key);
    if (entry) {
      for (const [variable, value] of entry[1]) values[variable] = value;
    } else {
      model.data.variables.forEach((one, n) => {
        if (one.isConstraint) values[n] = NOT_KNOWN;
      });
      notes.push("What the platform of these flags is, this page does not know.");
    }
  }
  model.data.variables.forEach((one, n) => {
    // A platform's own flags, say, may name targets that no word of the rc files does.
    if (one.isLabel && values[n] === OTHER) notes.push(`${one.what} leads to a target that this page has not: make one with this line.`);
    if (one.unknown !== undefined) values[n] = NOT_KNOWN;
  });
  const load = model.data.loads.findIndex(
    (one) =>
      one.host === base.host &&
      JSON.stringify(one.others) === JSON.stringify(others) &&
      Object.entries(one.environment).every(([name, value]) => environment.get(name) === value),
  );
  if (load < 0) {
    const differing = [...environment].filter(([name, value]) => base.environment[name] !== value);
    const what = [...differing.map(([name, value]) => `${name}=${value}`), ...others];
    if (base.host !== model.data.loads[0].host) what.push(`host ${base.host}`);
    notes.push(
      `Repositories are shown as without ${what.join(", ")}: they were not loaded with it. ` +
        "Make a page with this line to see them.",
    );
  }
  return { values, graph: model.graph(Math.max(load, 0)), notes, problems, isLoaded: load >= 0 };
}

/** Which formulas hold: NO, YES or PERHAPS by node. @param {Model} model @param {Int32Array} values */
function evaluated(model, values) {
  const [variables, tests, yes, no] = model.data.nodes;
  const result = new Uint8Array(variables.length + 2);
  result[1] = YES;
  for (let n = 0; n < variables.length; n++) {
    const value = values[variables[n]];
    if (value === NOT_KNOWN) {
      const one = result[yes[n]];
      result[n + 2] = one === result[no[n]] ? one : PERHAPS;
    } else {
      result[n + 2] = result[value === tests[n] ? yes[n] : no[n]];
    }
  }
  return result;
}

/** What a line amounts to. @param {Model} model @param {Line} line @returns {Result} */
function turned(model, line) {
  const assignment = assigned(model, line);
  const graph = assignment.graph;
  const nodes = evaluated(model, assignment.values);
  const scopes = model.data.scopes.length;
  const { seen, pending } = model.scratch;
  seen.fill(0);
  const taken = new Uint8Array(graph.to.length);
  let left = 0;
  for (const [label, scope] of graph.data.starts) {
    if (!seen[label * scopes + scope]) pending[left++] = label * scopes + scope;
    seen[label * scopes + scope] = 2;
  }
  // First what is certainly needed, then what may be.
  for (const least of [2, 1]) {
    if (least === 1) for (let n = 0; n < seen.length; n++) if (seen[n] === 2) pending[left++] = n;
    while (left) {
      const at = pending[--left];
      const label = (at / scopes) | 0;
      const scope = at % scopes;
      const end = graph.first[label] + graph.count[label];
      for (let edge = graph.first[label]; edge < end; edge++) {
        const way = graph.ways[edge] * scopes + scope;
        const holds = nodes[model.wayFormula[way]];
        if (holds === NO) continue;
        const sure = holds === YES && seen[at] === 2 ? 2 : 1;
        if (sure > taken[edge]) taken[edge] = sure;
        if (sure < least) continue;
        const target = graph.to[edge] * scopes + model.wayTarget[way];
        if (seen[target] === 0) {
          seen[target] = sure;
          pending[left++] = target;
        }
      }
    }
  }
  const reached = new Uint8Array(model.size);
  let count = 0;
  let perhaps = 0;
  for (let label = 0; label < model.size; label++) {
    let best = 0;
    for (let scope = 0; scope < scopes; scope++) best = Math.max(best, seen[label * scopes + scope]);
    reached[label] = best;
    if (best) count++;
    if (best === 1) perhaps++;
  }
  /** @param {[number, number, number][]} list */
  const holding = (list) => [
    ...new Set(
      list
        .filter(([label, scope, formula]) => seen[label * scopes + scope] === 2 && nodes[formula] === YES)
        .map(([label]) => label),
    ),
  ];
  const refused = holding(graph.refused);
  const lacking = holding(graph.lacking);
  return { line, assignment, graph, nodes, reached, taken, count, perhaps, refused, lacking };
}

/**
 * A shortest path between two targets; under the flags of `result`, or (`any`) through every branch.
 * @param {Model} model @param {Result} result @param {number} from @param {number} to @param {boolean} any
 * @returns {PathStep[] | null}
 */
function shortestPath(model, result, from, to, any) {
  const graph = result.graph;
  const { before, edgeTo, pending } = model.scratch;
  before.fill(-1);
  let count = 0;
  pending[count++] = from;
  before[from] = from;
  for (let at = 0; at < count && before[to] < 0; at++) {
    const label = pending[at];
    const end = graph.first[label] + graph.count[label];
    for (let edge = graph.first[label]; edge < end; edge++) {
      const target = graph.to[edge];
      if (before[target] >= 0 || !(any || result.taken[edge])) continue;
      before[target] = label;
      edgeTo[target] = edge;
      pending[count++] = target;
    }
  }
  if (before[to] < 0) return null;
  /** @type {PathStep[]} */
  const path = [];
  for (let label = to; label !== from; label = before[label]) {
    path.push({ source: before[label], row: edgeTo[label], target: label, graph });
  }
  return path.reverse();
}

/** The edges that arrive at a target: [source, row]. @param {Graph} graph @param {number} target @returns {[number, number][]} */
function arriving(graph, target) {
  /** @type {[number, number][]} */
  const found = [];
  for (let label = 0; label < graph.first.length; label++) {
    const end = graph.first[label] + graph.count[label];
    for (let edge = graph.first[label]; edge < end; edge++) if (graph.to[edge] === target) found.push([label, edge]);
  }
  return found;
}
