// @ts-check
// The page itself: its state, and what clicks and keys do to it.

/** The explorer. */
class App {
  /** @param {Model} model */
  constructor(model) {
    this.model = model;
    this.groups = grouped(model);
    this.state = stateOf(model, location.hash);
    this.filter = "";
    /** Whether `g` was pressed, and the next key says which view to go to. */
    this.isGo = false;
    /** @type {Map<string, Result>} */
    this.results = new Map();
    /** @type {Map<string, {gained: number, lost: number}>} By host and word, what it changes by itself. */
    this.effects = new Map();
    this.result = this.resultOf(this.state.line);
    this.before = this.resultOf(this.state.against);
    this.changes = changed(model, this.before, this.result);
    /** @type {LaidOut | null} What the map shows, once it is asked for. */
    this.map = null;
    this.drawing = new Drawing(this);
    /** @type {Map<string, KeptRows>} By view, the rows that it shows. */
    this.rows = new Map();
    this.detailsShown = new Kept();
    /** @type {Set<string>} The configs that are open in their tree. */
    this.openConfigs = new Set();
    this.shownHost = "";
    this.shownView = "";
    /** @type {Map<number, string>} By variable, what its row in the panel of flags says. */
    this.settingsSaid = new Map();
  }

  get boxes() {
    return this.laidOut().boxes;
  }

  get arrows() {
    return this.laidOut().arrows;
  }

  /** What a line amounts to; the last lines are kept. @param {Line} line */
  resultOf(line) {
    const key = JSON.stringify(line);
    let found = this.results.get(key);
    if (!found) {
      found = turned(this.model, line);
      if (this.results.size > 24) this.results.delete(/** @type {string} */ (this.results.keys().next().value));
      this.results.set(key, found);
    }
    return found;
  }

  /** Changes the state, and the address with it. @param {Partial<State>} parts @param {boolean} [quiet] */
  change(parts, quiet) {
    Object.assign(this.state, parts);
    const hash = hashOf(this.model, this.state);
    if (hash !== location.hash) history.pushState(null, "", hash === "#" ? "#" : hash);
    this.show(quiet);
  }

  /** Shows the state. @param {boolean} [quiet] */
  show(quiet) {
    const { model, state } = this;
    const before = this.result;
    this.result = this.resultOf(state.line);
    this.before = this.resultOf(state.against);
    this.changes = changed(model, this.before, this.result);
    this.map = null;
    showLine(this);
    if (this.shownHost !== state.line.host) {
      showFlags(this, $("left"));
      this.shownHost = state.line.host;
    } else if (before !== this.result) updateFlags(this, $("left"));
    this.showView();
    showDetails(this, $("right"));
    if (before !== this.result && !quiet) {
      announce(`${counted(this.result.count, "target")} needed, ${this.changes.gained.length} gained, ${this.changes.lost.length} lost`);
    }
  }

  showView() {
    const { state } = this;
    const view = $("view");
    for (const tab of $("tabs").querySelectorAll("button")) {
      const on = tab.dataset.view === state.view;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
    }
    view.setAttribute("aria-labelledby", `tab-${state.view}`);
    view.classList.toggle("text", state.view !== "map");
    // What can be scrolled can be reached by keys; on the map the boxes are.
    view.tabIndex = state.view === "map" ? -1 : 0;
    if (state.view === "map") {
      if (!view.contains(this.drawing.svg)) {
        replaced(view, this.drawing.svg, h("div", { class: "mapbar", id: "mapbar" }));
        this.drawing.size = null;
        this.shownView = "map";
      }
      this.showMapBar();
      this.drawing.draw(this.boxes, this.arrows);
      return;
    }
    /** @type {Record<string, (app: App) => (Node | null)[]>} */
    const views = { path: pathView, changes: changesView, repositories: repositoriesView, configs: configsView, flags: flagsView };
    const title = h("h2", { class: "offscreen" }, $("tabs").querySelector("[aria-selected=true]")?.textContent);
    patched(view, [title, .../** @type {Node[]} */ (views[state.view](this).filter(Boolean))]);
    // What is only turned stays where one has scrolled to: no layout is asked for to find that out.
    if (this.shownView !== state.view) view.scrollTop = 0;
    this.shownView = state.view;
  }

