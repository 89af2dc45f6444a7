"""The matrix of system pairs agrees with the report in both orders of a pair."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt

from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.result_types import SystemRanking
from qe_desktop.report.rating_report import p_table, significance_table
from qe_desktop.significance import SignificanceLevel
from qe_desktop.ui.campaigns.results.pair_matrix_models import SystemPairModel
from qe_desktop.ui.widgets.legends import MatrixLegend, MatrixLegendSwatch
from tests.ui.campaigns.conftest import adequacy_fluency


def ranking(p: Any, judged: Any, beats: Any, *, two_sided: bool) -> SystemRanking:
    """A ranking of up to three systems with the given p-values."""
    size = len(p)
    ranks = np.ones(size, np.int64)
    names = tuple("ABC"[:size])
    matrices = (np.asarray(p, float), np.asarray(judged, float), np.asarray(beats, bool))
    return SystemRanking("a test", names, *matrices, (names,), ranks, ranks, two_sided=two_sided)


NAN = float("nan")
AGAINST_ORDER = ranking([[NAN, 0.001], [0.001, NAN]], [[NAN, 0.002], [0.002, NAN]], [[0, 0], [1, 0]], two_sided=True)
ONE_SIDED = ranking([[NAN, 0.98], [0.02, NAN]], [[NAN, 1.0], [0.04, NAN]], [[0, 0], [1, 0]], two_sided=False)


@pytest.fixture
def model(qapp: Any) -> SystemPairModel:
    return SystemPairModel()


def test_sign_test_against_the_trueskill_order_agrees_with_the_report(model: SystemPairModel) -> None:
    model.show_ranking(AGAINST_ORDER, correction="holm")
    results = build_results(adequacy_fluency(10))
    results = replace(results, options=replace(results.options, correction="holm"))
    reported = significance_table(results, AGAINST_ORDER).rows
    assert model.index(0, 1).data() == ".002 ●"
    assert [reported[0][2], reported[1][1]] == ["0.0020 ●", "0.0020 ●"]
    sentence = model.sentence(model.index(0, 1))
    assert sentence.startswith(
        "B is significantly better than A, which is ranked higher: adjusted p = .002 (Holm), unadjusted .001"
    )


def test_cell_shows_the_significant_one_of_two_one_sided_tests(model: SystemPairModel) -> None:
    model.show_ranking(ONE_SIDED, correction="holm")
    assert model.index(0, 1).data() == ".040 ◐"
    assert "B is significantly better than A" in str(model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole))
    reported = significance_table(build_results(adequacy_fluency(10)), ONE_SIDED).rows
    assert [reported[0][2], reported[1][1]] == ["1.0000 ○", "0.0400 ◐"]


def test_untested_pair_has_its_own_sign(model: SystemPairModel) -> None:
    untested = np.full((2, 2), NAN)
    model.show_ranking(ranking(untested, untested, np.zeros((2, 2)), two_sided=True))
    assert model.index(0, 1).data() == SignificanceLevel.UNTESTED.sign
    assert "cannot be compared" in model.sentence(model.index(0, 1))


def test_copied_matrix_contains_adjusted_p_and_names_the_correction() -> None:
    lines = p_table(ONE_SIDED, "holm").tsv().splitlines()
    assert lines == ["system, p adjusted by Holm\tA\tB", "A\t\t1.0", "B\t0.04\t"]


@pytest.mark.parametrize("alpha", [0.001, 0.05])
def test_legend_has_one_swatch_per_sign(qtbot: Any, alpha: float) -> None:
    legend = MatrixLegend({SignificanceLevel.UNTESTED: "no comparison"}, stacked=True)
    qtbot.addWidget(legend)
    legend.explain("none", alpha, set(SignificanceLevel), "column − row")
    signs = [swatch._cell.sign for swatch in legend.findChildren(MatrixLegendSwatch) if not swatch.isHidden()]
    assert len(set(signs)) == len(signs) == (5 if alpha == 0.05 else 4)
