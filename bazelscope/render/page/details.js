// @ts-check
// The panel on the right: all there is to say of what was clicked.

/** @param {App} app @param {number} label @param {boolean} [isOff] */
function labelLink(app, label, isOff) {
  const text = app.model.labels[label];
  const link = button("", () => app.select(text, true), {
    class: `link ${isOff ? "off" : ""}`,
    "aria-label": isOff ? `${text}, not taken` : text,
  });
  link.append(...breaking(text));
  return link;
}

/** @param {App} app @param {HTMLElement} panel */
function showDetails(app, panel) {
  const { selected } = app.state;
  const label = app.model.numbers.get(selected);
  // What the map shows is found out only where it says more: other views need none.
  if (label !== undefined) return patched(panel, app.detailsShown.all(targetDetails(app, label)));
  const arrow = app.arrowNamed(selected);
  const box = app.boxNamed(selected);
  if (arrow) replaced(panel, ...arrowDetails(app, arrow));
  else if (box || app.groups.byId.has(selected)) replaced(panel, ...groupDetails(app, selected, box));
  else replaced(panel, h("p", { class: "soft" }, "Click a box or an arrow, or search with /."));
}

/** The parts of what is said of a target, each with what it depends on. @param {App} app @param {number} label @returns {[unknown, () => HTMLElement][]} */
function targetDetails(app, label) {
  const { model, result, changes } = app;
  const graph = result.graph;
  const detail = model.detail(graph, label);
  const id = model.labels[label];
  const reached = result.reached[label];
  const kind = model.kind(graph, label);
  const status = () => reached === 2 ? h("span", { class: "pill yes" }, "needed") : reached === 1 ? h("span", { class: "pill warn" }, "perhaps needed") : h("span", { class: "pill" }, "not needed");
  const problem = graph.problems.get(label);
  const [gained, lost] = [changes.marks[label] === GAINED, changes.marks[label] === LOST];
  const facts = () => {
    const list = h("dl", { class: "facts" });
    const fact = (/** @type {string} */ name, /** @type {Node | string} */ value) => list.append(h("dt", {}, name), h("dd", {}, value));
    fact("class", h("code", {}, kind || "unknown"));
    if (detail && detail[0] >= 0) fact("place", placeNode(model.place(detail[0])));
    if (detail && model.details && model.details.texts[detail[2]]) fact("content", model.details.texts[detail[2]]);
    fact("repository", model.repository(label) ? button(`@${model.repository(label)}`, () => app.showRepository(model.repository(label)), { class: "link" }) : "this workspace");
    return list;
  };
  const warning = (/** @type {string} */ kind, /** @type {string} */ text) => () => h("p", { class: kind }, text);
  // The same target of the same packages says the same, unless a part says what else it depends on.
  const same = [id, graph.own[label] ? graph.number : 0, model.details !== null];
  /** @type {[unknown, () => HTMLElement][]} */
  const parts = [
    ["head", () => h("h2", { class: "mono" }, ...breaking(id))],
    ["status", reached, gained, lost, () => h("div", { class: "figures" }, status(), gained ? h("span", { class: "pill gained" }, "+ gained") : null, lost ? h("span", { class: "pill lost" }, "− lost") : null)],
    problem ? ["problem", warning("warn", problem)] : null,
    ["actions", app.state.pinned.has(label), () => targetActions(app, label)],
    ["facts", kind, facts],
    detail ? ["stack", () => stackDetails(app, detail)] : null,
    whyDetails(app, label),
    result.refused.includes(label) ? ["refused", warning("bad", "Bazel refuses a select() of this target under these flags.")] : null,
    result.lacking.includes(label) ? ["lacking", warning("bad", "The platform lacks what this target's target_compatible_with asks for.")] : null,
    takenDetails(app, label, kind),
    edgesDetails(app, label, true),
    edgesDetails(app, label, false),
    ...attributeDetails(app, detail),
  ].filter((part) => part !== null).map((part) => [[...same, ...part.slice(0, -1)], /** @type {() => HTMLElement} */ (part[part.length - 1])]);
  return parts;
}

