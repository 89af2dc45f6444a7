"""Which way columns of text run."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import TextColumn
from qe_desktop.corpus.languages import DIRECTION_SAMPLE, Direction, majority_direction

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
def test_most_letters_say_which_way_texts_run(texts, expected):
    assert majority_direction(texts) is expected


def test_a_column_runs_one_way_whatever_a_line_begins_with():
    lines = ["Microsoft Windows Server 2025", *[HEBREW] * 30]
    column = TextColumn.of(lines)
    assert column.direction() is Direction.RIGHT_TO_LEFT
    assert TextColumn.of([]).direction() is Direction.NONE


def test_a_long_column_is_known_by_lines_from_all_of_it(monkeypatch):
    """Its head may be a page of names in another script."""
    looked = []
    lines = ["A name in Latin letters"] * 1000 + [HEBREW] * 9000
    column = TextColumn.of(lines)
    raw = TextColumn.raw
    monkeypatch.setattr(TextColumn, "raw", lambda self, segment: looked.append(segment) or raw(self, segment))
    assert column.direction() is Direction.RIGHT_TO_LEFT
    assert column.direction() is Direction.RIGHT_TO_LEFT
    assert len(looked) == DIRECTION_SAMPLE
    assert (looked[0], looked[-1]) == (0, 9999)


def test_letters_cut_within_their_bytes_do_no_harm():
    assert TextColumn.of(["ש" * 5000]).direction() is Direction.RIGHT_TO_LEFT
