"""Rankings and pairs by keys, mouse and drag."""

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


def drop(target, data: QMimeData, at: QPoint) -> bool:
    """A drag that comes in, moves and is let go; whether it was taken."""
    left = Qt.MouseButton.LeftButton
    enter = QDragEnterEvent(at, Qt.DropAction.MoveAction, data, left, NONE)
    QApplication.sendEvent(target, enter)
    if not enter.isAccepted():
        return False
    QApplication.sendEvent(target, QDragMoveEvent(at, Qt.DropAction.MoveAction, data, left, NONE))
    event = QDropEvent(QPointF(at), Qt.DropAction.MoveAction, data, left, NONE, QEvent.Type.Drop)
    QApplication.sendEvent(target, event)
    return event.isAccepted()


def rows_of(board: RankAllCard) -> list[str]:
    """Each row of the ladder as its letters, the one without ranks first, read from where the letters stand."""
    ladder = board.ladder
    found = [""] * (len(board.cards) + 1)
    for card in board.cards:
        badge = ladder.badges[card.place]
        found[ladder.rank_at(badge.geometry().center().y())] += "ABCDE"[card.place]
    return found


def marked(pane: ReadingPane) -> list[str]:
    """The parts of a text that are underlined."""
    return [one.cursor.selectedText() for one in pane.extraSelections()]


def test_digits_rank_one_after_the_other_and_enter_goes_on(controller):
    made = controller.begin(make("rank", outputs=3))
    board = controller.card
    assert isinstance(board, RankAllCard)
    assert rows_of(board) == ["ABC", "", "", ""]
    assert controller.items.state.missing.text() == "Rank A, B and C"
    controller.press(Key.Key_2, Key.Key_1)
    assert controller.items.state.missing.text() == "Rank C"
    assert board.picked == 2
    controller.press(Key.Key_2)
    assert rows_of(board) == ["", "B", "AC", ""]
    assert made.said("ranks") == [(2, 0, 0), (2, 1, 0), (2, 1, 2)]
    assert board.ladder.accessibleDescription() == "B > A = C"
    # the last rank is seldom the last change: nothing goes on by itself
    assert controller.session._then is None
    assert controller.place == 0
    controller.press(Key.Key_Return)
    assert controller.place == 1
    assert rows_of(board) == ["ABC", "", "", ""]


def test_letters_pick_and_arrows_move(controller):
    made = controller.begin(make("rank", outputs=3))
    board = controller.card
    controller.press(Key.Key_C, Key.Key_1, Key.Key_B, Key.Key_Up, Key.Key_Up)
    assert board.picked == 1
    assert made.said("ranks")[-1] == (0, 2, 1)
    controller.press(Key.Key_Up, Key.Key_Up)
    assert made.said("ranks")[-1] == (0, 1, 1)
    controller.press(Key.Key_Down, Key.Key_Down, Key.Key_Down)
    # moving against the end says nothing new
    assert made.said("ranks") == [(0, 0, 1), (0, 3, 1), (0, 2, 1), (0, 1, 1), (0, 2, 1), (0, 3, 1)]
    controller.press(Key.Key_0)
    assert made.said("ranks")[-1] == (0, 0, 1)


def test_a_rank_beyond_the_last_is_explained(controller):
    controller.begin(make("rank", outputs=3))
    controller.press(Key.Key_5)
    assert controller.items.state.missing.text() == "Ranks go from 1 (best) to 3"


def test_letters_are_dragged_into_rows(controller):
    made = controller.begin(make("rank", outputs=4))
    board = controller.card
    for place, rank in ((2, 1), (0, 1), (3, 4), (1, 2)):
        assert drop(board.ladder, make_drag_data(place), board.ladder.row_rect(rank).center())
    assert rows_of(board) == ["", "AC", "B", "", "D"]
    assert drop(board.ladder, make_drag_data(0), board.ladder.row_rect(0).center())
    assert rows_of(board) == ["A", "C", "B", "", "D"]
    assert made.said("ranks")[-1] == (0, 2, 1, 4)


def test_what_is_no_output_of_this_screen_is_not_taken(controller):
    made = controller.begin(make("rank", outputs=3))
    words = QMimeData()
    words.setText("2")
    for data in (words, make_drag_data(4)):
        assert not drop(controller.card.ladder, data, QPoint(20, 60))
    strange = QMimeData()
    strange.setData("application/x-qe-desktop-output", b"-1")
    assert dragged_index(strange) is None
    assert made.said("ranks") == []


def test_a_drag_begins_at_a_letter_and_carries_it(controller, monkeypatch):
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


def test_round_buttons_give_ranks_by_mouse(controller):
    made = controller.begin(make("rank", outputs=3))
    card = controller.card.cards[1]
    QTest.mouseClick(card.buttons[2], Qt.MouseButton.LeftButton)
    assert made.said("ranks") == [(0, 3, 0)]
    assert [button.isChecked() for button in card.buttons] == [False, False, True]
    assert card.buttons[2].accessibleName() == "Translation B: rank 3, worst"
    QTest.mouseClick(controller.card.ladder.badges[2], Qt.MouseButton.LeftButton)
    assert controller.card.picked == 2


