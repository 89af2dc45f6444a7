"""Rankings and pairwise comparisons by keys, mouse, and drag and drop."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from qe_desktop.ratings.campaign import Screen
from qe_desktop.ui.rate.cards.rank_all_card import RankAllCard
from qe_desktop.ui.rate.cards.rank_slots import dragged_index, make_drag_data
from qe_desktop.ui.rate.cards.ranking_card import PairwiseCard
from qe_desktop.ui.rate.cards.reading_pane import ReadingPane
from tests.ui.rate.conftest import TEXTS, make_project
from tests.ui.rate.test_fixed_places import settled

Key = Qt.Key
NONE = Qt.KeyboardModifier.NoModifier


def drop(target, data: QMimeData, position: QPoint) -> bool:
    """Send a drag and a drop to a widget and return whether it was accepted."""
    left_button = Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(position, Qt.DropAction.MoveAction, data, left_button, NONE)
    QApplication.sendEvent(target, enter)
    if not enter.isAccepted():
        return False
    QApplication.sendEvent(target, QDragMoveEvent(position, Qt.DropAction.MoveAction, data, left_button, NONE))
    event = QDropEvent(QPointF(position), Qt.DropAction.MoveAction, data, left_button, NONE, QEvent.Type.Drop)
    QApplication.sendEvent(target, event)
    return event.isAccepted()


def rows_of(board: RankAllCard) -> list[str]:
    """Return the letters in each slot by their positions on screen; first those that are in no slot."""
    slots = board.slots
    rows = [""] * (len(board.cards) + 1)
    for card in board.cards:
        badge = slots.badges[card.index]
        rank = slots.rank_at(badge.geometry().center().x()) if badge.isVisible() else 0
        rows[rank] += "ABCDE"[card.index]
    return rows


def underlined_parts(pane: ReadingPane) -> list[str]:
    """Return the underlined parts of a text."""
    return [selection.cursor.selectedText() for selection in pane.extraSelections()]


def test_digits_rank_translations_in_turn_and_enter_goes_on(driver):
    project = driver.begin(make_project("rank", outputs=3))
    board = driver.card
    assert isinstance(board, RankAllCard)
    assert rows_of(board) == ["ABC", "", "", ""]
    assert driver.card.missing.text() == "Rank A, B and C"
    driver.press(Key.Key_2, Key.Key_1)
    assert driver.card.missing.text() == "Rank C"
    assert board.selected_index == 2
    driver.press(Key.Key_2)
    assert rows_of(board) == ["", "B", "AC", ""]
    assert project.recorded_values("ranks") == [(2, 0, 0), (2, 1, 0), (2, 1, 2)]
    assert board.slots.accessibleDescription() == "B > A = C"
    # the last rank is often changed again, so the item does not advance by itself
    assert driver.session._pending_action is None
    assert driver.position == 0
    assert board.missing.text() == "Complete: press Right to go on"
    driver.press(Key.Key_Return)
    assert driver.position == 1
    assert rows_of(board) == ["ABC", "", "", ""]


@pytest.mark.parametrize("items", [1, 2])
def test_complete_ranking_of_two_translations_stays_and_can_be_corrected(driver, qtbot, items):
    project = driver.begin(make_project("rank", outputs=2, items=items))
    driver.press(Key.Key_1, Key.Key_2)
    qtbot.wait(20)
    assert driver.position == 0
    assert driver.card.missing.text() == "Complete: press Right to go on"
    driver.press(Key.Key_1)
    assert project.recorded_values("ranks")[-1] == (1, 1)
    driver.area.undo()
    assert driver.position == 0
    assert driver.card.ranks == (1, 2)
    driver.press(Key.Key_Right)
    assert driver.position == 1
    assert driver.rater.page is (driver.rater.end if items == 1 else driver.items)


def test_training_item_has_its_own_note_on_how_to_go_on(driver):
    driver.begin(make_project("rank", outputs=2, training=1))
    driver.press(Key.Key_1, Key.Key_2)
    assert driver.card.missing.text() == ""
    assert "press Right to go on" in driver.items.header.guide.text()


def test_letters_select_translations_and_arrows_change_ranks(driver):
    project = driver.begin(make_project("rank", outputs=3))
    board = driver.card
    driver.press(Key.Key_C, Key.Key_1, Key.Key_B, Key.Key_Up, Key.Key_Up)
    assert board.selected_index == 1
    assert project.recorded_values("ranks")[-1] == (0, 2, 1)
    driver.press(Key.Key_Up, Key.Key_Up)
    assert project.recorded_values("ranks")[-1] == (0, 1, 1)
    driver.press(Key.Key_Down, Key.Key_Down, Key.Key_Down)
    # a move beyond the first or last rank records no event
    assert project.recorded_values("ranks") == [(0, 0, 1), (0, 3, 1), (0, 2, 1), (0, 1, 1), (0, 2, 1), (0, 3, 1)]
    driver.press(Key.Key_0)
    assert project.recorded_values("ranks")[-1] == (0, 0, 1)


def test_rank_beyond_the_last_is_explained(driver):
    driver.begin(make_project("rank", outputs=3))
    driver.press(Key.Key_5)
    assert driver.items.messages.text == "Ranks go from 1 (best) to 3"


def test_letters_can_be_dragged_into_rows(driver):
    project = driver.begin(make_project("rank", outputs=4))
    board = driver.card
    for index, rank in ((2, 1), (0, 1), (3, 4), (1, 2)):
        assert drop(board.slots, make_drag_data(index), board.slots.slot_rect(rank).center())
    assert rows_of(board) == ["", "AC", "B", "", "D"]
    # dropped on the translations, a letter loses its rank
    assert drop(board, make_drag_data(0), QPoint(30, 30))
    assert rows_of(board) == ["A", "C", "B", "", "D"]
    assert project.recorded_values("ranks")[-1] == (0, 2, 1, 4)


def test_drop_of_other_data_is_rejected(driver):
    project = driver.begin(make_project("rank", outputs=3))
    text_data = QMimeData()
    text_data.setText("2")
    for data in (text_data, make_drag_data(4)):
        assert not drop(driver.card.slots, data, QPoint(20, 60))
    invalid = QMimeData()
    invalid.setData("application/x-qe-desktop-output", b"-1")
    assert dragged_index(invalid) is None
    assert project.recorded_values("ranks") == []


def test_drag_starts_at_a_letter_and_carries_its_index(driver, monkeypatch):
    driver.begin(make_project("rank", outputs=3))
    carried = []

    def fake_exec(drag, action):
        carried.append(dragged_index(drag.mimeData()))
        return action

    monkeypatch.setattr("PySide6.QtGui.QDrag.exec", fake_exec)
    badge = driver.card.cards[1].badge
    middle = badge.rect().center()
    QTest.mousePress(badge, Qt.MouseButton.LeftButton, NONE, middle)
    QTest.mouseMove(badge, middle + QPoint(40, 0))
    assert carried == [1]
    assert driver.card.selected_index == 1


def test_rank_buttons_set_ranks_by_mouse(driver):
    project = driver.begin(make_project("rank", outputs=3))
    card = driver.card.cards[1]
    QTest.mouseClick(card.buttons[2], Qt.MouseButton.LeftButton)
    assert project.recorded_values("ranks") == [(0, 3, 0)]
    assert [button.isChecked() for button in card.buttons] == [False, False, True]
    assert card.buttons[2].accessibleName() == "Translation B: rank 3, worst"
    # a second click on the same digit clears the rank
    QTest.mouseClick(card.buttons[2], Qt.MouseButton.LeftButton)
    assert project.recorded_values("ranks")[-1] == (0, 0, 0)
    QTest.mouseClick(driver.card.cards[2].badge, Qt.MouseButton.LeftButton)
    assert driver.card.selected_index == 2
    # a click on a slot ranks the selected translation
    slots = driver.card.slots
    QTest.mouseClick(slots, Qt.MouseButton.LeftButton, pos=slots.slot_rect(1).center())
    assert project.recorded_values("ranks")[-1] == (0, 0, 1)
    QTest.mouseClick(slots.badges[2], Qt.MouseButton.LeftButton)
    assert driver.card.selected_index == 2


def test_undo_names_the_letter_and_restores_the_row(driver):
    driver.begin(make_project("rank", outputs=3))
    driver.press(Key.Key_1, Key.Key_3)
    assert driver.area.undo_text == "rank 3 for B, item 1"
    driver.area.undo()
    assert rows_of(driver.card) == ["BC", "A", "", ""]
    driver.area.redo()
    assert rows_of(driver.card) == ["C", "A", "", "B"]


def test_ranks_are_restored_after_reopening(driver):
    project = driver.begin(make_project("rank", outputs=3))
    driver.press(Key.Key_1, Key.Key_1)
    driver.open(project)
    assert rows_of(driver.card) == ["C", "AB", "", ""]
    assert driver.card.selected_index == 2


def test_differences_are_marked_relative_to_the_selected_translation(driver):
    driver.begin(make_project("rank", outputs=3))
    driver.press(Key.Key_D, modifier=Qt.KeyboardModifier.ShiftModifier)
    panes = [card.pane for card in driver.card.cards]
    assert [underlined_parts(pane) for pane in panes] == [[], ["x"], ["xx"]]
    assert driver.card.legend.isVisible()
    driver.press(Key.Key_B)
    assert [underlined_parts(pane) for pane in panes] == [[], [], ["xx"]]
    driver.press(Key.Key_W)
    assert [underlined_parts(pane) for pane in panes] == [[], [], []]


def test_differences_after_an_emoji_underline_the_correct_words(driver):
    driver.begin(make_project("rank", outputs=2, texts=["😀 Hund und Katze"], items=1))
    driver.press(Key.Key_W)
    (selection,) = driver.card.cards[1].pane.extraSelections()
    assert selection.cursor.selectedText() == "x"


def test_comment_shortcut_does_not_use_a_letter_of_a_translation(driver):
    driver.begin(make_project("rank", outputs=3))
    driver.press(Key.Key_C)
    assert not driver.items.comment.isVisible()
    driver.press(Key.Key_C, modifier=Qt.KeyboardModifier.ShiftModifier)
    assert driver.items.comment.hasFocus()


def single_text_campaign(protocol: str):
    """A campaign whose first item shows one text, because the outputs of all systems are identical."""
    source = make_project(protocol, outputs=2, items=2)
    first = source.screens[0]
    source.screens[0] = Screen(first.uid, "ann", 0, 0, first.outputs[:1])
    return source


@pytest.mark.parametrize("protocol", ["rank", "pairwise"])
def test_enter_goes_on_if_all_outputs_are_identical(driver, qtbot, protocol):
    project = driver.begin(single_text_campaign(protocol))
    assert "nothing to compare" in driver.card.question.label.text()
    driver.press(Key.Key_5)
    assert "nothing to compare" in driver.items.messages.text
    driver.press(Key.Key_Return)
    qtbot.waitUntil(lambda: driver.position == 1)
    assert project.recorded_values("ranks") == [(1,)]
    assert driver.area.undo_text == "nothing to compare, item 1"
    qtbot.waitUntil(lambda: [card.isVisible() for card in driver.card.cards] == [True, True])
    driver.press(Key.Key_Left)
    assert [card.isVisible() for card in driver.card.cards][1:] in ([], [False])


@pytest.mark.parametrize("protocol", ["rank", "pairwise"])
def test_arrow_keys_record_nothing_if_all_outputs_are_identical(driver, protocol):
    project = driver.begin(single_text_campaign(protocol))
    driver.press(Key.Key_Down, Key.Key_Up)
    assert project.recorded_values("ranks") == []
    assert driver.position == 0


@pytest.mark.parametrize("protocol", ["rank", "pairwise"])
def test_item_with_identical_outputs_asks_no_question_and_offers_no_answers(driver, qtbot, protocol):
    driver.begin(single_text_campaign(protocol))
    card = driver.card
    question, height = card.question.label.text(), card.question.height()
    answers = card.slots if protocol == "rank" else card.row
    box = card.cards[0]
    assert "better" not in question
    assert "Rank" not in question
    assert not driver.items.header.guide.isVisible()
    assert [card.missing.text(), card.legend.text()] == ["", ""]
    assert not any(control.isVisible() for control in (answers, box.badge, *box.buttons))
    assert driver.session.missing_text() == "Nothing to compare"
    driver.press(Key.Key_Return)
    qtbot.waitUntil(
        lambda: (
            driver.position == 1
            and all(part.isVisible() for part in (answers, card.cards[0].badge, *card.cards[0].buttons))
        )
    )
    assert card.question.label.text() != question
    assert card.question.height() == height, "nothing moves"


def test_selected_translation_is_scrolled_into_view_by_whole_rows(driver, qtbot):
    texts = ["Der Vorstand hat in seiner Sitzung beschlossen, die Sanierung der Brücke zu verschieben. " * 9]
    driver.begin(make_project("rank", outputs=4, texts=texts, items=1))
    card, bar = driver.card, driver.card.view.verticalScrollBar()
    settled(lambda: [bar.maximum(), *(box.y() for box in card.cards)])

    def is_in_view(row: int) -> bool:
        box = card.cards[row]
        return bar.value() <= box.y() and box.y() + box.height() <= bar.value() + card.view.viewport().height()

    for key, row in ((Key.Key_D, 3), (Key.Key_B, 1), (Key.Key_C, 2)):
        driver.press(key)
        qtbot.waitUntil(lambda row=row: is_in_view(row) and bar.value() in [box.y() for box in card.cards])


@pytest.mark.parametrize(("language", "is_right_to_left"), [("de", False), ("he", True)])
def test_letter_of_a_translation_is_where_its_text_begins(driver, language, is_right_to_left):
    driver.begin(make_project("rank", outputs=2, target_language=language))
    box = driver.card.cards[0]
    assert (box.badge.x() > box.pane.x()) is is_right_to_left
    assert all(button.x() > max(box.badge.x(), box.pane.x()) for button in box.buttons)


def test_ends_of_the_ranks_are_centred_over_their_columns(driver):
    driver.begin(make_project("rank", outputs=3))
    card = driver.card
    for label, button in zip(card._end_labels, (card.cards[0].buttons[0], card.cards[0].buttons[-1]), strict=True):
        rect = label.contentsRect()
        width = label.fontMetrics().horizontalAdvance(label.text())
        left = rect.left() if label is card._end_labels[0] else rect.right() + 1 - width
        middle = label.mapToGlobal(QPoint(left, 0)).x() + width / 2
        assert abs(middle - (button.mapToGlobal(QPoint(0, 0)).x() + button.width() / 2)) <= 1


# --- pairwise comparisons


@pytest.mark.parametrize(
    ("key", "ranks"),
    [(Key.Key_1, (1, 2)), (Key.Key_2, (2, 1)), (Key.Key_0, (1, 1)), (Key.Key_Equal, (1, 1)), (Key.Key_B, (2, 1))],
)
def test_one_key_answers_a_pair_and_goes_on(driver, qtbot, key, ranks):
    project = driver.begin(make_project("pairwise", outputs=2))
    assert isinstance(driver.card, PairwiseCard)
    driver.press(key)
    qtbot.waitUntil(lambda: driver.position == 1)
    assert project.recorded_values("ranks") == [ranks]


def test_recorded_answer_is_checked_after_going_back(driver, qtbot):
    driver.begin(make_project("pairwise", outputs=2))
    QTest.mouseClick(driver.card.row.buttons[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: driver.position == 1)
    assert not any(button.isChecked() for button in driver.card.row.buttons)
    driver.press(Key.Key_Left)
    assert [button.isChecked() for button in driver.card.row.buttons] == [True, False, False]
    assert driver.area.undo_text == "A better, item 1"
    driver.press(Key.Key_5)
    assert driver.items.messages.text == "1: A better, 0: Tie, 2: B better"


def test_c_and_d_keys_work_where_no_translation_has_these_letters(driver):
    driver.begin(make_project("pairwise", outputs=2))
    driver.press(Key.Key_D)
    assert [underlined_parts(card.pane) for card in driver.card.cards] == [[], ["x"]]
    driver.press(Key.Key_C)
    assert driver.items.comment.hasFocus()


def test_cards_match_the_number_of_outputs(driver):
    project = make_project("rank", outputs=4, items=2)
    second = project.screens[1]
    project.screens[1] = Screen(second.uid, "ann", 1, 1, second.outputs[:2])
    driver.begin(project)
    assert len(driver.card.cards) == 4
    driver.press(Key.Key_Right)
    assert [card.pane.texts()[0] for card in driver.card.cards] == [TEXTS[1], f"{TEXTS[1]} x"]
    assert rows_of(driver.card) == ["AB", "", ""]


def test_outputs_are_identified_by_letter_only(driver):
    project = driver.begin(make_project("rank", outputs=3, items=1))
    texts = []
    for widget in driver.items.findChildren(QWidget):
        texts += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip(), widget.objectName()]
        texts += [str(widget.property("text") or ""), str(widget.property("plainText") or "")]
    assert any(TEXTS[0] in text for text in texts)
    assert not [text for text in texts for output in project.outputs if output.uid in text]
