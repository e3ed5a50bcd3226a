// @ts-check
// What the page shows, as the part of its address behind `#`: every state is a link.

const VIEWS = ["map", "path", "changes", "repositories", "configs", "flags"];

/** @param {Model} model @returns {State} */
function firstState(model) {
  const host = model.data.bases[0].host;
  const given = model.data.given.map((words) => words.join(" "));
  const against = model.data.against;
  return {
    view: against ? "changes" : "map",
    line: { host, words: given },
    against: { host, words: against ? against.map((words) => words.join(" ")) : [...given] },
    open: new Set(),
    pinned: new Set(model.data.starts),
    hidden: new Set(),
    only: "",
    selected: model.labels[model.data.starts[0]],
    from: model.labels[model.data.starts[0]],
    to: "",
    everyArrow: false,
    conditions: false,
  };
}

/** @param {Model} model @param {State} state */
function hashOf(model, state) {
  const first = firstState(model);
  const parts = new URLSearchParams();
  const put = (/** @type {string} */ name, /** @type {string} */ value, /** @type {string} */ usual) => {
    if (value !== usual) parts.set(name, value);
  };
  put("view", state.view, first.view);
  put("host", state.line.host, first.line.host);
  put("flags", JSON.stringify(state.line.words), JSON.stringify(first.line.words));
  put("against", JSON.stringify(state.against.words), JSON.stringify(first.against.words));
  put("against-host", state.against.host, first.against.host);
  put("open", [...state.open].join("\n"), "");
  put("show", [...state.pinned].map((n) => model.labels[n]).join("\n"), [...first.pinned].map((n) => model.labels[n]).join("\n"));
  put("hide", [...state.hidden].join("\n"), "");
  put("only", state.only, "");
  put("at", state.selected, first.selected);
  put("from", state.from, first.from);
  put("to", state.to, "");
  if (state.everyArrow) parts.set("arrows", "every");
  if (state.conditions) parts.set("conditions", "shown");
  return `#${parts}`;
}

/** @param {Model} model @param {string} hash @returns {State} */
function stateOf(model, hash) {
  const state = firstState(model);
  const parts = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (/** @type {string} */ name, /** @type {string} */ usual) => parts.get(name) ?? usual;
  /** @param {string} name @param {string[]} usual */
  const words = (name, usual) => {
    try {
      const found = JSON.parse(parts.get(name) || "null");
      return Array.isArray(found) ? found.map(String) : usual;
    } catch {
      return usual;
    }
  };
  const list = (/** @type {string} */ name) => (parts.get(name) || "").split("\n").filter(Boolean);
  const view = text("view", state.view);
  state.view = VIEWS.includes(view) ? view : "map";
  state.line = { host: text("host", state.line.host), words: words("flags", state.line.words) };
  state.against = { host: text("against-host", state.against.host), words: words("against", state.against.words) };
  state.open = new Set(list("open"));
  if (parts.has("show")) {
    state.pinned = new Set(/** @type {number[]} */ (list("show").map((l) => model.numbers.get(l)).filter((n) => n !== undefined)));
  }
  state.hidden = new Set(list("hide"));
  state.only = text("only", "");
  state.selected = text("at", state.selected);
  state.from = text("from", state.from);
  state.to = text("to", "");
  state.everyArrow = parts.get("arrows") === "every";
  state.conditions = parts.get("conditions") === "shown";
  return state;
}

/** The command line of a line, to be pasted. @param {Model} model @param {Line} line */
function commandText(model, line) {
  const targets = model.data.starts.map((label) => model.labels[label]);
  return ["bazel", model.data.command, ...line.words.flatMap((one) => quotedWords(model, line, one)), ...targets.map(quoted)].join(" ");
}

/** The words of an option, quoted each. @param {Model} model @param {Line} line @param {string} text */
function quotedWords(model, line, text) {
  const data = wordsData(model, baseOf(model, line.host), text);
  return (data ? data.words : [text]).map(quoted);
}

/** A word as a shell takes it. @param {string} word */
function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