  /**
   * An element with rows, of which those are left alone that say what they said before.
   * @param {string} name @param {() => [HTMLElement, HTMLElement]} make the element, and what holds the rows
   * @param {[unknown, () => HTMLElement][]} rows
   */
  keptRows(name, make, rows) {
    let kept = this.rows.get(name);
    if (!kept) {
      const [shell, body] = make();
      kept = { shell, body, elements: new Kept() };
      this.rows.set(name, kept);
    }
    patched(kept.body, kept.elements.all(rows));
    return kept.shell;
  }

  /** The boxes and arrows of the state. @returns {LaidOut} */
  laidOut() {
    if (this.map) return this.map;
    const { model, state } = this;
    const { boxes, boxOf } = boxed(model, this.groups.root, state, this.result, this.changes, this.beside());
    let arrows = arrowsOf(model, state, boxes, boxOf, this.before, this.result, this.changes);
    let shown = boxes;
    if (state.only) {
      const near = new Set([state.only]);
      const inside = (/** @type {Box} */ box) => box.id === state.only || this.isInside(box, state.only);
      for (const arrow of arrows) {
        if (inside(arrow.source)) near.add(arrow.target.id);
        if (inside(arrow.target)) near.add(arrow.source.id);
      }
      // What these flags do not need has no box: nothing is isolated then.
      if (boxes.some(inside)) {
        shown = boxes.filter((box) => near.has(box.id) || inside(box));
        arrows = arrows.filter((a) => shown.includes(a.source) && shown.includes(a.target) && (inside(a.source) || inside(a.target)));
      }
    }
    if (!state.everyArrow) ({ boxes: shown, arrows } = fanned(state, shown, arrows));
    const cut = Math.max(0, shown.length - MOST_BOXES);
    if (cut) {
      shown = [...shown].sort((one, other) => Number(other.isStart) - Number(one.isStart) || other.size - one.size).slice(0, MOST_BOXES);
      const kept = new Set(shown);
      arrows = arrows.filter((a) => kept.has(a.source) && kept.has(a.target));
    }
    this.map = { boxes: shown, arrows, cut };
    return this.map;
  }

  /** How many repositories stand beside an open one: with more, the map would be wider than its panel. */
  beside() {
    const { width } = this.drawing.free();
    return width ? Math.max(6, Math.min(MOST_CHILDREN, Math.floor(width / 100))) : MOST_CHILDREN;
  }

  /** @param {Box} box @param {string} id */
  isInside(box, id) {
    for (let at = box.group || this.groups.byId.get(box.id) || null; at; at = at.parent) if (at.id === id) return true;
    return false;
  }

  /** The select()s that take another branch than before; null until they are read. */
  branchesThatDiffer() {
    return changedBranches(this.model, this.before, this.result);
  }

  showMapBar() {
    const { state } = this;
    const { boxes, arrows, cut } = this.laidOut();
    const hiddenArrows = arrows.filter((arrow) => arrow.isHidden).length;
    const isPackages = state.open.has("//");
    replaced(
      $("mapbar"),
      button("Repositories", () => this.firstLevel(false), { "aria-pressed": String(!isPackages && !state.only) }),
      button("Packages", () => this.firstLevel(true), { "aria-pressed": String(isPackages) }),
      button("Fit", () => this.drawing.fit(true)),
      button("Every arrow", () => this.change({ everyArrow: !state.everyArrow }), { "aria-pressed": String(state.everyArrow) }),
      button("Conditions", () => this.change({ conditions: !state.conditions }), { "aria-pressed": String(state.conditions), title: "Show config_settings and their like" }),
      state.hidden.size || state.only ? button(`Show all again${state.hidden.size ? ` (${state.hidden.size} hidden)` : ""}`, () => this.change({ hidden: new Set(), only: "" })) : null,
      h("span", { class: "said", id: "said" }, `${counted(boxes.length, "box", "boxes")}${cut ? `, ${cut} more do not fit: close or isolate some` : ""}${hiddenArrows && !state.everyArrow ? ` · ${counted(hiddenArrows, "implied arrow")} left out` : ""}`),
    );
  }

