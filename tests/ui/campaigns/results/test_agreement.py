"""The pane of agreement: measures with their items, and words for what cannot be measured."""

from __future__ import annotations

from typing import Any

from qe_desktop.corpus import Ratings, Score
from qe_desktop.ui.campaigns.results.agreement_table import RANKINGS, agreement_measures, describe_agreement
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from tests.ui.campaigns.conftest import adequacy_fluency, rankings

from .conftest import look_at, texts


def test_agreement_stands_with_its_items_and_words(
    world: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(40), None)
    world.wait()
    pane = look_at(view, view.agreement)
    results = service.computed.results
    alpha = results.agreement["adequacy"].krippendorff["ordinal"]
    rows = agreement_measures(results, "adequacy")
    assert rows[0].value == alpha.value
    assert (rows[0].n, rows[0].low, rows[0].high) == (120, alpha.low, alpha.high)
    assert pane.table.table.index(0, 1).data() == f"{alpha.value:.3f}".removeprefix("0")
    assert describe_agreement(results, "adequacy").startswith("Ordinal alpha (Krippendorff) is")
    assert pane.figure.content.rows[0].value == alpha.value
    pairs = results.agreement["adequacy"].pairs
    assert pane.rater_pairs.rowCount() == 3
    assert pane.rater_pairs.index(0, 1).data() == f"{pairs.figures.quadratic[0]:.2f}".removeprefix("0")
    assert pane.rater_pairs.index(1, 0).data() == "120"
    assert "over 120 items" in pane.rater_pairs.sentence(pane.rater_pairs.index(0, 1))


def test_degenerate_agreement_is_said_in_words(world: Any, service: CampaignResultsService, view: ResultsView) -> None:
    same = Ratings.of([Score(rater, "MT", str(place), "adequacy", 4.0) for rater in ("a", "b") for place in range(8)])
    service.show(lambda: same, None)
    world.wait()
    pane = look_at(view, view.agreement)
    assert pane.table.table.index(0, 1).data() == "–"
    assert "all ratings are equal" in pane.table.table.index(0, 4).data()
    assert isinstance(pane.figure.content, str)
    alone = Ratings.of([Score("a", "MT", str(place), "adequacy", 1.0 + place % 5) for place in range(8)])
    service.show(lambda: alone, None)
    world.wait()
    assert "no item has ratings by two raters" in describe_agreement(service.computed.results, "adequacy")
    assert "NaN" not in texts(view)
    assert "nan" not in texts(view).split()


def test_agreement_on_rankings_is_given_both_ways(world: Any, service: CampaignResultsService) -> None:
    service.show(rankings, None)
    world.wait()
    rows = agreement_measures(service.computed.results, RANKINGS)
    found = service.computed.results.ranking_agreement
    assert [row.value for row in rows] == [
        found.inter.kappa, found.inter_as_published.kappa, found.intra.kappa, found.intra_as_published.kappa,
    ]  # fmt: skip
    assert f"{found.inter.agree:,} of {found.inter.comparable:,} agree" in rows[0].reading
    assert rows[2].value is None
    assert rows[2].reading
