from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TagColumn
from qe_desktop.levels.sentences import SENTENCES
from qe_desktop.levels.words.tag_level import DISPLAYED_METRICS
from qe_desktop.metrics import WORD_METRICS, compute_totals, metric_families
from qe_desktop.ui.scores.number_format import format_interval, format_score
from qe_desktop.ui.scores.score_model import INTERVAL, NAME_COLUMN, RANK, ScoreModel
from qe_desktop.ui.scores.score_table_view import ScoreTableView, score_report
from qe_desktop.ui.widgets.tables.table_header import HEADER_BELOW_ROLE
from qe_desktop.ui.widgets.tables.table_model import BAR_FRACTION_ROLE, CHANGE_ROLE, CURRENT_ROLE, LAST_ROLE, MUTED_ROLE

DOWN, UP = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder


@pytest.fixture
def view(environment: Any, qtbot: QtBot) -> ScoreTableView:
    table_view = ScoreTableView(environment.scores, environment.comparison)
    qtbot.addWidget(table_view)
    return table_view


@pytest.fixture
def model(view: ScoreTableView) -> ScoreModel:
    return view.scores_model


def column(model: ScoreModel, name: str) -> list[str]:
    index = model.column_of(name)
    return [str(model.index(row, index).data()) for row in range(model.rowCount())]


def names(model: ScoreModel) -> list[str]:
    return [str(model.index(row, NAME_COLUMN).data()) for row in range(model.rowCount())]


@pytest.mark.parametrize("systems", [0, 1, 2, 5, 17, 40])
def test_model_passes_the_qt_model_tester(environment: Any, corpus: Any, model: ScoreModel, systems: int) -> None:
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    environment.settings.rounds = 100
    environment.open(corpus(systems))
    model.sort(model.column_of("MCC"), UP)
    if systems:
        environment.flip_tag(3, 2)
    environment.wait()
    environment.workspace.close()
    assert tester.model() is model
    assert model.rowCount() == 0


def test_values_equal_those_of_the_metrics(environment: Any, corpus: Any, model: ScoreModel) -> None:
    opened: Corpus = corpus(5)
    environment.open(opened)
    metrics = [WORD_METRICS[name] for name in DISPLAYED_METRICS]
    gold, *tags = (layer.tags for layer in opened.layers.values())
    totals = compute_totals(metric_families(metrics), gold, tags)
    model.sort(-1)
    for metric in metrics:
        expected = [format_score(float(value), 3) for value in metric.score(totals[metric.family.name])]
        assert [text.removesuffix("*") for text in column(model, metric.name)] == expected


def test_score_that_is_still_being_computed_is_not_said_to_be_undefined(
    environment: Any, corpus: Any, model: ScoreModel
) -> None:
    environment.workspace.open(corpus(3))
    assert environment.scores.state == "working"
    index = model.index(0, model.column_of("MCC"))
    for role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
        assert "system 0: MCC has not been computed" in index.data(role)
    environment.wait()
    assert "has not been computed" not in index.data(Qt.ItemDataRole.AccessibleTextRole)


def test_edit_signals_outdated_ranks_then_the_values(
    environment: Any, corpus: Any, model: ScoreModel, qtbot: QtBot
) -> None:
    environment.open(corpus(3))
    model.sort(-1)
    before = environment.scores.values["F1-BAD"].copy()
    signalled: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: signalled.append((first.column(), last.column())))
    with qtbot.waitSignal(environment.scores.scores_changed):
        environment.flip_tag(0, 0)
    # all columns are signalled first, because ranks, intervals and the lines below clusters are now outdated
    assert signalled == [(0, model.columnCount() - 1), (1, model.columnCount() - 1)]
    moved = environment.scores.values["F1-BAD"] - before
    index = model.column_of("F1-BAD")
    for row in range(3):
        change = str(model.index(row, index).data(CHANGE_ROLE))
        assert change.startswith("+" if moved[row] > 0 else "−")
        text = str(model.index(row, index).data(Qt.ItemDataRole.AccessibleTextRole))
        assert text.startswith(f"system {row}: F1-BAD .")
        assert text.endswith(f"{change} due to the last edit or undo")
    environment.wait()


def test_undo_restores_the_values(environment: Any, corpus: Any, model: ScoreModel) -> None:
    environment.open(corpus(3))
    before = column(model, "MCC")
    environment.flip_tag(5, 1)
    environment.workspace.undo()
    assert column(model, "MCC") == before
    environment.wait()


