// A harness: reads requests, asks your engine, writes answers. Fill in the functions, one after another.
//
// Every function is named after an operation of the protocol and gets the request; what it returns is the answer without
// its number. Whatever has no function is answered by "unsupported", which is never a failure.

import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

// Throw it with the name of what your engine does not have.
export class Unsupported extends Error {}

// Replace this by a call of your engine.
const POINTS = { Jk: 50, 2: 20, A: 20, 3: 5, 4: 5, 5: 5, 6: 5, 7: 5 };

function points(card) {
  if (card === "3d" || card === "3h") return 0;
  return POINTS[card === "Jk" ? card : card[0]] ?? 10;
}

export const operations = {
  // Say who you are, by which rules you play, and what you can be asked.
  hello() {
    return {
      protocol: 1,
      engine: { name: "my-canasta", version: "0.1", language: "JavaScript" },
      // Options that you choose otherwise than the rule set: { id: "classic", options: { one_card_for_one: "allowed" } }
      rulesets: [{ id: "classic" }],
      levels: [0],
      operations: ["hello", "card_value", "reset", "bye"],
    };
  },

  // Add up what cards count. Red threes count nothing as cards.
  card_value({ cards }) {
    return { value: cards.reduce((sum, card) => sum + points(card), 0) };
  },

  // Forget the position.
  reset() {
    return {};
  },

  bye() {
    return {};
  },

  // Level 0: meld_check, opening_minimum, opening_check, pile_check, score_deal.
  //
  // Level 1, once a position can be set up. Put 1 into levels, and the names into operations:
  //
  // load({ position })  → { observation: … }
  // turn({ acts })      → { committed: true } or { committed: false, codes: […] }
  // observe({ also })   → { observation: … }
  // ledger()            → { lines: { "NS.total": 570, … } }
  //
  // Level 2, once a deal can be begun from a stacked pack: start({ dealer, stock }).
};

// Answer one request; whatever goes wrong in your engine is told, and the harness goes on.
function answer(operations, request) {
  const { seq, op } = request;
  if (!Object.hasOwn(operations, op)) return { seq, unsupported: true, needs: op };
  try {
    return { seq, ...operations[op](request) };
  } catch (fault) {
    if (fault instanceof Unsupported) return { seq, unsupported: true, needs: fault.message || op };
    const place = String(fault?.stack).split("\n")[1]?.trim() ?? "";
    return { seq, error: true, text: `${fault} ${place}` };
  }
}

// Answer until "bye" or the end of the input. Standard output belongs to the protocol: log with console.error.
export async function serve(operations) {
  for await (const line of createInterface({ input: process.stdin })) {
    const request = JSON.parse(line);
    process.stdout.write(JSON.stringify(answer(operations, request)) + "\n");
    if (request.op === "bye") break;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await serve(operations);
