"""The status bar: positive class, counts, save status, and running jobs."""

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMainWindow, QProgressBar, QWidget

from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.shell import status_bar
from qe_desktop.ui.shell.notices import Message
from tests.timeouts import PATIENCE


@pytest.fixture
def jobs(qapp):
    jobs = JobRunner()
    yield jobs
    assert jobs.close()


@pytest.fixture
def bar(jobs, qtbot, monkeypatch):
    monkeypatch.setattr(status_bar, "SHOW_DELAY_MS", 1)
    bar = status_bar.StatusBar(jobs)
    qtbot.addWidget(bar)
    bar.show()
    return bar


def test_status_bar_shows_positive_class_counts_and_save_status(bar):
    assert not bar._positive.isVisible(), "nothing is open"
    bar.set_counts("1,000 segments")
    bar.set_saved("Saved 12:03:04")
    assert bar._positive.isVisible()
    assert bar._positive.text() == "Positive class: BAD"
    assert "The tag that a system is meant to find, here BAD." in bar._positive.toolTip()
    assert bar._counts.text().endswith("1,000 segments")
    assert bar._saved.text() == "Saved 12:03:04"
    bar.set_counts("")
    assert bar._counts.text() == ""
    assert not bar._positive.isVisible()


def test_counts_are_hidden_while_they_concern_nobody(bar):
    bar.set_counts("1,000 segments")
    bar.show_counts(False)
    assert not bar._counts.isVisible()
    bar.set_action("Adequacy 4, item 2")
    bar.set_action("")
    assert not bar._counts.isVisible()
    bar.show_counts(True)
    assert bar._counts.isVisible()


def test_unsaved_status_is_shown_until_it_is_cleared_or_replaced(bar):
    bar.set_unsaved("Not in the file yet")
    assert bar._saved.text() == "Not in the file yet"
    bar.set_unsaved("")
    assert bar._saved.text() == ""
    bar.set_unsaved("Not in the file yet")
    bar.set_saved("1 segment changed")
    bar.set_unsaved("")
    assert bar._saved.text() == "1 segment changed"


def test_undo_to_the_saved_state_shows_again_when_it_was_saved(bar):
    bar.set_saved("Saved 12:03:04", "2 segments")
    bar.remove_saved()
    bar.set_unsaved("")
    assert bar._saved.text() == "", "the user is typing"
    bar.set_unsaved("Not saved: 1 target")
    bar.set_unsaved("")
    assert bar._saved.text() == "Saved 12:03:04"
    assert "2 segments" in bar._saved.toolTip()
    bar.set_saved("The disk is full", is_error=True)
    bar.set_unsaved("Not saved: 1 target")
    bar.set_unsaved("")
    assert bar._saved.text() == "Saved 12:03:04", "the failed save changed nothing"


def test_save_link_that_hides_after_a_click_leaves_the_focus_where_it_was(jobs, qtbot):
    window, editor = QMainWindow(), QLineEdit()
    qtbot.addWidget(window)
    window.setCentralWidget(editor)
    bar = status_bar.StatusBar(jobs)
    window.setStatusBar(bar)
    bar.set_save_link("Save (Ctrl+S)")
    bar.save_link.clicked.connect(lambda: bar.set_save_link(""))
    window.show()
    editor.setFocus()
    QTest.mouseClick(bar.save_link, Qt.MouseButton.LeftButton)
    assert bar.save_link.isHidden()
    assert window.focusWidget() is editor


def test_typing_removes_saved_but_not_what_is_unsaved(bar):
    bar.set_saved("Saved")
    bar.remove_saved()
    assert bar._saved.text() == ""
    bar.set_unsaved("Not saved")
    bar.remove_saved()
    assert bar._saved.text() == "Not saved"
    bar.set_unsaved("")
    bar.set_saved("The disk is full", is_error=True)
    bar.remove_saved()
    assert "The disk is full" in bar._saved.text()


def test_running_job_does_not_change_the_height(bar, jobs, qtbot):
    view, go_on, height = bar.findChild(status_bar.JobProgressWidget), threading.Event(), bar.sizeHint().height()
    jobs.submit("Randomisation", lambda progress: go_on.wait(PATIENCE))
    qtbot.waitUntil(view.isVisible)
    assert view.sizeHint().height() > bar.fontMetrics().height(), "the button to cancel is higher than text"
    assert bar.sizeHint().height() == height
    go_on.set()
    qtbot.waitUntil(view.isHidden)


def test_links_and_short_messages_do_not_change_the_height(bar, qtbot):
    bar.resize(1280, 40)
    bar.set_counts("141 segments")
    height = bar.sizeHint().height()
    bar.set_saved("Edits are not saved")
    bar.set_save_link("Save as project…")
    assert bar.sizeHint().height() == height
    notice = bar.notices.show_message(Message("Opened", buttons=(("Undo", lambda: None),)))
    qtbot.waitUntil(notice.isVisible)
    assert bar._line.indexOf(bar.notices) >= 0
    qtbot.waitUntil(lambda: notice.height() <= bar.height())
    bar.layout().activate()
    assert bar.sizeHint().height() == height
    bar.notices.dismiss(notice)
    bar.set_action("Tag of word 3", "Ctrl+Z", undoable=True)
    assert bar.sizeHint().height() == height


