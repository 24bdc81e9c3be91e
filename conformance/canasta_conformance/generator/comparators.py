"""Cases of the comparators themselves: pairs that are equal and pairs that are not, for whoever writes a runner of their own."""

from collections.abc import Iterator
from typing import Any, Final

Data = dict[str, Any]

STATE, SCORE, VERDICT, CODES, COUNT, RECORD, FAULTS = "state", "score", "verdict", "codes", "count", "record", "faults"

_PAIRS: Final[tuple[tuple[str, str, bool, Data, Data], ...]] = (
    (STATE, "a hand is a bag", True, {"zones": {"hand.N": ["4c", "Kd"]}}, {"zones": {"hand.N": ["Kd", "4c"]}}),
    (STATE, "a card too many", False, {"zones": {"hand.N": ["4c"]}}, {"zones": {"hand.N": ["4c", "4c"]}}),
    (STATE, "one of two alike", False, {"zones": {"hand.N": ["4c", "4c"]}}, {"zones": {"hand.N": ["4c", "4d"]}}),
    (STATE, "the pile is in order", False, {"zones": {"pile": ["4c", "Kd"]}}, {"zones": {"pile": ["Kd", "4c"]}}),
    (STATE, "the top card comes last", True, {"zones": {"pile": ["4c", "Kd"]}}, {"zones": {"pile": ["4c", "Kd"]}}),
    (
        STATE, "melds in any order, cards of each in any order", True,
        {"zones": {"melds.NS": [["4c", "4d", "4h"], ["Kc", "Kd", "2h"]]}},
        {"zones": {"melds.NS": [["2h", "Kd", "Kc"], ["4h", "4d", "4c"]]}},
    ),
    (
        STATE, "a card of one meld lies in another", False,
        {"zones": {"melds.NS": [["4c", "4d", "4h"], ["Kc", "Kd", "2h"]]}},
        {"zones": {"melds.NS": [["4c", "4d", "4h", "2h"], ["Kc", "Kd"]]}},
    ),
    (STATE, "no meld is not an empty meld", False, {"zones": {"melds.NS": []}}, {"zones": {"melds.NS": [[]]}}),
    (STATE, "a card without a suit is any of its rank", True, {"zones": {"hand.N": ["K"]}}, {"zones": {"hand.N": ["Ks"]}}),
    (STATE, "the engine keeps no suits", True, {"zones": {"hand.N": ["Ks"]}}, {"zones": {"hand.N": ["K"]}}),
    (STATE, "a red three is not a black one", False, {"zones": {"hand.N": ["3r"]}}, {"zones": {"hand.N": ["3s"]}}),
    (STATE, "a red three of hearts", True, {"zones": {"shown.NS": ["3r"]}}, {"zones": {"shown.NS": ["3h"]}}),
    (STATE, "a joker is no two", False, {"zones": {"hand.N": ["Jk"]}}, {"zones": {"hand.N": ["2c"]}}),
    (STATE, "a hidden card is any card", True, {"zones": {"stock": ["4c", "Kd"]}}, {"zones": {"stock": ["?", "?"]}}),
    (STATE, "a card that is not shown is not wrong", True, {"zones": {"hand.N": ["4c", "Kd"]}}, {"zones": {"hand.N": ["?", "Kd"]}}),
    (STATE, "a card that is shown beside it is", False, {"zones": {"hand.N": ["4c", "Kd"]}}, {"zones": {"hand.N": ["?", "Ks"]}}),
    (STATE, "hidden cards are counted", False, {"zones": {"stock": ["4c", "Kd"]}}, {"zones": {"stock": ["?"]}}),
    (
        STATE, "partners are found one to one", True,
        {"zones": {"hand.N": ["K", "Kd"]}}, {"zones": {"hand.N": ["Kd", "Ks"]}},
    ),
    (STATE, "what is not shown is not compared", True, {"zones": {"hand.N": ["4c"]}}, {"zones": {"pile": []}}),
    (STATE, "what is not expected is not compared", True, {"zones": {}}, {"zones": {"hand.N": ["4c"]}}),
    (STATE, "truth is no number", False, {"values": {"opened.NS": True}}, {"values": {"opened.NS": 1}}),
    (STATE, "a value that is written with a point", True, {"values": {"total.NS": -5}}, {"values": {"total.NS": -5.0}}),
    (STATE, "truth is not one with a point", False, {"values": {"opened.NS": True}}, {"values": {"opened.NS": 1.0}}),
    (STATE, "a value that is right", True, {"values": {"total.NS": -5}}, {"values": {"total.NS": -5}}),
    (
        STATE, "who is to act", False,
        {"seat": "N", "phase": "play"}, {"seat": "N", "phase": "start", "zones": {}, "values": {}},
    ),
    (
        STATE, "nobody is to act in a deal that is over", False,
        {"seat": "N", "phase": "play"}, {"seat": "N", "phase": "play", "zones": {}, "values": {"reason": "out"}},
    ),
    (STATE, "a deal that goes on has no reason", False, {"values": {"reason": "out"}}, {"values": {}}),
    (STATE, "hidden as it should be", True, {"hidden": {"hand.E": 2}}, {"zones": {"hand.E": ["?", "?"]}}),
    (STATE, "a hand that is not shown at all", True, {"hidden": {"hand.E": 2}}, {"zones": {}}),
    (STATE, "a card too many is shown", False, {"hidden": {"hand.E": 2}}, {"zones": {"hand.E": ["?", "4c"]}}),
    (SCORE, "lines that are right", True, {"lines": {"NS.total": 500}}, {"lines": {"NS.total": 500, "EW.total": 0}}),
    (SCORE, "a line that is written with a point", True, {"lines": {"NS.total": 500}}, {"lines": {"NS.total": 500.0}}),
    (SCORE, "a line that is wrong", False, {"lines": {"NS.total": 500}}, {"lines": {"NS.total": 505}}),
    (SCORE, "a line that the engine does not keep", True, {"lines": {"NS.fines": 0, "NS.total": 5}}, {"lines": {"NS.total": 5}}),
    (SCORE, "winners in any order", True, {"winners": ["NS", "EW"]}, {"winners": ["EW", "NS"]}),
    (SCORE, "another winner", False, {"winners": ["NS"]}, {"winners": ["EW"]}),
    (SCORE, "points by side", True, {"value": {"NS": 570}}, {"value": {"NS": 570, "EW": 0}}),
    (VERDICT, "the turn stands", True, {"committed": True}, {"committed": True}),
    (VERDICT, "the turn should not stand", False, {"committed": False}, {"committed": True}),
    (VERDICT, "a number", True, {"value": 90}, {"value": 90}),
    (VERDICT, "a whole number, however it is written", True, {"value": 90}, {"value": 90.0}),
    (VERDICT, "a number is no word", False, {"value": 90}, {"value": "90"}),
    (VERDICT, "one is not yes", False, {"value": True}, {"value": 1}),
    (CODES, "no codes are given", True, {"codes": ["BELOW_MINIMUM"]}, {}),
    (CODES, "one of those expected", True, {"codes": ["BELOW_MINIMUM", "NO_CANASTA"]}, {"codes": ["NO_CANASTA"]}),
    (CODES, "another code", False, {"codes": ["BELOW_MINIMUM"]}, {"codes": ["NO_CANASTA"]}),
    (CODES, "one more than is right", False, {"codes": ["BELOW_MINIMUM"]}, {"codes": ["BELOW_MINIMUM", "NO_CANASTA"]}),
    (COUNT, "the same plays", True, {"divide": {"- | - | 4c": 1}}, {"divide": {"- | - | 4c": 1}}),
    (COUNT, "a play that is missing", False, {"divide": {"- | - | 4c": 1}}, {"divide": {}}),
    (COUNT, "a play that there is not", False, {"divide": {}}, {"divide": {"- | - | 4c": 1}}),
    (COUNT, "only the sum is given", True, {"divide": {"- | - | 4c": 1}}, {"value": 1}),
    (RECORD, "members in any order", True, {"record": {"tags": [], "deals": []}}, {"record": {"deals": [], "tags": []}}),
    (RECORD, "lists in their order", False, {"record": {"tags": [1, 2]}}, {"record": {"tags": [2, 1]}}),
    (
        FAULTS, "faults in any order", True,
        {"faults": [{"id": "CN2002", "line": 2}, {"id": "CN0017"}]}, {"faults": [{"id": "CN0017"}, {"id": "CN2002", "line": 2}]},
    ),
    (FAULTS, "another place", False, {"faults": [{"id": "CN2002", "line": 2}]}, {"faults": [{"id": "CN2002", "line": 3}]}),
    (FAULTS, "it is read all the same", False, {"faults": [{"id": "CN2002", "line": 2}]}, {"record": {}}),
)  # fmt: skip


def comparators() -> Iterator[Data]:
    """Give the pairs: what is expected, what an engine answers, and whether the two are equal.

    What is expected stands as in a form of a case; what is found stands as in an answer, an observation without its name.
    """
    for comparator, name, equal, expect, found in _PAIRS:
        answer = {"observation": found} if comparator == STATE else found
        yield {"comparator": comparator, "name": name, "equal": equal, "expect": expect, "answer": answer}
