"""Rankings and pairwise comparisons by keys, mouse, and drag and drop."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from qe_desktop.ratings.campaign import Screen
from qe_desktop.ui.rate.ranking.pairwise_card import PairwiseCard
from qe_desktop.ui.rate.ranking.rank_all_card import RankAllCard
from qe_desktop.ui.rate.ranking.rank_drop_list import dragged_index, make_drag_data
from qe_desktop.ui.rate.texts.reading_pane import ReadingPane
from tests.ui.rate.conftest import TEXTS, make

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
    """Return the letters in each row of the ladder by their positions on screen, unranked first."""
    ladder = board.ladder
    rows = [""] * (len(board.cards) + 1)
    for card in board.cards:
        badge = ladder.badges[card.place]
        rows[ladder.rank_at(badge.geometry().center().y())] += "ABCDE"[card.place]
    return rows


def marked(pane: ReadingPane) -> list[str]:
    """Return the underlined parts of a text."""
    return [selection.cursor.selectedText() for selection in pane.extraSelections()]


def test_digits_rank_translations_in_turn_and_enter_goes_on(controller):
    project = controller.begin(make("rank", outputs=3))
    board = controller.card
    assert isinstance(board, RankAllCard)
    assert rows_of(board) == ["ABC", "", "", ""]
    assert controller.items.state.missing.text() == "Rank A, B and C"
    controller.press(Key.Key_2, Key.Key_1)
    assert controller.items.state.missing.text() == "Rank C"
    assert board.picked == 2
    controller.press(Key.Key_2)
    assert rows_of(board) == ["", "B", "AC", ""]
    assert project.said("ranks") == [(2, 0, 0), (2, 1, 0), (2, 1, 2)]
    assert board.ladder.accessibleDescription() == "B > A = C"
    # the last rank is often changed again, so the item does not advance by itself
    assert controller.session._then is None
    assert controller.place == 0
    controller.press(Key.Key_Return)
    assert controller.place == 1
    assert rows_of(board) == ["ABC", "", "", ""]


def test_letters_select_translations_and_arrows_change_ranks(controller):
    project = controller.begin(make("rank", outputs=3))
    board = controller.card
    controller.press(Key.Key_C, Key.Key_1, Key.Key_B, Key.Key_Up, Key.Key_Up)
    assert board.picked == 1
    assert project.said("ranks")[-1] == (0, 2, 1)
    controller.press(Key.Key_Up, Key.Key_Up)
    assert project.said("ranks")[-1] == (0, 1, 1)
    controller.press(Key.Key_Down, Key.Key_Down, Key.Key_Down)
    # a move beyond the first or last rank records no event
    assert project.said("ranks") == [(0, 0, 1), (0, 3, 1), (0, 2, 1), (0, 1, 1), (0, 2, 1), (0, 3, 1)]
    controller.press(Key.Key_0)
    assert project.said("ranks")[-1] == (0, 0, 1)


def test_rank_beyond_the_last_is_explained(controller):
    controller.begin(make("rank", outputs=3))
    controller.press(Key.Key_5)
    assert controller.items.state.missing.text() == "Ranks go from 1 (best) to 3"


def test_letters_can_be_dragged_into_rows(controller):
    project = controller.begin(make("rank", outputs=4))
    board = controller.card
    for index, rank in ((2, 1), (0, 1), (3, 4), (1, 2)):
        assert drop(board.ladder, make_drag_data(index), board.ladder.row_rect(rank).center())
    assert rows_of(board) == ["", "AC", "B", "", "D"]
    assert drop(board.ladder, make_drag_data(0), board.ladder.row_rect(0).center())
    assert rows_of(board) == ["A", "C", "B", "", "D"]
    assert project.said("ranks")[-1] == (0, 2, 1, 4)


def test_drop_of_other_data_is_rejected(controller):
    project = controller.begin(make("rank", outputs=3))
    text_data = QMimeData()
    text_data.setText("2")
    for data in (text_data, make_drag_data(4)):
        assert not drop(controller.card.ladder, data, QPoint(20, 60))
    invalid = QMimeData()
    invalid.setData("application/x-qe-desktop-output", b"-1")
    assert dragged_index(invalid) is None
    assert project.said("ranks") == []


def test_drag_starts_at_a_letter_and_carries_its_index(controller, monkeypatch):
    controller.begin(make("rank", outputs=3))
    carried = []

    def fake_exec(drag, action):
        carried.append(dragged_index(drag.mimeData()))
        return action

    monkeypatch.setattr("PySide6.QtGui.QDrag.exec", fake_exec)
    badge = controller.card.cards[1].badge
    middle = badge.rect().center()
    QTest.mousePress(badge, Qt.MouseButton.LeftButton, NONE, middle)
    QTest.mouseMove(badge, middle + QPoint(40, 0))
    assert carried == [1]
    assert controller.card.picked == 1


def test_rank_buttons_set_ranks_by_mouse(controller):
    project = controller.begin(make("rank", outputs=3))
    card = controller.card.cards[1]
    QTest.mouseClick(card.buttons[2], Qt.MouseButton.LeftButton)
    assert project.said("ranks") == [(0, 3, 0)]
    assert [button.isChecked() for button in card.buttons] == [False, False, True]
    assert card.buttons[2].accessibleName() == "Translation B: rank 3, worst"
    QTest.mouseClick(controller.card.ladder.badges[2], Qt.MouseButton.LeftButton)
    assert controller.card.picked == 2


def test_undo_names_the_letter_and_restores_the_row(controller):
    controller.begin(make("rank", outputs=3))
    controller.press(Key.Key_1, Key.Key_3)
    assert controller.area.undo_text == "rank 3 for B, item 1"
    controller.area.undo()
    assert rows_of(controller.card) == ["BC", "A", "", ""]
    controller.area.redo()
    assert rows_of(controller.card) == ["C", "A", "", "B"]


def test_ranks_are_restored_after_reopening(controller):
    project = controller.begin(make("rank", outputs=3))
    controller.press(Key.Key_1, Key.Key_1)
    controller.open(project)
    assert rows_of(controller.card) == ["C", "AB", "", ""]
    assert controller.card.picked == 2


def test_differences_are_marked_relative_to_the_selected_translation(controller):
    controller.begin(make("rank", outputs=3))
    controller.press(Key.Key_D, modifier=Qt.KeyboardModifier.ShiftModifier)
    panes = [card.pane for card in controller.card.cards]
    assert [marked(pane) for pane in panes] == [[], ["x"], ["xx"]]
    assert controller.card.legend.isVisible()
    controller.press(Key.Key_B)
    assert [marked(pane) for pane in panes] == [[], [], ["xx"]]
    controller.press(Key.Key_W)
    assert [marked(pane) for pane in panes] == [[], [], []]


def test_differences_after_an_emoji_underline_the_correct_words(controller):
    controller.begin(make("rank", outputs=2, texts=["😀 Hund und Katze"], items=1))
    controller.press(Key.Key_W)
    (selection,) = controller.card.cards[1].pane.extraSelections()
    assert selection.cursor.selectedText() == "x"


def test_comment_shortcut_does_not_use_a_letter_of_a_translation(controller):
    controller.begin(make("rank", outputs=3))
    controller.press(Key.Key_C)
    assert not controller.items.comment.isVisible()
    controller.press(Key.Key_C, modifier=Qt.KeyboardModifier.ShiftModifier)
    assert controller.items.comment.hasFocus()


def single_text_campaign(protocol: str):
    """A campaign whose first item shows one text, because the outputs of all systems are identical."""
    source = make(protocol, outputs=2, items=2)
    first = source.screens[0]
    source.screens[0] = Screen(first.uid, "ann", 0, 0, first.outputs[:1])
    return source


@pytest.mark.parametrize("protocol", ["rank", "pairwise"])
def test_enter_goes_on_if_all_outputs_are_identical(controller, qtbot, protocol):
    project = controller.begin(single_text_campaign(protocol))
    assert "nothing to compare" in controller.card.legend.text()
    assert controller.card.legend.isVisible()
    controller.press(Key.Key_Return)
    qtbot.waitUntil(lambda: controller.place == 1)
    assert project.said("ranks") == [(1,)]
    qtbot.waitUntil(lambda: [card.isVisible() for card in controller.card.cards] == [True, True])
    controller.press(Key.Key_Left)
    assert [card.isVisible() for card in controller.card.cards][1:] in ([], [False])


# --- pairwise comparisons


@pytest.mark.parametrize(
    ("key", "ranks"),
    [(Key.Key_1, (1, 2)), (Key.Key_2, (2, 1)), (Key.Key_0, (1, 1)), (Key.Key_Equal, (1, 1)), (Key.Key_B, (2, 1))],
)
def test_one_key_answers_a_pair_and_goes_on(controller, qtbot, key, ranks):
    project = controller.begin(make("pairwise", outputs=2))
    assert isinstance(controller.card, PairwiseCard)
    controller.press(key)
    qtbot.waitUntil(lambda: controller.place == 1)
    assert project.said("ranks") == [ranks]


def test_recorded_answer_is_checked_after_going_back(controller, qtbot):
    controller.begin(make("pairwise", outputs=2))
    QTest.mouseClick(controller.card.row.buttons[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: controller.place == 1)
    assert not any(button.isChecked() for button in controller.card.row.buttons)
    controller.press(Key.Key_Left)
    assert [button.isChecked() for button in controller.card.row.buttons] == [True, False, False]
    assert controller.area.undo_text == "A better, item 1"
    controller.press(Key.Key_5)
    assert controller.items.state.missing.text() == "1: A better, 0: Tie, 2: B better"


def test_c_and_d_keys_work_where_no_translation_has_these_letters(controller):
    controller.begin(make("pairwise", outputs=2))
    controller.press(Key.Key_D)
    assert [marked(card.pane) for card in controller.card.cards] == [[], ["x"]]
    controller.press(Key.Key_C)
    assert controller.items.comment.hasFocus()


def test_cards_match_the_number_of_outputs(controller):
    project = make("rank", outputs=4, items=2)
    second = project.screens[1]
    project.screens[1] = Screen(second.uid, "ann", 1, 1, second.outputs[:2])
    controller.begin(project)
    assert len(controller.card.cards) == 4
    controller.press(Key.Key_Right)
    assert [card.pane.texts()[0] for card in controller.card.cards] == [TEXTS[1], f"{TEXTS[1]} x"]
    assert rows_of(controller.card) == ["AB", "", ""]


def test_outputs_are_identified_by_letter_only(controller):
    project = controller.begin(make("rank", outputs=3, items=1))
    texts = []
    for widget in controller.items.findChildren(QWidget):
        texts += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip(), widget.objectName()]
        texts += [str(widget.property("text") or ""), str(widget.property("plainText") or "")]
    assert any(TEXTS[0] in text for text in texts)
    assert not [text for text in texts for output in project.outputs if output.uid in text]
