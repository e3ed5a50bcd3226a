// @ts-check
// Draws boxes and arrows as SVG, which is moved by mouse, wheel and keys.

const MOST_BOXES = 160;
/** How much smaller the second line of a box is than its first, as `page.css` says. */
const SMALLER = 10.5 / 12;
const measure = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));

/** @type {Map<string, number>} */
const widthsOfTexts = new Map();

/** @param {string} text */
function textWidth(text) {
  let width = widthsOfTexts.get(text);
  if (width === undefined) {
    if (!widthsOfTexts.size) measure.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    width = measure.measureText(text).width;
    widthsOfTexts.set(text, width);
  }
  return width;
}

/** @type {Map<string, string>} */
const fittedTexts = new Map();

/** @param {string} text @param {number} most */
function fitted(text, most) {
  if (textWidth(text) <= most) return text;
  const known = fittedTexts.get(text);
  if (known !== undefined) return known;
  let keep = text.length;
  const cut = (/** @type {number} */ n) => `${text.slice(0, Math.ceil(n * 0.4))}…${text.slice(text.length - Math.floor(n * 0.6))}`;
  while (keep > 4 && measure.measureText(cut(keep)).width > most) keep--;
  fittedTexts.set(text, cut(keep));
  return cut(keep);
}

/** The map of a state. */
class Drawing {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.svg = s("svg", { id: "map", role: "group", "aria-label": "Graph of dependencies" });
    this.layer = s("g", {});
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    /** @type {Box[]} */
    this.boxes = [];
    /** @type {Arrow[]} */
    this.arrows = [];
    /** @type {Map<string, SVGElement>} */
    this.elements = new Map();
    this.drawn = new Kept();
    this.shape = "";
    this.opened = "";
    this.down = false;
    /** @type {DOMRect | null} */
    this.size = null;
    const marker = s("marker", { id: "head", viewBox: "0 0 8 8", refX: 7.5, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse", markerUnits: "userSpaceOnUse" }, s("path", { d: "M0 0.6 L8 4 L0 7.4 z" }));
    this.svg.append(s("defs", {}, marker), this.layer);
    this.moves();
  }

  moves() {
    /** @type {{x: number, y: number} | null} */
    let from = null;
    let moved = false;
    this.svg.addEventListener("pointerdown", (event) => {
      from = { x: event.clientX - this.x, y: event.clientY - this.y };
      moved = false;
    });
    window.addEventListener("pointermove", (event) => {
      if (!from) return;
      const x = event.clientX - from.x;
      const y = event.clientY - from.y;
      if (Math.abs(x - this.x) + Math.abs(y - this.y) > 3) moved = true;
      if (!moved) return;
      this.svg.classList.add("dragged");
      [this.x, this.y] = [x, y];
      this.place();
    });
    window.addEventListener("pointerup", () => {
      from = null;
      this.svg.classList.remove("dragged");
    });
    this.svg.addEventListener("click", (event) => moved && event.stopPropagation(), true);
    this.svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (event.ctrlKey || event.metaKey || Math.abs(event.deltaY) > 60) {
        const place = this.svg.getBoundingClientRect();
        this.zoom(Math.exp(-event.deltaY / 500), event.clientX - place.left, event.clientY - place.top);
      } else {
        this.x -= event.deltaX;
        this.y -= event.deltaY;
        this.place();
      }
    }, { passive: false });
    this.svg.addEventListener("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event)));
  }