/** @param {App} app @param {number} label */
function targetActions(app, label) {
  const id = app.model.labels[label];
  const isPinned = app.state.pinned.has(label);
  return h(
    "div",
    { class: "actions" },
    app.model.starts.has(label) ? null : button("Path to here", () => app.pathTo(id)),
    button("Follow →", () => app.follow(id, true), { "aria-label": "Follow: show what it needs on the map" }),
    button("← Follow back", () => app.follow(id, false), { "aria-label": "Follow back: show what needs it on the map" }),
    button("Isolate", () => app.isolate(id)),
    button("Hide", () => app.hide(id)),
    app.model.starts.has(label) ? null : button(isPinned ? "Take off the map" : "Show on the map", () => (isPinned ? app.unpin(label) : app.pin([label]))),
  );
}

/** @param {App} app @param {Detail} detail */
function stackDetails(app, detail) {
  const { model } = app;
  if (detail[1] < 0 || !model.details) return h("div");
  const numbers = model.details.stacks[detail[1]];
  const frames = [];
  for (let n = 0; n < numbers.length; n += 2) frames.push([model.details.texts[numbers[n]], model.place(numbers[n + 1])]);
  if (frames.length < 2) return h("div");
  return h(
    "div",
    {},
    h("h3", {}, "Made by"),
    h("ul", { class: "list" }, ...frames.map(([name, place], n) => h("li", {}, h("code", {}, n ? `${name}()` : "BUILD file"), " ", placeNode(place)))),
  );
}

/** Why it is needed: a shortest path, and when. @param {App} app @param {number} label */
function whyDetails(app, label) {
  const { model, result } = app;
  if (model.starts.has(label)) return null;
  const arrival = model.arrivals.get(label);
  /** @type {PathStep[] | null} */
  let path = null;
  for (const start of result.reached[label] ? model.data.starts : []) path = path || shortestPath(model, result, start, label, false);
  const steps = path || [];
  const set = arrival === undefined ? [] : setNow(model, app.state.line, arrival);
  return ["why", result.graph.number, steps.map((step) => step.row), set, () => h(
    "div",
    {},
    path ? h("h3", {}, `Why: a shortest path, ${counted(steps.length, "edge")}`) : null,
    path ? longList(steps, (step) => h("div", {}, labelLink(app, step.source), h("div", { class: "soft" }, edgeText(app, step.graph, step.row))), 12) : null,
    arrival === undefined ? null : h("h3", {}, "When it is needed"),
    arrival === undefined ? null : whenList(model, arrival, 6, set),
  )];
}

/** Of a condition, when a select() takes its branch: the first that asks for it. @param {App} app @param {number} label @param {string} kind */
function takenDetails(app, label, kind) {
  const { model, result } = app;
  if (!CONDITION_KINDS.has(kind)) return null;
  for (const [source] of arriving(result.graph, label)) {
    const detail = model.detail(result.graph, source);
    for (const [name, ...parts] of (detail && detail[3]) || []) {
      for (const part of parts) {
        const branch = part[0] === -2 && part.slice(4).find((/** @type {any[]} */ one) => one[0] === label);
        if (!branch) continue;
        const set = setNow(model, app.state.line, branch[1]);
        return ["taken", source, name, branch[1], result.nodes[branch[1]], set, () => h(
          "div",
          {},
          h("h3", {}, "When its branch is taken"),
          verdictPill(result.nodes[branch[1]]),
          whenList(model, branch[1], 6, set),
          h("div", { class: "soft" }, "in ", labelLink(app, source), ` ${model.details?.texts[name]}`),
        )];
      }
    }
  }
  return null;
}

/** What an edge is: its attribute, and the branch. @param {App} app @param {Graph} graph @param {number} row */
function edgeText(app, graph, row) {
  const { model } = app;
  const attribute = model.data.texts[graph.attribute[row]];
  const kind = model.data.texts[graph.form[row] >> 1];
  const tool = graph.form[row] & 1 ? ", a tool" : "";
  const condition = graph.condition[row];
  const branch = condition < 0 ? "" : ` · branch ${model.labels[condition].endsWith("//conditions:default") ? "default" : model.labels[condition]}`;
  return `${attribute || kind}${kind === "attribute" ? "" : ` (${kind})`}${tool}${branch}`;
}

