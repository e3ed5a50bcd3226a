// @ts-check
// Makes elements. Texts of the workspace become text nodes, never markup.

/**
 * @param {string} tag @param {Record<string, any>} [properties] @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElement}
 */
function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  fill(element, properties || {}, children);
  return element;
}

/**
 * @param {string} tag @param {Record<string, any>} [properties] @param {...(Node | string | null | undefined | false)} children
 * @returns {SVGElement}
 */
function s(tag, properties, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  fill(element, properties || {}, children);
  return element;
}

/** @param {Element} element @param {Record<string, any>} properties @param {(Node | string | null | undefined | false)[]} children */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
}

/** @param {string} id @returns {HTMLElement} */
function $(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no #${id}`);
  return found;
}

/** @param {Element} element @param {...(Node | string | null | undefined | false)} children */
function replaced(element, ...children) {
  element.replaceChildren(.../** @type {(Node | string)[]} */ (children.filter(Boolean)));
}

/**
 * Gives an element these children, and leaves those alone that stand where they should: a browser
 * lays out only what is new.
 * @param {Element} element @param {Node[]} children
 */
function patched(element, children) {
  const wanted = new Set(children);
  for (const one of [...element.childNodes]) if (!wanted.has(one)) one.remove();
  let next = element.firstChild;
  for (const child of children) {
    if (child === next) next = next.nextSibling;
    else element.insertBefore(child, next);
  }
}

/** Elements by what they say, so that what says the same is not made anew. */
class Kept {
  constructor() {
    /** @type {Map<string, Element>} */
    this.known = new Map();
  }

  /**
   * An element for each of these, as it was or made: what each says, and how it is made.
   * @template {Element} T @param {[unknown, () => T][]} wanted @returns {T[]}
   */
  all(wanted) {
    /** @type {Map<string, Element>} */
    const now = new Map();
    for (const [said, make] of wanted) {
      const key = JSON.stringify(said);
      now.set(key, this.known.get(key) || make());
    }
    this.known = now;
    return /** @type {T[]} */ ([...now.values()]);
  }
}

/** A label or place that breaks where people read a pause, and not before the number of a line, nor in that of a version. @param {string} text @returns {(Node | string)[]} */
function breaking(text) {
  return text.split(/(?<=[^\s/:_.=][/:_.=]+)(?=[^/:_.=])(?!(?<=:)\d+\b|(?<=\d\.)\d)/).flatMap((part, n) => (n ? [document.createElement("wbr"), part] : [part]));
}

/** Options and places: a word goes to the next line whole, and breaks only where it is longer than that. @param {string} text @returns {(Node | string)[]} */
function words(text) {
  return text.split(/( +)/).map((word) => (word.startsWith(" ") || !word ? word : h("span", { class: "whole" }, ...breaking(word))));
}

/** A place in a file. @param {string} text */
function placeNode(text) {
  return h("span", { class: "place" }, ...words(text));
}

const NUMBERS = new Intl.NumberFormat("en");

/** @param {number} count @param {string} one @param {string} [many] */
function counted(count, one, many) {
  return `${NUMBERS.format(count)} ${count === 1 ? one : many || `${one}s`}`;
}

/** A button. @param {string} text @param {() => void} action @param {Record<string, any>} [more] */
function button(text, action, more) {
  return h("button", { type: "button", onclick: action, ...(more || {}) }, text);
}

/**
 * A list that shows its first entries, and more of them by a button.
 * @template T @param {T[]} entries @param {(entry: T) => Node} row @param {number} first @param {string} [kind]
 */
function longList(entries, row, first, kind) {
  const list = h("ul", { class: `list ${kind || ""}` });
  let shown = 0;
  const more = button("", () => add(200), { class: "more" });
  const add = (/** @type {number} */ count) => {
    for (const entry of entries.slice(shown, shown + count)) list.append(h("li", {}, row(entry)));
    shown = Math.min(entries.length, shown + count);
    more.hidden = shown === entries.length;
    more.textContent = `${NUMBERS.format(entries.length - shown)} more`;
  };
  add(first);
  return h("div", {}, list, more);
}

/** Something to open, of which the inside is made when it is opened. @param {(Node | string)[]} summary @param {() => Node} inside @param {boolean} open */
function laterDetails(summary, inside, open) {
  const details = h("details", { open, class: "group" }, h("summary", {}, ...summary));
  const tell = () => details.childElementCount > 1 || details.append(inside());
  if (open) tell();
  else details.addEventListener("toggle", tell);
  return details;
}

/** @param {string} text */
function announce(text) {
  $("live").textContent = text;
}

/** @param {string} text @param {HTMLElement} teller */
async function copied(text, teller) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from disk may not use the clipboard everywhere: the old way needs no leave.
    const area = /** @type {HTMLTextAreaElement} */ (h("textarea", { class: "offscreen" }));
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  const before = teller.textContent;
  teller.textContent = "Copied";
  announce("Copied to the clipboard");
  setTimeout(() => (teller.textContent = before), 1200);
}