def test_sorting_puts_the_best_first_and_undefined_scores_last(
    environment: Any, corpus: Any, model: ScoreModel
) -> None:
    opened: Corpus = corpus(3)
    silent = LayerKey(Provenance.SYSTEM, "all-OK", Kind.WORDS)
    gold = next(iter(opened.layers.values())).tags
    opened = opened.with_layer(Layer(silent, TagColumn(np.zeros_like(gold.values), gold.offsets)))
    environment.open(opened)
    index = model.column_of("MCC")
    for order in (DOWN, UP):
        model.sort(index, order)
        assert names(model)[-1] == "all-OK"
        assert column(model, "MCC")[-1] == "–"
    assert names(model) == ["system 2", "system 1", "system 0", "all-OK"]
    tip = str(model.index(3, index).data(Qt.ItemDataRole.ToolTipRole))
    assert "Undefined if gold or system has one class only" in tip
    model.sort(-1)
    assert names(model) == ["system 0", "system 1", "system 2", "all-OK"]
    model.sort(NAME_COLUMN, DOWN)
    assert names(model)[0] == "system 2"


def test_changing_the_metric_moves_its_column_to_the_front_and_sorts_by_it(
    environment: Any, corpus: Any, model: ScoreModel
) -> None:
    environment.open(corpus(4))
    assert model.sort_state() == (model.column_of("F1-mult"), DOWN)
    environment.comparison.set_metric("SeqCor")
    assert model.sort_state() == (model.column_of("SeqCor"), DOWN)
    assert [model.column_of(name) for name in ("SeqCor", INTERVAL, RANK)] == [1, 2, 3]
    assert model.column_of("F1-mult") > 3
    model.sort(NAME_COLUMN, UP)
    environment.comparison.set_metric("MCC")
    assert model.sort_state() == (NAME_COLUMN, UP)
    environment.wait()


def test_table_without_intervals_has_bars_for_the_current_metric(environment: Any, corpus: Any) -> None:
    environment.open(corpus(4))
    model = ScoreModel([WORD_METRICS[name] for name in DISPLAYED_METRICS], with_interval=False)
    model.show_state(environment.comparison.snapshot())
    model.show_scores(environment.scores.snapshot())
    assert model.index(0, model.column_of("F1-mult")).data(BAR_FRACTION_ROLE) == 1.0
    assert model.index(0, model.column_of("MCC")).data(BAR_FRACTION_ROLE) is None
    assert model.column_of(INTERVAL) == model.column_of(RANK) == -1


def test_ranks_bold_values_and_cluster_lines_follow_from_the_tests(
    environment: Any, corpus: Any, model: ScoreModel
) -> None:
    environment.open(corpus(5))
    tested = environment.comparison.result.comparison.of("F1-mult")
    assert model.index(0, model.column_of(RANK)).data() == "1"
    bold = [model.index(row, 1).data(CURRENT_ROLE) for row in range(5)]
    assert bold == [True, False, False, False, False]
    sizes = np.cumsum([len(cluster) for cluster in tested.clusters])[:-1]
    assert [row for row in range(5) if model.index(row, 0).data(LAST_ROLE)] == [size - 1 for size in sizes]
    text = model.sentence(model.index(0, 1))
    assert text.startswith("system 0 (F1-mult .")
    assert text.endswith(", rank 1 of 5) is significantly better than all other systems.")
    assert model.sign(model.index(0, 1)) in ("●", "◐")
    # another order has no clusters, and outdated tests decide nothing
    model.sort(NAME_COLUMN, DOWN)
    assert not any(model.index(row, 0).data(LAST_ROLE) for row in range(5))
    model.sort(1, DOWN)
    environment.flip_tag(0, 0)
    assert not any(
        model.index(row, column).data(role) for row in range(5) for column, role in ((0, LAST_ROLE), (1, CURRENT_ROLE))
    )
    assert model.sentence(model.index(0, 1)).endswith("Outdated.")
    environment.wait()


def test_systems_that_cannot_be_told_apart_share_ranks_without_a_sign(
    environment: Any, corpus: Any, model: ScoreModel
) -> None:
    environment.open(corpus(3, twins=True))
    rows = {model.layer(row).name: row for row in range(3)}
    for name in ("system 0", "system 2"):
        cell = model.index(rows[name], model.column_of(RANK))
        assert cell.data() == "1–2"
        # they are significantly better than the third system
        assert model.sign(cell) == ""
        sentence = model.sentence(cell)
        assert sentence.startswith(f"No system is significantly better than {name} (F1-mult .")
        assert ", rank 1–2 of 3), which is significantly better than system 1" in sentence
        # the value is that of the subject; every system that the tests do not separate from it is named
        twin = {"system 0": "system 2", "system 2": "system 0"}[name]
        assert sentence.endswith(f" better than system 1 and does not differ significantly from {twin}.")