def test_undo_names_the_letter_and_brings_back_the_row(controller):
    controller.begin(make("rank", outputs=3))
    controller.press(Key.Key_1, Key.Key_3)
    assert controller.area.undo_text == "rank 3 for B, item 1"
    controller.area.undo()
    assert rows_of(controller.card) == ["BC", "A", "", ""]
    controller.area.redo()
    assert rows_of(controller.card) == ["C", "A", "", "B"]


def test_ranks_are_there_again_after_a_restart(controller):
    made = controller.begin(make("rank", outputs=3))
    controller.press(Key.Key_1, Key.Key_1)
    controller.open(made)
    assert rows_of(controller.card) == ["C", "AB", "", ""]
    assert controller.card.picked == 2


def test_differences_from_the_one_that_is_picked(controller):
    controller.begin(make("rank", outputs=3))
    controller.press(Key.Key_D, modifier=Qt.KeyboardModifier.ShiftModifier)
    panes = [card.pane for card in controller.card.cards]
    assert [marked(pane) for pane in panes] == [[], ["x"], ["xx"]]
    assert controller.card.legend.isVisible()
    controller.press(Key.Key_B)
    assert [marked(pane) for pane in panes] == [[], [], ["xx"]]
    controller.press(Key.Key_W)
    assert [marked(pane) for pane in panes] == [[], [], []]


def test_differences_after_an_emoji_stand_under_their_words(controller):
    controller.begin(make("rank", outputs=2, texts=["😀 Hund und Katze"], items=1))
    controller.press(Key.Key_W)
    (selection,) = controller.card.cards[1].pane.extraSelections()
    assert selection.cursor.selectedText() == "x"


def test_comments_keep_off_the_letters_of_cards(controller):
    controller.begin(make("rank", outputs=3))
    controller.press(Key.Key_C)
    assert not controller.items.comment.isVisible()
    controller.press(Key.Key_C, modifier=Qt.KeyboardModifier.ShiftModifier)
    assert controller.items.comment.hasFocus()


def alone(protocol: str):
    """A campaign whose first item shows one text: all systems wrote the same."""
    made = make(protocol, outputs=2, items=2)
    first = made.screens[0]
    made.screens[0] = Screen(first.uid, "ann", 0, 0, first.outputs[:1])
    return made


@pytest.mark.parametrize("protocol", ["rank", "pairwise"])
def test_where_all_systems_wrote_the_same_enter_goes_on(controller, qtbot, protocol):
    made = controller.begin(alone(protocol))
    assert "nothing to compare" in controller.card.legend.text()
    assert controller.card.legend.isVisible()
    controller.press(Key.Key_Return)
    qtbot.waitUntil(lambda: controller.place == 1)
    assert made.said("ranks") == [(1,)]
    qtbot.waitUntil(lambda: [card.isVisible() for card in controller.card.cards] == [True, True])
    controller.press(Key.Key_Left)
    assert [card.isVisible() for card in controller.card.cards][1:] in ([], [False])


# --- pairs


@pytest.mark.parametrize(
    ("key", "ranks"),
    [(Key.Key_1, (1, 2)), (Key.Key_2, (2, 1)), (Key.Key_0, (1, 1)), (Key.Key_Equal, (1, 1)), (Key.Key_B, (2, 1))],
)
def test_one_key_answers_and_goes_on(controller, qtbot, key, ranks):
    made = controller.begin(make("pairwise", outputs=2))
    assert isinstance(controller.card, PairwiseCard)
    controller.press(key)
    qtbot.waitUntil(lambda: controller.place == 1)
    assert made.said("ranks") == [ranks]


def test_the_answer_is_marked_when_one_comes_back(controller, qtbot):
    controller.begin(make("pairwise", outputs=2))
    QTest.mouseClick(controller.card.row.buttons[0], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: controller.place == 1)
    assert not any(button.isChecked() for button in controller.card.row.buttons)
    controller.press(Key.Key_Left)
    assert [button.isChecked() for button in controller.card.row.buttons] == [True, False, False]
    assert controller.area.undo_text == "A better, item 1"
    controller.press(Key.Key_5)
    assert controller.items.state.missing.text() == "1: A better, 0: Tie, 2: B better"


def test_c_comments_and_d_shows_differences_where_no_translation_has_these_letters(controller):
    controller.begin(make("pairwise", outputs=2))
    controller.press(Key.Key_D)
    assert [marked(card.pane) for card in controller.card.cards] == [[], ["x"]]
    controller.press(Key.Key_C)
    assert controller.items.comment.hasFocus()


def test_cards_follow_the_number_of_outputs(controller):
    made = make("rank", outputs=4, items=2)
    second = made.screens[1]
    made.screens[1] = Screen(second.uid, "ann", 1, 1, second.outputs[:2])
    controller.begin(made)
    assert len(controller.card.cards) == 4
    controller.press(Key.Key_Right)
    assert [card.pane.texts()[0] for card in controller.card.cards] == [TEXTS[1], f"{TEXTS[1]} x"]
    assert rows_of(controller.card) == ["AB", "", ""]


def test_nothing_in_view_names_an_output_otherwise_than_by_its_letter(controller):
    made = controller.begin(make("rank", outputs=3, items=1))
    said = []
    for widget in controller.items.findChildren(QWidget):
        said += [widget.accessibleName(), widget.accessibleDescription(), widget.toolTip(), widget.objectName()]
        said += [str(widget.property("text") or ""), str(widget.property("plainText") or "")]
    assert any(TEXTS[0] in one for one in said)
    assert not [one for one in said for output in made.outputs if output.uid in one]