def test_messages_that_come_replace_each_other_and_go_never_resize_the_bar(bar, qtbot):
    bar.resize(1200, bar.height())
    bar.set_counts("1,000 segments")
    heights = []
    bar.resizeEvent = lambda event: heights.append(event.size().height())
    bar.notices.info("Saved job.xlf")
    QApplication.processEvents()
    bar.notices.info("Saved the other job.xlf")
    QApplication.processEvents()
    bar.notices.remove_reports()
    QApplication.processEvents()
    bar.notices.show_message(Message("Undone", buttons=(("Redo", bool),)))
    QApplication.processEvents()
    assert heights == [], "the page above would be laid out and painted again"


def test_running_job_is_shown_and_can_be_cancelled(bar, jobs, qtbot):
    view, cancelled = bar.findChild(status_bar.JobProgressWidget), []

    def work(progress):
        progress.report(0.4, "4,000 of 10,000 rounds")
        while True:
            progress.check()
            threading.Event().wait(0.001)

    jobs.submit("Randomisation", work, on_cancelled=lambda: cancelled.append("stopped"))
    qtbot.waitUntil(lambda: view.findChild(QProgressBar).value() == 40)
    assert view.isVisible()
    assert view._name.text() == "Randomisation: 4,000 of 10,000 rounds"
    qtbot.mouseClick(view._cancel, Qt.MouseButton.LeftButton)
    assert cancelled == ["stopped"]
    qtbot.waitUntil(jobs.is_idle)
    assert not view.isVisible()


def test_jobs_whose_results_are_not_on_screen_are_not_shown(bar, jobs, qtbot):
    view, go_on = bar.findChild(status_bar.JobProgressWidget), threading.Event()
    bar.hide_jobs("comparison", "scores")
    jobs.submit("Significance test", lambda _: go_on.wait(PATIENCE), latest="comparison")
    assert not view._wait.isActive()
    jobs.submit("Filtering", lambda _: go_on.wait(PATIENCE), latest="segments")
    qtbot.waitUntil(view.isVisible)
    assert view._name.text() == "Filtering"
    bar.hide_jobs()
    assert view._name.text() == "Significance test (and 1 more)"
    bar.hide_jobs("comparison", "segments")
    assert not view.isVisible()
    go_on.set()
    qtbot.waitUntil(jobs.is_idle)


def test_long_save_status_does_not_widen_the_window(bar):
    bar.set_counts("3 segments")
    min_width = bar.minimumSizeHint().width()
    long = "3 changes waiting: the project is locked by another program; trying again " * 3
    bar.set_saved(long, is_error=True)
    bar.set_counts(long)
    assert bar.minimumSizeHint().width() <= min_width + 60
    assert bar._saved.text() == f"⚠ {long}"
    assert "changes waiting" in bar._saved.toolTip()
    bar.resize(500, 30)
    assert not bar.grab().isNull()
    bar.set_saved("Saved 12:03:04")
    assert bar._saved.text() == "Saved 12:03:04"


def test_offer_is_a_button_that_can_be_pressed_and_removed(bar, qtbot):
    assert not bar.save_link.isVisible()
    bar.set_save_link("Save as project…", "Every edit is then kept")
    with qtbot.waitSignal(bar.save_link.clicked):
        qtbot.keyClick(bar.save_link, Qt.Key.Key_Space)
    assert bar.save_link.width() >= bar.fontMetrics().horizontalAdvance("Save as project…")
    bar.set_save_link("")
    assert not bar.save_link.isVisible()


def test_short_message_is_in_the_line_and_a_long_one_above_it(bar, qtbot):
    bar.resize(1280, 40)
    bar.set_counts("141 segments")
    bar.set_saved("Saved 12:03:04")
    notice = bar.notices.info("Opened")
    qtbot.waitUntil(lambda: bar._line.indexOf(bar.notices) >= 0 and notice.isVisible())
    height = bar.sizeHint().height()
    long = "The file cannot be read, because it is not valid; open it in the tool that has written it. " * 3
    error = bar.notices.error(long, where="/a.tags:7", advice="Save it again in that tool.")
    assert bar._line.indexOf(bar.notices) < 0
    assert error.isVisible(), "it is not hidden until the next event"
    assert bar._counts.isVisible()
    qtbot.waitUntil(lambda: bar.sizeHint().height() > height)
    bar.resize(1280, bar.sizeHint().height())
    bar.notices.dismiss(error)
    assert bar._line.indexOf(bar.notices) >= 0 or bar.notices.current is None
    bar.notices.clear()
    qtbot.waitUntil(lambda: bar.sizeHint().height() == height)


