"""Labellings of a study as layers: added and removed by key, button and command, shown but not scored."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QMenu

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.studies.synthetic_labellings import LABELLINGS, make_labelling
from tests.ui.scores.conftest import GOLD, make_corpus

ALL_BAD = LayerKey(Provenance.SYNTHETIC, "synthetic-all-BAD", Kind.WORDS)


def layers(driver: Any) -> dict[LayerKey, Any]:
    return driver.environment.workspace.corpus.layers


def test_enter_adds_a_labelling_and_the_button_removes_it(
    driver: Any, corpus_with_probabilities: Any, qtbot: Any
) -> None:
    driver.open(corpus_with_probabilities)
    before, scored = driver.service.result, driver.environment.scores.layers
    driver.go_to(0, "all-BAD")
    assert driver.page.baseline_button.text() == "Add all-BAD to open data"
    with qtbot.waitSignal(driver.controller.context.message_posted) as message:
        qtbot.keyClick(driver.view, Qt.Key.Key_Return)
    assert message.args == ["Added (shown in the Inspect area): synthetic-all-BAD"]
    driver.wait()
    assert (layers(driver)[ALL_BAD].tags.values == 1).all()
    view = driver.environment.workspace.view
    assert view.displayed_layers(Kind.WORDS)[-1] == ALL_BAD
    assert ALL_BAD not in view.tag_layers(Kind.WORDS)
    assert driver.environment.scores.layers == scored
    # the inputs of the study are unchanged
    assert driver.service.result is before
    assert not driver.service.is_outdated
    assert driver.page.baseline_button.text() == "Remove all-BAD"
    driver.page.baseline_button.click()
    driver.wait()
    assert ALL_BAD not in layers(driver)


def test_added_labellings_equal_those_of_the_study(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    gold = corpus_with_probabilities.layers[GOLD].tags
    driver.controller.add_all()
    driver.wait()
    added = [key for key in layers(driver) if key.provenance is Provenance.SYNTHETIC]
    assert [key.name for key in added] == [f"synthetic-{name}" for name in LABELLINGS]
    for key, name in zip(added, LABELLINGS, strict=True):
        assert (layers(driver)[key].tags.values == make_labelling(gold, name, 1).values).all()
        assert layers(driver)[key].notes == ("trivial baseline, seed 1",)
    driver.controller.remove_all()
    driver.wait()
    assert set(layers(driver)) == set(corpus_with_probabilities.layers)


def test_labelling_is_not_added_to_a_corpus_opened_meanwhile(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    driver.controller.toggle_baseline("random")
    driver.environment.workspace.open(make_corpus(2))
    driver.wait()
    assert not driver.controller.layers.synthetic_keys()


def test_enter_on_a_metric_shows_its_chart(driver: Any, corpus_with_probabilities: Any, qtbot: Any) -> None:
    driver.open(corpus_with_probabilities)
    driver.page.views.show_view("remarks")
    driver.go_to(2, "all 4")
    qtbot.keyClick(driver.view, Qt.Key.Key_Return)
    assert driver.page.views.current_view == "picture"
    picture = driver.page.views.picture
    title = f"Systems and trivial baselines by {driver.study.metrics[2].name}"
    qtbot.waitUntil(lambda: not isinstance(picture.content, str) and picture.content[0].title == title)
    assert not driver.controller.layers.synthetic_keys()


def test_the_menu_of_a_baseline_names_what_enter_does(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    assert "or on a baseline to add or remove it" in driver.service.study.hint
    for column, text in (("all-BAD", "&Add or remove the baseline"), ("all 4", "&Show more")):
        driver.go_to(0, column)
        driver.view.contextMenuEvent(QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(), QPoint()))
        menu = [menu for menu in driver.view.findChildren(QMenu) if menu.parent() is driver.view][-1]
        assert menu.actions()[0].text() == text
        menu.close()


def test_inspect_shows_and_describes_an_added_labelling(
    driver: Any, corpus_with_probabilities: Any, qtbot: Any
) -> None:
    from PySide6.QtGui import QFont

    from qe_desktop.local_qe.qa_checks.live_checks import recompute_reasons
    from qe_desktop.ui.inspect.reader.segment_descriptions import describe_position
    from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout

    driver.open(corpus_with_probabilities)
    driver.controller.toggle_baseline("all-BAD")
    driver.wait()
    workspace = driver.environment.workspace
    font = QFont()
    font.setPixelSize(14)
    page = SegmentLayout(workspace.view, 0, Kind.WORDS, 800.0, font, driver.environment.settings)
    rows = [track.name for block in page.blocks for track in block.tag_rows]
    assert rows[-1] == "synthetic-all-BAD"
    assert "synthetic-all-BAD: " in describe_position(page, Kind.WORDS, 0, lambda key, segment: {}, recompute_reasons)