  place() {
    this.layer.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`);
  }

  /** @param {number} factor @param {number} [x] @param {number} [y] */
  zoom(factor, x, y) {
    const place = this.svg.getBoundingClientRect();
    const [cx, cy] = [x ?? place.width / 2, y ?? place.height / 2];
    const scale = Math.min(2.5, Math.max(0.15, this.scale * factor));
    this.x = cx - ((cx - this.x) * scale) / this.scale;
    this.y = cy - ((cy - this.y) * scale) / this.scale;
    this.scale = scale;
    this.place();
  }

  /** What of the view no panel lies upon; all of it, where little would be left. */
  free() {
    const size = (this.size = this.size || this.svg.getBoundingClientRect());
    if (!isNarrow()) return { left: 0, width: size.width, height: size.height };
    const left = document.body.dataset.left === "open" ? Math.max(0, $("left").getBoundingClientRect().right - size.left) : 0;
    const right = document.body.dataset.right === "open" ? Math.max(0, size.right - $("right").getBoundingClientRect().left) : 0;
    const width = size.width - left - right;
    return width < 200 ? { left: 0, width: size.width, height: size.height } : { left, width, height: size.height };
  }

  /** Shows all of it, or as much as can be read. @param {boolean} [whole] */
  fit(whole) {
    const place = this.free();
    if (!place.width || !this.boxes.length) return;
    const { left, top, width, height } = extent(this.boxes, this.arrows);
    const all = Math.min((place.width - 40) / width, (place.height - 84) / height);
    this.scale = Math.min(1.15, whole ? all : Math.max(LEAST_SCALE, all));
    const start = this.boxes.find((box) => box.isStart) || this.boxes[0];
    const isWide = width * this.scale > place.width - 6;
    const isTall = height * this.scale > place.height - 60;
    this.x = isWide ? Math.max(Math.min(20, place.width / 2 - (start.x - left + start.width / 2) * this.scale), place.width - 20 - width * this.scale) : (place.width - width * this.scale) / 2;
    this.y = isTall ? Math.max(Math.min(52, place.height / 2 - (start.y - top + 20) * this.scale), place.height - 20 - height * this.scale) : 52 + (place.height - 70 - height * this.scale) / 2;
    this.x += place.left - left * this.scale;
    this.y -= top * this.scale;
    const chosen = this.boxes.find((box) => box.id === this.app.state.selected);
    if (chosen && !whole) this.bring(chosen);
    this.place();
  }

  /** Moves the map so far that a box is in view. @param {Box} box */
  bring(box) {
    const place = this.free();
    const [left, top] = [this.x + box.x * this.scale - place.left, this.y + box.y * this.scale];
    if (left < 10) this.x += 30 - left;
    if (left + box.width * this.scale > place.width - 10) this.x -= left + box.width * this.scale - place.width + 30;
    if (top < 46) this.y += 60 - top;
    if (top + box.height * this.scale > place.height - 10) this.y -= top + box.height * this.scale - place.height + 30;
  }

  /** Draws a state. @param {Box[]} boxes @param {Arrow[]} arrows */
  draw(boxes, arrows) {
    const shape = boxes.map((box) => box.id).join("\n");
    const focused = this.svg.contains(document.activeElement) ? document.activeElement?.getAttribute("data-id") : null;
    for (const box of boxes) {
      const text = fitted(box.text, 216);
      const badge = `${box.gained ? `  +${box.gained}` : ""}${box.lost ? `  −${box.lost}` : ""}${box.unknown && box.label < 0 ? `  ${box.unknown} unknown` : ""}`;
      box.width = Math.max(92, textWidth(text) + 24 + (box.label < 0 ? 16 : 0), textWidth(box.under + badge) * SMALLER + 28);
      box.height = 40;
    }
    const view = this.free();
    const { open, pinned, only } = this.app.state;
    // A flag that is turned leaves the picture's direction as it is.
    const opened = [[...open].join(" "), [...pinned].join(" "), only, view.width, view.height].join("\n");
    this.down = laidOut(boxes, arrows, Math.max(view.width - 40, 300), Math.max(view.height - 84, 200), opened === this.opened ? this.down : null);
    this.opened = opened;
    [this.boxes, this.arrows] = [boxes, arrows];
    const chosen = this.app.state.selected;
    const isStart = boxes.some((box) => box.isStart && box.id === chosen);
    const drawn = arrows.filter((arrow) => !arrow.isHidden || this.app.state.everyArrow || (!isStart && (arrow.source.id === chosen || arrow.target.id === chosen)));
    const elements = this.drawn.all([...drawn.map((arrow) => this.arrow(arrow, chosen)), ...boxes.map((box) => this.box(box, chosen))]);
    patched(this.layer, elements);
    this.elements = new Map(elements.slice(drawn.length).map((element, n) => [boxes[n].id, element]));
    if (shape !== this.shape) this.fit();
    this.shape = shape;
    this.focusable(focused || chosen);
    if (focused) /** @type {any} */ (this.elements.get(focused))?.focus({ preventScroll: true });
  }

  /** Draws again, for a view of another size. */
  redraw() {
    this.shape = "";
    this.size = null;
    this.draw(this.boxes, this.arrows);
  }

  /** One box takes part in the order of the Tab key: arrows move between them. @param {string} id */
  focusable(id) {
    for (const [one, element] of this.elements) element.setAttribute("tabindex", one === id ? "0" : "-1");
    const first = this.boxes[0];
    if (!this.elements.has(id) && first) this.elements.get(first.id)?.setAttribute("tabindex", "0");
  }

  /** What a box says, and how it is drawn. @param {Box} box @param {string} chosen @returns {[unknown, () => SVGElement]} */
  box(box, chosen) {
    const classes = ["box", box.repository ? "" : "own", box.label < 0 ? "group" : "", box.isStart ? "start" : ""];
    if (box.gained && !box.lost && box.gained === box.reached) classes.push("gained");
    if (box.lost && !box.reached) classes.push("lost");
    if (box.label >= 0 && box.unknown) classes.push("unknown");
    if (!box.reached && !box.lost) classes.push("off");
    if (box.id === chosen) classes.push("chosen");
    const said = [
      box.text, box.under,
      box.gained ? `${box.gained} gained` : "", box.lost ? `${box.lost} lost` : "",
      box.unknown ? `${box.unknown} unknown` : "", box.isStart ? "asked for" : "", box.label < 0 ? "Enter opens it" : "",
    ].filter(Boolean).join(", ");
    const { id, x, y, width } = box;
    return [[id, x, y, width, classes, said, box.names], () => s(
      "g",
      { class: classes.filter(Boolean).join(" "), transform: `translate(${box.x} ${box.y})`, role: "button", "aria-label": said, "data-id": box.id, tabindex: -1,
        onclick: () => this.app.select(box.id), ondblclick: () => this.app.open(box.id) },
      s("title", {}, box.names || box.text),
      box.label < 0 && s("rect", { class: "back", x: 3, y: 3, width: box.width, height: box.height, rx: 7 }),
      s("rect", { class: "body", width: box.width, height: box.height, rx: 7 }),
      s("rect", { class: "stripe", x: 0, y: 8, width: 3.5, height: box.height - 16, rx: 1.7 }),
      s("text", { x: 12, y: 17, "aria-hidden": "true" }, fitted(box.text, 216)),
      s("text", { x: 12, y: 32, class: "small", "aria-hidden": "true" }, box.under,
        box.gained ? s("tspan", { class: "up", dx: 5 }, `+${box.gained}`) : null,
        box.lost ? s("tspan", { class: "down", dx: 5 }, `−${box.lost}`) : null,
        box.unknown && box.label < 0 ? s("tspan", { dx: 5 }, `${box.unknown} unknown`) : null),
      box.label < 0 && s("text", { class: "plus", "aria-hidden": "true", x: box.width - 15, y: 17 }, "+"),
    )];
  }

  /** What an arrow says, and how it is drawn. @param {Arrow} arrow @param {string} chosen @returns {[unknown, () => SVGElement]} */
  arrow(arrow, chosen) {
    const path = curve(arrow.points, arrow.isBack, this.down);
    const id = `${arrow.source.id} -> ${arrow.target.id}`;
    const classes = ["arrow"];
    if (arrow.lost && !arrow.count) classes.push("lost");
    else if (!arrow.count) classes.push("off");
    else if (arrow.gained === arrow.count) classes.push("gained");
    else if (arrow.perhaps === arrow.count) classes.push("perhaps");
    else if (arrow.conditional === arrow.count) classes.push("conditional");
    if (id === chosen) classes.push("chosen");
    const isNear = arrow.source.id === chosen || arrow.target.id === chosen;
    if (isNear) classes.push("near");
    const width = Math.min(4, 1 + Math.log10(Math.max(arrow.count, arrow.lost, 1)) * 0.9);
    // What the boxes say may change while they stay what they are: "12 more repositories".
    const said = `${arrow.source.text} needs ${arrow.target.text}, ${counted(arrow.count + arrow.lost, "edge")}`;
    const title = `${arrow.source.text} → ${arrow.target.text}: ${counted(arrow.count, "edge")}${arrow.lost ? `, ${arrow.lost} lost` : ""}`;
    return [[path, classes, said, title, id], () => s(
      "g",
      { class: classes.join(" "), "data-id": id, role: "button", tabindex: -1, "aria-label": said, onclick: () => this.app.select(id) },
      s("title", {}, title),
      s("path", { class: "hit", d: path }),
      s("path", { class: "shown", d: path, "stroke-width": width, "marker-end": "url(#head)" }),
    )];
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {Element} */ (event.target).closest("[data-id]");
    const id = target?.getAttribute("data-id") || "";
    const app = this.app;
    const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });
    if (event.ctrlKey || event.metaKey || event.altKey || app.isGo) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      Enter: () => (app.state.selected === id ? app.open(id) : app.select(id)),
      " ": () => app.select(id),
      o: () => app.open(id), c: () => app.close(id), h: () => app.hide(id), i: () => app.isolate(id),
      d: () => app.follow(id, true), r: () => app.follow(id, false), p: () => app.pathTo(id),
      "+": () => this.zoom(1.25), "-": () => this.zoom(0.8), 0: () => this.fit(true), 1: () => this.fit(),
    };
    if (steps[event.key]) this.step(id, steps[event.key]);
    else if (keys[event.key] && (id || "+-01".includes(event.key))) keys[event.key]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves on to the nearest box in a direction. @param {string} id @param {[number, number]} direction */
  step(id, [dx, dy]) {
    const from = this.boxes.find((box) => box.id === id) || this.boxes[0];
    const middle = (/** @type {Box} */ box) => [box.x + box.width / 2, box.y + box.height / 2];
    const [fx, fy] = middle(from);
    let best = null;
    let least = Infinity;
    for (const box of this.boxes) {
      const [x, y] = middle(box);
      const along = (x - fx) * dx + (y - fy) * dy;
      if (box === from || along <= 4) continue;
      const distance = along + 2.4 * Math.abs((x - fx) * dy + (y - fy) * dx);
      if (distance < least) [best, least] = [box, distance];
    }
    if (best) this.focus(best.id);
  }

  /** @param {string} id */
  focus(id) {
    const box = this.boxes.find((one) => one.id === id);
    const element = this.elements.get(id);
    if (!box || !element) return;
    this.bring(box);
    this.place();
    this.focusable(id);
    /** @type {any} */ (element).focus({ preventScroll: true });
  }
}

/** A smooth line through points. @param {[number, number][]} points @param {boolean} isBack @param {boolean} down */
function curve(points, isBack, down) {
  const [first, ...rest] = points;
  let path = `M${first[0]} ${first[1]}`;
  let [x, y] = first;
  for (const [nx, ny] of rest) {
    const bend = Math.max(14, Math.abs(down ? ny - y : nx - x) / 2) * (isBack ? -1 : 1);
    path += down ? ` C${x} ${y + bend} ${nx} ${ny - bend} ${nx} ${ny}` : ` C${x + bend} ${y} ${nx - bend} ${ny} ${nx} ${ny}`;
    [x, y] = [nx, ny];
  }
  return path;
}