/** @param {App} app @param {number} label @param {boolean} down */
function edgesDetails(app, label, down) {
  const { model, result } = app;
  const graph = result.graph;
  /** @type {[number, number][]} */
  let edges = [];
  if (down) for (let row = graph.first[label]; row < graph.first[label] + graph.count[label]; row++) edges.push([graph.to[row], row]);
  else edges = arriving(graph, label);
  const isNow = (/** @type {number} */ row, /** @type {number} */ source) => result.taken[row] > 0 && result.reached[source] > 0;
  const order = (/** @type {[number, number]} */ [other, row]) => (isNow(row, down ? label : other) ? 0 : 1);
  edges.sort((one, another) => order(one) - order(another));
  const now = edges.filter((edge) => order(edge) === 0).length;
  if (!edges.length) return null;
  const title = `${down ? "Needs" : "Needed by"} ${NUMBERS.format(now)}${edges.length > now ? ` now, ${NUMBERS.format(edges.length)} through all branches` : ""}`;
  return ["edges", down, graph.number, edges, now, () => h(
    "div",
    {},
    h("h3", {}, title),
    longList(
      edges,
      ([other, row]) => {
        const off = !isNow(row, down ? label : other);
        const conditional = graph.condition[row] >= 0;
        const source = down ? label : other;
        return h(
          "div",
          {},
          labelLink(app, other, off),
          h("div", { class: "soft" }, edgeText(app, graph, row), " ", conditional
            ? button("why, when", () => app.select(`${model.labels[source]} -> ${model.labels[graph.to[row]]}`), { class: "link", "aria-label": `why, when: ${model.labels[source]} needs ${model.labels[graph.to[row]]}` })
            : null),
        );
      },
      down ? 14 : 8,
    ),
  )];
}

/** @param {App} app @param {Detail | null} detail @returns {any[][]} */
function attributeDetails(app, detail) {
  const { model, result } = app;
  if (!model.details) return [["attributes", () => h("p", { class: "soft" }, "Reading attributes…")]];
  if (!detail || !detail[3]) return [];
  const texts = model.details.texts;
  const verdicts = (/** @type {any[]} */ part) => (part[0] === -2 ? [result.nodes[part[3]], ...part.slice(4).map((branch) => result.nodes[branch[1]])] : 0);
  return [
    ["attributes", () => h("h3", {}, "Attributes, term by term")],
    ...detail[3].flatMap(([name, ...parts]) => [
      ["attribute", name, () => h("div", { class: "attribute" }, texts[name])],
      ...parts.map((/** @type {any} */ part, /** @type {number} */ n) => ["part", name, n, verdicts(part), () => (part[0] === -2 ? selectPart(app, part) : plainPart(app, part[0], part.slice(1)))]),
    ]),
  ];
}

/** @param {App} app @param {number} value */
function valueNode(app, value) {
  const { model } = app;
  if (value % 2 === 0) return labelLink(app, value / 2);
  return h("code", {}, model.details ? model.details.texts[(value - 1) / 2] : "");
}

/** @param {App} app @param {number} term @returns {HTMLElement | null} */
function termNode(app, term) {
  const { model } = app;
  if (term < 0 || !model.details) return null;
  const [kind, text, place, defined, ...via] = model.details.terms[term];
  const texts = model.details.texts;
  if (texts[kind] === "literal") return h("div", {}, placeNode(model.place(place)));
  return h(
    "div",
    {},
    h("span", { class: "soft" }, "from "),
    h("code", {}, texts[text]),
    " ",
    placeNode(`${model.place(place)}${defined >= 0 ? ` (defined at ${model.place(defined)})` : ""}`),
    ...via.map((/** @type {number} */ one) => h("div", { class: "part" }, termNode(app, one))),
  );
}

/** @param {App} app @param {number} term @param {number[]} values */
function plainPart(app, term, values) {
  return h("div", { class: "part" }, termNode(app, term), longList(values, (value) => valueNode(app, value), 10));
}

