// @ts-check
// The panel on the left: configs, hosts and settings that one can turn.

/** @param {App} app @param {HTMLElement} panel */
function showFlags(app, panel) {
  const { model, state } = app;
  const filter = /** @type {HTMLInputElement} */ (h("input", { type: "search", placeholder: "Filter flags", "aria-label": "Filter flags", value: app.filter, oninput: () => app.filterFlags(filter.value) }));
  const base = baseOf(model, state.line.host);
  const wanted = app.filter.toLowerCase();
  const matches = (/** @type {string} */ text) => text.toLowerCase().includes(wanted);
  const configs = model.data.bases[base].words.filter((one) => one.words.length === 1 && one.words[0].startsWith("--config="));
  const others = model.data.bases[base].words.filter((one) => !configs.includes(one));
  const settings = model.data.variables
    .map((variable, number) => ({ variable, number }))
    .filter(({ variable }) => (variable.flags || []).some(Boolean) && matches(variable.what || ""));
  replaced(
    panel,
    filter,
    model.data.bases.length > 1
      ? h("fieldset", {}, h("legend", {}, "Host"), ...model.data.bases.map(({ host }) => h("div", { class: `turn ${host === state.line.host ? "on" : ""}` }, h("input", { type: "radio", name: "host", id: `host-${host}`, checked: host === state.line.host, onchange: () => app.turnHost(host) }), h("label", { for: `host-${host}` }, host))))
      : null,
    others.length ? h("fieldset", {}, h("legend", {}, "Given"), ...others.filter((one) => matches(one.words.join(" "))).map((one, n) => turnRow(app, one, `given-${n}`))) : null,
    h("fieldset", {}, h("legend", {}, `Configs (${configs.length})`), ...configs.filter((one) => matches(one.words[0])).map((one, n) => turnRow(app, one, `config-${n}`))),
    h("fieldset", {}, h("legend", {}, `Settings that matter here (${settings.length})`), ...settings.map(({ variable, number }) => settingRow(app, variable, number))),
  );
}

/** @param {App} app @param {WordsData} words @param {string} id */
function turnRow(app, words, id) {
  const text = words.words.join(" ");
  const on = app.state.line.words.includes(text);
  const effect = app.effects.get(`${app.state.line.host} ${text}`);
  // The row stays when its flag is turned: the box knows which way.
  const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", id, checked: on, "data-word": text, onchange: () => app.turn(text, box.checked) }));
  return h(
    "div",
    { class: `turn ${on ? "on" : ""}`, title: words.problem || null },
    box,
    h("label", { for: id, class: words.problem ? "bad" : null }, ...breaking(text.replace(/^--config=/, ""))),
    words.problem ? h("span", { class: "pill bad" }, "refused") : null,
    ...(effect ? effectPills(effect) : []),
  );
}

/** Marks what is on, without making the panel anew. @param {App} app @param {HTMLElement} panel */
function updateFlags(app, panel) {
  const words = new Set(app.state.line.words);
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (panel.querySelectorAll("[data-word]"))) {
    box.checked = words.has(box.dataset.word || "");
    box.parentElement?.classList.toggle("on", box.checked);
  }
  for (const select of /** @type {NodeListOf<HTMLSelectElement>} */ (panel.querySelectorAll("[data-variable]"))) {
    const number = Number(select.id.replace("setting-", ""));
    if (app.settingsSaid.get(number) === settingSays(app, number)) continue;
    const row = settingRow(app, app.model.data.variables[number], number);
    const isFocused = document.activeElement === select;
    select.parentElement?.replaceWith(row);
    if (isFocused) row.querySelector("select")?.focus({ preventScroll: true });
  }
}

/** What a word changes by itself. @param {{gained: number, lost: number}} effect @returns {HTMLElement[]} */
function effectPills({ gained, lost }) {
  const pills = [];
  if (gained) pills.push(h("span", { class: "pill gained", title: `${counted(gained, "target")} more than the rc files alone` }, `+${gained}`));
  if (lost) pills.push(h("span", { class: "pill lost", title: `${counted(lost, "target")} fewer than the rc files alone` }, `−${lost}`));
  return pills;
}

/** The word of the line that sets a variable directly. @param {App} app @param {number} number */
function directWord({ model, state }, number) {
  return state.line.words.find((word) => (model.flags.get(word) || otherValue(model, word))?.[0] === number);
}

/** What the row of a setting depends on. @param {App} app @param {number} number */
function settingSays(app, number) {
  return `${app.result.assignment.values[number]} ${directWord(app, number) || ""}`;
}

/** @param {App} app @param {VariableData} variable @param {number} number */
function settingRow(app, variable, number) {
  const { result } = app;
  app.settingsSaid.set(number, settingSays(app, number));
  const flags = variable.flags || [];
  const values = variable.values || [];
  const current = result.assignment.values[number];
  const direct = directWord(app, number);
  const id = `setting-${number}`;
  const now = current === OTHER ? "(none of these)" : current === NOT_KNOWN ? "(not known)" : values[current] || "(empty)";
  const options = [h("option", { value: "", selected: !direct }, `as it is: ${now}`)];
  flags.forEach((flag, value) => flag && options.push(h("option", { value: flag, selected: direct === flag }, values[value] || "(empty)")));
  if (!variable.isClosed && !variable.accumulates) {
    const none = `${dashed(variable.what || "")}=${values.includes("true") && !values.includes("false") ? "false" : values.includes("1") && !values.includes("0") ? "0" : "other"}`;
    options.push(h("option", { value: none, selected: direct === none }, none.slice(none.lastIndexOf("=") + 1)));
  }
  if (direct && !flags.includes(direct) && !options.some((one) => one.hasAttribute("selected"))) options.push(h("option", { value: direct, selected: true }, direct));
  const select = /** @type {HTMLSelectElement} */ (h("select", { id, "data-variable": variable.what, onchange: () => app.turnSetting(direct, select.value) }, ...options));
  return h("div", { class: `setting ${direct ? "on" : ""}` }, h("label", { for: id, class: "mono" }, ...words(variable.what || "")), select);
}
