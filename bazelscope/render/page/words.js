// @ts-check
// Says when formulas hold, in the flags that make them so.

/** One test of a formula, as one would write it. @param {Model} model @param {number} variable @param {number} value */
function testText(model, variable, value) {
  const one = model.data.variables[variable];
  const text = (one.texts || [])[value];
  return one.unknown !== undefined ? `${text} (not known)` : (text ?? `${one.what}=…`);
}

/**
 * The ways in which a formula holds; null where it always does.
 * @param {Model} model @param {number} formula @returns {string[] | null}
 */
function whenTexts(model, formula) {
  if (formula === 1) return null;
  const reasons = model.data.reasons[String(formula)] || [];
  return reasons.map((literals) =>
    literals
      .map(([variable, value, positive]) => `${positive ? "" : "not "}${testText(model, variable, value)}`)
      .join("  and  "),
  );
}

/**
 * What of a formula the options in force make so: each test, and the line that sets it.
 * @param {Model} model @param {Line} line @param {number} formula @returns {[string, string][]}
 */
function setNow(model, line, formula) {
  const reasons = model.data.reasons[String(formula)] || [];
  const tests = new Set(reasons.flat().filter((literal) => literal[2]).map(([variable, value]) => testText(model, variable, value)));
  if (!tests.size) return [];
  const winners = inForce(model, line).flatMap((one) => one.winners);
  return winners
    .map((one) => /** @type {[string, string]} */ ([`--${one.instance[0]}=${one.instance[1]}`, sourceOf(one)]))
    .filter(([test]) => tests.has(test));
}

/** Where an option is set, and because of what. @param {{instance: Instance, word: string}} one */
function sourceOf({ instance, word }) {
  const causes = instance[5].filter((one) => one !== word && one !== instance[2]).map((one) => `by ${one}`);
  return [word || instance[3] || "", instance[4] && word ? instance[3] : "", ...causes].filter(Boolean).join(" · ");
}

/**
 * When a formula holds, as a list, and the lines that make it so now.
 * @param {Model} model @param {number} formula @param {number} [most] @param {[string, string][]} [set]
 */
function whenList(model, formula, most, set) {
  const texts = whenTexts(model, formula);
  if (texts === null) return h("p", { class: "soft" }, "Always, whatever the flags.");
  if (!texts.length) return h("p", { class: "soft" }, "Never.");
  const shown = texts.slice(0, most || 6);
  return h(
    "div",
    {},
    h("p", { class: "soft" }, texts.length === 1 ? "Only with" : "With one of"),
    h("ul", { class: "when" }, ...shown.map((text) => h("li", {}, ...words(text)))),
    texts.length > shown.length ? h("p", { class: "soft" }, `and ${counted(texts.length - shown.length, "other way")}`) : null,
    set && set.length ? h("p", { class: "soft" }, "Set now") : null,
    set && set.length ? h("ul", { class: "when set" }, ...set.map(([test, source]) => h("li", {}, ...words(test), " ", h("span", { class: "place" }, ...words(source))))) : null,
  );
}

/** @param {number} value */
function verdictPill(value) {
  const [text, kind] = value === YES ? ["now", "yes"] : value === PERHAPS ? ["perhaps", "warn"] : ["not now", ""];
  return h("span", { class: `pill ${kind}` }, text);
}

/**
 * The formulas of an edge, by the configuration of its source.
 * @param {Model} model @param {Graph} graph @param {number} row
 */
function edgeFormulas(model, graph, row) {
  return model.data.ways[graph.ways[row]].map(([scope, formula]) => ({ scope, formula }));
}

/** The formula of an edge for the first configuration that its source has. @param {Model} model @param {Graph} graph @param {number} row */
function edgeFormula(model, graph, row) {
  return model.data.ways[graph.ways[row]][0][1];
}
