// The harness at level 1: a table that can be set up and shown, turns that are played at it or refused, melds.

import { Unsupported, operations, serve } from "./harness.mjs";

const ZONES = ["hand.N", "hand.E", "hand.S", "hand.W", "melds.NS", "melds.EW", "shown.NS", "shown.EW", "pile", "stock"];
const NEXT = { N: "E", E: "S", S: "W", W: "N" };

// The rules do not let a turn stand.
class Refused extends Error {}

function demand(kept) {
  if (!kept) throw new Refused();
}

// Who is to act, what lies where, and which side has opened.
let table = {};

const side = () => ("NS".includes(table.seat) ? "NS" : "EW");
const melds = () => table.zones[`melds.${side()}`];
const show = () => structuredClone(table);

function load({ seat, phase, zones, values = {} }) {
  if (phase !== "start" && phase !== "play") throw new Unsupported(`the phase ${phase}`);
  const known = { "opened.NS": false, "opened.EW": false };
  for (const name of Object.keys(values)) if (!(name in known)) throw new Unsupported(`values.${name}`);
  const empty = Object.fromEntries(ZONES.map((name) => [name, []]));
  table = structuredClone({ seat, phase, zones: { ...empty, ...zones }, values: { ...known, ...values } });
}

// Take cards out of the hand.
function give(cards) {
  const hand = table.zones[`hand.${table.seat}`];
  for (const card of cards) {
    demand(hand.includes(card));
    hand.splice(hand.indexOf(card), 1);
  }
  if (hand.length === 0) throw new Unsupported("going out");
}

// The ranks of the natural cards, one for each of them.
const ranks = (meld) => meld.filter((card) => card !== "Jk" && card[0] !== "2").map((card) => card[0]);

// May cards lie together: three or more of a rank, two of them natural, and three wild cards at most?
function lies(meld) {
  const natural = ranks(meld);
  const oneRank = new Set(natural).size === 1 && natural[0] !== "3";
  return oneRank && meld.length > 2 && natural.length > 1 && meld.length - natural.length < 4;
}

const acts = {
  // Draw a card; a red three is laid out and replaced.
  draw() {
    demand(table.phase === "start");
    for (let card = "3h"; card === "3h" || card === "3d"; ) {
      if (table.zones.stock.length === 0) throw new Unsupported("the end of the stock");
      card = table.zones.stock.pop();
      table.zones[card === "3h" || card === "3d" ? `shown.${side()}` : `hand.${table.seat}`].push(card);
    }
    table.phase = "play";
  },

  // Discard a card; the next player is to act.
  discard({ cards }) {
    demand(table.phase === "play");
    give(cards);
    table.zones.pile.push(...cards);
    table.seat = NEXT[table.seat];
    table.phase = "start";
  },

  // Lay a new meld, of a rank that the side has not melded yet.
  meld({ cards }) {
    demand(!melds().some((meld) => ranks(meld).some((rank) => ranks(cards).includes(rank))));
    demand(table.phase === "play");
    give(cards);
    demand(lies(cards));
    melds().push(cards);
    table.values[`opened.${side()}`] = true;
  },

  // Add cards to the meld that holds a card.
  add({ cards, to }) {
    demand(table.phase === "play");
    give(cards);
    const meld = melds().find((one) => one.includes(to));
    demand(meld && lies([...meld, ...cards]));
    meld.push(...cards);
  },
};

// Do the acts one after another. If one of them cannot be done, everything lies as before.
function play(seat, turn) {
  const before = structuredClone(table);
  try {
    demand(seat === table.seat);
    for (const act of turn) {
      if (!Object.hasOwn(acts, act.act)) throw new Unsupported(act.act);
      acts[act.act](act);
    }
  } catch (fault) {
    table = before;
    throw fault;
  }
}

await serve({
  ...operations,

  // Say what can be asked besides level 0.
  hello(request) {
    const told = operations.hello(request);
    return { ...told, levels: [0, 1], operations: [...told.operations, "load", "observe", "turn"] };
  },

  load({ position }) {
    load(position);
    return { observation: show() };
  },

  observe({ seat }) {
    if (seat) throw new Unsupported("what one player sees");
    return { observation: show() };
  },

  turn(request) {
    try {
      play(request.seat, request.acts);
    } catch (fault) {
      if (fault instanceof Refused) return { committed: false };
      throw fault;
    }
    return { committed: true };
  },
});
