"""Scales by keys and mouse: adequacy and fluency, one scale alone, direct assessment."""

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


def test_a_whole_campaign_by_number_keys_alone(desk, qtbot):
    made = desk.begin(make("adequacy-fluency"))
    for number in range(4):
        assert desk.place == number
        desk.press(Key.Key_5)
        qtbot.waitUntil(lambda: desk.sitting.revealed)
        desk.press(Key.Key_2)
        qtbot.waitUntil(lambda number=number: desk.place == number + 1)
    assert desk.rater.page is desk.rater.end
    assert "4 of 4 items rated" in desk.rater.end.text.text()
    assert made.said("fluency") == [5.0] * 4
    assert made.said("adequacy") == [2.0] * 4
    assert len(made.said("reveal")) == 4


def test_the_source_is_in_no_widget_until_fluency_is_rated(desk, qtbot):
    desk.begin(make("adequacy-fluency", basis=EvaluationBasis.BOTH))
    texts = desk.card.texts
    assert shown(texts.translation.pane) == [TEXTS[0]]
    assert texts.source.pane.texts() == texts.reference.pane.texts() == []
    assert texts.hidden.isVisible()
    assert texts.hidden.text() == "Source and reference come into view once fluency is rated."
    QTest.qWait(0)
    before = texts.translation.pane.mapTo(desk.window, QPoint(0, 0))
    desk.press(Key.Key_4)
    qtbot.waitUntil(lambda: desk.sitting.revealed)
    QTest.qWait(0)
    assert shown(texts.source.pane) == [SOURCE[0]]
    assert shown(texts.reference.pane) == ["Ref 0"]
    assert not texts.hidden.isVisible()
    # nothing moves when the source comes into view
    assert texts.translation.pane.mapTo(desk.window, QPoint(0, 0)) == before


def test_fluency_alone_never_shows_a_source(desk, qtbot):
    desk.begin(make("fluency", context=1))
    desk.do("reveal")
    assert desk.items.state.missing.text() == "Fluency is judged without the source"
    assert desk.card.texts.source.pane.texts() == []
    assert not desk.card.texts.hidden.isVisible()
    desk.press(Key.Key_3)
    qtbot.waitUntil(lambda: desk.place == 1)


def test_back_change_undo_redo_by_key(desk, qtbot):
    made = desk.begin(make("adequacy"))
    for _ in range(2):
        place = desk.place
        desk.press(Key.Key_4)
        qtbot.waitUntil(lambda place=place: desk.place == place + 1)
    desk.press(Key.Key_Left)
    assert desk.place == 1
    assert [button.isChecked() for button in desk.card.rows["adequacy"].buttons] == [False] * 3 + [True, False]
    desk.press(Key.Key_1)
    assert made.said("adequacy") == [4.0, 4.0, 1.0]
    assert desk.place == 1
    assert desk.area.undo_text == "adequacy 1, item 2"
    assert desk.items.state.undo.text() == "Undo: adequacy 1, item 2 (Ctrl+Z)"
    desk.area.undo()
    desk.area.undo()
    assert desk.place == 1
    desk.area.undo()
    assert desk.place == 0
    assert desk.sitting.work.progress() == (0, 4)
    desk.area.redo()
    desk.area.redo()
    assert desk.place == 1
    assert desk.sitting.work.progress() == (2, 4)
    desk.press(Key.Key_Backspace)
    assert desk.place == 0


def test_walking_keys(desk, qtbot, monkeypatch):
    desk.begin(make("adequacy", items=5))
    desk.press(Key.Key_Right, Key.Key_Return)
    assert desk.place == 2
    desk.press(Key.Key_End)
    assert desk.place == 4
    desk.press(Key.Key_Home)
    assert desk.place == 0
    desk.press(Key.Key_3)
    qtbot.waitUntil(lambda: desk.place == 1)
    desk.press(Key.Key_End, Key.Key_U)
    assert desk.place == 1
    monkeypatch.setattr("qe_desktop.ui.rate.item_page.ask_number", lambda *given: 4)
    desk.press(Key.Key_G)
    assert desk.place == 3