/** A select() with all its branches. @param {App} app @param {any[]} part */
function selectPart(app, [, place, term, refused, ...branches]) {
  const { model, result } = app;
  return h(
    "div",
    { class: "part" },
    h("div", {}, h("code", {}, "select()"), " ", placeNode(model.place(place))),
    termNode(app, term),
    result.nodes[refused] === YES ? h("p", { class: "bad" }, "Bazel refuses this select() under these flags.") : null,
    ...branches.map((/** @type {any[]} */ [condition, formula, isDefault, ...values]) => {
      const verdict = result.nodes[formula];
      return h(
        "div",
        { class: `branch ${verdict === YES ? "taken" : verdict === NO ? "not" : ""}` },
        h("div", {}, isDefault ? h("code", {}, "//conditions:default") : labelLink(app, condition), " ", verdictPill(verdict)),
        values.length ? longList(values, (value) => valueNode(app, value), 6) : h("span", { class: "soft" }, "nothing"),
        h("details", {}, h("summary", {}, "when"), whenList(model, formula)),
      );
    }),
  );
}

/** @param {App} app @param {Arrow} arrow */
function arrowDetails(app, arrow) {
  const { result, before, changes } = app;
  /** @type {{source: number, row: number, of: Result, state: string}[]} */
  const rows = [];
  const targets = new Set(arrow.target.labels);
  for (const of of result === before ? [result] : [result, before]) {
    for (const source of arrow.source.labels) {
      const graph = of.graph;
      if (!of.reached[source]) continue;
      for (let row = graph.first[source]; row < graph.first[source] + graph.count[source]; row++) {
        if (!targets.has(graph.to[row]) || !of.taken[row]) continue;
        if (of === before && result.graph === graph && result.taken[row]) continue;
        if (of === before && result.graph !== graph && changes.marks[graph.to[row]] !== LOST) continue;
        const isNew = of === result && before.graph === graph && !before.taken[row];
        rows.push({ source, row, of, state: of === before ? "lost" : isNew ? "gained" : "" });
      }
    }
  }
  if (!rows.length) {
    for (const source of arrow.source.labels) {
      const { graph } = result;
      for (let row = graph.first[source]; row < graph.first[source] + graph.count[source]; row++) {
        if (targets.has(graph.to[row])) rows.push({ source, row, of: result, state: "not taken" });
      }
    }
  }
  rows.sort((one, other) => Number(other.of.graph.condition[other.row] >= 0) - Number(one.of.graph.condition[one.row] >= 0));
  return [
    h("h2", { class: "mono" }, ...breaking(arrow.source.text), " → ", ...breaking(arrow.target.text)),
    h("p", { class: "soft" }, `${counted(arrow.count, "edge")}, ${arrow.conditional} by a select()${arrow.lost ? `, ${arrow.lost} lost` : ""}`),
    longList(rows, ({ source, row, of, state }) => edgeDetails(app, of, source, row, state), rows.length === 1 ? 1 : 10),
  ];
}

/** Why one edge is there, and when. @param {App} app @param {Result} of @param {number} source @param {number} row @param {string} state */
function edgeDetails(app, of, source, row, state) {
  const { model } = app;
  const graph = of.graph;
  /** @type {Map<number, string[]>} By formula, the configurations of the source in which it decides. */
  const scopesOf = new Map();
  for (const { scope, formula } of edgeFormulas(model, graph, row)) scopesOf.set(formula, [...(scopesOf.get(formula) || []), model.data.scopes[scope]]);
  const condition = graph.condition[row];
  return h(
    "div",
    {},
    h("div", {}, labelLink(app, source)),
    h("div", {}, "→ ", labelLink(app, graph.to[row]), " ", state ? h("span", { class: `pill ${state}` }, state === "lost" ? "− lost" : state === "gained" ? "+ gained" : "not now") : null),
    h("div", { class: "soft" }, edgeText(app, graph, row)),
    edgeTerm(app, graph, source, row),
    condition >= 0
      ? h("details", { open: true }, h("summary", {}, "when"), ...[...scopesOf].map(([formula, scopes]) => h("div", {}, scopesOf.size > 1 ? h("span", { class: "soft" }, `as ${scopes.join(", ")}: `) : null, whenList(model, formula, 4, setNow(model, app.state.line, formula)))))
      : h("div", { class: "soft" }, "Always, where its source is needed."),
  );
}

