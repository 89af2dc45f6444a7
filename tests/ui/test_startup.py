"""Start of the program: imports, missing displays, logging of errors and crashes, and signals."""

import gc
import logging
import os
import subprocess
import sys
import threading

import pytest
from PySide6.QtCore import Qt, QTimer, QTranslator, qWarning
from PySide6.QtWidgets import QApplication

from qe_desktop import __main__ as entry
from qe_desktop.i18n.messages import Language
from qe_desktop.ui import app, preflight
from qe_desktop.ui.app import install_qt_translation
from qe_desktop.ui.shell.crash_handler import CrashHandler
from tests.timeouts import PATIENCE


def python(code, **environment):
    environment = {**os.environ, **environment}
    environment = {name: value for name, value in environment.items() if value is not None}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=PATIENCE)


@pytest.mark.process
@pytest.mark.parametrize("module", ["qe_desktop.__main__", "qe_desktop.ui.app", "qe_desktop.ui.preflight"])
def test_nothing_slow_is_imported_before_the_first_paint(module):
    slow = ("numpy", "scipy", "pyqtgraph", "qe_desktop.corpus", "rich", "sqlalchemy")
    if module != "qe_desktop.ui.app":
        slow = (*slow, "PySide6")
    completed = python(f"import sys, {module}; print([name for name in {slow} if name in sys.modules])")
    assert completed.stdout.strip() == "[]", completed.stderr


@pytest.mark.process
def test_objects_of_the_built_areas_are_excluded_from_garbage_collection(tmp_path):
    """A collection of all objects that the program imported would delay a key press."""
    done = python(
        "import gc; from qe_desktop.ui import app; from qe_desktop.ui.settings import Settings\n"
        "from qe_desktop.ui.shell.window import Shell\n"
        "running = app.create_application(); shell = Shell(Settings()); app.build_main_controller(shell)\n"
        "print(gc.get_freeze_count() > 20_000 > len(gc.get_objects())); shell.jobs.close()",
        QE_DESKTOP_SETTINGS=str(tmp_path / "settings.ini"),
    )
    assert done.stdout.strip() == "True", done.stderr


@pytest.mark.process
def test_side_panel_is_imported_before_a_file_is_opened(tmp_path):
    """Its import blocks one event-loop iteration, for which the first opened file would have to wait."""
    done = python(
        "import sys; from PySide6.QtCore import QTimer; from qe_desktop.ui import app\n"
        "made = app.create_application\n"
        "def application():\n"
        "    running = made(); timer = QTimer(running); timer.setInterval(10); timer.start()\n"
        "    loaded = 'qe_desktop.ui.scores.score_side_panel'\n"
        "    timer.timeout.connect(lambda: loaded in sys.modules and running.exit(17))\n"
        "    return running\n"
        "app.create_application = application; sys.exit(app.main([]))",
        QE_DESKTOP_SETTINGS=str(tmp_path / "settings.ini"),
    )
    assert done.returncode == 17, done.stderr