  /** @param {boolean} packages */
  firstLevel(packages) {
    const open = new Set();
    this.state.open = open;
    if (packages) {
      const main = this.groups.byId.get("//");
      const isOwn = (/** @type {Box} */ box) => !box.repository && box.label < 0;
      let next = main;
      // The largest folders, until there are some to look at.
      for (let n = 0; next && n < 6; n++) {
        opened(this.state, next);
        const { boxes } = boxed(this.model, this.groups.root, this.state, this.result, this.changes, this.beside());
        const own = boxes.filter(isOwn);
        const largest = own.sort((one, other) => other.size - one.size)[0];
        next = own.length < 10 && largest && largest.group ? largest.group : undefined;
      }
    }
    this.change({ open, only: "", hidden: new Set(), pinned: new Set(this.model.data.starts) });
  }

  /** @param {string} id */
  boxNamed(id) {
    return this.boxes.find((box) => box.id === id);
  }

  /** An arrow of the map, or an edge between two targets. @param {string} id */
  arrowNamed(id) {
    const [source, target] = id.split(" -> ");
    if (target === undefined) return undefined;
    const known = this.arrows.find((arrow) => arrow.source.id === source && arrow.target.id === target);
    const [from, to] = [this.model.numbers.get(source), this.model.numbers.get(target)];
    if (known || from === undefined || to === undefined) return known;
    const end = (/** @type {number} */ label) => /** @type {any} */ ({ id: this.model.labels[label], text: this.model.labels[label], labels: [label] });
    const graph = this.result.graph;
    let conditional = 0;
    let count = 0;
    for (let row = graph.first[from]; row < graph.first[from] + graph.count[from]; row++) {
      if (graph.to[row] !== to) continue;
      count++;
      if (graph.condition[row] >= 0) conditional++;
    }
    return /** @type {Arrow} */ ({ source: end(from), target: end(to), count, lost: 0, gained: 0, perhaps: 0, conditional, first: 0, isBack: false, isHidden: false, points: [] });
  }

  /** @param {string} id @param {boolean} [bring] */
  select(id, bring) {
    const label = this.model.numbers.get(id);
    const isHere = this.boxNamed(id) !== undefined;
    if (document.body.dataset.right === "closed") setSide("right", true);
    if (bring && label !== undefined && this.state.view === "map" && !isHere && (this.result.reached[label] || this.changes.marks[label] === LOST)) {
      this.state.pinned.add(label);
    }
    this.change({ selected: id });
    $("right").scrollTop = 0;
  }

  /** @param {string} id */
  selectGroup(id) {
    this.change({ view: "map", selected: id, only: "" });
  }

  /** Shows a view; where panels lie upon it, they go. @param {string} view */
  turnTo(view) {
    this.uncover();
    this.change({ view });
  }

  /** Where panels lie upon the view, they go. */
  uncover() {
    if (isNarrow()) for (const side of /** @type {("left" | "right")[]} */ (["left", "right"])) setSide(side, false);
  }

  /** @param {string} name */
  showRepository(name) {
    this.change({ view: "repositories" });
    document.getElementById(`repository-${name}`)?.scrollIntoView({ block: "center" });
  }

  /** Opens a box: what is in it takes its place. @param {string} id */
  open(id) {
    const group = this.groups.byId.get(id);
    if (id.endsWith("#all") || id.startsWith("fan:")) this.state.open.add(id);
    else if (group && group.label < 0) opened(this.state, group);
    else if (this.model.numbers.has(id)) return this.follow(id, true);
    this.change({});
    this.refocus(id);
    return undefined;
  }

  /** The nearest box that is left keeps the focus. @param {string} id */
  refocus(id) {
    const next = this.boxes.find((box) => box.id === id || this.isInside(box, id)) || this.boxes[0];
    if (next && this.state.view === "map" && (document.activeElement === document.body || document.activeElement instanceof SVGElement)) this.drawing.focus(next.id);
  }

