"""Controller of the QA check results: after a cancelled run, outdated results are marked as outdated."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget

from qe_desktop.project import ReviewField
from qe_desktop.ui.inspect import qa_result_panel
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.ui.inspect.postedit.conftest import job_corpus


@pytest.fixture
def results(workspace, qtbot):
    """Controller of the results of a bilingual file, which are up to date."""
    workspace.open(job_corpus())
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    area.show()
    qtbot.waitUntil(lambda: area.review.live_checks.is_ready)
    controller = area.review.qa_results
    controller.open()
    qtbot.waitUntil(lambda: not controller._is_running)
    assert not controller._is_outdated
    qtbot.waitUntil(workspace.jobs.is_idle)
    yield controller
    # the area owns the controller
    assert area.review.qa_results is controller


def test_an_export_states_how_many_results_are_not_listed(results, qtbot, tmp_path, monkeypatch):
    monkeypatch.setattr(qa_result_panel, "MAX_RESULTS", 1)
    monkeypatch.setattr(FileDialog, "getSaveFileName", staticmethod(lambda *_: (str(tmp_path / "a.html"), "")))
    messages: list[str] = []
    results.workspace.file_written.connect(lambda message, _: messages.append(message))
    results.workspace.session.reviewing.set({1: {ReviewField.TARGET: "Apfel Apfel ( 3."}})
    results.run()
    qtbot.waitUntil(lambda: results._results.total > len(results._results.items) == 1)
    number = results._results.total - 1
    results.panel.export_requested.emit("html")
    qtbot.waitUntil(lambda: bool(messages))
    noun, verb = ("result", "is") if number == 1 else ("results", "are")
    note = f"{number} more {noun} across all checks {verb} not listed."
    assert messages == [f"a.html written: 1 QA check result. {note}"]
    assert note in (tmp_path / "a.html").read_text(encoding="utf-8")
    (tmp_path / "second.html").hardlink_to(tmp_path / "a.html")
    results.panel.export_requested.emit("html")
    qtbot.waitUntil(lambda: len(messages) == 2)
    assert messages[1] == f"{messages[0]} 1 other hard link to a.html still has the old content."


def test_a_cancelled_run_leaves_current_results_current(results):
    results.run()
    results.panel.stop_requested.emit()
    assert not results._is_outdated


def test_changed_checks_make_results_outdated_if_the_run_is_cancelled(results):
    results.run()
    results.workspace.settings.disabled_checks = ["numbers"]
    assert results._is_running
    results.panel.stop_requested.emit()
    assert results._is_outdated


def test_edits_before_a_cancelled_run_make_results_outdated(results):
    # the results of edits are updated after the live checks
    results.live_checks._begin()
    results.workspace.session.reviewing.set({1: {ReviewField.TARGET: "Apfel Apfel"}})
    results.run()
    results.panel.stop_requested.emit()
    assert results._is_outdated
