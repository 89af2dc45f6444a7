"""What a project's threads tell reaches the window once, on its own thread, and not after the project was closed."""

from __future__ import annotations

import threading

from PySide6.QtCore import QCoreApplication, QThread

from qe_desktop.ui.projects.project_sync import ProjectThreadBridge


def from_a_thread(tell):
    thread = threading.Thread(target=tell)
    thread.start()
    thread.join()


def test_news_arrive_on_the_windows_thread(qapp):
    relay, heard = ProjectThreadBridge(), []
    relay.heard.connect(lambda news: heard.append((news, QThread.currentThread())))
    from_a_thread(lambda: relay.tell("heard", "news"))
    assert heard == []
    QCoreApplication.processEvents()
    assert heard == [("news", qapp.thread())]


def test_news_on_their_way_when_the_project_is_closed_arrive_nowhere(qapp):
    relay, heard = ProjectThreadBridge(), []
    relay.heard.connect(heard.append)
    relay.saved.connect(heard.append)
    from_a_thread(lambda: (relay.tell("heard", "the old project's edits"), relay.tell("saved", 3.0)))
    relay.hush()
    QCoreApplication.processEvents()
    assert heard == []
