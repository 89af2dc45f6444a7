"""Scales by keys and mouse: adequacy and fluency, single scales, and direct assessment."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, EvaluationBasis
from qe_desktop.ui.rate.scales.scale_card import ScaleCard
from tests.ui.rate.conftest import SOURCE, TEXTS, make

Key = Qt.Key


def shown(pane) -> list[str]:
    return pane.texts() if pane.isVisible() else []


def test_whole_campaign_can_be_rated_with_number_keys(controller, qtbot):
    project = controller.begin(make("adequacy-fluency"))
    for number in range(4):
        assert controller.place == number
        controller.press(Key.Key_5)
        qtbot.waitUntil(lambda: controller.session.revealed)
        controller.press(Key.Key_2)
        qtbot.waitUntil(lambda number=number: controller.place == number + 1)
    assert controller.rater.page is controller.rater.end
    assert "4 of 4 items rated" in controller.rater.end.text.text()
    assert project.said("fluency") == [5.0] * 4
    assert project.said("adequacy") == [2.0] * 4
    assert len(project.said("reveal")) == 4


def test_source_is_in_no_widget_until_fluency_is_rated(controller, qtbot):
    controller.begin(make("adequacy-fluency", basis=EvaluationBasis.BOTH))
    texts = controller.card.texts
    assert shown(texts.translation.pane) == [TEXTS[0]]
    assert texts.source.pane.texts() == texts.reference.pane.texts() == []
    assert texts.hidden.isVisible()
    assert texts.hidden.text() == "Source and reference are shown after fluency is rated."
    QTest.qWait(0)
    before = texts.translation.pane.mapTo(controller.window, QPoint(0, 0))
    controller.press(Key.Key_4)
    qtbot.waitUntil(lambda: controller.session.revealed)
    QTest.qWait(0)
    assert shown(texts.source.pane) == [SOURCE[0]]
    assert shown(texts.reference.pane) == ["Ref 0"]
    assert not texts.hidden.isVisible()
    # showing the source moves nothing
    assert texts.translation.pane.mapTo(controller.window, QPoint(0, 0)) == before


def test_fluency_protocol_never_shows_the_source(controller, qtbot):
    controller.begin(make("fluency", context=1))
    controller.do("reveal")
    assert controller.items.state.missing.text() == "Fluency is rated without the source"
    assert controller.card.texts.source.pane.texts() == []
    assert not controller.card.texts.hidden.isVisible()
    controller.press(Key.Key_3)
    qtbot.waitUntil(lambda: controller.place == 1)


def test_changed_rating_can_be_undone_and_redone(controller, qtbot):
    project = controller.begin(make("adequacy"))
    for _ in range(2):
        place = controller.place
        controller.press(Key.Key_4)
        qtbot.waitUntil(lambda place=place: controller.place == place + 1)
    controller.press(Key.Key_Left)
    assert controller.place == 1
    assert [button.isChecked() for button in controller.card.rows["adequacy"].buttons] == [False] * 3 + [True, False]
    controller.press(Key.Key_1)
    assert project.said("adequacy") == [4.0, 4.0, 1.0]
    assert controller.place == 1
    assert controller.area.undo_text == "adequacy 1, item 2"
    assert controller.items.state.undo.text() == "Undo: adequacy 1, item 2 (Ctrl+Z)"
    controller.area.undo()
    controller.area.undo()
    assert controller.place == 1
    controller.area.undo()
    assert controller.place == 0
    assert controller.session.work.progress() == (0, 4)
    controller.area.redo()
    controller.area.redo()
    assert controller.place == 1
    assert controller.session.work.progress() == (2, 4)
    controller.press(Key.Key_Backspace)
    assert controller.place == 0


def test_navigation_keys_move_between_items(controller, qtbot, monkeypatch):
    controller.begin(make("adequacy", items=5))
    controller.press(Key.Key_Right, Key.Key_Return)
    assert controller.place == 2
    controller.press(Key.Key_End)
    assert controller.place == 4
    controller.press(Key.Key_Home)
    assert controller.place == 0
    controller.press(Key.Key_3)
    qtbot.waitUntil(lambda: controller.place == 1)
    controller.press(Key.Key_End, Key.Key_U)
    assert controller.place == 1
    monkeypatch.setattr("qe_desktop.ui.rate.item_page.ask_number", lambda *given: 4)
    controller.press(Key.Key_G)
    assert controller.place == 3


def test_arrow_keys_switch_scales_and_a_late_change_is_labelled(controller, qtbot):
    controller.begin(make("adequacy-fluency"))
    tabs = controller.card.tabs
    controller.press(Key.Key_Down)
    assert controller.session.current_scale.name == "fluency"
    assert "before" in controller.items.state.missing.text()
    controller.press(Key.Key_4)
    qtbot.waitUntil(lambda: controller.session.revealed)
    controller.press(Key.Key_Up, Key.Key_2)
    assert tabs["fluency"].note == "changed after seeing the source"
    assert tabs["fluency"].accessibleName() == "Fluency: 2 Disfluent German, changed after seeing the source"
    QTest.mouseClick(tabs["fluency"], Qt.MouseButton.LeftButton)
    assert controller.session.current_scale.name == "fluency"
    assert controller.card.question.text() == "How does the translation sound to a native speaker of German?"


def test_click_on_a_step_rates_and_keeps_the_keyboard_focus(controller, qtbot):
    project = controller.begin(make("adequacy"))
    QTest.mouseClick(controller.card.rows["adequacy"].buttons[2], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: controller.place == 1)
    controller.press(Key.Key_Left)
    assert controller.place == 0
    assert project.said("adequacy") == [3.0]


def test_steps_can_be_selected_with_tab_and_space(controller, qtbot):
    project = controller.begin(make("adequacy-fluency"))
    buttons = controller.card.rows["fluency"].buttons
    buttons[0].setFocus(Qt.FocusReason.TabFocusReason)
    controller.press(Key.Key_Right, Key.Key_Right)
    assert buttons[2].hasFocus()
    assert project.said("fluency") == []
    controller.press(Key.Key_Space)
    qtbot.waitUntil(lambda: controller.session.revealed)
    # the focus stays on the steps when the next scale is asked
    assert controller.card.rows["adequacy"].buttons[2].hasFocus()
    controller.press(Key.Key_Return)
    qtbot.waitUntil(lambda: controller.place == 1)
    assert (project.said("fluency"), project.said("adequacy")) == ([3.0], [3.0])


def test_digit_outside_the_scale_is_explained(controller):
    project = controller.begin(make("adequacy"))
    controller.press(Key.Key_7)
    assert controller.items.state.missing.text() == "Adequacy must be from 1 to 5"
    assert project.said("adequacy") == []


def test_context_segments_are_shown_in_order_around_the_current_one(controller):
    controller.begin(make("adequacy", context=1))
    controller.press(Key.Key_Right, Key.Key_Right)
    pane = controller.card.texts.source.pane
    assert pane.texts() == SOURCE[1:4]
    assert pane.here == 1


def test_document_context_includes_translations_of_earlier_items(controller, qtbot):
    controller.begin(make("adequacy-fluency", context=WHOLE_DOCUMENT, by_document=True))
    for number in range(2):
        controller.press(Key.Key_4)
        qtbot.waitUntil(lambda: controller.session.revealed)
        controller.press(Key.Key_4)
        qtbot.waitUntil(lambda number=number: controller.place == number + 1)
    texts = controller.card.texts
    assert texts.translation.pane.texts() == TEXTS[:3]
    assert texts.translation.pane.here == 2
    assert texts.source.pane.texts() == []
    controller.press(Key.Key_4)
    qtbot.waitUntil(lambda: controller.session.revealed)
    QTest.qWait(0)
    assert texts.source.pane.texts() == SOURCE
    heights = [
        pane.mapTo(controller.window, pane.here_rect().topLeft().toPoint()).y()
        for pane in (texts.source.pane, texts.translation.pane)
    ]
    assert abs(heights[0] - heights[1]) <= 2


def test_selected_text_can_be_copied_and_keys_still_rate(controller, qtbot):
    project = controller.begin(make("adequacy"))
    pane, other = controller.card.texts.translation.pane, controller.card.texts.source.pane
    other.selectAll()
    QTest.mouseDClick(pane.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(12, 12))
    assert pane.selected() == "Die"
    assert other.selected() == ""
    controller.press(Key.Key_C, modifier=Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Die"
    controller.press(Key.Key_4)
    qtbot.waitUntil(lambda: controller.place == 1)
    assert project.said("adequacy") == [4.0]


def test_markup_is_shown_as_plain_text(controller):
    markup = "<b>fett</b> </form> & <img src='x'>"
    controller.begin(make("adequacy", texts=[markup], source=[markup], items=1))
    assert controller.card.texts.translation.pane.toPlainText() == markup
    assert controller.card.texts.source.pane.toPlainText() == markup


# --- direct assessment


def slider_of(controller):
    return controller.card.sliders["score"]


def test_slider_starts_unset_and_a_typed_number_sets_it(controller, qtbot):
    project = controller.begin(make("direct-assessment"))
    assert not slider_of(controller).is_set
    assert slider_of(controller).accessibleDescription() == "not set, 0 to 100"
    controller.press(Key.Key_7, Key.Key_8)
    assert controller.items.state.missing.text() == "Enter sets 78"
    controller.press(Key.Key_Backspace, Key.Key_5)
    assert project.said("score") == []
    controller.press(Key.Key_Return)
    qtbot.waitUntil(lambda: controller.place == 1)
    assert project.said("score") == [75.0]
    assert not slider_of(controller).is_set
    controller.press(Key.Key_Left)
    assert slider_of(controller).value() == 75


def test_digit_that_exceeds_the_scale_is_ignored(controller, qtbot):
    project = controller.begin(make("direct-assessment"))
    controller.press(Key.Key_1, Key.Key_0, Key.Key_0, Key.Key_5, Key.Key_Return)
    qtbot.waitUntil(lambda: controller.place == 1)
    controller.press(Key.Key_0, Key.Key_Return)
    qtbot.waitUntil(lambda: controller.place == 2)
    assert project.said("score") == [100.0, 0.0]


def test_slider_value_replaces_a_partly_typed_number(controller, qtbot):
    project = controller.begin(make("direct-assessment"))
    controller.press(Key.Key_1)
    slider = slider_of(controller)
    slider.given.emit(73)
    controller.press(Key.Key_Right)
    qtbot.waitUntil(lambda: controller.place == 1)
    assert project.said("score") == [73.0]


def test_slider_steps_are_recorded_once_after_a_pause(controller, qtbot):
    project = controller.begin(make("direct-assessment"))
    controller.press(Key.Key_Up)
    assert slider_of(controller).value() == 50
    controller.press(Key.Key_Up, Key.Key_PageUp)
    controller.press(Key.Key_Down, modifier=Qt.KeyboardModifier.ShiftModifier)
    controller.press(Key.Key_Down, Key.Key_Down)
    assert slider_of(controller).value() == 49
    assert project.said("score") == []
    qtbot.waitUntil(lambda: project.said("score") == [49.0])
    assert controller.place == 0


def test_next_item_records_a_pending_slider_step(controller):
    project = controller.begin(make("direct-assessment"))
    controller.press(Key.Key_Up, Key.Key_Right)
    assert controller.place == 1
    assert project.said("score") == [50.0]


def test_slider_can_be_set_repeatedly_by_mouse(controller, qtbot):
    project = controller.begin(make("direct-assessment"))
    slider = slider_of(controller)
    for value in (20, 90):
        QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(round(slider.x_of(value)), 12))
    assert project.said("score") == [20.0, 90.0]
    assert controller.place == 0


def test_arrow_keys_move_the_focused_slider(controller):
    controller.begin(make("direct-assessment"))
    slider_of(controller).setFocus(Qt.FocusReason.TabFocusReason)
    controller.press(Key.Key_Right, Key.Key_Right, Key.Key_Home)
    assert controller.place == 0
    assert slider_of(controller).value() == 0


@pytest.mark.parametrize("protocol", ["adequacy", "fluency", "adequacy-fluency", "direct-assessment"])
def test_every_control_has_an_accessible_name(controller, protocol):
    controller.begin(make(protocol))
    assert isinstance(controller.card, ScaleCard)
    for row in controller.card.rows.values():
        assert all(button.accessibleName() for button in row.buttons)
        assert row.accessibleName()
    assert all(slider.accessibleName() for slider in controller.card.sliders.values())
    assert controller.items.accessibleName().startswith("Item 1 of 4")
