"""A new level needs its own package and one registry line: window, command line and report support it unchanged."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot
from scipy import stats

from qe_desktop.cli.level_inputs import INPUT_MODULES
from qe_desktop.cli.main import main
from qe_desktop.corpus import Corpus, QeError
from qe_desktop.levels import GROUPS
from qe_desktop.metrics import metric_families
from qe_desktop.project import LiveScores
from qe_desktop.project.segment_filter import SegmentQuery, SortOrder, filter_segments, take_snapshot
from qe_desktop.report.comparisons import matrix_numbers
from qe_desktop.significance import SIGNIFICANCE_TESTS, SignificanceLevel, SignificanceOptions, unattainable_level
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.score_side_panel import ScoreSidePanel
from tests.levels import toy_level
from tests.small_corpora import corpus_of, noisy, random_tags
from tests.ui.scores.conftest import ScoresEnvironment, environment  # noqa: F401

SIZE = 40
RANDOM = np.random.default_rng(5)
GOLD = RANDOM.normal(size=SIZE)
NEAR, FAR = (GOLD + RANDOM.normal(size=SIZE) * spread for spread in (0.3, 2.0))


@pytest.fixture(autouse=True)
def registered_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GROUPS, toy_level.GROUP.name, toy_level.GROUP)
    monkeypatch.setitem(INPUT_MODULES, toy_level.GROUP.name, toy_level.__name__)
    monkeypatch.setitem(SIGNIFICANCE_TESTS, toy_level.T_TEST.name, toy_level.T_TEST)


def test_lower_is_better_and_p_is_analytic() -> None:
    comparison = toy_level.make_scoring(GOLD, far=FAR, near=NEAR).compare(
        [toy_level.METRICS["off-by"]], SignificanceOptions(test="t-test")
    )
    (metric,) = comparison.metrics
    assert [comparison.systems[index] for index in metric.order] == ["near", "far"]
    assert metric.scores == pytest.approx([np.abs(FAR - GOLD).mean(), np.abs(NEAR - GOLD).mean()])
    expected = stats.ttest_rel(np.abs(FAR - GOLD), np.abs(NEAR - GOLD)).pvalue
    assert metric.p[0, 1] == pytest.approx(expected)
    assert metric.beats.tolist() == [[False, False], [True, False]]
    assert comparison.verdicts("off-by").pair(0, 1).level is SignificanceLevel.STRONG
    assert comparison.rounds == 0
    assert unattainable_level(comparison) is None
    assert "adjusted by Bonferroni" in matrix_numbers(comparison, "off-by").header[0]


def test_randomization_gives_the_same_verdict_as_the_t_test() -> None:
    comparison = toy_level.make_scoring(GOLD, far=FAR, near=NEAR).compare(
        [toy_level.METRICS["off-by"]], SignificanceOptions(rounds=2000)
    )
    assert comparison.metrics[0].beats.tolist() == [[False, False], [True, False]]
    assert comparison.rounds == 2000


def test_undefined_score_is_worst_if_lower_is_better() -> None:
    assert toy_level.METRICS["off-by"].sort_keys(np.array([2.0, np.nan, 1.0])).argmax() == 2
    assert toy_level.METRICS["off-by"].sort_keys(np.array([2.0, np.nan, 1.0])).argmin() == 1


def test_positive_influence_favors_the_first_system_if_lower_is_better() -> None:
    apart = toy_level.make_scoring(GOLD, near=NEAR, far=FAR).compute_influence(toy_level.METRICS["off-by"])
    assert apart.values == pytest.approx((np.abs(FAR - GOLD) - np.abs(NEAR - GOLD)) / SIZE)
    assert apart.items == "guesses"


def test_live_scores_support_the_level() -> None:
    live = LiveScores(toy_level.GUESSES)
    view = toy_level.make_scoring(GOLD, near=NEAR, far=FAR).view
    assert live.start(view)
    live.finish(live.count(), view)
    assert live.scores(toy_level.METRICS["off-by"]) == pytest.approx([np.abs(x - GOLD).mean() for x in (NEAR, FAR)])
    places = [(view, 3), (view, 1)]
    rows = toy_level.GUESSES.rows_at(live.scoring(view), metric_families(toy_level.METRICS.values()), places)
    assert rows["errors"][0, :, 0] == pytest.approx(np.abs(NEAR - GOLD)[[3, 1]])


# --- the command line


@pytest.fixture
def files(tmp_path):
    for name, values in (("gold", GOLD), ("near", NEAR), ("far", FAR)):
        np.savetxt(tmp_path / f"{name}.txt", values)
    return ["--right", str(tmp_path / "gold.txt"), *(f"--guess={tmp_path / name}.txt" for name in ("near", "far"))]


def test_score_and_compare_commands_support_the_level(files, capsys) -> None:
    assert main(["score", "guesses", *files, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["systems"]["near"]["off-by"] == pytest.approx(np.abs(NEAR - GOLD).mean())
    assert report["items"] == report["segments"] == SIZE
    assert "|guesses|of:guesses" in report["signature"]
    assert report["notes"] == ["read with care", "off-by: norm:1"]
    assert main(["compare", "guesses", *files, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["systems"] == ["near", "far"]
    assert report["test"] == "t-test"
    assert report["metrics"]["off-by"]["significant"] == {"near": ["far"], "far": []}
    assert main(["compare", "guesses", *files]) == 0
    assert "Paired t-test: p in closed form" in capsys.readouterr().out


def test_inapplicable_test_and_metric_are_reported(files, capsys) -> None:
    assert main(["compare", "guesses", *files, "--test", "bootstrap"]) == 2
    assert "guesses are not drawn. Use one of t-test, randomisation." in capsys.readouterr().err
    assert main(["score", "guesses", *files, "--metric", "MCC"]) == 2
    assert "there is no metric “MCC” for guesses. Use one of off-by, off-by-squared." in capsys.readouterr().err
    with pytest.raises(QeError, match="no test “sign”"):
        toy_level.make_scoring(GOLD, near=NEAR, far=FAR).compare(
            [toy_level.METRICS["off-by"]], SignificanceOptions(test="sign")
        )


# --- the window


def corpus_with_tags_and_guesses() -> Corpus:
    """Corpus with tags of two systems and guesses of two others."""
    tags = random_tags(np.full(SIZE, 6), 0.3, 1)
    opened = toy_level.make_corpus(GOLD, near=NEAR, far=FAR)
    for layer in corpus_of(tags, {"a": noisy(tags, 0.1, 2), "b": noisy(tags, 0.3, 3)}).layers.values():
        opened = opened.with_layer(layer)
    return opened


def test_window_shows_the_level_next_to_tag_levels(environment: ScoresEnvironment, qtbot: QtBot) -> None:  # noqa: F811
    area = ScoresArea(environment.comparison)
    panel = ScoreSidePanel(environment.scores, environment.comparison)
    qtbot.addWidget(area)
    qtbot.addWidget(panel)
    environment.open(corpus_with_tags_and_guesses())
    chooser = area.systems.options._level
    assert [chooser.itemText(index) for index in range(chooser.count())] == ["words", "sentences", "guessed numbers"]
    chooser.setCurrentIndex(2)
    chooser.activated.emit(2)
    environment.wait()
    model = area.systems.table.scores_model
    assert [metric.name for metric in model.metrics()] == ["off-by", "off-by-squared"]
    names = [str(model.index(row, 0).data()) for row in range(model.rowCount())]
    assert sorted(names) == ["far", "near"]
    assert str(model.index(names.index("near"), 1).data()) == f"{np.abs(NEAR - GOLD).mean():.3f}".removeprefix("0")
    gallery = area.systems.gallery
    shown = [gallery.tabText(index) for index in range(gallery.count()) if gallery.isTabVisible(index)]
    assert shown == ["Intervals", "How far off", "Discriminative power"]
    gallery.setCurrentWidget(gallery.pane("how-far-off"))
    area.show()
    qtbot.waitUntil(lambda: gallery.pane("how-far-off").plot_widget.plot is not None)
    environment.wait()
    (frame,) = gallery.pane("how-far-off").plot_widget.plot.frames
    assert frame.current_plot().widget.accessibleDescription() == "near is off"
    assert area.systems._title.text() == f"Guessed numbers against gold: {SIZE} guesses"
    matrix = area.systems.matrix.view.matrix
    assert [matrix.name(index) for index in range(2)] == ["near", "far"]
    assert matrix.cell(0, 1).sign == SignificanceLevel.STRONG.sign
    sentence = matrix.sentence(matrix.index(0, 1))
    assert sentence.startswith("near (")
    assert "is significantly better than far" in sentence
    assert panel.table.scores_model.rowCount() == 2
    area.systems.table.copy_tsv()
    parts = ["", " low", " high", " best rank", " worst rank"]
    header = ["system", *(f"off-by{part}" for part in parts), "off-by-squared"]
    assert QGuiApplication.clipboard().text().splitlines()[0].split("\t") == header
    # back to the word level
    chooser.setCurrentIndex(0)
    chooser.activated.emit(0)
    environment.wait()
    assert environment.comparison.metric == "F1-mult"
    assert gallery.isTabVisible(gallery.indexOf(gallery.pane("hits-and-misses")))
    assert not gallery.isTabVisible(gallery.indexOf(gallery.pane("how-far-off")))


def test_matrix_cell_opens_segments_by_score_difference(environment: ScoresEnvironment, qtbot: QtBot) -> None:  # noqa: F811
    area = ScoresArea(environment.comparison)
    qtbot.addWidget(area)
    environment.open(corpus_with_tags_and_guesses())
    environment.workspace.set_level(toy_level.GUESSES)
    environment.wait()
    requested: list[Any] = []
    environment.workspace.segments_requested.connect(lambda *arguments: requested.extend(arguments))
    view = area.systems.matrix.view
    view.setCurrentIndex(view.matrix.index(0, 1))
    qtbot.keyClick(view, Qt.Key.Key_Return)
    left, right, metric, level, reference = requested
    assert (left.name, right.name, metric, level) == ("near", "far", "off-by", toy_level.GUESSES)
    assert reference == environment.scores.reference
    query = SegmentQuery(order=SortOrder.DIFFERENCE, compared_layers=(left, right), metric=metric, level=level)
    opened = environment.workspace.view
    filtered = filter_segments(take_snapshot(opened, environment.workspace.kind, query), query)
    assert filtered.segments[0] == np.abs(filtered.influence.values).argmax()