  /** Closes the folder or repository that a box stands in. @param {string} id */
  close(id) {
    const box = this.boxNamed(id);
    const parent = openParent(this.state, (box && box.group) || this.groups.byId.get(id) || null);
    if (parent) this.closeGroup(parent.id);
  }

  /** @param {string} id */
  closeGroup(id) {
    for (const one of [...this.state.open]) {
      for (let at = this.groups.byId.get(one.replace(/#all$/, "")) || null; at; at = at.parent) if (at.id === id) this.state.open.delete(one);
    }
    this.change({ selected: id });
    this.refocus(id);
  }

  /** @param {string} id */
  hide(id) {
    this.state.hidden.add(id);
    this.change({});
    this.refocus("");
  }

  /** @param {string} id */
  isolate(id) {
    const label = this.model.numbers.get(id);
    if (label !== undefined && !this.boxNamed(id)) this.state.pinned.add(label);
    else for (let at = this.groups.byId.get(id)?.parent; at && at.id; at = at.parent) this.state.open.add(at.id);
    this.change({ view: "map", only: this.state.only === id ? "" : id, selected: id });
    this.refocus(id);
  }

  /** @param {number[]} labels */
  pin(labels) {
    for (const label of labels) this.state.pinned.add(label);
    this.change({ view: "map" });
  }

  /** @param {number} label */
  unpin(label) {
    this.state.pinned.delete(label);
    this.change({});
  }

  /** Shows what a target needs, or what needs it, on the map. @param {string} id @param {boolean} down */
  follow(id, down) {
    const { model, result } = this;
    const label = model.numbers.get(id);
    if (label === undefined) return;
    const graph = result.graph;
    /** @type {number[]} */
    let others = [];
    if (down) {
      for (let row = graph.first[label]; row < graph.first[label] + graph.count[label]; row++) if (result.taken[row]) others.push(graph.to[row]);
    } else {
      others = arriving(graph, label).filter(([source, row]) => result.reached[source] && result.taken[row]).map(([source]) => source);
    }
    const isRule = (/** @type {number} */ one) => Number(/ file$/.test(model.kind(graph, one)) || CONDITION_KINDS.has(model.kind(graph, one)));
    const fresh = [...new Set(others)].filter((one) => !this.state.pinned.has(one)).sort((one, other) => isRule(one) - isRule(other));
    announce(`${counted(Math.min(fresh.length, 12), "target")} shown of ${others.length}`);
    this.state.pinned.add(label);
    this.pin(fresh.slice(0, 12));
    this.refocus(id);
  }

  /** @param {PathStep[]} path */
  pinPath(path) {
    this.pin(path.flatMap((step) => [step.source, step.target]));
  }

  /** @param {string} id */
  pathTo(id) {
    if (!this.model.numbers.has(id)) return;
    this.uncover();
    this.change({ view: "path", to: id });
  }

  /** @param {string} word @param {boolean} on */
  turn(word, on) {
    const words = this.state.line.words.filter((one) => one !== word);
    this.change({ line: { host: this.state.line.host, words: on ? [...words, word] : words } });
    keepFocus(`[data-word="${CSS.escape(word)}"]`);
  }

  /** @param {string | undefined} old @param {string} word */
  turnSetting(old, word) {
    const words = this.state.line.words.filter((one) => one !== old);
    const known = word ? this.model.flags.get(word) || otherValue(this.model, word) : null;
    this.change({ line: { host: this.state.line.host, words: word ? [...words, word] : words } });
    const what = known ? this.model.data.variables[known[0]].what : "";
    if (what) keepFocus(`[data-variable="${CSS.escape(what)}"]`);
  }

  /** @param {string} host */
  turnHost(host) {
    this.change({ line: { host, words: this.state.line.words } });
    keepFocus(`#host-${CSS.escape(host)}`);
  }

  /** @param {string} text */
  filterFlags(text) {
    this.filter = text;
    showFlags(this, $("left"));
    const input = /** @type {HTMLInputElement} */ ($("left").querySelector("input"));
    input.focus();
    input.setSelectionRange(text.length, text.length);
  }

  /** Words of a typed line, as this page knows them: `-c opt` is one. @param {string} text @param {string} host */
  wordsOf(text, host) {
    const base = baseOf(this.model, host);
    const parts = text.split(/\s+/).filter(Boolean);
    const words = [];
    for (let n = 0; n < parts.length; n++) {
      const two = `${parts[n]} ${parts[n + 1] || ""}`;
      if (this.model.words[base].has(two)) {
        words.push(two);
        n++;
      } else words.push(parts[n]);
    }
    return words;
  }

  /** The target that a typed name means. @param {string} text */
  nearest(text) {
    if (this.model.numbers.has(text) || !text) return text;
    return this.found(text, 1)[0] || text;
  }

  /** Labels that contain a text, the best first. @param {string} text @param {number} most */
  found(text, most) {
    const wanted = text.toLowerCase();
    const ranked = [];
    for (let label = 0; label < this.model.size; label++) {
      if (this.result.graph.row[label] < 0) continue;
      const id = this.model.labels[label];
      const at = id.toLowerCase().indexOf(wanted);
      if (at < 0) continue;
      const name = this.model.name(label).toLowerCase();
      const rank = (name === wanted ? 0 : name.startsWith(wanted) ? 1 : name.includes(wanted) ? 2 : 3) + (this.result.reached[label] ? 0 : 4);
      ranked.push({ id, rank });
    }
    ranked.sort((one, other) => one.rank - other.rank || one.id.length - other.id.length || (one.id < other.id ? -1 : 1));
    return ranked.slice(0, most).map(({ id }) => id);
  }

  /** @param {string} text */
  offerNames(text) {
    const list = document.getElementById("names");
    if (list && text.length > 1) replaced(list, ...this.found(text, 20).map((value) => h("option", { value })));
  }

  /** What each config changes by itself, worked out while nothing else is to be done. @param {IdleDeadline} [deadline] */
  lookAhead(deadline) {
    const { model, state } = this;
    const base = baseOf(model, state.line.host);
    const unknown = model.data.bases[base].words.map((one) => one.words.join(" ")).filter((text) => !this.effects.has(`${state.line.host} ${text}`));
    if (!unknown.length) return;
    const rows = new Map([.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-word]"))].map((row) => [row.dataset.word, row.parentElement]));
    for (const next of unknown) {
      const effect = this.effectOf(next);
      this.effects.set(`${state.line.host} ${next}`, effect);
      rows.get(next)?.append(...effectPills(effect));
      if (!deadline || deadline.timeRemaining() < 8) break;
    }
    idle((rest) => this.lookAhead(rest));
  }

  /** @param {string} word */
  effectOf(word) {
    const { model, state } = this;
    const plain = this.resultOf({ host: state.line.host, words: [] });
    const one = turned(model, { host: state.line.host, words: [word] });
    // Who turns the word asks for these: they are found before, and no turn takes longer for them.
    model.selects(one.assignment.graph);
    let [gained, lost] = [0, 0];
    for (let label = 0; label < model.size; label++) {
      if (one.reached[label] && !plain.reached[label]) gained++;
      if (plain.reached[label] && !one.reached[label]) lost++;
    }
    return { gained, lost };
  }
}

/** @param {(deadline?: IdleDeadline) => void} work */
function idle(work) {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(() => work(), 30);
}

/** @param {string} selector */
function keepFocus(selector) {
  /** @type {HTMLElement | null} */
  const element = document.querySelector(selector);
  if (element !== document.activeElement) element?.focus({ preventScroll: true });
}

/** Whether panels lie upon the view, as `page.css` says. */
function isNarrow() {
  return window.innerWidth <= 1100;
}

/** @param {"left" | "right"} side @param {boolean} open */
function setSide(side, open) {
  document.body.dataset[side] = open ? "open" : "closed";
  $(`toggle-${side}`).setAttribute("aria-expanded", String(open));
  window.dispatchEvent(new Event("resize"));
}

/** The command line of the state, its figures, and what Bazel refuses. @param {App} app */
function showLine(app) {
  const { model, state, result, changes } = app;
  const text = commandText(model, state.line);
  const command = h("div", { id: "command", role: "group", tabindex: 0, "aria-label": "Command line" });
  const typed = new Set(state.line.words.flatMap((one) => quotedWords(model, state.line, one)));
  for (const word of text.split(" ")) command.append(h("span", { class: typed.has(word) ? "typed" : null }, ...words(word)), " ");
  /** @type {HTMLElement} */
  const copy = button("Copy", () => copied(text, copy), { id: "copy" });
  const given = firstState(model);
  const isGiven = JSON.stringify(state.line) === JSON.stringify(given.line);
  const against = state.against.words.length ? state.against.words.join(" ") : "the rc files alone";
  replaced(
    $("line"),
    command,
    state.line.host === given.line.host ? null : h("span", { class: "pill warn" }, `on ${state.line.host}`),
    copy,
    isGiven ? null : button("Back to the given line", () => app.change({ line: given.line }), { id: "reset" }),
    h(
      "div",
      { class: "figures", id: "figures" },
      h("span", {}, h("b", {}, NUMBERS.format(result.count)), ` of ${counted(model.size, "target")} needed`),
      result.perhaps ? h("span", { class: "pill warn" }, `${NUMBERS.format(result.perhaps)} perhaps`) : null,
      h("span", { class: "pill gained", id: "gained" }, `+${NUMBERS.format(changes.gained.length)} gained`),
      h("span", { class: "pill lost", id: "lost" }, `−${NUMBERS.format(changes.lost.length)} lost`),
      h("span", { class: "soft" }, `against ${JSON.stringify(state.against) === JSON.stringify(given.line) ? "the given line" : against}`),
    ),
  );
  const notices = [];
  const assignment = result.assignment;
  const refusals = isGiven ? model.data.refusals : [];
  const errors = isGiven ? model.data.errors : assignment.problems;
  if (errors.length) notices.push(h("div", { class: "notice bad", role: "alert" }, h("p", {}, "Bazel refuses this command line"), h("ul", {}, ...errors.map((one) => h("li", {}, one)))));
  if (refusals.length) {
    notices.push(
      h("div", { class: "notice bad", role: "alert", id: "refusals" }, h("p", {}, `Bazel refuses to build this: ${counted(refusals.length, "error")}`), h("ul", {}, ...refusals.slice(0, 5).map((one) => h("li", {}, one.target && model.numbers.has(one.target) ? h("span", {}, labelLink(app, /** @type {number} */ (model.numbers.get(one.target))), ": ") : null, one.message, " ", one.place ? h("span", { class: "place" }, one.place) : null, one.remedy ? h("div", { class: "soft" }, one.remedy) : null)))),
    );
  } else if (result.refused.length) {
    notices.push(h("div", { class: "notice bad", role: "alert", id: "refusals" }, h("p", {}, `Bazel refuses to build this: ${counted(result.refused.length, "target")} with a select() in error`), h("ul", {}, ...result.refused.slice(0, 5).map((label) => h("li", {}, labelLink(app, label))))));
  }
  if (result.lacking.length) notices.push(h("div", { class: "notice bad" }, h("p", {}, "The platform lacks what these ask for"), h("ul", {}, ...result.lacking.slice(0, 5).map((label) => h("li", {}, labelLink(app, label))))));
  for (const note of assignment.notes) notices.push(h("div", { class: "notice warn" }, h("p", {}, note)));
  replaced($("notices"), ...notices);
}

const KEYS = [
  ["/", "search for a target, config, flag or repository"],
  ["Tab", "go on to the next part; arrow keys move between boxes"],
  ["Enter", "select a box, then open it; on a target: follow what it needs"],
  ["o c", "open a box, close the folder that it stands in"],
  ["h i", "hide a box, isolate it with its neighbours"],
  ["d r", "follow dependencies, follow what needs it (reverse)"],
  ["p", "the path to a target"],
  ["+ - 0 1", "larger, smaller, all of it, readable again"],
  ["g then m p c r o f", "go to map, path, changes, repositories, configs (o), flags"],
  ["t", "turn flags: to the panel on the left"],
  ["l", "light or dark"],
  ["?", "these keys"],
];

/** @param {App} app */
function wire(app) {
  const { model } = app;
  replaced($("title"), model.data.workspace, " ", h("span", { class: "soft" }, `Bazel ${model.data.bazel}`));
  const names = /** @type {Record<string, string>} */ ({ map: "Map", path: "Path", changes: "Changes", repositories: "Repositories", configs: "Configs", flags: "Flags in force" });
  replaced($("tabs"), ...VIEWS.map((view) => button(names[view], () => app.turnTo(view), { role: "tab", id: `tab-${view}`, "data-view": view, "aria-controls": "view" })));
  $("tabs").addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (!step) return;
    const at = (VIEWS.indexOf(app.state.view) + step + VIEWS.length) % VIEWS.length;
    app.turnTo(VIEWS[at]);
    /** @type {HTMLElement} */ ($("tabs").children[at]).focus();
  });
  for (const side of /** @type {("left" | "right")[]} */ (["left", "right"])) {
    $(`toggle-${side}`).addEventListener("click", () => setSide(side, document.body.dataset[side] === "closed"));
    setSide(side, !isNarrow());
  }
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const setTheme = (/** @type {string} */ theme) => {
    root.dataset.theme = theme;
    const other = theme === "dark" ? "Light" : "Dark";
    $("theme").textContent = other;
    $("theme").setAttribute("aria-label", `${other} colours`);
  };
  setTheme(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
  const switchTheme = () => setTheme(root.dataset.theme === "dark" ? "light" : "dark");
  $("theme").addEventListener("click", switchTheme);
  const help = /** @type {HTMLDialogElement} */ ($("help"));
  replaced(help, h("h2", {}, "Keys"), h("table", {}, ...KEYS.map(([key, text]) => h("tr", {}, h("td", {}, ...key.split(" ").map((one) => (one === "then" ? " then " : h("kbd", {}, one)))), h("td", {}, text)))), h("p", { class: "soft" }, `Boxes: a blue stripe is this workspace, violet an external repository; + and − mark what the flags gain and lose. Dashed arrows hang on a select(), dotted ones on something unknown. Made by ${model.data.madeBy} for Bazel ${model.data.bazel} (${model.data.bazelFrom}). Dependencies that toolchain resolution chooses are not part of it.${model.data.leftOut.length ? ` Left out to keep the page small: ${model.data.leftOut.join(", ")}.` : ""}`), button("Close", () => help.close()));
  $("help-button").addEventListener("click", () => help.showModal());
  $("skip").addEventListener("click", (event) => {
    event.preventDefault();
    $("center").focus();
  });
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    // Letters choose in a list of values, where a slash chooses nothing.
    const isText = target.matches("input:not([type=checkbox], [type=radio]), textarea") || (target.matches("select") && !"/?".includes(event.key));
    if (event.ctrlKey || event.metaKey || event.altKey || isText || help.open) return;
    /** @type {Record<string, string>} */
    const views = { m: "map", p: "path", c: "changes", r: "repositories", o: "configs", f: "flags" };
    if (app.isGo && views[event.key]) app.turnTo(views[event.key]);
    else if (event.key === "/") $("query").focus();
    else if (event.key === "?") help.showModal();
    else if (event.key === "l") switchTheme();
    else if (event.key === "t") {
      setSide("left", true);
      $("left").querySelector("input")?.focus();
    } else if (event.key !== "g") return;
    app.isGo = event.key === "g";
    event.preventDefault();
  });
  window.addEventListener("popstate", () => {
    app.state = stateOf(model, location.hash);
    app.show();
  });
  window.addEventListener("resize", () => app.state.view === "map" && app.drawing.redraw());
  wireSearch(app);
}

/** @param {App} app */
function wireSearch(app) {
  const input = /** @type {HTMLInputElement} */ ($("query"));
  const list = $("hits");
  /** @type {{text: string, kind: string, go: () => void}[]} */
  let hits = [];
  let at = 0;
  const close = () => {
    list.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  };
  const mark = () => {
    [...list.children].forEach((item, n) => item.setAttribute("aria-selected", String(n === at)));
    input.setAttribute("aria-activedescendant", `hit-${at}`);
    list.children[at]?.scrollIntoView({ block: "nearest" });
  };
  const take = (/** @type {number} */ n) => {
    const hit = hits[n];
    close();
    input.value = "";
    $("center").focus();
    if (hit) hit.go();
  };
  const look = () => {
    const text = input.value.trim();
    if (!text) return close();
    hits = everyHit(app, text);
    at = 0;
    replaced(list, ...hits.map((hit, n) => h("li", { id: `hit-${n}`, role: "option", onmousedown: (/** @type {Event} */ event) => { event.preventDefault(); take(n); } }, h("span", { class: "mono" }, hit.text), h("span", { class: "soft" }, hit.kind))), hits.length ? null : h("li", { class: "soft" }, "nothing is called so"));
    list.hidden = false;
    input.setAttribute("aria-expanded", "true");
    mark();
    return undefined;
  };
  input.addEventListener("input", look);
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      at = Math.max(0, Math.min(hits.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)));
      mark();
    } else if (event.key === "Enter") {
      take(at);
    } else if (event.key === "Escape") {
      input.value = "";
      close();
      input.blur();
    } else return;
    event.preventDefault();
  });
}

