"""Name matching dialog: keyboard use, one-to-one matches, and applying only at the end."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QComboBox

from qe_desktop.corpus import IDENTITY_MAPPING, SystemNameMapping
from qe_desktop.corpus.system_matching import MatchReason, SystemNameDraft
from qe_desktop.levels.system_matches import NamedSystems
from qe_desktop.ui.files.importing.name_matching_dialog import NameMatchingDialog, unmatched_text
from qe_desktop.ui.files.importing.name_matching_models import SYSTEM_COLUMN, MatchSystemsModel, NameChoice, NamesModel

GIVEN = ("online_A.en-de", "B", "Nemo", "nobody")
HERE = ("Online-A", "Online-B", "Nemo", "קול")


def draft_of(given=GIVEN, here=HERE, matched=IDENTITY_MAPPING):
    return SystemNameDraft.create(given, here, matched)


def named_systems(metric="COMET", given=GIVEN, here=HERE, matched=IDENTITY_MAPPING):
    return NamedSystems(metric, tuple(given), here, matched), draft_of(given, here, matched)


@pytest.fixture
def dialog(qtbot):
    matching_dialog = NameMatchingDialog([named_systems()])
    # the tests read the dialog after it was closed
    matching_dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(matching_dialog)
    matching_dialog.show()
    return matching_dialog


def press(qtbot, dialog, *keys):
    for key in keys:
        qtbot.keyClick(dialog.table, key)


def selected_systems(dialog):
    return [dialog.names.index(row, SYSTEM_COLUMN).data() for row in range(dialog.names.rowCount())]


def test_proposed_matches_are_shown_with_their_reason(dialog, qtmodeltester):
    qtmodeltester.check(dialog.names)
    qtmodeltester.check(dialog.systems.model())
    assert selected_systems(dialog) == ["Online-A", "Online-B", "Nemo", "keep the name"]
    reasons = [dialog.names.draft.match_reason(name) for name in GIVEN]
    assert reasons == [MatchReason.NORMALIZED, MatchReason.GUESS, MatchReason.SAME, MatchReason.NONE]
    # the current row is the first uncertain match
    assert dialog.table.currentIndex().row() == 1
    text = dialog.names.index(1, SYSTEM_COLUMN).data(Qt.ItemDataRole.AccessibleTextRole)
    assert text == "B, Online-B, guess: please check"
    assert "1 name without a translation: nobody." in dialog.unmatched.text()
    assert "1 translation without a matching name: " in dialog.unmatched.text()
    assert "קול" in dialog.unmatched.text()
    systems = dialog.systems.model()
    assert [systems.index(row, 1).data() for row in range(4)] == ["online_A.en-de", "B", "Nemo", "none"]


def test_names_can_be_matched_by_keyboard(qtbot, dialog):
    press(qtbot, dialog, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Left)
    assert selected_systems(dialog)[3] == "קול"
    assert dialog.names.draft.match_reason("nobody") is MatchReason.SELECTED
    press(qtbot, dialog, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Delete)
    assert selected_systems(dialog) == ["Online-A", "exclude", "Nemo", "קול"]
    assert "1 name excluded: B." in dialog.unmatched.text()
    press(qtbot, dialog, Qt.Key.Key_Backspace)
    assert selected_systems(dialog)[1] == "keep the name"
    with qtbot.waitSignal(dialog.applied) as applied:
        qtbot.keyClick(dialog, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert applied.args[0][0].matched == SystemNameMapping({"online_A.en-de": "Online-A", "nobody": "קול"})
    assert not dialog.isVisible()


def test_enter_lists_every_system_with_its_current_name(qtbot, dialog):
    press(qtbot, dialog, Qt.Key.Key_Return)
    box = dialog.table.viewport().findChild(QComboBox)
    texts = [box.itemText(index) for index in range(box.count())]
    assert texts == [
        "Online-A (matched with online_A.en-de)",
        "Online-B",
        "Nemo (matched with Nemo)",
        "קול",
        "keep the name",
        "exclude",
    ]
    box.setCurrentIndex(0)
    box.activated.emit(0)
    # the previous name of the system keeps its own name
    assert selected_systems(dialog) == ["keep the name", "Online-A", "Nemo", "keep the name"]


def test_name_of_a_system_is_excluded_if_another_name_takes_the_system(dialog):
    dialog.names.choose(3, "Nemo")
    assert selected_systems(dialog) == ["Online-A", "Online-B", "exclude", "Nemo"]
    assert dialog.names.draft.mapping().map_names(GIVEN)["nobody"] == "Nemo"
    assert NameChoice.KEEP_NAME not in dialog.names.choices(2)
    dialog.names.choose(2, "Nemo")
    assert selected_systems(dialog)[2:] == ["Nemo", "keep the name"]


def test_left_and_right_skip_systems_that_other_names_have(dialog):
    order = []
    for _ in range(4):
        dialog.names.step(3, -1)
        order.append(selected_systems(dialog)[3])
    assert order == ["קול"] * 4
    dialog.names.step(3, 1)
    dialog.names.step(3, 1)
    dialog.names.step(3, 1)
    assert selected_systems(dialog) == ["Online-A", "Online-B", "Nemo", "exclude"]
    assert not dialog.names.setData(dialog.names.index(0, SYSTEM_COLUMN), "no such system")
    assert dialog.names.data(QModelIndex()) is None


def test_cancel_changes_nothing(qtbot, dialog):
    with qtbot.assertNotEmitted(dialog.applied):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


def test_all_scores_are_shown_before_applying_and_share_their_matches(qtbot):
    dialog = NameMatchingDialog(
        [named_systems("COMET"), named_systems("BLEURT", GIVEN[::-1]), named_systems("", ("x", "B"))]
    )
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    assert dialog.apply_button.text() == "Next: BLEURT"
    dialog.names.choose(3, "קול")
    dialog.apply_button.click()
    assert dialog.scores_combo_box.currentText() == "BLEURT"
    assert selected_systems(dialog) == ["קול", "Nemo", "Online-B", "Online-A"]
    assert dialog.apply_button.text() == "Next: ratings"
    dialog.apply_button.click()
    assert dialog.apply_button.text() == "Match"
    assert dialog.names.headerData(0, Qt.Orientation.Horizontal) == "in ratings"
    with qtbot.waitSignal(dialog.applied) as applied:
        dialog.apply_button.click()
    comet, bleurt, people = applied.args[0]
    assert comet.matched == bleurt.matched
    assert (people.metric, people.matched) == ("", SystemNameMapping({"B": "Online-B"}))


def test_previous_matching_is_shown_again():
    draft = draft_of(matched=SystemNameMapping({"B": "Online-A", "online_A.en-de": None}))
    assert [draft.match_reason(name) for name in GIVEN] == [
        MatchReason.LEFT_OUT,
        MatchReason.SELECTED,
        MatchReason.SAME,
        MatchReason.NONE,
    ]
    assert draft.mapping() == SystemNameMapping({"B": "Online-A", "online_A.en-de": None})
    assert unmatched_text(draft_of(("Nemo",), ("Nemo",))) == "All names are matched."


def test_models_follow_the_draft(qtmodeltester):
    names = tuple(f"system {number}" for number in range(40))
    model = NamesModel(draft_of(names, tuple(name.upper() for name in names)))
    systems = MatchSystemsModel(model)
    model.choose(0, "SYSTEM 7")
    assert (systems.index(7, 1).data(), systems.index(0, 1).data()) == ("system 0", "none")
    qtmodeltester.check(systems)


def test_list_that_is_open_or_has_no_name_is_not_opened_again(dialog, qtbot):
    table = dialog.table
    # Qt warns if editing fails, and a warning fails the test
    for _ in range(2):
        table.open_list()
        assert table.viewport().findChild(QComboBox) is not None
    table.setCurrentIndex(QModelIndex())
    table.open_list()
    qtbot.mouseClick(
        table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(dialog.names.index(0, 1)).center()
    )
    table.open_list()
