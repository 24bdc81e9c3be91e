"""The forms of a case: the very requests by which an engine is asked, at each level at which the case can be asked.

What is expected is what the case expects. Only what is *done* is worked out here: the interpreter plays the turn as it is
written, and says which cards went where. Whether that was legal has no part in it.
"""

from collections.abc import Sequence
from typing import Any, Final

from canasta.games import open_game
from canasta.kernel.game import Game
from canasta.language.ruleset import Clause, Structure
from canasta.notation.record import Action, Written
from canasta.notation.turns import parse_turn
from canasta.playing.binding import play_turn
from canasta.playing.examples import with_options
from canasta.playing.played import Played
from canasta.playing.seats import seats_of
from canasta.playing.signs import signs_of
from canasta.playing.words import with_its_card
from canasta_conformance.generator.dealing import dealt
from canasta_conformance.generator.stacked import stacked
from canasta_conformance.generator.stateless import stateless
from canasta_conformance.inprocess.acts import told_moves
from canasta_conformance.inprocess.positions import to_state

Data = dict[str, Any]

SETUP: Final = "setup"
OPENED: Final = "opened"
"""The state of a side that has made its initial meld; a game without it is not asked about melds, minimum and pile alone."""

OF_TURN: Final = "turn"
"""What a structure clause refuses that bars acts out of turn."""

NOBODY: Final = "nobody"
"""Has won where the match goes on."""

SHOWN_ALSO: Final = {"frozen": "frozen", "frozen_for": "frozen_for.SIDE", "canastas": "canastas.SIDE"}
"""Questions of cases that an observation can answer, and the place in which it does."""


def forms(case: Data, clause: Clause) -> list[Data]:
    """Make the forms of a case, the lowest level first."""
    rules = case["ruleset"]
    game = open_game(with_options(rules["name"], rules["options"]), by_face=True)
    return _Forms(game, case, clause).all()


