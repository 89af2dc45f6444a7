"""The sheet on which names are matched: by keys alone, one to one, and nothing changes before the end."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QComboBox

from qe_desktop.corpus import IDENTITY_MAPPING, SystemNameMapping
from qe_desktop.corpus.system_matching import MatchReason, SystemNameDraft
from qe_desktop.levels.system_matches import NamedSystems
from qe_desktop.ui.name_matching.name_matching_dialog import NameMatchingDialog, unmatched_text
from qe_desktop.ui.name_matching.name_matching_models import SYSTEM_COLUMN, MatchSystemsModel, NameChoice, NamesModel

GIVEN = ("online_A.en-de", "B", "Nemo", "nobody")
HERE = ("Online-A", "Online-B", "Nemo", "קול")


def begun(given=GIVEN, here=HERE, matched=IDENTITY_MAPPING):
    return SystemNameDraft.begun(given, here, matched)


def found(metric="COMET", given=GIVEN, here=HERE, matched=IDENTITY_MAPPING):
    return NamedSystems(metric, tuple(given), here, matched), begun(given, here, matched)


@pytest.fixture
def sheet(qtbot):
    made = NameMatchingDialog([found()])
    # the tests look at it after it was closed
    made.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(made)
    made.show()
    return made


def press(qtbot, sheet, *keys):
    for key in keys:
        qtbot.keyClick(sheet.table, key)


def chosen(sheet):
    return [sheet.names.index(row, SYSTEM_COLUMN).data() for row in range(sheet.names.rowCount())]


def test_what_is_proposed_is_shown_with_why(sheet, qtmodeltester):
    qtmodeltester.check(sheet.names)
    qtmodeltester.check(sheet.systems.model())
    assert chosen(sheet) == ["Online-A", "Online-B", "Nemo", "keep the name"]
    why = [sheet.names.draft.why(name) for name in GIVEN]
    assert why == [MatchReason.WRITTEN, MatchReason.GUESS, MatchReason.SAME, MatchReason.NONE]
    # the keyboard stands on the first that is unsure
    assert sheet.table.currentIndex().row() == 1
    said = sheet.names.index(1, SYSTEM_COLUMN).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "B, Online-B, guess: please check"
    assert "1 name without a translation: nobody." in sheet.unmatched.text()
    assert "1 translation without scores: " in sheet.unmatched.text()
    assert "קול" in sheet.unmatched.text()
    systems = sheet.systems.model()
    assert [systems.index(row, 1).data() for row in range(4)] == ["online_A.en-de", "B", "Nemo", "none"]


def test_keys_alone_match_names(qtbot, sheet):
    press(qtbot, sheet, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Left)
    assert chosen(sheet)[3] == "קול"
    assert sheet.names.draft.why("nobody") is MatchReason.SAID
    press(qtbot, sheet, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Delete)
    assert chosen(sheet) == ["Online-A", "exclude", "Nemo", "קול"]
    assert "1 name excluded: B." in sheet.unmatched.text()
    press(qtbot, sheet, Qt.Key.Key_Backspace)
    assert chosen(sheet)[1] == "keep the name"
    with qtbot.waitSignal(sheet.applied) as told:
        qtbot.keyClick(sheet, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert told.args[0][0].matched == SystemNameMapping({"online_A.en-de": "Online-A", "nobody": "קול"})
    assert not sheet.isVisible()


def test_enter_lists_every_system_and_who_has_it(qtbot, sheet):
    press(qtbot, sheet, Qt.Key.Key_Return)
    box = sheet.table.viewport().findChild(QComboBox)
    texts = [box.itemText(place) for place in range(box.count())]
    assert texts == ["Online-A, now online_A.en-de", "Online-B", "Nemo, now Nemo", "קול", "keep the name", "exclude"]
    box.setCurrentIndex(0)
    box.activated.emit(0)
    # whoever had it stays without
    assert chosen(sheet) == ["keep the name", "Online-A", "Nemo", "keep the name"]


def test_a_name_that_is_a_systems_is_left_out_where_another_one_stands_for_it(sheet):
    sheet.names.choose(3, "Nemo")
    assert chosen(sheet) == ["Online-A", "Online-B", "exclude", "Nemo"]
    assert sheet.names.draft.matched().among(GIVEN)["nobody"] == "Nemo"
    assert NameChoice.STAYS not in sheet.names.choices(2)
    sheet.names.choose(2, "Nemo")
    assert chosen(sheet)[2:] == ["Nemo", "keep the name"]


def test_left_and_right_pass_over_what_others_have(sheet):
    order = []
    for _ in range(4):
        sheet.names.step(3, -1)
        order.append(chosen(sheet)[3])
    assert order == ["קול"] * 4
    sheet.names.step(3, 1)
    sheet.names.step(3, 1)
    sheet.names.step(3, 1)
    assert chosen(sheet) == ["Online-A", "Online-B", "Nemo", "exclude"]
    assert not sheet.names.setData(sheet.names.index(0, SYSTEM_COLUMN), "no such system")
    assert sheet.names.data(QModelIndex()) is None


def test_cancel_changes_nothing(qtbot, sheet):
    with qtbot.assertNotEmitted(sheet.applied):
        qtbot.keyClick(sheet, Qt.Key.Key_Escape)
    assert not sheet.isVisible()


def test_all_scores_are_seen_before_the_end_and_the_same_names_are_matched_once(qtbot):
    sheet = NameMatchingDialog([found("COMET"), found("BLEURT", GIVEN[::-1]), found("", ("x", "B"))])
    sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(sheet)
    assert sheet.apply_button.text() == "Next: BLEURT"
    sheet.names.choose(3, "קול")
    sheet.apply_button.click()
    assert sheet.choice.currentText() == "BLEURT"
    assert chosen(sheet) == ["קול", "Nemo", "Online-B", "Online-A"]
    assert sheet.apply_button.text() == "Next: ratings"
    sheet.apply_button.click()
    assert sheet.apply_button.text() == "Match"
    assert sheet.names.headerData(0, Qt.Orientation.Horizontal) == "in ratings"
    with qtbot.waitSignal(sheet.applied) as told:
        sheet.apply_button.click()
    comet, bleurt, people = told.args[0]
    assert comet.matched == bleurt.matched
    assert (people.metric, people.matched) == ("", SystemNameMapping({"B": "Online-B"}))


def test_what_was_matched_before_is_shown_again():
    draft = begun(matched=SystemNameMapping({"B": "Online-A", "online_A.en-de": None}))
    assert [draft.why(name) for name in GIVEN] == [
        MatchReason.OUT,
        MatchReason.SAID,
        MatchReason.SAME,
        MatchReason.NONE,
    ]
    assert draft.matched() == SystemNameMapping({"B": "Online-A", "online_A.en-de": None})
    assert unmatched_text(begun(("Nemo",), ("Nemo",))) == "All names are matched."


def test_models_of_many_names_follow_the_draft(qtmodeltester):
    names = tuple(f"system {number}" for number in range(40))
    model = NamesModel(begun(names, tuple(name.upper() for name in names)))
    systems = MatchSystemsModel(model)
    model.choose(0, "SYSTEM 7")
    assert (systems.index(7, 1).data(), systems.index(0, 1).data()) == ("system 0", "none")
    qtmodeltester.check(systems)