def test_two_questions_are_walked_up_and_down_and_a_late_change_is_said(desk, qtbot):
    desk.begin(make("adequacy-fluency"))
    tabs = desk.card.tabs
    desk.press(Key.Key_Down)
    assert desk.sitting.asked.name == "fluency"
    assert "before" in desk.items.state.missing.text()
    desk.press(Key.Key_4)
    qtbot.waitUntil(lambda: desk.sitting.revealed)
    desk.press(Key.Key_Up, Key.Key_2)
    assert tabs["fluency"].note == "changed after the source was seen"
    assert tabs["fluency"].accessibleName() == "Fluency: 2 Disfluent German, changed after the source was seen"
    QTest.mouseClick(tabs["fluency"], Qt.MouseButton.LeftButton)
    assert desk.sitting.asked.name == "fluency"
    assert desk.card.question.text() == "How does the translation sound to a native speaker of German?"


def test_a_click_on_a_step_rates_and_leaves_the_keys_where_they_are(desk, qtbot):
    made = desk.begin(make("adequacy"))
    QTest.mouseClick(desk.card.rows["adequacy"].buttons[2], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: desk.place == 1)
    desk.press(Key.Key_Left)
    assert desk.place == 0
    assert made.said("adequacy") == [3.0]


def test_tab_and_space_rate_as_well(desk, qtbot):
    made = desk.begin(make("adequacy-fluency"))
    buttons = desk.card.rows["fluency"].buttons
    buttons[0].setFocus(Qt.FocusReason.TabFocusReason)
    desk.press(Key.Key_Right, Key.Key_Right)
    assert buttons[2].hasFocus()
    assert made.said("fluency") == []
    desk.press(Key.Key_Space)
    qtbot.waitUntil(lambda: desk.sitting.revealed)
    # the focus stays among the steps when the question changes
    assert desk.card.rows["adequacy"].buttons[2].hasFocus()
    desk.press(Key.Key_Return)
    qtbot.waitUntil(lambda: desk.place == 1)
    assert (made.said("fluency"), made.said("adequacy")) == ([3.0], [3.0])


def test_a_digit_outside_the_scale_is_explained(desk):
    made = desk.begin(make("adequacy"))
    desk.press(Key.Key_7)
    assert desk.items.state.missing.text() == "Adequacy goes from 1 to 5"
    assert made.said("adequacy") == []


def test_neighbours_are_in_view_in_order_with_the_segment_marked(desk):
    desk.begin(make("adequacy", context=1))
    desk.press(Key.Key_Right, Key.Key_Right)
    pane = desk.card.texts.source.pane
    assert pane.texts() == SOURCE[1:4]
    assert pane.here == 1


def test_the_whole_document_with_the_translations_seen_before(desk, qtbot):
    desk.begin(make("adequacy-fluency", context=WHOLE_DOCUMENT, by_document=True))
    for number in range(2):
        desk.press(Key.Key_4)
        qtbot.waitUntil(lambda: desk.sitting.revealed)
        desk.press(Key.Key_4)
        qtbot.waitUntil(lambda number=number: desk.place == number + 1)
    texts = desk.card.texts
    assert texts.translation.pane.texts() == TEXTS[:3]
    assert texts.translation.pane.here == 2
    assert texts.source.pane.texts() == []
    desk.press(Key.Key_4)
    qtbot.waitUntil(lambda: desk.sitting.revealed)
    QTest.qWait(0)
    assert texts.source.pane.texts() == SOURCE
    heights = [
        pane.mapTo(desk.window, pane.here_rect().topLeft().toPoint()).y()
        for pane in (texts.source.pane, texts.translation.pane)
    ]
    assert abs(heights[0] - heights[1]) <= 2


