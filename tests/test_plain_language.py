"""Plain names and words: counts of exceptions, which may only fall.

Lower a number here when a count falls; a new package starts at 0.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1] / "qe_desktop"
SOURCES = sorted(ROOT.rglob("*.py"))

PRIVATE_WORDS = re.compile(
    "|".join(
        [
            r"\b[Kk]eeper\b|Keeper\b",
            r"\b[Dd]esk\b|Desk\b",
            r"\b(said|told)\b",
            r"\bheld\b",
            r"\bbeside\b|Beside",
            r"\bbrought\b",
            r"\banew\b",
            r"\b([Ww]hoever|[Nn]obody|[Ss]omebody)\b",
            r"\bthe like\b|such a thing",
            r"(?<!here )\b(is|are|what is) no (?!longer\b)[a-z]+",
            r"\bone a (line|word|segment|system|rater)\b",
            r"\bas far as\b",
            r"\bso many\b",
            r"\banother one\b|\bthe other ones?\b",
            r"\bof no use\b|\bby lot\b|\bless is better\b",
            r"\b[Ss]itting\b",
            r"\b(at the most|at the least|all the same|take[sn]? back)\b",
            r"\bfound\b *=",
            r"\bfor (one|other) in\b",
        ]
    )
)
"""Words that only this program uses although standard words exist."""
WORDS = {"formats": 2, "levels": 3, "project": 4, "ratings": 1, "significance": 1, "studies": 3, "ui": 9}
"""Maximum number of private words in each package."""

OVERSTATED = re.compile(r"can be trusted|[Cc]hance alone|\b(proves?|proven) that\b|definitely better|really better")
"""Claims about results that no significance test supports."""

MAX_WORDS, LONGER_SENTENCES = 25, 2
"""Maximum number of words of a sentence in a text for people, and the number of longer ones, which are lists."""

GENERIC_NAMES = re.compile(
    r"(desks?|keepers?|pages?|bars?|rows|values|said|situations|views|sheets?|parts|beside|held|kept|given|brought|ahead"
    r"|told|taken|anew|there|latest|standing|walking|weighing|seen|offered|spoken|shown|made|found|doubts|wanted)"
)
VAGUE_NAMES = re.compile(
    r"about|again|ahead|alone|another|any|apart|around|beyond|both|drawn|due|each|every|few|found|given|gone|here"
    r"|kept|late|least|lit|looks|made|many|mine|most|news|one|other|others|ours|own|place|places|plain|quiet|rest"
    r"|room|same|shown|stale|sure|taken|theirs|there|touched|turned|twice|wanted|what|where|which|who|whole|whose"
    r"|why|wish"
)
"""Names of variables, parameters and attributes that do not say what the value is."""
MAX_VAGUE_NAMES = 134
SHORTEST, SHORT = 40, 17
"""Minimum number of lines of a module, and the maximum number of shorter ones."""
MAX_MODULES = 20


def modules() -> list[Path]:
    return [path for path in SOURCES if path.name != "__init__.py"]


def package_of(path: Path) -> str:
    parts = path.relative_to(ROOT).parts
    return parts[0] if len(parts) > 1 else "root"


def assigned_names(path: Path) -> list[str]:
    """Return the names of parameters, and of variables and attributes where they are assigned, without underscores."""
    names = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.arg):
            names.append(node.arg)
        elif isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.append(node.id if isinstance(node, ast.Name) else node.attr)
    return [name.strip("_") for name in names]


def test_vague_names_of_variables_do_not_increase():
    count = sum(VAGUE_NAMES.fullmatch(name) is not None for path in SOURCES for name in assigned_names(path))
    assert count <= MAX_VAGUE_NAMES, f"{count} names such as `about`, `ours`, `one` or `place`"


def test_private_words_do_not_increase():
    counts = Counter[str]()
    for path in SOURCES:
        counts[package_of(path)] += len(PRIVATE_WORDS.findall(path.read_text()))
    assert {name: count for name, count in counts.items() if count > WORDS.get(name, 0)} == {}


def test_texts_do_not_claim_more_than_tests_show():
    assert [path.name for path in SOURCES if OVERSTATED.search(path.read_text())] == []


def test_sentences_of_texts_are_short():
    calls = [node for path in SOURCES for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    texts = [call.args[0] for call in calls if getattr(call.func, "id", "") == "tr" and call.args]
    values = [text.value for text in texts if isinstance(text, ast.Constant) and isinstance(text.value, str)]
    sentences = [sentence for value in values for sentence in re.split(r"(?<=[.!?:;])\s+|\n", value)]
    longer = [sentence for sentence in sentences if len(sentence.split()) > MAX_WORDS]
    assert len(longer) <= LONGER_SENTENCES, longer


def test_no_module_has_a_generic_name():
    generic = [path for path in modules() if GENERIC_NAMES.fullmatch(path.stem)]
    assert generic == []


def test_public_class_names_are_unique():
    where = defaultdict[str, set[Path]](set)
    for path in SOURCES:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                where[node.name].add(path)
    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}


def test_type_aliases_have_one_definition():
    where = defaultdict[str, list[Path]](list)
    for path in SOURCES:
        for node in ast.parse(path.read_text()).body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript() | ast.BinOp(op=ast.BitOr())):
                    if re.fullmatch(r"[A-Z][a-z]\w*", name):
                        where[name].append(path)
    assert "Floats" in where
    assert {name: paths for name, paths in where.items() if len(paths) > 1} == {}


def test_few_modules_are_very_short():
    short = [path for path in modules() if len(path.read_text().splitlines()) < SHORTEST]
    assert len(short) <= SHORT, short


def test_folders_do_not_exceed_the_maximum_number_of_modules():
    sizes = Counter(path.parent.relative_to(ROOT.parent).as_posix() for path in modules())
    assert {name: size for name, size in sizes.items() if size > MAX_MODULES} == {}


def test_only_the_command_line_uses_argparse():
    know = [path for path in SOURCES if package_of(path) not in ("cli", "root") and "argparse" in path.read_text()]
    assert know == []


@pytest.mark.parametrize(
    "text", ["what it said", "KeeperDesk = 1", "a file that is no text", "found = 3", "for one in"]
)
def test_private_words_are_recognized(text: str):
    assert PRIVATE_WORDS.search(text)


@pytest.mark.parametrize(
    "text", ["essays aid", "there is nothing", "there are no tags", "found: int", "for name in", "for other words"]
)
def test_other_words_are_not_recognized(text: str):
    assert not PRIVATE_WORDS.search(text)
