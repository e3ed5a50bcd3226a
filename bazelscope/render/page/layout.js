// @ts-check
// Lays boxes out in columns, dependencies to the right, or in rows, dependencies below: as it fits
// better. Inside, a layer is a column, and what runs along it is called y.

const GAP_X = 74;
const GAP_Y = 16;
/** No view opens smaller than this: texts could not be read. */
const LEAST_SCALE = 0.85;

/** @typedef {{box: Box | null, column: number, y: number, height: number, left: Seat[], right: Seat[], order: number, key: number}} Seat */

/**
 * Places boxes, and gives arrows their points, for a view of that size. Returns whether dependencies
 * are below: as `down` says, or as it fits better where that is null.
 * @param {Box[]} boxes @param {Arrow[]} arrows @param {number} width @param {number} height @param {boolean | null} down
 */
function laidOut(boxes, arrows, width, height, down) {
  if (down !== null) {
    laidOutSo(boxes, arrows, down, (down ? width : height) / LEAST_SCALE);
    return down;
  }
  const scale = (/** @type {boolean} */ down) => {
    laidOutSo(boxes, arrows, down, (down ? width : height) / LEAST_SCALE);
    const taken = extent(boxes, arrows);
    return Math.min(width / taken.width, height / taken.height, 1.2);
  };
  const aside = scale(false);
  if (aside >= 1 || scale(true) > aside * 1.1) return aside < 1;
  scale(false);
  return false;
}

/** The room that boxes and arrows take: a layout may begin anywhere. @param {Box[]} boxes @param {Arrow[]} arrows */
function extent(boxes, arrows) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  const hold = (/** @type {number} */ x, /** @type {number} */ y) => {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  };
  for (const { x, y, width, height } of boxes) {
    hold(x, y);
    hold(x + width, y + height);
  }
  for (const arrow of arrows) if (!arrow.isHidden) for (const [x, y] of arrow.points) hold(x, y);
  return { left, top, width: right - left, height: bottom - top };
}

/** @param {Box[]} boxes @param {Arrow[]} arrows @param {boolean} down @param {number} room along a column */
function laidOutSo(boxes, arrows, down, room) {
  const outgoing = new Map(boxes.map((box) => [box, /** @type {Arrow[]} */ ([])]));
  for (const arrow of arrows) outgoing.get(arrow.source)?.push(arrow);
  breakCycles(boxes, outgoing);
  const column = columnsOf(boxes, arrows);
  hideImplied(boxes, arrows, column);
  makeRoom(boxes, arrows, column, down, room);
  /** @type {Map<Box, Seat>} */
  const seats = new Map();
  /** @type {Seat[][]} */
  const columns = [];
  const sit = (/** @type {Box | null} */ box, /** @type {number} */ at, /** @type {number} */ height) => {
    /** @type {Seat} */
    const seat = { box, column: at, y: 0, height, left: [], right: [], order: 0, key: 0 };
    (columns[at] = columns[at] || []).push(seat);
    if (box) seats.set(box, seat);
    return seat;
  };
  for (const box of boxes) sit(box, column.get(box) || 0, down ? box.width : box.height);
  /** @type {Map<Arrow, Seat[]>} */
  const routes = new Map();
  for (const arrow of arrows) {
    if (arrow.isHidden) continue;
    const ends = [arrow.source, arrow.target];
    if (arrow.isBack) ends.reverse();
    const first = /** @type {Seat} */ (seats.get(ends[0]));
    const last = /** @type {Seat} */ (seats.get(ends[1]));
    const route = [first];
    for (let at = first.column + 1; at < last.column; at++) route.push(sit(null, at, 2));
    route.push(last);
    for (let n = 1; n < route.length; n++) {
      route[n - 1].right.push(route[n]);
      route[n].left.push(route[n - 1]);
    }
    routes.set(arrow, route);
  }
  const filled = columns.filter(Boolean);
  ordered(filled);
  aligned(filled, room);
  let x = 0;
  /** @type {Map<number, number>} */
  const widths = new Map();
  for (const seatsHere of filled) {
    const width = Math.max(...seatsHere.map((seat) => (seat.box ? (down ? seat.box.height : seat.box.width) : 0)), 0);
    for (const seat of seatsHere) {
      if (seat.box) {
        [seat.box.x, seat.box.y] = down ? [seat.y, x] : [x, seat.y];
      } else [seat.left, seat.right, seat.order] = [[], [], x];
    }
    widths.set(x, width);
    x += width + (down ? GAP_X * 0.6 : GAP_X);
  }
  for (const [arrow, route] of routes) {
    // Through a column an arrow goes straight, between the boxes.
    const inner = route.slice(1, -1).flatMap((seat) => /** @type {[number, number][]} */ ([
      [seat.order, seat.y + 1],
      [seat.order + (widths.get(seat.order) || 0), seat.y + 1],
    ]));
    if (arrow.isBack) inner.reverse();
    if (down) for (const point of inner) point.reverse();
    arrow.points = [ending(arrow.source, arrow.isBack, down), ...inner, ending(arrow.target, !arrow.isBack, down)];
  }
  for (const arrow of arrows) {
    if (arrow.isHidden) arrow.points = [ending(arrow.source, arrow.isBack, down), ending(arrow.target, !arrow.isBack, down)];
  }
}

