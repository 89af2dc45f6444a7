"""What is said beside the figures: facts, notes and comments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt

from qe_desktop.corpus import Ratings, Score
from qe_desktop.i18n import messages
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.result_types import RatingOptions
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService, results_summary
from tests.ui.campaigns.conftest import adequacy_fluency

from .conftest import look_at


def test_comments_are_plain_text_and_notes_are_told(
    world: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: replace(adequacy_fluency(6), notes=("the raters are simulated",)), None)
    world.wait()
    pane = look_at(view, view.comments)
    assert pane.table.table.rows[0][4].text == "<b>unclear</b>"
    assert pane.table.table.index(0, 4).data(Qt.ItemDataRole.ToolTipRole) == "<span>&lt;b&gt;unclear&lt;/b&gt;</span>"
    assert pane.table.table.rows[1][3].text == "skipped"
    assert "• The raters are simulated" in pane.notes.text()
    assert "the raters are simulated" in view.facts.text()


@pytest.mark.parametrize(
    ("repeats", "rule"), [("each", "each rating counts"), ("rater", "mean of each rater’s repeated ratings counts")]
)
def test_the_facts_say_what_counts_where_a_rater_rated_again(repeats: Any, rule: str) -> None:
    options = RatingOptions(runs=20, rounds=20, repeats=repeats)
    again = adequacy_fluency(6)
    assert results_summary(again, build_results(again, options=options)).endswith(f" · {rule}")
    once = Ratings.of([Score("Ana", "MT", str(place), "adequacy", 1.0 + place % 5) for place in range(9)])
    assert results_summary(once, build_results(once, options=options)) == "9 ratings · 1 system · 9 segments · 1 rater"


def test_simulated_raters_are_told_of_in_the_language_spoken_and_as_a_file_had_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = {("the raters are simulated", ""): ("oceniający są symulowani",)}
    monkeypatch.setattr(messages, "_language", messages.Language("pl", told, lambda number: 0))
    for note in ("the raters are simulated", "oceniający są symulowani", "50 % simulated"):
        ratings = replace(adequacy_fluency(6), notes=(note,))
        facts = results_summary(ratings, build_results(ratings, options=RatingOptions(runs=20, rounds=20)))
        assert told.get((note, ""), (note,))[0] in facts
