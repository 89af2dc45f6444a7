"""Random actions of a user in the real window: commands, keys, clicks, wheel, sizes; they are printed one per line.

Exits with 1 after an exception, a Qt warning, a job that does not end, a change that a project rejects, an item of a
layout that Qt deleted but Python keeps, or the import of a module with Qt classes on another thread. Called as
`python -m tests.torture.random_actions_run SEED ACTIONS DATA`; DATA is the name of a sample, or a key of `OPENERS`.
"""

from __future__ import annotations

import faulthandler
import os
import random
import shutil
import sys
import tempfile
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path

import shiboken6
from PySide6.QtCore import (
    QEvent,
    QMessageLogContext,
    QPoint,
    QPointF,
    Qt,
    QTimer,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QContextMenuEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLayout,
    QLayoutItem,
    QMenuBar,
    QMessageBox,
    QWidget,
)

from qe_desktop.__main__ import apply_language_setting
from qe_desktop.ui import app as program
from qe_desktop.ui import icons
from qe_desktop.ui.garbage_collection import GarbageCollectionTimer
from qe_desktop.ui.preload import QT_PACKAGES, UI_PACKAGE
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.window import Shell
from tests.timeouts import PATIENCE
from tests.torture.valid_project import make_valid_project

SAMPLE_NAMES = ("en-de", "en-he", "en-ja")
SIZES = ((900, 600), (1100, 700), (1280, 800), (1920, 1080))
TEXT_SIZES = (90, 100, 110, 136, 150)
SETTLE_INTERVAL, MODAL_INTERVAL_MS = 25, 40
"""Actions between waits for all jobs, and interval of the answers to modal dialogs, which run an event loop."""
DELAYS_MS = (0, 0, 0, 5, 20)
"""Delays between two actions."""
IGNORED = ("This plugin does not support", "OpenType support missing")
"""Parts of Qt warnings about the offscreen platform and the fonts of the machine."""
_Key, _Modifier = Qt.Key, Qt.KeyboardModifier
KEYS = (
    _Key.Key_Return, _Key.Key_Escape, _Key.Key_Tab, _Key.Key_Backtab, _Key.Key_Space, _Key.Key_Delete,
    _Key.Key_Backspace, _Key.Key_Up, _Key.Key_Down, _Key.Key_Left, _Key.Key_Right, _Key.Key_Home, _Key.Key_End,
    _Key.Key_PageUp, _Key.Key_PageDown, _Key.Key_Menu, _Key.Key_Insert, _Key.Key_F2, _Key.Key_F3, _Key.Key_F6,
    _Key.Key_F7, _Key.Key_F9, *map(_Key, range(_Key.Key_A, _Key.Key_Z + 1)), *map(_Key, range(_Key.Key_0, _Key.Key_9)),
)  # fmt: skip
MODIFIERS = (
    *[_Modifier.NoModifier] * 6, *[_Modifier.ControlModifier] * 2, _Modifier.ShiftModifier, _Modifier.AltModifier,
    _Modifier.ControlModifier | _Modifier.ShiftModifier,
)  # fmt: skip
QUIT_KEYS = ((_Key.Key_Q, _Modifier.ControlModifier), (_Key.Key_W, _Modifier.ControlModifier))