/** Where an arrow meets a box. @param {Box} box @param {boolean} left @param {boolean} down @returns {[number, number]} */
function ending(box, left, down) {
  if (down) return [box.x + box.width / 2, left ? box.y : box.y + box.height];
  return [left ? box.x : box.x + box.width, box.y + box.height / 2];
}

/** Marks the arrows that close a cycle. @param {Box[]} boxes @param {Map<Box, Arrow[]>} outgoing */
function breakCycles(boxes, outgoing) {
  const mark = new Map();
  const starts = [...boxes].sort((one, other) => Number(other.isStart) - Number(one.isStart));
  for (const start of starts) {
    if (mark.has(start)) continue;
    /** @type {{box: Box, rest: Arrow[]}[]} */
    const stack = [{ box: start, rest: [...(outgoing.get(start) || [])] }];
    mark.set(start, 1);
    while (stack.length) {
      const top = stack[stack.length - 1];
      const arrow = top.rest.shift();
      if (!arrow) {
        mark.set(top.box, 2);
        stack.pop();
        continue;
      }
      const state = mark.get(arrow.target);
      arrow.isBack = state === 1;
      if (!state) {
        mark.set(arrow.target, 1);
        stack.push({ box: arrow.target, rest: [...(outgoing.get(arrow.target) || [])] });
      }
    }
  }
}

/** The column of each box: behind all that point to it. @param {Box[]} boxes @param {Arrow[]} arrows */
function columnsOf(boxes, arrows) {
  const column = new Map(boxes.map((box) => [box, 0]));
  /** @type {Map<Box, Box[]>} */
  const after = new Map(boxes.map((box) => [box, []]));
  const waiting = new Map(boxes.map((box) => [box, 0]));
  for (const arrow of arrows) {
    const [first, last] = arrow.isBack ? [arrow.target, arrow.source] : [arrow.source, arrow.target];
    after.get(first)?.push(last);
    waiting.set(last, (waiting.get(last) || 0) + 1);
  }
  const ready = boxes.filter((box) => !waiting.get(box));
  while (ready.length) {
    const box = /** @type {Box} */ (ready.shift());
    for (const next of after.get(box) || []) {
      column.set(next, Math.max(column.get(next) || 0, (column.get(box) || 0) + 1));
      const left = (waiting.get(next) || 0) - 1;
      waiting.set(next, left);
      if (!left) ready.push(next);
    }
  }
  return column;
}

/**
 * Moves boxes that lead no further out of columns that are longer than the view, into the next.
 * @param {Box[]} boxes @param {Arrow[]} arrows @param {Map<Box, number>} column @param {boolean} down @param {number} room
 */
function makeRoom(boxes, arrows, column, down, room) {
  const leading = new Set(arrows.map((arrow) => (arrow.isBack ? arrow.target : arrow.source)));
  const extent = (/** @type {Box} */ box) => (down ? box.width : box.height) + GAP_Y;
  for (let at = 0; at < boxes.length; at++) {
    const here = boxes.filter((box) => column.get(box) === at);
    let length = here.reduce((sum, box) => sum + extent(box), 0);
    const last = here.filter((box) => !leading.has(box) && !box.isStart).sort((one, other) => extent(other) - extent(one));
    for (const box of last.slice(0, here.length - 1)) {
      if (length <= room) break;
      column.set(box, at + 1);
      length -= extent(box);
    }
  }
}

