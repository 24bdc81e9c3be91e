"""Makes the tables of the notation from its grammar, by Lark; run as a program it stores them beside the grammar."""

import json
from pathlib import Path

from lark import Lark
from lark.grammar import Rule

from canasta.notation.driver import END, GRAMMAR_FILE, TABLES_FILE, Told, ToldState, check_sum
from canasta.rooms import room

STARTS = ("line", "turn_text", "position")


def tables_of(grammar: str) -> Told:
    """Make the LALR tables of a grammar as plain data, the same for the same grammar wherever it is made."""
    made = Lark(grammar, parser="lalr", lexer="contextual", start=list(STARTS), maybe_placeholders=False)
    table = made.parser.parser._parse_table  # noqa: SLF001 Lark offers its tables by no public name
    patterns = {terminal.name: terminal for terminal in made.terminals}
    tried = sorted(patterns.values(), key=lambda t: (-t.priority, -t.pattern.max_width, -len(t.pattern.value), t.name))
    order = _walk(table.states, list(table.start_states.values()))
    numbers = {state: number for number, state in enumerate(order)}
    rules: dict[tuple[int, str], int] = {}
    states: list[ToldState] = []
    for state in order:
        told: ToldState = {"shift": {}, "reduce": {}, "jump": {}}
        for name, (_, argument) in sorted(table.states[state].items()):
            if isinstance(argument, Rule):
                rule = (len(argument.expansion), str(argument.origin.name))
                told["reduce"][str(name)] = rules.setdefault(rule, len(rules))
            else:
                told["shift" if name in patterns or name == END else "jump"][str(name)] = numbers[argument]
        states.append(told)
    return {
        "grammar": check_sum(grammar.encode()),
        "starts": {name: numbers[table.start_states[name]] for name in STARTS},
        "ends": {name: numbers[table.end_states[name]] for name in STARTS},
        "terminals": {str(terminal.name): terminal.pattern.to_regexp() for terminal in tried},
        "rules": list(rules),
        "states": states,
    }


def _walk(states: dict[int, dict[str, tuple[object, int | Rule]]], starts: list[int]) -> list[int]:
    """List the states in an order that does not depend on how Lark numbered them."""
    order, seen = list(starts), set(starts)
    for state in order:
        for _, (_, target) in sorted(states[state].items()):
            if not isinstance(target, Rule) and target not in seen:
                seen.add(target)
                order.append(target)
    return order


def tables_text() -> str:
    """The text of the file that holds the tables of the shipped grammar."""
    grammar = (room("grammar") / GRAMMAR_FILE).read_bytes().decode()
    told = tables_of(grammar)
    head = {name: told[name] for name in ("grammar", "starts", "ends", "terminals", "rules")}
    lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}," for name, value in head.items()]
    states = ",\n".join(json.dumps(state, separators=(",", ":")) for state in told["states"])
    return "{\n" + "\n".join(lines) + f'\n"states": [\n{states}\n]\n}}\n'


if __name__ == "__main__":
    Path(str(room("grammar") / TABLES_FILE)).write_text(tables_text(), encoding="utf-8")
