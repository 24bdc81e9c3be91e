"""What must come of an example, in words: legal or not, how things lie then, what is scored, what is answered."""

from dataclasses import dataclass

from canasta_tools.rulebook.telling import Said, Teller


@dataclass(frozen=True, slots=True)
class Result:
    """One finding: its words, what stands as code behind them, and whether it is good or bad news for the player."""

    words: Said
    code: tuple[str, ...] = ()
    good: bool | None = None
    key: str = ""
    """The key under which it is expected, where it is no verdict."""
    lines: tuple[str, ...] = ()
    """Lines of the score in words."""


def results(expect: object, told: Teller) -> tuple[Result, ...]:
    """List what must come of an example."""
    if not isinstance(expect, dict):
        return (_verdict(str(expect), (), told),)
    found: list[Result] = []
    for key, value in expect.items():
        match key:
            case "illegal":
                found.append(_verdict("illegal", tuple(str(code) for code in value), told))
            case "ledger":
                heading = told.say_in("verdict", "score")
                lines = tuple(_line(str(item), str(points), told) for item, points in value.items())
                found.append(
                    Result(heading, tuple(f"{item} {points}" for item, points in value.items()), key=key, lines=lines)
                )
            case "after":
                found.append(Result(told.say_in("verdict", "then"), (str(value),), key=key))
            case "value":
                found.append(Result(told.say_in("verdict", "answer"), (str(value),), key=key))
            case "winner":
                found.append(Result(told.say_in("verdict", "winner"), (str(value),), key=key))
            case _:
                found.append(_verdict(str(key), (), told))
    return tuple(found)


def _line(item: str, points: str, told: Teller) -> str:
    owner, _, name = item.partition(".")
    figures = told.wording.figures(int(points.replace("_", "")))
    return f"{owner} {told.name(name)}: {figures}"


def _verdict(word: str, codes: tuple[str, ...], told: Teller) -> Result:
    match word:
        case "legal":
            return Result(told.say_in("verdict", "legal"), codes, good=True)
        case "illegal":
            return Result(told.say_in("verdict", "illegal"), codes, good=False)
        case "unknown":
            return Result(told.say_in("verdict", "cannot be known"), codes)
        case _:
            return Result(Said(word), codes)
