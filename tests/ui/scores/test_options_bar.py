"""Options of the Scores area: mnemonics, effects, and messages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyleOptionToolButton

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance, TagColumn
from qe_desktop.significance import SignificanceOptions
from qe_desktop.ui.scores.area import ScoresArea
from tests.ui.scores.visible_texts import visible_texts


def test_every_control_has_a_distinct_mnemonic(area: ScoresArea) -> None:
    keys = []
    for pair in area.systems.options._pairs.values():
        label = pair.layout().itemAt(0).widget()
        assert label.buddy() is pair.layout().itemAt(pair.layout().count() - 1).widget()
        keys.append(label.text()[label.text().index("&") + 1].lower())
    assert len(set(keys)) == len(keys)
    # these keys open the menus
    assert not set(keys) & set("fevh")


def test_options_reach_the_significance_service_and_the_settings(
    environment: Any, corpus: Any, area: ScoresArea
) -> None:
    environment.open(corpus(5))
    bar = area.systems.options
    bar._correction.setCurrentIndex(bar._correction.findData("holm"))
    bar._correction.activated.emit(bar._correction.currentIndex())
    bar._alpha.setValue(0.01)
    bar._top.setValue(1)
    environment.wait()
    options = environment.comparison.result.comparison.options
    assert (options.correction, options.alpha, options.top) == ("holm", 0.01, 1)
    assert (environment.settings.correction, environment.settings.alpha) == ("holm", 0.01)
    assert bar._alpha.text() == "0.01"
    assert bar._top.text() == "1 of 5"


def test_interval_method_reaches_the_intervals_their_descriptions_and_the_settings(
    environment: Any, corpus: Any, area: ScoresArea
) -> None:
    environment.open(corpus(3))
    before = environment.comparison.result
    bar, metric = area.systems.options, environment.comparison.metric
    bar._interval_method.setCurrentIndex(bar._interval_method.findData("bca"))
    bar._interval_method.activated.emit(bar._interval_method.currentIndex())
    environment.wait()
    result, scoring = environment.comparison.result, environment.scores.scoring()
    ordered = [compared.metric for compared in result.comparison.metrics]
    options = replace(before.comparison.options, interval_method="bca")
    expected = scoring.intervals(scoring.family_rows(ordered), options)
    for place, each in enumerate(ordered):
        np.testing.assert_array_equal(result.intervals[place], expected[each.name])
    assert not np.array_equal(result.intervals, before.intervals, equal_nan=True)
    # the tests themselves do not depend on it
    np.testing.assert_array_equal(result.comparison.of(metric).p, before.comparison.of(metric).p)
    assert result.interval_text(metric) == "BCa bootstrap over 60 segments"
    assert environment.settings.interval_method == "bca"


def test_documents_are_a_resampling_unit_only_if_there_are_any(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(2))
    item = area.systems.options._unit.model().item(1)
    assert not item.isEnabled()
    assert "no document information" in item.toolTip()
    environment.open(corpus(2, documents=True))
    assert item.isEnabled()
    area.systems.options._unit.setCurrentIndex(1)
    area.systems.options._unit.activated.emit(1)
    environment.wait()
    assert environment.comparison.result.comparison.units == 6
    assert "· 6 documents" in visible_texts(area)


def test_too_few_trials_for_a_correction_are_reported(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.settings.rounds = 1000
    environment.open(corpus(17))
    assert "too few" not in visible_texts(area)
    environment.comparison.set_options(replace(environment.comparison.options, correction="bonferroni"))
    assert "1,000 trials are too few: adjusted p (Bonferroni, 136 pairs) is at least .136" in visible_texts(area)


def test_other_tag_levels_can_be_selected(environment: Any, corpus: Any, area: ScoresArea) -> None:
    opened: Corpus = corpus(2)
    for provenance, name in ((Provenance.GOLD, "gold"), (Provenance.SYSTEM, "system 0")):
        key = LayerKey(provenance, name, Kind.GAPS)
        opened = opened.with_layer(Layer(key, TagColumn.of([[0, 1] + [0] * 9] * opened.size)))
    environment.open(opened)
    kinds = area.systems.options._level
    assert [kinds.itemText(index) for index in range(kinds.count())] == ["words", "gaps"]
    assert kinds.isVisibleTo(area)
    kinds.setCurrentIndex(1)
    kinds.activated.emit(1)
    environment.wait()
    assert environment.workspace.kind is Kind.GAPS
    assert area.systems.table.scores_model.rowCount() == 1


def test_summary_of_the_test_is_shown_whole_or_not_at_all(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(3))
    button = area.systems.options.panel_button
    assert button is not None
    whole = button.sizeHint().width()
    for folded in (False, True):
        button.fold(folded)
        button.resize(button.maximumWidth(), button.height())
        option = QStyleOptionToolButton()
        button.initStyleOption(option)
        assert option.text == ("" if folded else button.text())
        assert button.maximumWidth() == (button.minimumSizeHint().width() if folded else whole)
    # the icon has no more space than it needs, and the tooltip has the summary
    assert button.minimumSizeHint().width() < whole // 2
    assert "Approximate randomization" in button.toolTip()
    assert button.toolTip().endswith("<br>Click to change these options</span>")


def test_single_system_offers_the_options_of_its_interval(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(1, documents=True))
    bar = area.systems.options
    assert bar.panel_button is not None
    assert not bar.panel_button.isHidden()
    bar.panel_button.open_panel()
    offered = {field for field, control in bar._test_controls.by_field.items() if control.isVisible()}
    assert offered == {"unit", "seed", "interval_method"}
    assert bar.panel_button.text() == "percentile bootstrap"
    before = area.systems.table.scores_model.index(0, 2).data()
    bar._unit.setCurrentIndex(1)
    bar._unit.activated.emit(1)
    environment.wait()
    assert area.systems.table.scores_model.index(0, 2).data() != before
    assert "over 6 documents" in area.systems.table.scores_model.index(0, 2).data(Qt.ItemDataRole.ToolTipRole)


def test_reset_button_restores_the_default_options_and_is_disabled_without_changes(
    environment: Any, corpus: Any, area: ScoresArea
) -> None:
    environment.open(corpus(5, documents=True))
    bar, default = area.systems.options, SignificanceOptions()
    # the tests have fewer trials
    environment.comparison.set_options(default)
    assert bar.panel_button is not None
    bar.panel_button.open_panel()
    assert bar.reset.isVisible()
    assert not bar.reset.isEnabled()
    assert "default values" in bar.reset.toolTip()
    changes: dict[str, Any] = {"correction": "holm", "unit": "document", "interval_method": "bca", "rounds": 1_000}
    for field, value in changes.items():
        control = bar._test_controls.by_field[field]
        control.setCurrentIndex(control.findData(value))
        control.activated.emit(control.currentIndex())
        assert bar.reset.isEnabled()
    bar._alpha.setValue(0.01)
    bar._seed.setValue(7)
    bar._top.setValue(1)
    bar.order.setCurrentIndex(1)
    bar.order.activated.emit(1)
    assert not environment.settings.best_first
    orders: list[bool] = []
    bar.order_changed.connect(orders.append)
    bar.reset.click()
    environment.wait()
    assert environment.comparison.options == default
    assert (environment.settings.correction, environment.settings.seed, environment.settings.best_first) == (
        "bonferroni", 1, True,
    )  # fmt: skip
    assert orders == [True]
    assert (bar._correction.currentData(), bar._alpha.value(), bar._seed.value()) == ("bonferroni", 0.05, 1)
    assert not bar.reset.isEnabled()


def test_order_alone_can_be_reset(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(3))
    environment.comparison.set_options(SignificanceOptions())
    bar = area.systems.options
    bar.order.setCurrentIndex(1)
    bar.order.activated.emit(1)
    assert bar.reset.isEnabled()
    bar.reset.click()
    assert (bar.order.currentData(), bar.reset.isEnabled()) == (True, False)


def test_summary_states_an_exact_test_instead_of_trials(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(3, documents=True))
    bar = area.systems.options
    assert "1,000 trials" in bar.panel_button.text()
    environment.comparison.set_options(replace(environment.comparison.options, unit="document"))
    environment.wait()
    assert environment.comparison.result.comparison.exact
    assert bar.panel_button.text() == "Approximate randomization, two-sided · exact · no correction · α .05"


def test_panel_states_what_other_pages_share(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(2))
    bar = area.systems.options
    bar.panel_button.open_panel()
    hints = visible_texts(bar.panel_button.popup)
    assert "The page “Against human scores” has its own resampling unit" in hints
    assert "Intervals stay at 95 %" in hints


def test_hints_are_shown_with_their_controls(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(1))
    bar = area.systems.options
    assert bar.panel_button is not None
    bar.panel_button.open_panel()
    hints = visible_texts(bar.panel_button.popup)
    assert "The same seed gives the same values" in hints
    # nothing is tested
    assert "Holm is never less powerful than Bonferroni" not in hints


def test_level_without_systems_is_disabled_and_can_be_left(environment: Any, corpus: Any, area: ScoresArea) -> None:
    tagged = corpus(2)
    offsets = np.arange(tagged.size + 1)
    gold = LayerKey(Provenance.GOLD, "gold", Kind.SOURCE)
    source = Layer(gold, TagColumn(np.zeros(tagged.size, np.uint8), offsets))
    environment.open(replace(tagged, layers={**tagged.layers, gold: source}))
    box = area.systems.options._level
    assert [box.itemText(index) for index in range(box.count())] == ["words", "source words"]
    item = box.model().item(1)
    assert not item.isEnabled()
    assert "There are no tags of source words to score. Open the tags" in item.toolTip()
    assert box.model().item(0).isEnabled()
    # the level can also be selected in Inspect
    environment.workspace.set_kind(Kind.SOURCE)
    environment.wait()
    assert "There are no tags of source words to score" in visible_texts(area)
    assert box.isVisibleTo(area)
    assert not area.systems.options._metric.isVisibleTo(area)
    box.setCurrentIndex(0)
    box.activated.emit(0)
    environment.wait()
    assert area.systems.options._metric.isVisibleTo(area)
    assert area.systems.table.isVisibleTo(area)


def test_panel_states_the_test_and_that_it_is_no_option(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(3))
    note = area.systems.options._test_note
    assert note.isVisibleTo(note.parentWidget())
    assert note.text().startswith("Test: Approximate randomization, two-sided\n")
    assert "determine the test" in note.text()
    environment.open(corpus(1))
    assert not note.isVisibleTo(note.parentWidget())
