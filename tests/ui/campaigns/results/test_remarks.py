"""What is said beside the figures: facts, notes and comments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt

from qe_desktop import wording
from qe_desktop.corpus import Ratings, Score
from qe_desktop.ratings.findings import Options
from qe_desktop.ratings.results import results_of
from qe_desktop.ui.campaigns.results.page import ResultsView
from qe_desktop.ui.campaigns.results.results_keeper import ResultsKeeper, facts_of
from tests.ui.campaigns.conftest import adequacy_fluency

from .conftest import look_at


def test_comments_are_plain_text_and_notes_are_told(world: Any, keeper: ResultsKeeper, view: ResultsView) -> None:
    keeper.show(lambda: replace(adequacy_fluency(6), notes=("the raters are simulated",)), None)
    world.wait()
    pane = look_at(view, view.comments)
    assert pane.table.table.rows[0][4].text == "<b>unclear</b>"
    assert pane.table.table.index(0, 4).data(Qt.ItemDataRole.ToolTipRole) == "<span>&lt;b&gt;unclear&lt;/b&gt;</span>"
    assert pane.table.table.rows[1][3].text == "skipped"
    assert "• The raters are simulated" in pane.notes.text()
    assert "the raters are simulated" in view.facts.text()


@pytest.mark.parametrize(
    ("repeats", "rule"), [("each", "each rating counts"), ("rater", "the mean of a rater's ratings counts")]
)
def test_the_facts_say_what_counts_where_a_rater_rated_again(repeats: Any, rule: str) -> None:
    options = Options(runs=20, rounds=20, repeats=repeats)
    again = adequacy_fluency(6)
    assert facts_of(again, results_of(again, options=options)).endswith(f" · {rule}")
    once = Ratings.of([Score("Ana", "MT", str(place), "adequacy", 1.0 + place % 5) for place in range(9)])
    assert facts_of(once, results_of(once, options=options)) == "9 ratings · 1 system · 9 segments · 1 rater"


def test_simulated_raters_are_told_of_in_the_language_spoken_and_as_a_file_had_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = {("the raters are simulated", ""): ("oceniający są symulowani",)}
    monkeypatch.setattr(wording, "_spoken", wording.Language("pl", told, lambda number: 0))
    for note in ("the raters are simulated", "oceniający są symulowani", "50 % simulated"):
        ratings = replace(adequacy_fluency(6), notes=(note,))
        facts = facts_of(ratings, results_of(ratings, options=Options(runs=20, rounds=20)))
        assert told.get((note, ""), (note,))[0] in facts