/** @param {App} app @param {string} text */
function everyHit(app, text) {
  const { model, state } = app;
  const wanted = text.toLowerCase();
  const base = baseOf(model, state.line.host);
  const hits = app.found(text, 30).map((id) => ({
    text: id,
    kind: model.kind(app.result.graph, /** @type {number} */ (model.numbers.get(id))) + (app.result.reached[/** @type {number} */ (model.numbers.get(id))] ? "" : ", not needed now"),
    go: () => app.select(id, true),
  }));
  const best = (/** @type {string[]} */ names, /** @type {number} */ most) => {
    const isIn = names.filter((name) => name.toLowerCase().includes(wanted));
    return isIn.sort((one, other) => one.length - other.length || (one < other ? -1 : 1)).slice(0, most);
  };
  const configs = best(model.data.bases[base].words.map((one) => one.words.join(" ")), 6);
  const repositories = best([...model.repositories.keys()].map((name) => `@${name}`), 5);
  hits.unshift(
    ...repositories.map((name) => ({ text: name, kind: "repository", go: () => app.showRepository(name.slice(1)) })),
    ...configs.map((word) => ({ text: word, kind: state.line.words.includes(word) ? "turn off" : "turn on", go: () => app.turn(word, !state.line.words.includes(word)) })),
  );
  for (const variable of model.data.variables) {
    if (variable.what && variable.what.toLowerCase().includes(wanted) && hits.length < 50) {
      hits.push({ text: variable.what, kind: "setting", go: () => { setSide("left", true); app.filterFlags(variable.what || ""); } });
    }
  }
  // What is called just so comes first, whatever it is.
  const isCalled = (/** @type {{text: string}} */ hit) => ["", "@", "--config="].some((start) => hit.text.toLowerCase() === start + wanted);
  return [...hits.filter(isCalled), ...hits.filter((hit) => !isCalled(hit))];
}

async function main() {
  const started = performance.now();
  const model = new Model(await unpacked("data"));
  const app = new App(model);
  wire(app);
  app.show(true);
  document.body.dataset.opened = String(Math.round(performance.now() - started));
  Object.assign(window, { bazelscope: app, bazelscopeEngine: { turned, inForce } });
  model.details = await unpacked("details");
  app.show(true);
  document.body.dataset.ready = "true";
  idle((deadline) => app.lookAhead(deadline));
}

main().catch((error) => {
  const line = document.getElementById("line");
  if (line) line.textContent = `This page cannot be shown here: ${error}. It needs a browser of 2023 or later.`;
});