class RandomUser:
    """User who does random things in a window until it is closed; `folder` is for files that are saved."""

    def __init__(self, app: QApplication, shell: Shell, dice: random.Random, folder: Path) -> None:
        self._app, self._shell, self._dice, self._folder = app, shell, dice, folder
        self.problems: list[str] = []
        self._commands = [action.id for action in shell.commands.actions()]
        self._left, self._end = 0, 0.0
        # modal dialogs and menus run an event loop within an action
        self._timer = QTimer(interval=MODAL_INTERVAL_MS)
        self._timer.timeout.connect(self._on_timer)
        self._timer.start()

    def work(self, actions: int) -> None:
        """Do a number of actions in the event loop, or fewer if one of them closes the window, and leave the loop."""
        self._left, self._end = actions, time.monotonic() + PATIENCE
        QTimer.singleShot(0, self._app, self._next)
        self._app.exec()

    def _next(self) -> None:
        """Do one action as an event of its own, unless it is time to wait for jobs."""
        is_pause = self._left % SETTLE_INTERVAL == 0
        if not (is_pause and self._shell.jobs.running_jobs()):
            self._end = time.monotonic() + PATIENCE
            self._left -= 1
            try:
                self._act()
            except Exception:
                self.problems.append(traceback.format_exc())
        elif time.monotonic() > self._end:
            self.problems.append("a job does not end")
            self._left = 0
        if self._left > 0 and self._shell.isVisible():
            QTimer.singleShot(self._dice.choice(DELAYS_MS), self._app, self._next)
        else:
            self._app.exit()

    def note(self, mode: QtMsgType, context: QMessageLogContext, text: str) -> None:
        """Note a message of Qt as a problem."""
        if not any(part in text for part in IGNORED):
            self.problems.append(f"Qt: {text}\n{''.join(traceback.format_stack()[-8:])}")

    def note_import(self, event: str, arguments: tuple[object, ...]) -> None:
        """Note an import on another thread that creates Qt classes, which can crash the program while it paints."""
        if event == "import" and threading.current_thread() is not threading.main_thread():
            package = str(arguments[0])
            if package.startswith((UI_PACKAGE, *QT_PACKAGES)):
                self.problems.append(f"{package} is imported on another thread\n{''.join(traceback.format_stack())}")

    # --- actions

    def _act(self) -> None:
        popup, dice = self._app.activePopupWidget(), self._dice.random()
        dialogs = [widget for widget in self._app.topLevelWidgets() if _is_open_dialog(widget)]
        file_dialogs = [dialog for dialog in dialogs if isinstance(dialog, QFileDialog)]
        if popup is not None:
            self._act_in_popup(popup)
        elif file_dialogs:
            # keys in its controls could save files in the folder that it shows
            self._act_in_dialog(file_dialogs[0])
        elif dialogs and self._dice.random() < 0.7:
            self._act_in_dialog(self._dice.choice(dialogs))
        elif dice < 0.35:
            command = self._shell.commands[self._dice.choice(self._commands)]
            if command.isEnabled():
                print("command", command.text())
                command.trigger()
        elif dice < 0.65:
            self._press(self._app.focusWidget() or self._shell)
        elif dice < 0.92:
            self._point(self._shell)
        elif dice < 0.95:
            self._shell.resize(*self._dice.choice(SIZES))
        elif dice < 0.97:
            self._shell.settings.text_size = self._dice.choice(TEXT_SIZES)
        elif dice < 0.99:
            self._shell.show_area(self._dice.choice(self._shell.areas.ids()))
        else:
            self._shell.open_sample(self._dice.choice(SAMPLE_NAMES))

    def _act_in_popup(self, popup: QWidget) -> None:
        if self._dice.random() < 0.4:
            self._press(popup)
        elif self._dice.random() < 0.5:
            self._point(popup)
        else:
            popup.close()

    def _act_in_dialog(self, dialog: QDialog) -> None:
        print("dialog", type(dialog).__name__, dialog.windowTitle())
        if isinstance(dialog, QFileDialog) and self._dice.random() < 0.5:
            dialog.selectFile(str(self._folder / f"saved{self._dice.randrange(5)}"))
            dialog.accept()
        elif isinstance(dialog, QFileDialog):
            dialog.reject()
        elif isinstance(dialog, QMessageBox):
            self._dice.choice(dialog.buttons()).click()
        elif self._dice.random() < 0.3:
            dialog.reject()
        elif self._dice.random() < 0.5:
            self._point(dialog)
        else:
            self._press(self._app.focusWidget() or dialog)

    def _press(self, widget: QWidget) -> None:
        key, modifier = self._dice.choice(KEYS), self._dice.choice(MODIFIERS)
        if (key, modifier) not in QUIT_KEYS:
            print("key", key.name, modifier.name, "in", type(widget).__name__)
            QTest.keyClick(widget, key, modifier)

    def _point(self, window: QWidget) -> None:
        """Click, double-click, turn the wheel or open the context menu somewhere in a random control."""
        controls = [control for control in window.findChildren(QWidget) if control.isVisible()]
        control = self._dice.choice([window, *controls])
        if control.width() < 1 or control.height() < 1:
            return
        point = QPoint(self._dice.randrange(control.width()), self._dice.randrange(control.height()))
        top = control.window()
        in_window = control.mapTo(top, point)
        target = top.childAt(in_window) or top
        if isinstance(target, QMenuBar):
            return
        place, on_screen, dice = target.mapFrom(top, in_window), control.mapToGlobal(point), self._dice.random()
        print("mouse", type(target).__name__, target.accessibleName(), "in", type(window).__name__)
        if dice < 0.6:
            QTest.mouseClick(target, Qt.MouseButton.LeftButton, self._dice.choice(MODIFIERS), place)
        elif dice < 0.75:
            QTest.mouseDClick(target, Qt.MouseButton.LeftButton, _Modifier.NoModifier, place)
        elif dice < 0.87:
            self._app.sendEvent(target, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, on_screen))
        else:
            angle = QPoint(0, self._dice.choice((-120, 120)))
            none = (Qt.MouseButton.NoButton, _Modifier.NoModifier, Qt.ScrollPhase.NoScrollPhase)
            event = QWheelEvent(QPointF(place), QPointF(on_screen), QPoint(), angle, *none, False)
            self._app.sendEvent(target, event)

    # --- menus and modal dialogs that an action opened

    def _on_timer(self) -> None:
        popup, dialog = self._app.activePopupWidget(), self._app.activeModalWidget()
        # not here, because a timer does not fire while its slot is running
        if popup is not None:
            QTimer.singleShot(0, popup, popup.close)
        elif isinstance(dialog, QDialog):
            QTimer.singleShot(0, dialog, lambda: self._act_in_dialog(dialog))