def test_intervals_equal_those_of_the_service_and_are_muted_when_stale(
    environment: Any, corpus: Any, model: ScoreModel
) -> None:
    environment.open(corpus(3))
    cell = model.index(0, model.column_of(INTERVAL))
    interval = environment.comparison.result.interval("F1-mult", model.layer(0))
    assert cell.data() == format_interval(*interval, 3)
    assert not cell.data(MUTED_ROLE)
    environment.flip_tag(1, 1)
    assert cell.data(MUTED_ROLE)
    environment.wait()
    assert not cell.data(MUTED_ROLE)


def test_markup_in_system_names_is_shown_literally(environment: Any, corpus: Any, model: ScoreModel) -> None:
    opened: Corpus = corpus(1)
    key = LayerKey(Provenance.SYSTEM, "<b>bold</b> & co", Kind.WORDS)
    environment.open(opened.with_layer(Layer(key, next(iter(opened.layers.values())).tags)))
    row = names(model).index("<b>bold</b> & co")
    tip = str(model.index(row, NAME_COLUMN).data(Qt.ItemDataRole.ToolTipRole))
    assert "&lt;b&gt;bold&lt;/b&gt; &amp; co" in tip


def test_scores_above_one_are_marked_and_explained(environment: Any, model: ScoreModel) -> None:
    gold = TagColumn.of([[1, 0, 1, 0, 1, 0, 1]])
    merged = TagColumn.of([[1, 1, 1, 1, 1, 1, 1]])
    keys = [LayerKey(Provenance.GOLD, "gold", Kind.WORDS), LayerKey(Provenance.SYSTEM, "merges", Kind.WORDS)]
    layers = {key: Layer(key, tags) for key, tags in zip(keys, (gold, merged), strict=True)}
    environment.open(Corpus("test", 1, {}, layers))
    cell = model.index(0, model.column_of("phr-F1-BAD"))
    assert environment.scores.values["phr-F1-BAD"][0] > 1
    assert str(cell.data()).endswith("*")
    assert "Can exceed 1" in str(cell.data(Qt.ItemDataRole.ToolTipRole))


def test_header_tooltips_name_the_metric_and_its_range(environment: Any, model: ScoreModel) -> None:
    for name in DISPLAYED_METRICS:
        section = model.column_of(name)
        tip = str(model.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole))
        metric = model.metric(section)
        assert metric is not None
        assert metric.name in tip
        assert "Range" in tip
        assert ("To select" in tip) is (name != "F1-mult")


def test_report_has_the_displayed_values(environment: Any, corpus: Any, model: ScoreModel) -> None:
    environment.open(corpus(4))
    environment.flip_tag(2, 2)
    layers = [model.layer(row) for row in range(model.rowCount())]
    report = score_report(environment.scores, layers, model.metrics())
    assert report is not None
    assert "edited-segments:1" in report.signature
    cells = [line.split("\t") for line in report.table().tsv().splitlines()]
    names = [metric.name for metric in model.metrics()]
    assert cells[0] == ["system", *names]
    assert sorted(names) == sorted(DISPLAYED_METRICS)
    for row, line in enumerate(cells[1:]):
        shown = [str(model.index(row, model.column_of(name)).data()).removesuffix("*") for name in names]
        assert [format_score(float(text), 3) for text in line[1:]] == shown
    environment.wait()


def test_number_of_decimals_can_be_set(environment: Any, corpus: Any, model: ScoreModel) -> None:
    environment.open(corpus(2))
    model.set_decimals(4)
    assert all(len(text.removesuffix("*").partition(".")[2]) == 4 for text in column(model, "F1-mult"))


def test_header_marks_metrics_for_which_lower_is_better() -> None:
    metrics = [SENTENCES.metrics[name] for name in ("Pearson", "MAE", "RMSE")]
    model = ScoreModel(metrics)
    below = {
        metric.name: model.headerData(model.column_of(metric.name), Qt.Orientation.Horizontal, HEADER_BELOW_ROLE)[0]
        for metric in metrics
    }
    assert below == {"Pearson": "", "MAE": "lower is better", "RMSE": "lower is better"}


def test_cluster_lines_of_a_new_result_are_signalled_for_all_columns(
    environment: Any, corpus: Any, model: ScoreModel
) -> None:
    environment.open(corpus(4))
    signalled: list[tuple[int, int]] = []
    model.dataChanged.connect(lambda first, last: signalled.append((first.column(), last.column())))
    environment.comparison.set_options(replace(environment.comparison.options, alpha=0.0001))
    assert (0, model.columnCount() - 1) in signalled