@pytest.mark.parametrize("advice", ["Save it in that tool. " * 3, "Save it again in that tool. " * 4])
def test_message_above_the_line_is_not_cut_off(jobs, qtbot, advice):
    window = QMainWindow()
    qtbot.addWidget(window)
    bar = status_bar.StatusBar(jobs)
    window.setStatusBar(bar)
    window.setCentralWidget(QWidget())
    window.resize(900, 400)
    window.show()
    bar.set_counts("141 segments · 3 translations · 4 systems · gold: sample.tags")
    notice = bar.notices.info("Saved in news. From now on, every edit is saved as you make it", advice=advice)
    assert bar._line.indexOf(bar.notices) < 0
    qtbot.waitUntil(lambda: notice.height() >= notice.heightForWidth(notice.width()))
    counts = bar._counts
    assert counts.height() >= counts.sizeHint().height()
    assert counts.mapTo(window, counts.rect().topLeft()).y() >= notice.mapTo(window, notice.rect().bottomLeft()).y()


def test_last_action_is_legible_next_to_a_message(bar, qtbot):
    bar.resize(1280, 40)
    bar.set_counts("141 segments · 3 translations")
    # too long for the line with the narrow letters of any font
    bar.notices.info("Saved in news. From now on, every edit is saved as you make it", advice="Save " * 60)
    for action in ("Fluency 4, item 1", "Item 3 took you less than a second. Read the texts before you rate them."):
        bar.set_action(action, "Ctrl+Z", undoable=True)
        text = bar.action.text
        qtbot.waitUntil(lambda text=text: text.width() >= text.fontMetrics().horizontalAdvance(text.text()))
        assert bar._line.indexOf(bar.notices) < 0


def test_message_stays_at_its_place_whatever_else_is_shown(bar):
    bar.resize(1280, 40)
    advice = (
        "This project is read-only. To make a copy that you can edit, use File ▸ Save a copy of the project or, if "
        "that is disabled, ask the project owner."
    )
    bar.notices.warning("The project is read-only: its file or folder is not writable", advice=advice)
    places = []
    for show in (bar.set_counts, bar.set_word, bar.set_action):
        for text in ("", "4 segments"):
            show(text)
            places.append(bar._line.indexOf(bar.notices) >= 0)
    assert len(set(places)) == 1


@pytest.mark.parametrize("width", [500, 1600])
def test_message_takes_the_place_of_the_save_state(bar, width):
    bar.resize(width, 40)
    bar.set_saved("Saved", "a.sdlxliff: 5 segments changed")
    bar.set_save_link("Save as project…")
    assert "a.sdlxliff" in bar._saved.toolTip()
    notice = bar.notices.info("Exported the tags")
    assert not bar._saved.isVisible()
    assert not bar.save_link.isVisible()
    bar.notices.dismiss(notice)
    assert bar._saved.isVisible()
    assert bar.save_link.isVisible()


def test_failure_to_save_stays_in_view_next_to_a_message(bar):
    bar.resize(1600, 40)
    bar.set_saved("3 changes waiting", is_error=True)
    bar.notices.info("Exported the tags")
    assert bar._saved.isVisible()


def test_what_is_not_saved_stays_in_view_next_to_a_message(bar):
    bar.notices.info("This is a practice copy of the sample")
    bar.set_unsaved("Not saved")
    assert bar._saved.isVisible()
    bar.set_unsaved("")
    assert not bar._saved.isVisible()


def test_messages_never_widen_the_window(bar):
    bar.set_counts("141 segments")
    width = bar.minimumSizeHint().width()
    bar.notices.warning("A message with a text that is not short", advice="And an advice that is not short either.")
    assert bar.minimumSizeHint().width() <= width + 60


def test_last_action_replaces_the_counts_and_can_be_undone(bar, qtbot):
    bar.set_counts("1,000 segments")
    bar.set_action("Fluency 4, item 3", "Ctrl+Z", undoable=True)
    assert bar.action.text.text() == "Fluency 4, item 3"
    assert bar.action.undo.isVisible()
    assert bar.action.key.text()
    assert not bar._counts.isVisible()
    assert not bar._positive.isVisible()
    with qtbot.waitSignal(bar.undo_requested):
        bar.action.undo.click()
    # a hint has nothing to undo; the word at the cursor of another area is not shown yet
    bar.set_action("Press Enter to set 78")
    bar.set_word("“Hund”: OK")
    assert not bar.action.undo.isVisible()
    assert not bar._word.isVisible()
    bar.set_action("")
    assert bar._word.isVisible()
    bar.set_word("")
    assert bar._counts.isVisible()


def test_path_of_a_saved_file_is_shortened_before_the_counts(bar, qtbot):
    bar.show_positive_class(False)
    bar.resize(1280, 40)
    counts = "15 confirmed · 1 rejected · 7 open · 2 locked"
    bar.set_counts(counts)
    path = "/home/ana/translations/QE Desktop sample job/manuals.sdlxliff"
    title = "Saved with 4 changed segments, 13 in total"
    while bar.fontMetrics().horizontalAdvance(f"{title} {path}") < 900:
        title += " segments"
    notice = bar.notices.show_message(Message(title, location=path))
    assert bar._line.indexOf(bar.notices) >= 0
    assert notice.path.text().endswith("manuals.sdlxliff")
    assert notice.path.text() != path
    assert path in notice.path.toolTip()
    qtbot.waitUntil(lambda: bar._counts._elided_text() == counts)
    bar.resize(2400, 40)
    assert notice.path.text() == path
