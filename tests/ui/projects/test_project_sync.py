"""Messages of project threads reach the window on the GUI thread, and never after the project was closed."""

from __future__ import annotations

import threading

from PySide6.QtCore import QCoreApplication, QThread

from qe_desktop.ui.projects.project_sync import ProjectThreadBridge


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
