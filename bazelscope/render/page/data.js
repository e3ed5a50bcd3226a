// @ts-check
// Reads the documents of the page: deflated JSON in base64.

/** @param {string} id @returns {Promise<any>} */
async function unpacked(id) {
  const holder = document.getElementById(id);
  if (!holder) return null;
  const text = atob(holder.textContent || "");
  const bytes = new Uint8Array(text.length);
  for (let n = 0; n < text.length; n++) bytes[n] = text.charCodeAt(n);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

/** What the page holds, with the tables that everything is looked up in. */
class Model {
  /** @param {PageData} data */
  constructor(data) {
    this.data = data;
    this.size = data.labels[0].length;
    /** @type {DetailData | null} */
    this.details = null;
    /** @type {string[]} */
    this.labels = data.labels[1].map((name, n) => labelText(data.packages[data.labels[0][n]], name));
    /** @type {Map<string, number>} */
    this.numbers = new Map(this.labels.map((label, n) => [label, n]));
    /** @type {Map<number, Graph>} */
    this.graphs = new Map();
    /** @type {Map<number, number>} */
    this.arrivals = new Map(data.arrivals);
    this.starts = new Set(data.starts);
    const scopes = data.scopes.length;
    this.wayFormula = new Int32Array(data.ways.length * scopes);
    this.wayTarget = new Int32Array(data.ways.length * scopes);
    data.ways.forEach((ways, n) => {
      for (const [scope, formula, target] of ways) {
        this.wayFormula[n * scopes + scope] = formula;
        this.wayTarget[n * scopes + scope] = target;
      }
    });
    // What every turn of a flag needs for its walks is made once: arrays of this size, made anew each
    // time, would bring on collections of garbage.
    this.scratch = {
      seen: new Uint8Array(this.size * scopes),
      pending: new Int32Array(this.size * scopes),
      before: new Int32Array(this.size),
      edgeTo: new Int32Array(this.size),
      boxOf: new Int32Array(this.size),
    };
    this.accumulating = new Set(data.accumulating);
    /** @type {Map<string, RepositoryData>} */
    this.repositories = new Map();
    for (const load of data.loads) {
      for (const one of load.repositories) {
        if (!this.repositories.has(one.name)) this.repositories.set(one.name, one);
      }
    }
    this.words = data.bases.map((base) => new Map(base.words.map((one) => [one.words.join(" "), one])));
    /** @type {Map<string, [number, number]>} By a flag's text, the variable and value. */
    this.flags = new Map();
    data.variables.forEach((variable, n) => {
      (variable.flags || []).forEach((flag, value) => {
        if (flag) this.flags.set(flag, [n, value]);
      });
    });
  }

  /** @param {number} label */
  repository(label) {
    return this.data.packages[this.data.labels[0][label]][0];
  }

  /** @param {number} label */
  package(label) {
    const [repository, path] = this.data.packages[this.data.labels[0][label]];
    return labelText([repository, path], null);
  }

  /** @param {number} label */
  name(label) {
    return this.data.labels[1][label];
  }

  /** The graph of one load. @param {number} number @returns {Graph} */
  graph(number) {
    const known = this.graphs.get(number);
    if (known) return known;
    const loads = this.data.loads;
    const layers = number ? [loads[0], loads[number]] : [loads[0]];
    const total = layers.reduce((sum, load) => sum + load.edges[0].length, 0);
    /** @type {Graph} */
    const graph = {
      data: loads[number],
      first: new Int32Array(this.size),
      count: new Int32Array(this.size),
      kind: new Int32Array(this.size).fill(-1),
      row: new Int32Array(this.size).fill(-1),
      to: new Int32Array(total),
      attribute: new Int32Array(total),
      form: new Int32Array(total),
      ways: new Int32Array(total),
      condition: new Int32Array(total),
      problems: new Map(),
      own: new Uint8Array(this.size),
      refused: [],
      lacking: [],
      selects: null,
      number,
    };
    let edge = 0;
    layers.forEach((load, layer) => {
      const columns = [graph.to, graph.attribute, graph.form, graph.ways, graph.condition];
      columns.forEach((column, n) => column.set(load.edges[n], edge));
      load.labels.forEach((label, row) => {
        graph.first[label] = edge;
        graph.count[label] = load.counts[row];
        graph.kind[label] = load.kinds[row];
        graph.row[label] = row;
        graph.own[label] = layer;
        graph.problems.delete(label);
        edge += load.counts[row];
      });
      for (const [row, text] of load.problems) graph.problems.set(load.labels[row], this.data.texts[text]);
    });
    layers.forEach((load, layer) => {
      for (const name of /** @type {("refused" | "lacking")[]} */ (["refused", "lacking"])) {
        for (const [row, scope, formula] of load[name]) {
          if (graph.own[load.labels[row]] === layer) graph[name].push([load.labels[row], scope, formula]);
        }
      }
    });
    this.graphs.set(number, graph);
    return graph;
  }

  /** The select()s of all targets, found when first asked for; null until details are read. @param {Graph} graph */
  selects(graph) {
    if (!this.details || graph.selects) return graph.selects;
    graph.selects = [];
    for (let label = 0; label < this.size; label++) {
      const detail = this.detail(graph, label);
      for (const [name, ...parts] of (detail && detail[3]) || []) {
        for (const [kind, place, , , ...branches] of parts) {
          if (kind === -2) graph.selects.push({ label, name, place, branches });
        }
      }
    }
    return graph.selects;
  }

  /** The kind of a target in a graph. @param {Graph} graph @param {number} label */
  kind(graph, label) {
    const kind = graph.kind[label];
    return kind < 0 ? "" : this.data.texts[kind];
  }

  /** The details of a target, null until they are read. @param {Graph} graph @param {number} label */
  detail(graph, label) {
    if (!this.details || graph.row[label] < 0) return null;
    return this.details.loads[graph.own[label] ? graph.number : 0][graph.row[label]];
  }

  /** @param {number} place */
  place(place) {
    if (place < 0 || !this.details) return "";
    const [path, line] = this.details.places[place];
    return `${this.details.texts[path]}:${line}`;
  }
}

/** @param {[string, string]} place @param {string | null} name */
function labelText([repository, path], name) {
  const start = `${repository ? `@${repository}` : ""}//${path}`;
  return name === null ? start : `${start}:${name}`;
}