def test_selected_text_is_copied_and_the_keys_still_rate(desk, qtbot):
    made = desk.begin(make("adequacy"))
    pane, other = desk.card.texts.translation.pane, desk.card.texts.source.pane
    other.selectAll()
    QTest.mouseDClick(pane.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(12, 12))
    assert pane.selected() == "Die"
    assert other.selected() == ""
    desk.press(Key.Key_C, modifier=Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "Die"
    desk.press(Key.Key_4)
    qtbot.waitUntil(lambda: desk.place == 1)
    assert made.said("adequacy") == [4.0]


def test_markup_in_a_text_is_text(desk):
    markup = "<b>fett</b> </form> & <img src='x'>"
    desk.begin(make("adequacy", texts=[markup], source=[markup], items=1))
    assert desk.card.texts.translation.pane.toPlainText() == markup
    assert desk.card.texts.source.pane.toPlainText() == markup


# --- direct assessment


def slider_of(desk):
    return desk.card.sliders["score"]


def test_the_slider_starts_unset_and_a_typed_number_goes_on(desk, qtbot):
    made = desk.begin(make("direct-assessment"))
    assert not slider_of(desk).is_set
    assert slider_of(desk).accessibleDescription() == "not set, 0 to 100"
    desk.press(Key.Key_7, Key.Key_8)
    assert desk.items.state.missing.text() == "Enter gives 78"
    desk.press(Key.Key_Backspace, Key.Key_5)
    assert made.said("score") == []
    desk.press(Key.Key_Return)
    qtbot.waitUntil(lambda: desk.place == 1)
    assert made.said("score") == [75.0]
    assert not slider_of(desk).is_set
    desk.press(Key.Key_Left)
    assert slider_of(desk).value() == 75


def test_a_digit_that_would_lead_beyond_the_scale_is_not_taken(desk, qtbot):
    made = desk.begin(make("direct-assessment"))
    desk.press(Key.Key_1, Key.Key_0, Key.Key_0, Key.Key_5, Key.Key_Return)
    qtbot.waitUntil(lambda: desk.place == 1)
    desk.press(Key.Key_0, Key.Key_Return)
    qtbot.waitUntil(lambda: desk.place == 2)
    assert made.said("score") == [100.0, 0.0]


def test_the_mouse_takes_the_place_of_a_number_that_was_begun(desk, qtbot):
    made = desk.begin(make("direct-assessment"))
    desk.press(Key.Key_1)
    slider = slider_of(desk)
    slider.given.emit(73)
    desk.press(Key.Key_Right)
    qtbot.waitUntil(lambda: desk.place == 1)
    assert made.said("score") == [73.0]


def test_steps_count_once_when_they_come_to_rest(desk, qtbot):
    made = desk.begin(make("direct-assessment"))
    desk.press(Key.Key_Up)
    assert slider_of(desk).value() == 50
    desk.press(Key.Key_Up, Key.Key_PageUp)
    desk.press(Key.Key_Down, modifier=Qt.KeyboardModifier.ShiftModifier)
    desk.press(Key.Key_Down, Key.Key_Down)
    assert slider_of(desk).value() == 49
    assert made.said("score") == []
    qtbot.waitUntil(lambda: made.said("score") == [49.0])
    assert desk.place == 0


def test_going_on_keeps_the_step_that_has_not_come_to_rest(desk):
    made = desk.begin(make("direct-assessment"))
    desk.press(Key.Key_Up, Key.Key_Right)
    assert desk.place == 1
    assert made.said("score") == [50.0]


def test_the_mouse_sets_it_anywhere_and_may_set_it_again(desk, qtbot):
    made = desk.begin(make("direct-assessment"))
    slider = slider_of(desk)
    for value in (20, 90):
        QTest.mouseClick(slider, Qt.MouseButton.LeftButton, pos=QPoint(round(slider.x_of(value)), 12))
    assert made.said("score") == [20.0, 90.0]
    assert desk.place == 0


def test_with_the_focus_arrows_belong_to_the_slider(desk):
    desk.begin(make("direct-assessment"))
    slider_of(desk).setFocus(Qt.FocusReason.TabFocusReason)
    desk.press(Key.Key_Right, Key.Key_Right, Key.Key_Home)
    assert desk.place == 0
    assert slider_of(desk).value() == 0


@pytest.mark.parametrize("protocol", ["adequacy", "fluency", "adequacy-fluency", "direct-assessment"])
def test_every_control_has_a_name(desk, protocol):
    desk.begin(make(protocol))
    assert isinstance(desk.card, ScaleCard)
    for row in desk.card.rows.values():
        assert all(button.accessibleName() for button in row.buttons)
        assert row.accessibleName()
    assert all(slider.accessibleName() for slider in desk.card.sliders.values())
    assert desk.items.accessibleName().startswith("Item 1 of 4")
