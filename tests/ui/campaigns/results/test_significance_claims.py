"""Sentences and warnings about differences between systems claim no more than the significance tests show."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt

from qe_desktop.corpus import Ratings, Score
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from tests.ui.campaigns.conftest import adequacy_fluency

from .conftest import show_pane


def test_warning_about_few_raters_is_shown_with_clusters_and_pairs(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(8, raters=("Ana",)), None)
    environment.wait()
    # the other rater left only a comment
    assert "1 rater" in view.facts.text().split(" · ")
    warning = "Based on one rater and 8 segments."
    assert show_pane(view, view.systems).warning.text().startswith(warning)
    assert show_pane(view, view.pairs).warning.text().startswith(warning)
    service.show(lambda: adequacy_fluency(100), None)
    environment.wait()
    assert show_pane(view, view.systems).warning.text() == ""
    assert show_pane(view, view.pairs).warning.text() == ""


@pytest.mark.parametrize(
    ("segments", "b_values", "sentence"),
    [
        (2, (1, 2), "There are too few ratings for a significance test: fewer than 3 segments per system."),
        (8, (1, 5), "No significant difference was found between the systems (rank-sum test"),
        (8, (1, 1), "2 clusters by rank-sum test"),
    ],
)
def test_claim_about_differences_is_no_stronger_than_the_test(
    environment: Any, service: CampaignResultsService, view: ResultsView, segments: int, b_values: tuple[int, int],
    sentence: str,
) -> None:  # fmt: skip
    """Regression: two systems with one rated segment each were said to form one cluster."""
    scores = [
        Score("ann", system, str(segment), "fluency", values[segment % 2])
        for system, values in (("A", (4, 5)), ("B", b_values))
        for segment in range(segments)
    ]
    service.show(lambda: Ratings.of(scores), None)
    environment.wait()
    assert view.systems.sentence.text_label.text().startswith(sentence)


@pytest.mark.parametrize(
    ("d_values", "sentence"),
    [
        (None, "A is significantly better than B by rank-sum test on segment means (fluency). All systems form one "
         "cluster, because C does not differ significantly from either."),
        ((1, 4), "Some pairs of systems differ significantly by rank-sum test on segment means (fluency). All systems "
         "form one cluster, because no group of systems is significantly better than all the others."),
    ],
)  # fmt: skip
def test_one_cluster_does_not_deny_a_significant_pair(
    environment: Any, service: CampaignResultsService, view: ResultsView, d_values: tuple[int, int] | None,
    sentence: str,
) -> None:  # fmt: skip
    scores = [
        Score("ann", system, str(segment), "fluency", values[segment % 2])
        for system, values in (("A", (4, 5)), ("B", (1, 4)), ("C", (1, 5)), ("D", d_values))
        if values is not None
        for segment in range(8)
    ]
    service.show(lambda: Ratings.of(scores), None)
    environment.wait()
    assert view.systems.sentence.text_label.text().startswith(sentence)


def test_sentence_explains_the_current_cell_and_the_lines(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(40), None)
    environment.wait()
    pane = view.systems
    sentence, model = pane.sentence.text_label, pane.table.systems
    assert sentence.text().startswith("3 clusters by")
    pane.table.setCurrentIndex(model.index(1, 4))
    assert sentence.text() == model.index(1, 4).data(Qt.ItemDataRole.AccessibleTextRole)
    pane.table.setCurrentIndex(model.index(1, 0))
    assert sentence.text().startswith(f"{model.index(1, 0).data()}: rank 2 of 3. 3 clusters by")
