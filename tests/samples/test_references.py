"""The two references: whole, on their own, and with all that must not change in a translation."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from qe_desktop.formats import build_corpus, plan_imports
from tests.samples.reading import SAMPLES, authored, distance, lines, tokens

REFERENCES = ("references/A.txt", "references/B.txt")
MT_SYSTEMS = ("sample.mt", "translations/fluent.txt", "translations/literal.txt")
NAMES = (
    "Marlena", "Hanna Brekke", "MAX", "Ruth", "Jakob Reimers", "Aldermere", "Ada", "4.2", "Ostrow", "Dahl",
)  # fmt: skip
NUMBER = re.compile(r"(?<![\d.,])\d+(?:[.,]\d+)?(?![\d])")


def shares_of_edits(left: str, right: str) -> list[float]:
    """The word edits between two texts of each segment, divided by the length of the longer."""
    rows = zip(authored("en-de", left), authored("en-de", right), strict=True)
    return [distance(one, other) / max(len(one), len(other)) for one, other in rows]


def numbers_to_keep(source: list[str]) -> set[str]:
    """The numbers that a German text has where the English one has these tokens: 24 hours, commas in decimals."""
    found = set()
    for token, following in pairwise([*source, ""]):
        number = NUMBER.match(re.sub(r"(st|nd|rd|th)$", "", token))
        if number is None:
            continue
        hour, point, rest = number[0].partition(".")
        if following == "p.m.":
            found.add(f"{int(hour) + 12}{point}{rest}")
        else:
            found.add(f"{hour},{rest}" if following in ("to", "million") and rest else number[0])
    return found


@pytest.mark.parametrize("name", REFERENCES)
def test_every_segment_has_a_reference(name: str) -> None:
    source, reference = lines("en-de", "sample.src"), lines("en-de", name)
    assert len(reference) == len(source)
    for line, row in zip(source, reference, strict=True):
        assert row == " ".join(row.split())
        assert row != ""
        assert row != line, "not translated"


@pytest.mark.parametrize("name", REFERENCES)
def test_a_reference_is_no_copy_of_what_is_scored_against_it(name: str) -> None:
    """A short segment may have but one good translation."""
    for other in (*MT_SYSTEMS, "sample.pe"):
        shares = shares_of_edits(name, other)
        assert sum(share == 0 for share in shares) <= 3, other
        assert sum(share >= 0.25 for share in shares) >= 0.85 * len(shares), other


def test_the_references_differ_from_each_other_in_most_segments() -> None:
    shares = shares_of_edits(*REFERENCES)
    assert all(shares)
    assert sum(share >= 0.5 for share in shares) >= 0.8 * len(shares)


def test_one_reference_is_freer_than_the_other() -> None:
    """A keeps closer to the source, and so to the post-edit of a translation that goes along with it."""
    close, free = (shares_of_edits(name, "sample.pe") for name in REFERENCES)
    assert sum(close) < 0.75 * sum(free)


@pytest.mark.parametrize("name", REFERENCES)
def test_numbers_are_kept(name: str) -> None:
    seen = 0
    for source, reference in zip(tokens("en-de", "sample.src"), lines("en-de", name), strict=True):
        kept = numbers_to_keep(source)
        assert kept <= set(NUMBER.findall(reference)), reference
        seen += len(kept)
    assert seen >= 30


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize("kept", NAMES)
def test_names_and_placeholders_are_kept(name: str, kept: str) -> None:
    word = re.compile(rf"\b{re.escape(kept)}\b")
    rows = zip(lines("en-de", "sample.src"), lines("en-de", name), strict=True)
    found = [word.search(reference) is not None for source, reference in rows if word.search(source)]
    assert found
    assert all(found)


@pytest.mark.parametrize("name", REFERENCES)
def test_what_is_no_sentence_in_the_source_is_none_in_the_reference(name: str) -> None:
    """Headings end without a full stop, questions and exclamations with their marks."""
    for source, reference in zip(tokens("en-de", "sample.src"), authored("en-de", name), strict=True):
        last = "." if source[-1] == "p.m." and source[0] == "The" else source[-1]
        marks = {".", "!", "?", ",", "“"}
        assert (reference[-1] in marks) == (last in marks), " ".join(reference)
        assert (reference[-1] == "?") == (last == "?")


def test_the_corpus_opens_with_the_references_in_its_folder() -> None:
    (found,) = plan_imports([SAMPLES / "en-de"])
    assert {file.path.name for file in found.files} >= {"A.txt", "B.txt"}
    assert [file.path.name for file in found.files if file.problem] == []
    assert build_corpus(found).size == len(lines("en-de", "sample.src"))
