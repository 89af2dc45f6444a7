"""Messages of project threads reach the window on the GUI thread, and never after the project was closed."""

from __future__ import annotations

import threading

from PySide6.QtCore import QCoreApplication, QThread

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.project.events import RemoteChanges, SettingRow
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.projects.project_sync import ProjectSync, ProjectThreadBridge
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.workspace import Workspace


def run_in_thread(tell):
    thread = threading.Thread(target=tell)
    thread.start()
    thread.join()


def test_messages_arrive_on_the_gui_thread(qapp):
    bridge, received = ProjectThreadBridge(), []
    bridge.heard.connect(lambda news: received.append((news, QThread.currentThread())))
    run_in_thread(lambda: bridge.emit_signal("heard", "news"))
    assert received == []
    QCoreApplication.processEvents()
    assert received == [("news", qapp.thread())]


def test_queued_messages_of_a_closed_project_are_dropped(qapp):
    bridge, received = ProjectThreadBridge(), []
    bridge.heard.connect(received.append)
    bridge.saved.connect(received.append)
    run_in_thread(lambda: (bridge.emit_signal("heard", "the old project's edits"), bridge.emit_signal("saved", 3.0)))
    bridge.stop_emitting()
    QCoreApplication.processEvents()
    assert received == []


def test_only_ratings_of_others_are_reported_as_changed_ratings(qtbot, tmp_path):
    jobs = JobRunner()
    workspace = Workspace(Settings(str(tmp_path / "settings.ini")), jobs)
    sync = ProjectSync(workspace)
    event = RatingEvent("uid", "campaign", "screen", "ann", 1.0, "adequacy", 3.0, 2.0)
    with qtbot.waitSignal(workspace.ratings_changed):
        sync._on_remote_changes(RemoteChanges(ratings=(event,)))
    with qtbot.assertNotEmitted(workspace.ratings_changed):
        sync._on_remote_changes(RemoteChanges(settings=(SettingRow("a", "b"),)))
    jobs.close()
