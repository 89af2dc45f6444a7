"""Writing direction of text columns."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import TextColumn
from qe_desktop.corpus.languages import MAX_DIRECTION_LINES, Direction, majority_direction

HEBREW = "iPhone הוא טלפון חכם"


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([HEBREW], Direction.RIGHT_TO_LEFT),
        (["Das Wort שלום heißt Frieden"], Direction.LEFT_TO_RIGHT),
        (["عربي", "A"], Direction.RIGHT_TO_LEFT),
        (["日本語の文"], Direction.LEFT_TO_RIGHT),
        (["ab", "אב"], Direction.LEFT_TO_RIGHT),
        (["123 .", ""], Direction.NONE),
        ([], Direction.NONE),
    ],
)
def test_direction_of_texts_is_that_of_most_letters(texts, expected):
    assert majority_direction(texts) is expected


def test_column_has_one_direction_for_all_lines():
    lines = ["Microsoft Windows Server 2025", *[HEBREW] * 30]
    column = TextColumn.of(lines)
    assert column.direction() is Direction.RIGHT_TO_LEFT
    assert TextColumn.of([]).direction() is Direction.NONE


def test_direction_of_a_long_column_is_sampled_from_all_of_it_once(monkeypatch):
    """The first lines may be names in another script."""
    read_segments = []
    lines = ["A name in Latin letters"] * 1000 + [HEBREW] * 9000
    column = TextColumn.of(lines)
    raw = TextColumn.raw
    monkeypatch.setattr(TextColumn, "raw", lambda self, segment: read_segments.append(segment) or raw(self, segment))
    assert column.direction() is Direction.RIGHT_TO_LEFT
    assert column.direction() is Direction.RIGHT_TO_LEFT
    assert len(read_segments) == MAX_DIRECTION_LINES
    assert (read_segments[0], read_segments[-1]) == (0, 9999)


def test_line_cut_inside_a_character_keeps_its_direction():
    assert TextColumn.of(["ש" * 5000]).direction() is Direction.RIGHT_TO_LEFT
