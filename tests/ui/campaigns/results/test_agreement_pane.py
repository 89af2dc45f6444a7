"""The agreement tab: measures with the number of items, and texts for undefined measures."""

from __future__ import annotations

from typing import Any

from qe_desktop.corpus import Ratings, Score
from qe_desktop.ui.campaigns.results.agreement_table import RANKINGS, agreement_measures, describe_agreement
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from tests.ui.campaigns.conftest import adequacy_fluency, rankings

from .conftest import show_pane, visible_texts


def test_agreement_table_shows_value_items_and_interpretation(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(40), None)
    environment.wait()
    pane = show_pane(view, view.agreement)
    results = service.result.results
    alpha = results.agreement["adequacy"].krippendorff["ordinal"]
    rows = agreement_measures(results, "adequacy")
    assert rows[0].value == alpha.value
    assert (rows[0].n, rows[0].low, rows[0].high) == (120, alpha.low, alpha.high)
    assert pane.table.table.index(0, 1).data() == f"{alpha.value:.3f}".removeprefix("0")
    sentence = pane.table.table.sentence(pane.table.table.index(0, 1))
    assert sentence.endswith(". Based on ranks of values; the main measure for all scales")
    assert describe_agreement(results, "adequacy").startswith("Ordinal alpha (Krippendorff) is")
    assert pane.figure.content.rows[0].value == alpha.value
    assert pane.tabs.isVisibleTo(pane)
    pairs = results.agreement["adequacy"].pairs
    assert pane.rater_pairs.rowCount() == 3
    assert pane.rater_pairs.index(0, 1).data() == f"{pairs.statistics.quadratic[0]:.2f}".removeprefix("0")
    assert pane.rater_pairs.index(1, 0).data() == "120"
    assert "over 120 items" in pane.rater_pairs.sentence(pane.rater_pairs.index(0, 1))


def test_undefined_agreement_is_explained_in_words(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    equal_ratings = Ratings.of(
        [Score(rater, "MT", str(index), "adequacy", 4.0) for rater in ("a", "b") for index in range(8)]
    )
    service.show(lambda: equal_ratings, None)
    environment.wait()
    pane = show_pane(view, view.agreement)
    assert pane.table.table.index(0, 1).data() == "–"
    assert "only a single value was used" in pane.table.table.index(0, 4).data()
    assert isinstance(pane.figure.content, str)
    single_rater = Ratings.of([Score("a", "MT", str(index), "adequacy", 1.0 + index % 5) for index in range(8)])
    service.show(lambda: single_rater, None)
    environment.wait()
    assert "no item has ratings by two raters" in describe_agreement(service.result.results, "adequacy")
    assert not pane.tabs.isVisibleTo(pane), "the reasons have the full width"
    assert "NaN" not in visible_texts(view)
    assert "nan" not in visible_texts(view).split()


def test_agreement_on_rankings_is_shown_by_both_definitions(environment: Any, service: CampaignResultsService) -> None:
    service.show(rankings, None)
    environment.wait()
    rows = agreement_measures(service.result.results, RANKINGS)
    kappas = service.result.results.ranking_agreement
    assert [row.value for row in rows] == [
        kappas.inter.kappa, kappas.inter_as_published.kappa, kappas.intra.kappa, kappas.intra_as_published.kappa,
    ]  # fmt: skip
    assert rows[0].interpretation.endswith(
        f"; agreement in {kappas.inter.agree:,} of {kappas.inter.comparable:,} pairs"
    )
    assert "P(A), the share of pairs that agree, is" in rows[0].description
    assert "The pairs differ from those of the measure above" in rows[1].description
    assert rows[2].value is None
    assert rows[2].interpretation
