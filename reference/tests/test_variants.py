"""A variant says what it changes, is told when what it changes has changed, and nothing happens in silence."""

import re
from pathlib import Path

import pytest

from canasta.language.digests import declaration_digest, formal_digest, text_digest
from canasta.language.loading import Loaded, chapter_titles, load_document
from canasta.language.merging import OriginKind
from canasta.language.naming import known, parse_name
from canasta.language.schema_check import check
from canasta.language.signing import sign
from canasta.language.source import Mapping, RuleFileError, Scalar, Sequence, plain, read_file, read_text
from canasta.rooms import room

PARENT = Path(__file__).parent / "bad" / "good" / "parent.yaml"

CHILD = """\
ruleset: child
title: How we play
extends: parent.yaml
set: {hand_size: 7, may_throw_wild: no, fine: {below: 0, from: {10: 1}}}
add:
  phases: {play: [draw]}
  reasons: {enough: {text: somebody has had enough}}
  clauses:
    - {id: table.manners, kind: custom, title: Be kind, text: Be kind to each other.}
replace:
  - clause: discard.not-wild
    because: wild cards are worth keeping
    with:
      require:
        - {code: WILD_STAYS, that: card is not wild}
  - {declaration: pack, with: {packs: 2}}   # twice as many cards
remove:
  - {clause: end.empty, because: we shuffle the pile instead}
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "parent.yaml").write_bytes(PARENT.read_bytes())
    return tmp_path


def write(home: Path, name: str, text: str, *, signed: bool = True) -> str:
    path = home / name
    path.write_text(text, encoding="utf-8")
    if signed:
        path.write_text(sign(str(path)), encoding="utf-8")
    return str(path)


def ids(path: str) -> list[str]:
    with pytest.raises(RuleFileError) as caught:
        load_document(path)
    return [d.id for d in caught.value.diagnostics]


def clause(loaded: Loaded, id_: str) -> Mapping:
    listed = loaded.document.items["clauses"]
    assert isinstance(listed, Sequence)
    found = [c for c in listed.items if isinstance(c, Mapping) and plain(c.items["id"]) == id_]
    assert len(found) == 1
    return found[0]


def under(loaded: Loaded, *path: str) -> object:
    node: object = plain(loaded.document)
    for key in path:
        assert isinstance(node, dict)
        node = node[key]
    return node


def test_a_signed_child_says_what_it_says(home: Path) -> None:
    loaded = load_document(write(home, "child.yaml", CHILD))
    assert (loaded.base, loaded.lineage, loaded.chosen) == ("child", ("parent",), {})
    assert under(loaded, "parameters", "hand_size", "is") == "7"
    assert under(loaded, "options", "may_throw_wild", "is") == "no"
    assert under(loaded, "steps", "fine") == {"below": "0", "from": {"10": "1"}}
    assert under(loaded, "pack", "packs") == "2"
    assert under(loaded, "pack", "extra") == {"Jk": {"copies": "2"}}
    assert under(loaded, "phases", "play", "acts") == ["discard", "draw"]
    changed = clause(loaded, "discard.not-wild")
    assert plain(changed.items["title"]) == "A wild card stays in the hand"
    assert "end.empty" not in loaded.origin
    assert "end.empty" not in loaded.chapter_of
    assert loaded.removed["end.empty"].because == "we shuffle the pile instead"
    kinds = {id_: o.kind for id_, o in loaded.origin.items()}
    assert kinds["deal.hands"] is OriginKind.INHERITED
    assert kinds["table.manners"] is OriginKind.ADDED
    assert kinds["discard.not-wild"] is OriginKind.REPLACED
    parent = loaded.origin["discard.not-wild"].parent
    assert parent is not None
    assert "may_throw_wild" in str(plain(parent))
    assert chapter_titles(loaded) == {"parent": "Draw and throw", "child": "How we play"}
    assert loaded.chapter_of["table.manners"] == "child"


def test_signing_changes_nothing_else(home: Path) -> None:
    for newline in ("\n", "\r\n"):
        for mark in ("", "\ufeff"):
            page = mark + CHILD.replace("\n", newline)
            path = home / "child.yaml"
            path.write_bytes(page.encode())
            signed = sign(str(path))
            bare = re.sub(r", formal: [0-9a-f]{16}(?=,)", "", re.sub(r" *formal: [0-9a-f]{16}\r?\n", "", signed))
            assert bare == page
            assert signed.count("formal: ") == 3
            path.write_bytes(signed.encode())
            assert sign(str(path)) == signed
            assert load_document(str(path)).base == "child"


def test_a_stale_change_is_told_and_signed_anew(home: Path) -> None:
    path = write(home, "child.yaml", CHILD)
    parent = home / "parent.yaml"
    text = parent.read_text(encoding="utf-8")
    parent.write_text(text.replace("may_throw_wild or card is not wild", "card is not wild or may_throw_wild"), "utf-8")
    with pytest.raises(RuleFileError) as caught:
        load_document(path)
    (stale,) = caught.value.diagnostics
    assert (stale.id, stale.clause) == ("RS2031", "discard.not-wild")
    assert "stale override: read it again" in stale.message
    assert stale.span is not None
    assert stale.span.file == path
    assert [label.span.file for label in stale.labels] == [parent.as_posix()]
    Path(path).write_text(sign(path), encoding="utf-8")
    assert load_document(path).base == "child"


def test_words_spacing_and_examples_do_not_make_a_change_stale(home: Path) -> None:
    path = write(home, "child.yaml", CHILD)
    parent = home / "parent.yaml"
    text = parent.read_text(encoding="utf-8")
    text = text.replace("A wild card stays in the hand", "Wild cards stay")
    text = text.replace("may_throw_wild or card is not wild", "may_throw_wild\n            or (card   is not wild)")
    parent.write_text(text, encoding="utf-8")
    assert load_document(path).base == "child"


def test_digests_part_form_from_words() -> None:
    def read(**fields: str) -> Mapping:
        base = {"id": "a.b", "kind": "requirement", "on": "take", "when": "a  or (b)", "title": "x", "text": "y"}
        return read_text("".join(f"{k}: {v}\n" for k, v in {**base, **fields}.items()), "f")

    plain_one = read()
    assert formal_digest(plain_one) == formal_digest(read(when="a or b", on="[take]", title="other", id="c.d"))
    assert formal_digest(plain_one) != formal_digest(read(when="a and b"))
    assert formal_digest(plain_one) != formal_digest(read(on="[take, lay]"))
    assert text_digest(plain_one) == text_digest(read(when="a and b"))
    assert text_digest(plain_one) != text_digest(read(title="other"))
    assert declaration_digest(read(text="one")) == declaration_digest(read(text="two"))
    assert declaration_digest(read(of="table")) != declaration_digest(read(of="seat"))
    assert formal_digest(read(when="((")) == formal_digest(read(when="'  (('"))


def test_a_field_of_the_parent_is_taken_away(home: Path) -> None:
    head = "ruleset: c\ntitle: C\nextends: parent.yaml\nreplace:\n"
    alone = "  - clause: discard.not-wild\n    without: [aliases]\n"
    both = "  - {clause: discard.moves, with: {title: Thrown}, without: [after]}\n"
    declared = "  - {declaration: shapes.set, without: [filler]}\n"
    parent = (home / "parent.yaml").read_text(encoding="utf-8")
    loaded = load_document(write(home, "c.yaml", f"{head}{alone}{declared}"))
    changed, before = (
        clause(loaded, "discard.not-wild"),
        clause(load_document(str(home / "parent.yaml")), "discard.not-wild"),
    )
    assert set(before.items) - set(changed.items) == {"aliases"}
    assert formal_digest(changed) == formal_digest(before), "a former id is no part of the meaning"
    assert under(loaded, "shapes", "set") == {"body": "natural", "same": "rank"}
    assert "after:" not in parent
    with pytest.raises(RuleFileError, match="has no field `after`"):
        load_document(write(home, "c.yaml", f"{head}{both}"))


def test_a_condition_that_is_taken_away_changes_the_digest_and_the_game(home: Path) -> None:
    head = "ruleset: c\ntitle: C\nextends: parent.yaml\n"
    when = f"{head}replace:\n  - {{clause: discard.not-wild, with: {{when: may_throw_wild}}}}\n"
    write(home, "c.yaml", when)
    loaded = load_document(str(home / "c.yaml"))
    grand = "ruleset: d\ntitle: D\nextends: c.yaml\nreplace:\n  - {clause: discard.not-wild, without: [when]}\n"
    again = load_document(write(home, "d.yaml", grand))
    first = load_document(str(home / "parent.yaml"))
    digests = [formal_digest(clause(x, "discard.not-wild")) for x in (first, loaded, again)]
    assert digests[0] == digests[2] != digests[1]


def test_a_digest_that_looks_like_a_number_is_quoted(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("canasta.language.variants.formal_digest", lambda _: "1234567890123456")
    path = write(home, "child.yaml", CHILD)
    assert Path(path).read_text(encoding="utf-8").count('formal: "1234567890123456"') == 2
    assert load_document(path).base == "child"


def test_a_child_of_a_child(home: Path) -> None:
    write(home, "child.yaml", CHILD)
    page = (
        "ruleset: grandchild\ntitle: And on\nextends: child.yaml\nset: {hand_size: 9}\n"
        "replace:\n  - {clause: table.manners, with: {title: Be very kind}}\n"
    )
    loaded = load_document(write(home, "grandchild.yaml", page))
    assert loaded.lineage == ("child", "parent")
    assert under(loaded, "parameters", "hand_size", "is") == "9"
    assert loaded.origin["table.manners"].kind is OriginKind.REPLACED
    assert loaded.origin["discard.not-wild"].kind is OriginKind.INHERITED
    assert loaded.origin["discard.not-wild"].ruleset == "child"
    write(home, "late.yaml", page.replace("table.manners", "end.empty"), signed=False)
    assert ids(str(home / "late.yaml")) == ["RS2014"]


def test_what_is_set_prevails_over_a_profile_of_the_parent_and_not_of_its_own(home: Path) -> None:
    head = "ruleset: c\ntitle: C\nextends: parent.yaml"
    path = write(home, "c.yaml", f"{head}:strict\n", signed=False)
    assert load_document(path).chosen == {"may_throw_wild": "no"}
    assert load_document(path).profile == "strict"
    path = write(home, "c.yaml", f"{head}:strict\nset: {{may_throw_wild: yes}}\n", signed=False)
    assert load_document(path).chosen == {}
    own = "add: {profiles: {ours: {choose: {may_throw_wild: no}}}}\n"
    path = write(home, "c.yaml", f"{head}\nset: {{may_throw_wild: yes}}\n{own}", signed=False)
    assert load_document(f"{path}:ours").chosen == {"may_throw_wild": "no"}
    assert load_document(f"{path}:strict").chosen == {}
    assert load_document(f"{path}:ours,may_throw_wild=yes").chosen == {"may_throw_wild": "yes"}
    path = write(home, "c.yaml", f"{head},first_player=dealer\n", signed=False)
    assert load_document(path).chosen == {"first_player": "dealer"}
    assert load_document(f"{path},first_player=left").chosen == {"first_player": "left"}


def test_chapters_of_a_variant_add_to_those_of_the_parent(home: Path) -> None:
    folder = home / "big"
    folder.mkdir()
    page = "ruleset: big\ntitle: Big\nextends: ../parent.yaml\nchapters: [runs, parent]\n"
    (folder / "ruleset.yaml").write_text(page, encoding="utf-8")
    runs = "chapter: runs\ntitle: Runs\nmarks: {long: {type: bool}}\nclauses:\n"
    (folder / "runs.yaml").write_text(runs + "  - {id: run.one, kind: custom, title: x, text: y}\n", encoding="utf-8")
    more = "chapter: parent\nclauses:\n  - {id: deal.more, kind: custom, title: x, text: y}\n"
    (folder / "parent.yaml").write_text(more, encoding="utf-8")
    loaded = load_document(str(folder))
    assert chapter_titles(loaded) == {"parent": "Draw and throw", "runs": "Runs"}
    listed = loaded.document.items["clauses"]
    assert isinstance(listed, Sequence)
    order = [plain(c.items["id"]) for c in listed.items if isinstance(c, Mapping)]
    assert order[-2:] == ["deal.more", "run.one"]
    assert under(loaded, "marks", "long", "type") == "bool"
    assert loaded.origin["run.one"].kind is OriginKind.ADDED


def test_a_file_that_extends_nothing_is_not_signed(home: Path) -> None:
    with pytest.raises(RuleFileError) as caught:
        sign(str(home / "parent.yaml"))
    assert [d.id for d in caught.value.diagnostics] == ["RS2033"]


def test_names_are_written_in_one_form(home: Path) -> None:
    path = (home / "parent.yaml").as_posix()
    name = parse_name(f" {path}:strict , may_throw_wild = yes,first_player=left")
    assert str(name) == f"{path}:strict,first_player=left,may_throw_wild=yes"
    assert str(parse_name(str(name))) == str(name)
    odd = home / "a, b:c.yaml"
    odd.write_bytes(PARENT.read_bytes())
    assert parse_name(str(odd)).profile == ""
    for name_ in ("", "a\0b", "../../etc", "/", "." * 5000, "classic/../classic"):
        with pytest.raises(RuleFileError):
            parse_name(name_)


def test_shipped_rule_sets_are_known_by_their_folders() -> None:
    assert known() == tuple(sorted(known()))
    for name in known():
        assert parse_name(name).home.shown == f"spec/rules/{name}/ruleset.yaml"
        assert load_document(name).base == name


@pytest.mark.parametrize("schema", ["sources", "seeds"])
def test_registers_have_their_shape(schema: str) -> None:
    path = room("spec") / f"{schema}.yaml"
    assert check(read_file(path, path.name), schema) == []


def test_rulings_have_their_shape() -> None:
    paths = [p for p in (room("spec") / "rulings").iterdir() if p.name.endswith(".yaml")]
    assert paths
    for path in paths:
        top = read_file(path, path.name)
        assert check(top, "ruling") == []
        name = top.items["ruling"]
        assert isinstance(name, Scalar)
        assert f"{name.text}.yaml" == path.name
