"""The main window: areas, menus, opening, close guards, appearance, drag and drop, and memory."""

import weakref

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit

from qe_desktop.corpus import QeError
from qe_desktop.ui.action_registry import Action
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.appearance import next_text_size
from qe_desktop.ui.shell.window import Shell
from qe_desktop.ui.widgets import dialogs as opening


@pytest.fixture
def shell(qtbot):
    shell = Shell(Settings())
    qtbot.addWidget(shell)
    return shell


@pytest.fixture
def built_areas(shell):
    built = []
    for id in ("inspect", "scores"):
        shell.add_area(
            id,
            id.capitalize(),
            id,
            lambda id=id: built.append(id) or QLineEdit(id),
            actions=[Action(f"{id}.next", "Next", ("N",), area=id)],
        )
    return built


def test_areas_are_built_when_first_shown(shell, built_areas, qtbot):
    shell.show()
    assert built_areas == []
    assert not shell.areas.rail.isVisible()
    with qtbot.waitSignal(shell.areas.shown) as shown:
        shell.commands["view.area-scores"].trigger()
    assert shown.args == ["scores"]
    shell.show_area("inspect")
    shell.show_area("scores")
    assert built_areas == ["scores", "inspect"]
    assert shell.area("scores").isVisible()
    assert not shell.area("inspect").isVisible()
    assert shell.areas.rail.isVisible()


def test_rail_shows_and_selects_the_area(shell, built_areas, qtbot):
    shell.show()
    shell.show_area("inspect")
    buttons = shell.areas.rail._buttons
    assert [name for name, button in buttons.items() if button.isChecked()] == ["inspect"]
    qtbot.mouseClick(buttons["scores"], Qt.MouseButton.LeftButton)
    assert shell.areas.current == "scores"
    shell.areas.show_start()
    assert not any(button.isChecked() for button in buttons.values())
    assert shell.areas.current == ""


def test_area_that_fails_to_build_leaves_the_window_unchanged(shell, built_areas):
    def broken():
        raise RuntimeError("broken")

    shell.add_area("rate", "Rate", "rate", broken)
    shell.show_area("inspect")
    with pytest.raises(RuntimeError):
        shell.show_area("rate")
    assert shell.areas.current == "inspect"
    assert shell.areas.rail._buttons["inspect"].isChecked()


def test_visible_area_has_its_menu(shell, built_areas):
    shell.show_area("scores")
    menus = shell.menus._areas
    assert menus["scores"].menuAction().isVisible()
    assert not menus["inspect"].menuAction().isVisible()
    menus["scores"].aboutToShow.emit()
    # the command of the File menu is also below the commands that show the pages
    assert [action.text() for action in menus["scores"].actions()] == [
        "Next", "", "Compare la&nguage pairs in a folder…",
    ]  # fmt: skip


def test_early_open_requests_are_run_once_openers_are_set(shell):
    opened = []
    shell.open_sample("en-he")
    shell.open_paths(["/a"])
    shell.open_paths([])
    shell.set_openers(opened.append, opened.append)
    assert opened == ["en-he", ["/a"]]
    shell.open_paths(["/b"])
    assert opened[-1] == ["/b"]


def test_close_guard_can_keep_the_window_open(shell):
    answers = [False, True]
    shell.add_close_guard(lambda: answers.pop(0))
    shell.show()
    assert not shell.close()
    assert shell.isVisible()
    assert shell.close()


def test_window_size_is_restored(qtbot):
    first = Shell(Settings())
    qtbot.addWidget(first)
    first.resize(640, 480)
    first.show()
    first.close()
    second = Shell(Settings())
    qtbot.addWidget(second)
    assert (second.width(), second.height()) == (640, 480)


def test_text_size_scales_the_font_and_is_stored(shell):
    base = QApplication.font().pointSizeF()
    shell.commands["view.text-larger"].trigger()
    assert QApplication.font().pointSizeF() == pytest.approx(base * 1.1)
    assert Settings().text_size == 110
    shell.commands["view.text-smaller"].trigger()
    shell.commands["view.text-usual"].trigger()
    assert QApplication.font().pointSizeF() == pytest.approx(base)
    assert next_text_size(100, -1) == 90


def test_theme_is_selected_by_command_and_stored(shell):
    for name in ("dark", "contrast", "light"):
        shell.commands[f"view.theme-{name}"].trigger()
        assert Settings().theme == name
        checked = [
            id for id in ("system", "light", "dark", "contrast") if shell.commands[f"view.theme-{id}"].isChecked()
        ]
        assert checked == [name]


def mime(*urls):
    data = QMimeData()
    data.setUrls(list(urls))
    return data


def test_only_local_files_can_be_dropped(tmp_path):
    assert opening.dropped_paths(mime(QUrl.fromLocalFile(str(tmp_path)), QUrl("https://example.org/a"))) == [
        str(tmp_path)
    ]
    text = QMimeData()
    text.setText("no file")
    assert opening.dropped_paths(text) == []


def test_dropped_files_are_opened(shell, tmp_path):
    opened = []
    shell.set_openers(opened.append, opened.append)
    data = mime(QUrl.fromLocalFile(str(tmp_path)))
    keys = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    enter = QDragEnterEvent(QPoint(5, 5), *keys)
    shell.dragEnterEvent(enter)
    assert enter.isAccepted()
    assert shell.start_page._drop._is_highlighted
    shell.dropEvent(QDropEvent(QPointF(5, 5), *keys))
    assert opened == [[str(tmp_path)]]
    assert not shell.start_page._drop._is_highlighted


def test_failed_job_is_shown_in_a_notice(shell, qtbot):
    def fail(progress):
        raise QeError("too few tags", hint="Add some.")

    with qtbot.waitSignal(shell.jobs.failed):
        shell.jobs.submit("Read", fail)
    assert shell.notices.notices()[0].message.title == "Too few tags"


def test_window_title_names_the_document(shell):
    shell.set_document("wmt22", modified=True)
    assert shell.windowTitle() == "wmt22[*] – QE Desktop"
    assert shell.isWindowModified()
    shell.set_document("")
    assert shell.windowTitle() == "QE Desktop"
    assert not shell.isWindowModified()


def test_every_command_is_in_a_menu(shell):
    listed = set()

    def walk(menu):
        for action in menu.actions():
            listed.add(action.objectName())
            if action.menu() is not None:
                walk(action.menu())

    walk(shell.menuBar())
    assert {action.id for action in shell.commands.actions()} <= listed


def test_closed_windows_are_destroyed(qtbot):
    references = []
    for _ in range(3):
        shell = Shell(Settings())
        shell.add_area("inspect", "Inspect", "inspect", QLabel)
        shell.show()
        shell.show_area("inspect")
        shell.close()
        references.append(weakref.ref(shell))
        shell.deleteLater()
        del shell
        QApplication.sendPostedEvents(None, int(QEvent.Type.DeferredDelete.value))
    import gc

    gc.collect()
    assert [ref() for ref in references] == [None] * 3