/** The expression that put the label there. @param {App} app @param {Graph} graph @param {number} source @param {number} row */
function edgeTerm(app, graph, source, row) {
  const { model } = app;
  const detail = model.detail(graph, source);
  if (!detail || !detail[3] || !model.details) return null;
  const name = model.data.texts[graph.attribute[row]];
  const attribute = detail[3].find(([one]) => model.details?.texts[one] === name);
  for (const part of attribute ? attribute.slice(1) : []) {
    if (part[0] === -2) {
      const [, place, term, , ...branches] = part;
      const holds = branches.some((/** @type {any[]} */ [condition, , , ...values]) => condition === graph.condition[row] && values.includes(2 * graph.to[row]));
      if (holds) return h("div", { class: "part" }, termNode(app, term), h("div", {}, placeNode(`select() at ${model.place(place)}`)));
    } else if (part.slice(1).includes(2 * graph.to[row]) && graph.condition[row] < 0) {
      return h("div", { class: "part" }, termNode(app, part[0]));
    }
  }
  return null;
}

/** @param {App} app @param {string} id @param {Box | undefined} box */
function groupDetails(app, id, box) {
  const { model, result, changes } = app;
  const group = app.groups.byId.get(id);
  const labels = box ? box.labels : group ? labelsIn(group).filter((label) => result.reached[label] || changes.marks[label] === LOST) : [];
  const gained = labels.filter((label) => changes.marks[label] === GAINED);
  const lost = labels.filter((label) => changes.marks[label] === LOST);
  const kinds = new Map();
  for (const label of labels) kinds.set(model.kind(result.graph, label), (kinds.get(model.kind(result.graph, label)) || 0) + 1);
  const ordered = [...kinds].sort((one, other) => other[1] - one[1]);
  const repository = group && group.id.startsWith("@") && !group.id.includes("//") ? model.repositories.get(group.repository) : undefined;
  return [
    h("h2", { class: "mono" }, ...breaking(box ? box.text : id)),
    h("div", { class: "figures" }, h("span", {}, counted(labels.filter((label) => result.reached[label]).length, "needed target")), gained.length ? h("span", { class: "pill gained" }, `+${gained.length}`) : null, lost.length ? h("span", { class: "pill lost" }, `−${lost.length}`) : null),
    h(
      "div",
      { class: "actions" },
      box ? button("Open", () => app.open(id)) : app.state.open.has(id) ? button("Close", () => app.closeGroup(id)) : null,
      ...(labels.length ? [button("Isolate", () => app.isolate(id)), button("Hide", () => app.hide(id))] : []),
      openParent(app.state, group || null) ? button("Close what holds it", () => app.close(id)) : null,
    ),
    repository ? repositoryFacts(repository) : null,
    ordered.length ? h("h3", {}, "Classes") : null,
    longList(ordered, ([kind, count]) => h("div", {}, h("code", {}, kind || "unknown"), h("span", { class: "soft" }, ` ${NUMBERS.format(count)}`)), 8),
    gained.length ? h("h3", {}, "Gained") : null,
    gained.length ? longList(gained, (label) => labelLink(app, label), 10) : null,
    lost.length ? h("h3", {}, "Lost") : null,
    lost.length ? longList(lost, (label) => labelLink(app, label), 10) : null,
    labels.length ? h("h3", {}, "Targets") : null,
    longList(labels, (label) => labelLink(app, label, !result.reached[label]), 20),
  ];
}

/** What is not known of a repository, which is named already. @param {RepositoryData} one */
function unknownText(one) {
  return /not downloaded$/.test(one.unknown || "") ? "not downloaded" : (one.unknown || "").replace(`@${one.name}: `, "");
}

/** @param {RepositoryData} one */
function repositoryFacts(one) {
  const facts = h("dl", { class: "facts" });
  /** @type {[string, string | null][]} */
  const rows = [
    ["rule", one.rule], ["module", one.module], ["defined", one.place], ["by macro", one.macro], ["content", one.content],
    ...one.urls.map((url) => /** @type {[string, string]} */ (["url", url])),
    ["sha256", one.sha256], ["strip_prefix", one.stripPrefix], ...one.patches.map((patch) => /** @type {[string, string]} */ (["patch", patch])), ["unknown", unknownText(one)],
  ];
  for (const [name, value] of rows) if (value) facts.append(h("dt", {}, name), h("dd", { class: name === "unknown" ? "warn" : "mono" }, ...breaking(value)));
  return h("div", {}, h("h3", {}, "Repository"), facts);
}
