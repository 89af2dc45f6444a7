"""The two references: complete, independent, and with numbers, names and punctuation of the source."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from qe_desktop.formats import build_corpus, plan_imports
from tests.samples.sample_files import SAMPLES, edit_distance, read_authored_tokens, read_lines, read_tokens

REFERENCES = ("references/A.txt", "references/B.txt")
MT_SYSTEMS = ("sample.mt", "translations/fluent.txt", "translations/literal.txt")
NAMES = (
    "Marlena", "Hanna Brekke", "MAX", "Ruth", "Jakob Reimers", "Aldermere", "Ada", "4.2", "Ostrow", "Dahl",
)  # fmt: skip
NUMBER = re.compile(r"(?<![\d.,])\d+(?:[.,]\d+)?(?![\d])")


def edit_shares(left: str, right: str) -> list[float]:
    """Return the word edits between two texts per segment, divided by the length of the longer text."""
    rows = zip(read_authored_tokens("en-de", left), read_authored_tokens("en-de", right), strict=True)
    return [edit_distance(first, second) / max(len(first), len(second)) for first, second in rows]


def expected_numbers(source: list[str]) -> set[str]:
    """Return the numbers that a German translation of these English tokens has: 24-hour clock, decimal commas."""
    result = set()
    for token, following in pairwise([*source, ""]):
        number = NUMBER.match(re.sub(r"(st|nd|rd|th)$", "", token))
        if number is None:
            continue
        hour, point, rest = number[0].partition(".")
        if following == "p.m.":
            result.add(f"{int(hour) + 12}{point}{rest}")
        else:
            result.add(f"{hour},{rest}" if following in ("to", "million") and rest else number[0])
    return result


@pytest.mark.parametrize("name", REFERENCES)
def test_every_segment_has_a_reference(name: str) -> None:
    source, reference = read_lines("en-de", "sample.src"), read_lines("en-de", name)
    assert len(reference) == len(source)
    for line, row in zip(source, reference, strict=True):
        assert row == " ".join(row.split())
        assert row != ""
        assert row != line, "not translated"


@pytest.mark.parametrize("name", REFERENCES)
def test_reference_differs_from_scored_texts(name: str) -> None:
    """Identical segments are allowed because a short segment may have only one good translation."""
    for scored_name in (*MT_SYSTEMS, "sample.pe"):
        shares = edit_shares(name, scored_name)
        assert sum(share == 0 for share in shares) <= 3, scored_name
        assert sum(share >= 0.25 for share in shares) >= 0.85 * len(shares), scored_name


def test_references_differ_from_each_other_in_all_segments() -> None:
    shares = edit_shares(*REFERENCES)
    assert all(shares)
    assert sum(share >= 0.5 for share in shares) >= 0.8 * len(shares)


def test_reference_a_is_closer_to_the_post_edit_than_b() -> None:
    """A is closer to the source, and therefore to the post-edit of a literal translation."""
    close, free = (edit_shares(name, "sample.pe") for name in REFERENCES)
    assert sum(close) < 0.75 * sum(free)


@pytest.mark.parametrize("name", REFERENCES)
def test_references_keep_the_numbers(name: str) -> None:
    seen = 0
    for source, reference in zip(read_tokens("en-de", "sample.src"), read_lines("en-de", name), strict=True):
        expected = expected_numbers(source)
        assert expected <= set(NUMBER.findall(reference)), reference
        seen += len(expected)
    assert seen >= 30


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize("expected", NAMES)
def test_references_keep_names(name: str, expected: str) -> None:
    word = re.compile(rf"\b{re.escape(expected)}\b")
    rows = zip(read_lines("en-de", "sample.src"), read_lines("en-de", name), strict=True)
    result = [word.search(reference) is not None for source, reference in rows if word.search(source)]
    assert result
    assert all(result)


@pytest.mark.parametrize("name", REFERENCES)
def test_references_end_with_the_same_kind_of_punctuation_as_the_source(name: str) -> None:
    """Headings end without a full stop; questions and exclamations end with their marks."""
    for source, reference in zip(read_tokens("en-de", "sample.src"), read_authored_tokens("en-de", name), strict=True):
        last = "." if source[-1] == "p.m." and source[0] == "The" else source[-1]
        marks = {".", "!", "?", ",", "“"}
        assert (reference[-1] in marks) == (last in marks), " ".join(reference)
        assert (reference[-1] == "?") == (last == "?")


def test_sample_folder_is_imported_with_its_references() -> None:
    (plan,) = plan_imports([SAMPLES / "en-de"])
    assert {file.path.name for file in plan.files} >= {"A.txt", "B.txt"}
    assert [file.path.name for file in plan.files if file.problem] == []
    assert build_corpus(plan).size == len(read_lines("en-de", "sample.src"))