/** Hides arrows that others imply, where there are many. @param {Box[]} boxes @param {Arrow[]} arrows @param {Map<Box, number>} column */
function hideImplied(boxes, arrows, column) {
  const order = [...boxes].sort((one, other) => (column.get(other) || 0) - (column.get(one) || 0));
  /** @type {Map<Box, Set<Box>>} */
  const below = new Map();
  /** @type {Map<Box, Arrow[]>} */
  const forward = new Map(boxes.map((box) => [box, []]));
  for (const arrow of arrows) {
    arrow.isHidden = false;
    if (!arrow.isBack) forward.get(arrow.source)?.push(arrow);
  }
  for (const box of order) {
    /** @type {Set<Box>} */
    const all = new Set();
    const mine = forward.get(box) || [];
    mine.sort((one, other) => (column.get(one.target) || 0) - (column.get(other.target) || 0));
    for (const arrow of mine) {
      if (all.has(arrow.target) && !arrow.gained && !arrow.lost) arrow.isHidden = true;
      all.add(arrow.target);
      for (const further of below.get(arrow.target) || []) all.add(further);
    }
    below.set(box, all);
  }
}

/** Orders the seats of each column by where their neighbours sit. @param {Seat[][]} columns */
function ordered(columns) {
  const number = () => columns.forEach((seats) => seats.forEach((seat, n) => (seat.order = n)));
  number();
  /** @param {Seat[]} others */
  const middle = (others) => {
    let sum = 0;
    for (const seat of others) sum += seat.order / Math.max(columns[seat.column]?.length || 1, 1);
    return sum / others.length;
  };
  for (let sweep = 0; sweep < 12; sweep++) {
    const isForward = sweep % 2 === 0;
    const walk = isForward ? columns : [...columns].reverse();
    for (const seats of walk) {
      seats.forEach((seat, n) => {
        const others = isForward ? seat.left : seat.right;
        seat.key = others.length ? middle(others) : n / seats.length;
      });
      seats.sort((one, other) => one.key - other.key);
      seats.forEach((seat, n) => (seat.order = n));
    }
  }
}

/** Gives each seat its height on the page, near its neighbours. @param {Seat[][]} columns @param {number} room */
function aligned(columns, room) {
  for (const seats of columns) {
    let y = 0;
    for (const seat of seats) {
      seat.y = y;
      y += seat.height + GAP_Y;
    }
  }
  const center = (/** @type {Seat} */ seat) => seat.y + seat.height / 2;
  for (let round = 0; round < 16; round++) {
    const isForward = round % 2 === 0;
    for (const seats of isForward ? columns : [...columns].reverse()) {
      const wanted = seats.map((seat) => {
        const others = isForward ? seat.left : seat.right;
        const used = others.length ? others : isForward ? seat.right : seat.left;
        if (!used.length) return seat.y;
        return used.reduce((sum, other) => sum + center(other), 0) / used.length - seat.height / 2;
      });
      packed(seats, wanted);
    }
  }
  const top = Math.min(...columns.flat().map((seat) => seat.y), 0);
  for (const seats of columns) {
    // What would lie outside of the view moves in, as far as its column has room.
    let end = Math.max(room, seats.reduce((sum, seat) => sum + seat.height + GAP_Y, 0));
    for (const seat of [...seats].reverse()) {
      seat.y = Math.min(seat.y - top, end - seat.height);
      end = seat.y - GAP_Y;
    }
  }
}

/** Puts seats as near to where they want to be as their order and sizes allow. @param {Seat[]} seats @param {number[]} wanted */
function packed(seats, wanted) {
  // Neighbours that would overlap become one block, which sits where its members want on average.
  /** @type {{first: number, last: number, y: number, height: number, sum: number, weight: number}[]} */
  const blocks = [];
  seats.forEach((seat, n) => {
    let block = { first: n, last: n, y: wanted[n], height: seat.height + GAP_Y, sum: wanted[n], weight: 1 };
    while (blocks.length && blocks[blocks.length - 1].y + blocks[blocks.length - 1].height > block.y) {
      const before = /** @type {typeof block} */ (blocks.pop());
      const sum = before.sum + block.sum - block.weight * before.height;
      const weight = before.weight + block.weight;
      block = { first: before.first, last: block.last, y: sum / weight, height: before.height + block.height, sum, weight };
    }
    blocks.push(block);
  });
  for (const block of blocks) {
    let y = block.y;
    for (let n = block.first; n <= block.last; n++) {
      seats[n].y = y;
      y += seats[n].height + GAP_Y;
    }
  }
}
