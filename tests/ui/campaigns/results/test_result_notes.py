"""Texts with the results: summary, notes and comments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt

from qe_desktop.corpus import ItemRole, Ratings, Score
from qe_desktop.i18n import messages
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.result_types import RatingOptions
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService, results_summary
from tests.ui.campaigns.conftest import adequacy_fluency

from .conftest import show_pane


def test_comments_are_plain_text_and_notes_are_shown(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: replace(adequacy_fluency(6), notes=("the raters are simulated",)), None)
    environment.wait()
    pane = show_pane(view, view.comments)
    assert pane.table.table.rows[0][4].text == "<b>unclear</b>"
    assert pane.table.table.index(0, 4).data(Qt.ItemDataRole.ToolTipRole) == "<span>&lt;b&gt;unclear&lt;/b&gt;</span>"
    assert pane.table.table.rows[1][3].text == "skipped"
    assert "• The raters are simulated" in pane.notes.text()
    assert "the raters are simulated" in view.facts.text()


@pytest.mark.parametrize(
    ("repeats", "rule"),
    [("each", "repeated ratings count separately"), ("rater", "the mean of each rater's repeated ratings counts")],
)
def test_summary_states_how_repeated_ratings_count(repeats: Any, rule: str) -> None:
    options = RatingOptions(runs=20, rounds=20, repeats=repeats)
    repeated = adequacy_fluency(6)
    assert results_summary(repeated, build_results(repeated, options=options)).endswith(f" · {rule}")
    omitted = np.isin(repeated.scores.role, (ItemRole.BAD, ItemRole.TRAINING)).sum()
    assert f" · not counted: {omitted} for training or quality control · " in results_summary(
        repeated, build_results(repeated, options=options)
    )
    once = Ratings.of([Score("Ana", "MT", str(index), "adequacy", 1.0 + index % 5) for index in range(9)])
    assert results_summary(once, build_results(once, options=options)) == "9 ratings · 1 system · 9 segments · 1 rater"


def test_note_on_simulated_raters_is_translated_and_other_notes_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    translations = {("the raters are simulated", ""): ("oceniający są symulowani",)}
    monkeypatch.setattr(messages, "_language", messages.Language("pl", translations, lambda number: 0))
    for note in ("the raters are simulated", "oceniający są symulowani", "50 % simulated"):
        ratings = replace(adequacy_fluency(6), notes=(note,))
        summary = results_summary(ratings, build_results(ratings, options=RatingOptions(runs=20, rounds=20)))
        assert translations.get((note, ""), (note,))[0] in summary