class _Forms:
    """The work of making the forms of one case."""

    def __init__(self, game: Game, case: Data, clause: Clause) -> None:
        self.game, self.case, self.clause = game, case, clause
        (self.step,) = case["steps"]
        self.given = case["given"]
        options = case["ruleset"]["options"]
        self.rules: Data = {"ruleset": case["ruleset"]["name"]} | ({"options": options} if options else {})
        self.zones = dealt(self.given.get("zones", {}), self._drawn(), game.deck)

    def all(self) -> list[Data]:
        """List the forms."""
        if self.given["phase"] == SETUP:
            return [{"level": 2, "exchange": self._begun()}]
        asked = self._asked()
        acts: list[Data] = next((a["send"]["acts"] for a in asked if a["send"]["op"] == "turn"), [])
        opens = OPENED in self.game.ruleset.state
        questions = stateless(self.case, self.position(), acts, self.clause, opens=opens)
        found: list[Data] = [
            {"level": 0, "exchange": [{**question, "send": self._with_rules(question["send"])}]}
            for question in questions
        ]
        found.append({"level": 1, "exchange": [self._loaded(), *asked]})
        twin = stacked(self.game, self.rules, self.position(), asked)
        return [*found, *([twin] if twin else []), *self._out_of_turn()]

    def _with_rules(self, send: Data) -> Data:
        op = send.pop("op")
        return {"op": op, **self.rules, **send}

    def _drawn(self) -> list[str]:
        acts = self.step.get("turn", {}).get("acts", [])
        return [card for act in acts if act["act"] == "draw" for card in act.get("cards", [])]

    # -- level 2 -----------------------------------------------------------------------------------------------------

    def _begun(self) -> list[Data]:
        values = dict(self.given.get("values", {}))
        totals = {name.partition(".")[2]: value for name, value in values.items() if name.startswith("total.")}
        send: Data = {"op": "start", **self.rules, "dealer": values.get("dealer", self.given["seat"])}
        send["stock"] = self.zones["stock"]
        if "deal_no" in values:
            send["deal_no"] = values["deal_no"]
        if totals:
            send["totals"] = totals
        return [{"send": send}, *self._expected()]

    # -- level 1 -----------------------------------------------------------------------------------------------------

    def position(self) -> Data:
        """Give the position with every card named."""
        values = self.given.get("values", {})
        told: Data = {"seat": self.given["seat"], "phase": self.given["phase"], "zones": self.zones}
        return told | ({"values": values} if values else {})

    def _loaded(self) -> Data:
        return {"send": {"op": "load", **self.rules, "position": self.position()}}

    def _asked(self) -> list[Data]:
        if "turn" in self.step:
            return [self._turn(), *self._expected()]
        if "ask" in self.step:
            return [self._value(self.step["ask"], self.step["expect"]["value"])]
        return self._expected()

    def _value(self, ask: str, value: object) -> Data:
        """Ask for a value where an engine has it anyway; the rule language is the last resort."""
        if ask == "match_over":
            return {"send": {"op": "ledger"}, "expect": {"over": value}}
        if ask in SHOWN_ALSO:
            name = SHOWN_ALSO[ask].replace("SIDE", self._side())
            return {"send": {"op": "observe", "also": [name]}, "expect": {"values": {name: value}}}
        return {"send": {"op": "ask", "expression": ask}, "expect": {"value": value}}

    def _side(self) -> str:
        seats = seats_of(self.game.ruleset.table)
        state = to_state(self.game, self.position())
        return seats.sides[state.side_of[state.seat]]

    def _expected(self) -> list[Data]:
        """Ask for what the case expects besides the verdict; after an illegal turn there is nothing to ask."""
        expect = self.step["expect"]
        found: list[Data] = []
        if expect.get("verdict") == "illegal":
            return found
        if "after" in expect:
            after = {key: value for key, value in expect["after"].items() if key != "text"}
            found.append({"send": {"op": "observe"}, "expect": after})
        ledger: Data = {}
        if "ledger" in expect:
            ledger["lines"] = expect["ledger"]
        if "winner" in expect:
            over = expect["winner"] != NOBODY
            ledger |= {"over": True, "winners": expect["winner"].split()} if over else {"over": False}
        return [*found, {"send": {"op": "ledger"}, "expect": ledger}] if ledger else found

    def _out_of_turn(self) -> list[Data]:
        """Ask the clause that refuses acts out of turn by somebody whose turn it is not, too; a text of a turn cannot say so."""
        illegal = self.step["expect"].get("verdict") == "illegal"
        if not illegal or not isinstance(self.clause, Structure) or self.clause.refuses != OF_TURN:
            return []
        acting = self.step["turn"]["seat"]
        hands = {name.partition(".")[2]: cards for name, cards in self.zones.items() if name.startswith("hand.")}
        seat, cards = next((seat, cards) for seat, cards in hands.items() if seat != acting and cards)
        acts = [{"act": str(Written.DISCARD), "cards": cards[:1]}]
        wanted = {"committed": False, "codes": list(self.step["expect"]["codes"])}
        return [{
            "level": 1,
            "exchange": [self._loaded(), {"send": {"op": "turn", "seat": seat, "acts": acts}, "expect": wanted}],
        }]  # fmt: skip

    # -- turns -------------------------------------------------------------------------------------------------------

    def _turn(self) -> Data:
        expect = self.step["expect"]
        wanted: Data = {"committed": expect["verdict"] == "legal"}
        if "codes" in expect:
            wanted["codes"] = expect["codes"]
        turn = self.step["turn"]
        return {"send": {"op": "turn", "seat": turn["seat"], "acts": self._acts(turn)}, "expect": wanted}

    def _acts(self, turn: Data) -> list[Data]:
        written, _ = parse_turn(turn["text"], "case")
        actions = [action for _, action in with_its_card(signs_of(self.game), list(enumerate(written)))]
        played = play_turn(self.game, to_state(self.game, self.position()), actions)
        done = [act for step in played.steps for act in told_moves(self.game, step.before, step.move)]
        return done + [self._impossible(a) for a in self._undone(played, actions)]

    def _undone(self, played: Played, actions: Sequence[Action]) -> Sequence[Action]:
        return () if played.stopped is None else tuple(actions[max(0, played.stopped_at) :])

    def _impossible(self, action: Action) -> Data:
        """Spell out an act that cannot be done, as nearly as the position allows: it speaks of cards that lie elsewhere."""
        cards = [self._somewhere(str(card)) for card in action.cards]
        if action.target is not None and action.target.card is not None:
            return {"act": "add", "cards": cards, "to": self._somewhere(str(action.target.card))}
        return {"act": "meld" if action.kind is Written.LAY else str(action.kind), "cards": cards}

    def _somewhere(self, text: str) -> str:
        """Find a card of the position that is as written."""
        lying: list[str] = []
        for cards in self.zones.values():
            lying += [c for row in cards for c in row] if cards and isinstance(cards[0], list) else cards
        return next((card for card in lying if card.startswith(text)), f"{text}c" if len(text) == 1 else text)
