// @ts-check
// The views beside the map: path, changes, repositories, configs, flags.

/** @param {App} app @param {string} value @param {string} id @param {string} text @param {(value: string) => void} take */
function nameInput(app, value, id, text, take) {
  const input = /** @type {HTMLInputElement} */ (
    h("input", { id, value, list: "names", spellcheck: "false", autocomplete: "off", onchange: () => take(input.value), oninput: () => app.offerNames(input.value) })
  );
  return h("label", {}, text, input);
}

/** @param {App} app */
function pathView(app) {
  const { model, state, result } = app;
  const [from, to] = [model.numbers.get(state.from), model.numbers.get(state.to)];
  /** @type {(Node | null)[]} */
  const parts = [
    h(
      "div",
      { class: "form" },
      nameInput(app, state.from, "from", "From", (value) => app.change({ from: app.nearest(value) })),
      nameInput(app, state.to, "to", "To", (value) => app.change({ to: app.nearest(value) })),
      button("Swap", () => app.change({ from: state.to, to: state.from })),
      h("datalist", { id: "names" }),
    ),
  ];
  if (state.to && to === undefined) parts.push(h("p", { class: "bad" }, `No target below is called ${state.to}.`));
  if (from !== undefined && to !== undefined) {
    const now = shortestPath(model, result, from, to, false);
    parts.push(h("h3", {}, "Under these flags"), now && result.reached[from] ? pathSteps(app, now) : h("p", {}, "There is no path under these flags."));
    const any = shortestPath(model, result, from, to, true);
    if (!now) parts.push(h("h3", {}, "Under any flags"), any ? pathSteps(app, any) : h("p", {}, "There is no path, through any branch."));
    const arrival = model.arrivals.get(to);
    if (arrival !== undefined && model.starts.has(from)) parts.push(h("h3", {}, "When there is one"), whenList(model, arrival, 12, setNow(model, state.line, arrival)), settersOf(app, arrival));
    if (any) parts.push(h("div", { class: "actions" }, button("Show it on the map", () => app.pinPath(now || any))));
  } else if (!state.to) parts.push(h("p", { class: "soft" }, "Say which target the path leads to, or click “Path to here” in the details of one."));
  return parts;
}

/** Configs that make a formula hold by themselves. @param {App} app @param {number} formula */
function settersOf(app, formula) {
  const { model, state } = app;
  if (formula <= 1) return null;
  const base = baseOf(model, state.line.host);
  const found = model.data.bases[base].words.filter((one) => {
    if (one.problem || one.words.length > 1) return false;
    const values = assigned(model, { host: state.line.host, words: [one.words[0]] }).values;
    return evaluated(model, values)[formula] === YES;
  });
  const plain = evaluated(model, assigned(model, { host: state.line.host, words: [] }).values)[formula];
  if (plain === YES) return h("p", { class: "soft" }, "The rc files alone make it so.");
  if (!found.length) return null;
  return h("div", {}, h("p", { class: "soft" }, "Each of these makes it so:"), h("div", { class: "actions" }, ...found.map((one) => button(one.words[0], () => app.turn(one.words[0], true)))));
}

/** @param {App} app @param {PathStep[]} path */
function pathSteps(app, path) {
  const { model, result } = app;
  if (!path.length) return h("p", {}, "They are the same target.");
  const last = path[path.length - 1];
  return h(
    "ol",
    { class: "steps" },
    ...path.map(({ source, row, graph }) => {
      const conditional = graph.condition[row] >= 0;
      return h(
        "li",
        {},
        labelLink(app, source),
        h("div", { class: "soft" }, edgeText(app, graph, row), " ", conditional ? verdictPill(result.reached[source] ? (result.taken[row] === 2 ? YES : result.taken[row] ? PERHAPS : NO) : result.nodes[edgeFormula(model, graph, row)]) : null),
        edgeTerm(app, graph, source, row),
        conditional ? whenList(model, edgeFormula(model, graph, row), 4, setNow(model, app.state.line, edgeFormula(model, graph, row))) : null,
      );
    }),
    h("li", {}, labelLink(app, last.target)),
  );
}

