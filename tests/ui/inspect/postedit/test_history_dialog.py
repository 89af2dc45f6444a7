"""History of a segment: what each entry changed, and restoring an earlier target."""

from __future__ import annotations

from qe_desktop.corpus import ReviewStatus
from qe_desktop.project import ReviewField
from qe_desktop.ui.inspect.postedit.history_dialog import HistoryDialog
from tests.ui.inspect.postedit.conftest import TARGETS


def test_history_shows_what_each_entry_changed(area, job_workspace):
    session = job_workspace.session
    target = f"{TARGETS[1]} Ende"
    session.reviewing.set({1: {ReviewField.TARGET: target}})
    session.reviewing.set({1: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    job_workspace.go_to(1)
    area.review.show_history()
    dialog = area.findChild(HistoryDialog)
    # the latest entry changed only the status; its target is the current one
    assert dialog.changes.accessibleDescription() == ""
    assert dialog.changes.toPlainText().endswith("Ende")
    assert not dialog.restore.isEnabled()
    dialog.table.selectRow(1)
    assert dialog.changes.accessibleDescription() == "added “Ende”"
    dialog.table.selectRow(2)
    assert dialog.changes.accessibleDescription() == ""
    dialog.restore.click()
    assert job_workspace.view.review.targets == {}


def test_no_target_is_restored_in_a_read_only_session(area, job_workspace):
    """The button was enabled, and ended in an error after the dialog had closed."""
    session = job_workspace.session
    session.reviewing.set({1: {ReviewField.TARGET: "Neu"}})
    session.read_only = "another program writes"
    job_workspace.go_to(1)
    area.review.show_history()
    dialog = area.findChild(HistoryDialog)
    dialog.table.selectRow(1)
    assert not dialog.restore.isEnabled()
    assert "another program writes" in dialog.restore.toolTip()