def _is_open_dialog(widget: QWidget) -> bool:
    return isinstance(widget, QDialog) and widget.isVisible()


def _job(shell: Shell, folder: Path) -> None:
    path = folder / "manuals.xlf"
    shutil.copy(icons.resource_folder() / "samples" / "jobs" / "en-de" / "manuals.xlf", path)
    shell.open_paths([str(path)])


def _project(shell: Shell, folder: Path) -> None:
    shell.open_paths([str(make_valid_project(folder / "a.qedesk"))])


def _rating(shell: Shell, folder: Path) -> None:
    shell.open_sample("en-de")
    shell.show_area("rate")


OPENERS = {"job": _job, "project": _project, "rating": _rating}
"""What to open and to show at the beginning, in addition to the samples."""


def outdated_layout_items(app: QApplication) -> list[str]:
    """Return a description of each layout item that Qt deleted but Python keeps, which can crash the program later.

    It is the item of a widget in a nested layout that was deleted or moved without `removeWidget`.
    """
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    layouts = [layout for widget in app.allWidgets() for layout in widget.findChildren(QLayout)]
    kept = [value for value in shiboken6.getAllValidWrappers() if isinstance(value, QLayoutItem)]
    addresses = set()
    for layout in layouts:
        # a layout of a dialog that is being closed
        with suppress(RuntimeError):
            items = [layout.itemAt(index) for index in range(layout.count())]
            addresses |= {shiboken6.getCppPointer(item)[-1] for item in items if item is not None}
    described = {
        shiboken6.dump(value)
        for value in kept
        if not isinstance(value, QLayout) and shiboken6.getCppPointer(value)[-1] not in addresses
    }
    # items without a parent are those of a layout of our own, which Qt never deletes
    return [text for text in described if "parent" in text]


def main() -> None:
    """Run as the arguments tell; the process ends without asking for unsaved edits."""
    seed, actions, data = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    faulthandler.enable()
    folder = Path(tempfile.mkdtemp())
    os.environ |= {"QE_DESKTOP_SETTINGS": str(folder / "settings.ini"), "XDG_DATA_HOME": str(folder)}
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.chdir(folder)
    apply_language_setting()
    app = program.create_application()
    # as in the program: automatic collection could delete a widget while Qt visits its siblings
    collector = GarbageCollectionTimer()
    sys.setswitchinterval(program.SWITCH_INTERVAL_S)
    shell = Shell(Settings())
    shell.corpus_closing.connect(collector.collect_frozen_later)
    controller = program.build_main_controller(shell)
    shell.resize(1280, 800)
    shell.show()
    user = RandomUser(app, shell, random.Random(seed), folder)
    qInstallMessageHandler(user.note)
    sys.addaudithook(user.note_import)
    sys.excepthook = lambda *error: user.problems.append("".join(traceback.format_exception(*error)))
    threading.excepthook = lambda error: user.problems.append("".join(traceback.format_exception(error.exc_value)))
    OPENERS.get(data, lambda *_: shell.open_sample(data))(shell, folder)
    user.work(actions)
    sys.excepthook = sys.__excepthook__
    assert controller
    user.problems += outdated_layout_items(app)
    user.problems += [f"rejected: {path.read_text(encoding='utf-8')}" for path in folder.rglob("*.refused")]
    print("\n".join(user.problems), file=sys.stderr)
    sys.stdout.flush()
    sys.stderr.flush()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1 if user.problems else 0)


if __name__ == "__main__":
    main()