/** @param {App} app */
function changesView(app) {
  const { model, state, changes, before, result } = app;
  const old = new Map(inForce(model, state.against).map((one) => [one.name, one]));
  const now = new Map(inForce(model, state.line).map((one) => [one.name, one]));
  const texts = (/** @type {ReturnType<typeof inForce>[0] | undefined} */ one) => (one ? one.winners.map(({ instance }) => instance[2]) : []);
  const text = (/** @type {ReturnType<typeof inForce>[0] | undefined} */ one) => texts(one).join(" ");
  const options = [...new Set([...old.keys(), ...now.keys()])].filter((name) => text(old.get(name)) !== text(now.get(name))).sort();
  /** The values that one has more often than the other. @param {ReturnType<typeof inForce>[0] | undefined} one @param {ReturnType<typeof inForce>[0] | undefined} other */
  const moreThan = (one, other) => {
    const left = texts(other);
    return (one ? one.winners : []).filter(({ instance }) => {
      const at = left.indexOf(instance[2]);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  /** The values of one side: of an option that takes many, those that the other side has not. @param {Map<string, ReturnType<typeof inForce>[0]>} side @param {Map<string, ReturnType<typeof inForce>[0]>} other @param {string} name */
  const values = (side, other, name) => {
    const one = side.get(name);
    if (!one) return h("td", { class: "soft" }, "not set");
    const own = moreThan(one, other.get(name));
    const others = moreThan(other.get(name), one);
    // What the other side has more of is set here as well, though fewer times, or not at all.
    const isAgain = others.every(({ instance }) => texts(one).includes(instance[2]));
    if (!own.length) return h("td", { class: "soft" }, !others.length ? "the same values, in another order" : isAgain ? "set already" : "not set");
    return h("td", {}, ...own.map((winner) => h("div", {}, h("div", { class: "mono" }, ...words(winner.instance[2])), placeNode(sourceOf(winner)))));
  };
  const isSame = JSON.stringify(state.line) === JSON.stringify(state.against);
  const form = h("div", { class: "form" }, lineInput(app, "against-words", "Before", state.against, (line) => app.change({ against: line })), lineInput(app, "line-words", "After", state.line, (line) => app.change({ line })), button("Swap", () => app.change({ line: state.against, against: state.line })), button("Compare with the present line from here on", () => app.change({ against: state.line })));
  if (isSame) return [form, h("p", {}, "Both lines are the same. Turn a flag on the left, or type flags above: what they change is listed here.")];
  return [
    form,
    h("p", {}, `${counted(changes.gained.length, "target")} gained, ${NUMBERS.format(changes.lost.length)} lost; ${NUMBERS.format(before.count)} before, ${NUMBERS.format(result.count)} after.`),
    h("div", { class: "sides" }, stateLink(app, "Before", state.against, before), stateLink(app, "After", state.line, result)),
    h(
      "div",
      { class: "columns" },
      titled(changes.gained, "gained", `+ ${counted(changes.gained.length, "target")} gained`, () => targetsByGroup(app, changes.gained)),
      titled(changes.lost, "lost", `− ${counted(changes.lost.length, "target")} lost`, () => targetsByGroup(app, changes.lost)),
      titled([...changes.gainedRepositories, ...changes.lostRepositories], null, "Repositories", () => longList([...changes.gainedRepositories.map((name) => ({ name, isNew: true })), ...changes.lostRepositories.map((name) => ({ name, isNew: false }))], ({ name, isNew }) => h("div", {}, h("span", { class: `pill ${isNew ? "gained" : "lost"}` }, isNew ? "+" : "−"), " ", button(`@${name}`, () => app.showRepository(name), { class: "link" })), 20)),
    ),
    branchesPart(app),
    titled(changes.edges, null, `Edges between targets that both have: ${NUMBERS.format(changes.edgeCount)}`, () => longList(changes.edges, ([source, target, attribute, isNew]) => h("div", {}, h("span", { class: `pill ${isNew ? "gained" : "lost"}` }, isNew ? "+" : "−"), " ", labelLink(app, source), ` ${model.data.texts[attribute]} → `, labelLink(app, target)), 12)),
    h("h3", {}, `Options: ${options.length}`),
    options.length
      ? optionsTable(options.map((name) => tableRow({}, h("td", { class: "mono" }, ...breaking(name)), values(old, now, name), values(now, old, name))))
      : h("p", { class: "soft" }, "No option differs."),
  ];
}

/** @param {HTMLElement[]} rows */
function optionsTable(rows) {
  const [whole, body] = table("options", "Option", "Before", "After");
  body.append(...rows);
  return whole;
}

/** A heading and what it is about, if there is any. @param {unknown[]} entries @param {string | null} kind @param {string} title @param {() => Node} content */
function titled(entries, kind, title, content) {
  return entries.length ? h("div", {}, h("h3", { class: kind }, title), content()) : null;
}

const FEW_TARGETS = 12;

/** Targets by repository, folder and package as on the map, level by level; few of them at once. @param {App} app @param {number[]} labels */
function targetsByGroup(app, labels) {
  const { byId, root } = app.groups;
  /** @type {Map<Group, number>} */
  const counts = new Map();
  for (const label of labels) {
    for (let at = byId.get(app.model.labels[label]) || null; at; at = at.parent) counts.set(at, (counts.get(at) || 0) + 1);
  }
  const parts = (/** @type {Group} */ group) => group.children.filter((child) => counts.has(child)).sort((one, other) => (counts.get(other) || 0) - (counts.get(one) || 0));
  /** @param {Group} group @returns {HTMLElement} */
  const level = (group) =>
    longList(parts(group), (child) => {
      let [at, inside] = [child, parts(child)];
      while (inside.length === 1 && at.label < 0) [at, inside] = [inside[0], parts(inside[0])];
      if (at.label >= 0) return labelLink(app, at.label);
      const open = labels.length <= FEW_TARGETS;
      return laterDetails([h("span", { class: "mono" }, ...breaking(at.text)), h("span", { class: "soft" }, ` ${counted(counts.get(at) || 0, "target")}`)], () => level(at), open);
    }, 30);
  return level(root);
}

/** One of the two states, with a link to it. @param {App} app @param {string} title @param {Line} line @param {Result} of */
function stateLink(app, title, line, of) {
  const hash = hashOf(app.model, { ...app.state, view: "map", line });
  const notes = [...of.assignment.problems, ...of.assignment.notes];
  return h(
    "div",
    { class: "side" },
    h("h3", {}, title),
    h("div", { class: "mono" }, ...words(commandText(app.model, line))),
    h("p", {}, `${counted(of.count, "target")} needed`, line.host === app.model.data.bases[0].host ? "" : ` on ${line.host}`, ". ", h("a", { href: hash, class: "state" }, `Look at the state ${title.toLowerCase()}`)),
    ...notes.map((note) => h("p", { class: "warn" }, note)),
  );
}

/** The select()s of targets that both lines need and that take another branch. @param {App} app */
function branchesPart(app) {
  const { model } = app;
  const branches = app.branchesThatDiffer();
  if (!branches) return h("p", { class: "soft" }, model.data.leftOut.length ? "" : "Reading select()s…");
  if (!branches.length) return null;
  /** @type {Map<string, {of: BranchChange, users: Map<string, BranchChange>}>} By select() and branches, who takes others. */
  const alike = new Map();
  for (const of of branches) {
    const key = `${of.old} ${of.now} ${of.place}`;
    const known = alike.get(key);
    if (known) known.users.set(`${of.label} ${of.name}`, of);
    else alike.set(key, { of, users: new Map([[`${of.label} ${of.name}`, of]]) });
  }
  const groups = [...alike.values()].sort((one, other) => other.users.size - one.users.size);
  const side = (/** @type {number} */ condition) => h("span", { class: "mono" }, ...(condition < 0 ? ["no branch known"] : breaking(model.labels[condition])));
  return h(
    "div",
    {},
    h("h3", {}, `Branches that differ: ${NUMBERS.format(branches.length)}`),
    longList(groups, ({ of, users }) => laterDetails(
      [h("span", { class: "pill lost" }, "−"), " ", side(of.old), " ", h("span", { class: "pill gained" }, "+"), " ", side(of.now), " ", placeNode(of.place), h("span", { class: "soft" }, ` in ${counted(users.size, "attribute")}`)],
      () => longList([...users.values()], ({ label, name }) => h("div", {}, labelLink(app, label), h("span", { class: "soft" }, ` ${name}`)), 30),
      users.size <= 3,
    ), 12),
  );
}

/** @param {App} app @param {string} id @param {string} title @param {Line} line @param {(line: Line) => void} take */
function lineInput(app, id, title, line, take) {
  const input = /** @type {HTMLInputElement} */ (h("input", { id, value: line.words.join("  "), placeholder: "no flags: the rc files alone", spellcheck: "false", onchange: () => take({ host: line.host, words: app.wordsOf(input.value, line.host) }) }));
  return h("label", {}, title, input);
}

/** @param {App} app */
function repositoriesView(app) {
  const { model, result, changes } = app;
  const counts = new Map();
  /** @type {Map<string, Set<number>>} */
  const users = new Map();
  result.reached.forEach((one, label) => {
    if (!one) return;
    const name = model.repository(label);
    counts.set(name, (counts.get(name) || 0) + 1);
    const graph = result.graph;
    for (let row = graph.first[label]; row < graph.first[label] + graph.count[label]; row++) {
      const other = model.repository(graph.to[row]);
      if (!result.taken[row] || other === name) continue;
      const known = users.get(other);
      if (known) known.add(label);
      else users.set(other, new Set([label]));
    }
  });
  const names = [...new Set([...model.repositories.keys(), ...counts.keys()])].filter(Boolean);
  names.sort((one, other) => (counts.get(other) || 0) - (counts.get(one) || 0) || (one < other ? -1 : 1));
  return [
    h("p", {}, `${NUMBERS.format(names.filter((name) => counts.get(name)).length)} of ${NUMBERS.format(names.length)} repositories are needed under these flags.`),
    app.keptRows(
      "repositories",
      () => table("repositories", "Repository", "Targets", "Where from", "Who needs it"),
      names.map((name) => {
        const count = counts.get(name) || 0;
        const who = [...(users.get(name) || [])];
        const [mark, kind] = changes.gainedRepositories.includes(name) ? ["+ gained", "gained"] : changes.lostRepositories.includes(name) ? ["− lost", "lost"] : count ? ["", ""] : ["not needed", ""];
        return [[name, count, who, mark], () => {
          const one = model.repositories.get(name);
          return tableRow(
            { id: `repository-${name}` },
            h("td", {}, h("div", {}, button(`@${name}`, () => app.selectGroup(`@${name}`), { class: "link" }), " ", mark ? h("span", { class: `pill ${kind}` }, mark) : null), one ? h("div", { class: "soft" }, ...breaking([one.rule, one.module].filter(Boolean).join(", "))) : null, one && one.place ? h("div", {}, placeNode(one.place)) : null),
            h("td", { class: "number" }, NUMBERS.format(count)),
            h("td", {}, one ? h("div", {}, h("div", {}, one.content), ...one.urls.map((url) => h("div", { class: "place" }, ...breaking(url))), one.sha256 ? h("div", { class: "place" }, `sha256 ${one.sha256}`) : null, one.unknown ? h("div", { class: "warn" }, unknownText(one)) : null) : "nothing known defines it"),
            h("td", {}, who.length ? longList(who, (label) => labelLink(app, label), 2) : ""),
          );
        }];
      }),
    ),
  ];
}

/** An element that holds its rows itself. @param {HTMLElement} element @returns {[HTMLElement, HTMLElement]} */
function alone(element) {
  return [element, element];
}

/** A table with heads, and its body. @param {string} kind @param {...string} heads @returns {[HTMLElement, HTMLElement]} */
function table(kind, ...heads) {
  const body = h("tbody", { role: "rowgroup" });
  const head = h("tr", { role: "row" }, ...heads.map((text) => h("th", { role: "columnheader" }, text)));
  return [h("table", { class: `rows ${kind}`, role: "table" }, h("thead", { role: "rowgroup" }, head), body), body];
}

/** A row of such a table: roles are said, for style takes them away. @param {Record<string, any>} properties @param {...HTMLElement} cells */
function tableRow(properties, ...cells) {
  for (const cell of cells) cell.setAttribute("role", "cell");
  return h("tr", { role: "row", ...properties }, ...cells);
}

/** @param {App} app */
function configsView(app) {
  const { model, state } = app;
  const byName = new Map(model.data.configs.map((config) => [config.name, config]));
  const isOn = (/** @type {string} */ name) => state.line.words.includes(`--config=${name}`);
  const given = state.line.words.filter((word) => word.startsWith("--config=")).map((word) => word.slice(9));
  /** What of the line an entry shows. @param {string} name @param {string[]} path @returns {string[]} */
  const shown = (name, path) => {
    const config = byName.get(name);
    if (!given.length || !config || path.includes(name)) return [];
    return [...(isOn(name) ? [name] : []), ...config.pullsIn.flatMap((inner) => shown(inner, [...path, name]))];
  };
  /** @param {string} name @param {string[]} path @returns {HTMLElement} */
  const entry = (name, path) => {
    const config = byName.get(name);
    if (!config || path.includes(name)) return h("li", {}, h("code", {}, `--config=${name}`), config ? " (again)" : h("span", { class: "bad" }, " is not defined"));
    const on = isOn(name);
    // What a reader has opened stays open when its row is made anew; what is on opens by itself.
    const open = on || path.length > 0 || app.openConfigs.has(name);
    // What an option does is told where it is set first.
    const isFirst = (/** @type {number} */ n) => config.lines.findIndex((line) => line[3] === config.lines[n][3]) === n;
    const lines = () => h("ul", { class: "tree" }, ...config.lines.map(([command, text, place, summary], n) => h("li", {}, h("code", {}, ...words(text)), " ", placeNode(`${command} · ${place}`), summary && isFirst(n) ? h("div", { class: "soft" }, summary) : null)), ...[...config.pullsIn, ...config.missing].map((inner) => entry(inner, [...path, name])));
    const toggled = () => {
      if (!details.open) app.openConfigs.delete(name);
      else if (!on) app.openConfigs.add(name);
      show();
    };
    const details = /** @type {HTMLDetailsElement} */ (
      h(
        "details",
        { open, ontoggle: path.length ? null : toggled },
        h("summary", { id: path.length ? null : `config-of-${name}` }, h("code", {}, `--config=${name}`), " ", on ? h("span", { class: "pill yes" }, "on") : null, h("span", { class: "soft" }, ` ${counted(config.lines.length, "line")}${config.pulledInBy.length ? `, named by ${config.pulledInBy.join(", ")}` : ""}`)),
        path.length ? null : button(on ? "Turn off" : "Turn on", () => app.turn(`--config=${name}`, !on)),
      )
    );
    // What nobody looks at is not made: a turn of a flag makes many of these anew.
    const show = () => details.open && !details.querySelector("ul") && details.append(lines());
    show();
    return h("li", {}, details);
  };
  const roots = model.data.configs.map((config) => config.name);
  return [h("p", {}, `${counted(roots.length, "config")} in the rc files; each with what it sets, and the configs that it names.`), app.keptRows("configs", () => alone(h("ul", { class: "tree top" })), roots.map((name) => [[name, shown(name, [])], () => entry(name, [])]))];
}

/** @param {App} app */
function flagsView(app) {
  const { model, state } = app;
  const entries = inForce(model, state.line);
  return [
    h("p", {}, `${counted(entries.length, "option")} in force; where several lines set one, the one that counts comes first.`),
    app.keptRows(
      "flags",
      () => table("flags", "In force", "Set by", "Beaten"),
      entries.flatMap(({ name, winners, losers }) => winners.map((winner, n) => {
        const beaten = n ? [] : losers.map((one) => `${one.instance[2]}  ${sourceOf(one)}`);
        const said = [[winner.instance[2]], [sourceOf(winner)], beaten];
        const last = n === winners.length - 1 ? null : "goes-on";
        /** @type {[unknown, () => HTMLElement]} */
        const row = [[name, n, last, said], () => tableRow({ class: last }, ...said.map((texts, column) => h("td", { class: column ? "place" : "mono" }, ...texts.map((text) => h("div", {}, ...words(text))))))];
        return row;
      })),
    ),
  ];
}