@pytest.mark.process
def test_missing_display_is_reported_in_one_line():
    done = python(
        "from qe_desktop.__main__ import run; raise SystemExit(run([]))",
        QT_QPA_PLATFORM=None,
        DISPLAY=None,
        WAYLAND_DISPLAY=None,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.strip() == preflight.NO_DISPLAY


@pytest.mark.process
def test_unreachable_display_is_reported_without_an_abort():
    if preflight.missing_libraries():
        pytest.skip("Qt's libraries for X11 are not installed")
    done = python(
        "from qe_desktop.__main__ import run; raise SystemExit(run([]))",
        QT_QPA_PLATFORM=None,
        DISPLAY=":4711",
        WAYLAND_DISPLAY=None,
    )
    assert done.returncode == 2
    assert "The display “:4711” cannot be used" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_missing_display_of_a_selected_platform_is_not_reported_as_an_empty_name(monkeypatch):
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(preflight, "missing_libraries", lambda: [])
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    monkeypatch.delenv("DISPLAY", raising=False)
    assert preflight.find_display_error() == preflight.NO_DISPLAY


def test_missing_libraries_are_reported_with_the_install_command(monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    for name in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    missing = ["libxcb-icccm.so.4", "libEGL.so.1", "libodd.so.3"]
    monkeypatch.setattr(preflight, "missing_libraries", lambda: missing)
    line = preflight.find_display_error()
    assert line.endswith("run: sudo apt-get install libegl1 libodd libxcb-icccm4")
    assert "libxcb-icccm.so.4" in line
    assert "\n" not in line


def test_failed_import_of_qt_is_reported_with_the_install_command(monkeypatch):
    monkeypatch.setattr(preflight, "_all_missing", lambda plugin: ["libEGL.so.1", "libGL.so.1"])
    error = ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")
    assert preflight.import_error_hint(error).endswith("sudo apt-get install libegl1 libgl1")
    assert preflight.import_error_hint(ImportError("No module named 'PySide6'")) is None


@pytest.mark.parametrize("argv", [["score"], ["--version"], ["-h"], ["convert", "a", "b"], ["--no-such-option"]])
def test_commands_are_passed_to_the_command_line(monkeypatch, argv):
    monkeypatch.setattr(entry, "_run_command", lambda argv: 17)
    assert entry.run(argv) == 17


def test_ctrl_c_and_a_closed_pipe_print_no_traceback(monkeypatch):
    def interrupt(argv):
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "_run_command", interrupt)
    assert entry.run(["score"]) == 130
    done = python(
        "import sys\nfrom qe_desktop import __main__ as entry\n"
        "def closed(argv):\n    raise BrokenPipeError\n"
        "entry._run_command = closed\nsys.exit(entry.run(['score']))"
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def failures(tmp_path, qapp):
    failures = CrashHandler(tmp_path / "log")
    failures.install()
    yield failures
    failures.remove()


def test_unhandled_exception_is_logged_and_shown(failures, qtbot):
    with qtbot.waitSignal(failures.error_occurred) as blocker:
        sys.excepthook(ValueError, ValueError("odd"), None)
    assert "ValueError: odd" in blocker.args[0].title
    assert "ValueError: odd" in failures.log_file.read_text()


def test_unhandled_exception_in_a_thread_is_shown(failures, qtbot):
    def fail():
        raise LookupError("elsewhere")

    thread = threading.Thread(target=fail)
    with qtbot.waitSignal(failures.error_occurred) as blocker:
        thread.start()
    thread.join()
    assert "LookupError: elsewhere" in blocker.args[0].title
    assert blocker.args[0].location.startswith("test_startup.py, line ")


def test_qt_messages_are_logged(failures, caplog):
    with caplog.at_level(logging.WARNING, "qe_desktop"):
        qWarning("a Qt warning")
    assert "a Qt warning" in failures.log_file.read_text()


def test_crash_is_reported_once_at_the_next_start(failures):
    assert failures.last_crash() is None
    (failures.log_file.parent / "crash.log").write_text("Fatal Python error: Segmentation fault")
    message = failures.last_crash()
    assert "ended unexpectedly" in message.title
    assert message.advice.startswith("Edits are stored as you work and restored when you open")
    assert "Segmentation fault" in (failures.log_file.parent / "last-crash.log").read_text()
    assert failures.last_crash() is None


def test_without_a_writable_folder_there_is_no_log_file(tmp_path, qapp, failures):
    assert failures.has_log_file
    (tmp_path / "file").write_text("")
    handler = CrashHandler(tmp_path / "file")
    handler.install()
    assert not handler.has_log_file
    handler.remove()


def test_long_log_file_is_rotated(tmp_path, qapp, monkeypatch):
    monkeypatch.setattr("qe_desktop.ui.shell.crash_handler.MAX_LOG_BYTES", 10)
    (tmp_path / "qe-desktop.log").write_text("x" * 11)
    failures = CrashHandler(tmp_path)
    failures.install()
    failures.remove()
    assert (tmp_path / "qe-desktop.old.log").read_text() == "x" * 11


def test_program_runs_from_start_to_end(qapp, qtbot, monkeypatch):
    """`main()` in this process paints the page, connects the areas, closes the window, and returns 0."""
    from qe_desktop.ui import main_controller

    wired = []

    def wire(shell):
        wired.append(shell)
        shell.set_openers(wired.append, wired.append)
        QTimer.singleShot(0, shell.close)

    monkeypatch.setattr(main_controller, "MainController", wire)
    monkeypatch.setattr(app.CrashHandler, "listen_to_signals", lambda self: None)
    gc.enable()
    assert app.main(["/no/such/file"]) == 0
    assert not gc.isenabled(), "a collection while Qt destroys objects could wait for itself"
    assert wired[1] == ["/no/such/file"]
    wired.clear()
    assert sys.excepthook is not None
    assert QApplication.instance() is qapp


@pytest.mark.process
@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_ctrl_c_in_the_terminal_closes_the_window(tmp_path):
    code = (
        "import os, signal\n"
        "from qe_desktop.ui import app, main_controller\n"
        "def wire(shell):\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "main_controller.MainController = wire\n"
        "raise SystemExit(app.main([]))\n"
    )
    done = python(code, QE_DESKTOP_SETTINGS=str(tmp_path / "s.ini"))
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.process
def test_main_shortens_the_thread_switch_interval(tmp_path):
    code = (
        "import sys\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from qe_desktop.ui import app, main_controller\n"
        "def wire(shell):\n"
        "    print(sys.getswitchinterval() < 0.002)\n"
        "    QApplication.quit()\n"
        "main_controller.MainController = wire\n"
        "app.main([])\n"
        "print(sys.getswitchinterval())\n"
    )
    done = python(code, QE_DESKTOP_SETTINGS=str(tmp_path / "s.ini"))
    assert done.stdout.split() == ["True", "0.005"], done.stderr


@pytest.mark.process
@pytest.mark.parametrize("turn", range(5))
def test_program_ends_if_qt_destroys_the_window_itself(tmp_path, turn):
    """Regression: garbage collection while Qt destroyed the window made every second run hang."""
    done = python(
        "from PySide6.QtCore import QTimer\n"
        "from PySide6.QtWidgets import QApplication\n"
        "from qe_desktop.ui import app\n"
        "class Shell(app.Shell):\n"
        "    def __init__(self, settings):\n"
        "        super().__init__(settings)\n"
        "        self.start_page.painted.connect(lambda: QTimer.singleShot(0, QApplication.quit))\n"
        "app.Shell = Shell\n"
        "raise SystemExit(app.main([]))",
        QE_DESKTOP_SETTINGS=str(tmp_path / "settings.ini"),
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_texts_of_qt_in_arabic_do_not_mirror_the_layout(qapp: QApplication) -> None:
    arabic = Language("ar", {}, lambda n: 0)
    before = set(qapp.findChildren(QTranslator))
    install_qt_translation(qapp, arabic)
    installed = set(qapp.findChildren(QTranslator)) - before
    try:
        assert installed
        assert qapp.layoutDirection() == Qt.LayoutDirection.LeftToRight
    finally:
        for translator in installed:
            qapp.removeTranslator(translator)
