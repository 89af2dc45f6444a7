"""Steps before Qt starts: the display check, and the handling of termination signals.

Qt itself would report only one of several missing libraries, often the wrong one, and then abort. This module uses no
third-party packages.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import signal
import sys
from pathlib import Path

from qe_desktop.i18n.messages import tr

HANGUP = getattr(signal, "SIGHUP", None)
"""Signal that is sent when the terminal is closed; None on Windows, which has no such signal."""
_KNOWN_SIGNALS = (signal.SIGINT, signal.SIGTERM, HANGUP)


def termination_signals() -> list[int]:
    """Return the signals that ask the program to end, except `HANGUP` if it is ignored, as under nohup."""
    available = [number for number in _KNOWN_SIGNALS if number is not None]
    return [number for number in available if number != HANGUP or signal.getsignal(number) != signal.SIG_IGN]


def install_default_handlers() -> None:
    """Make the `termination_signals` end the program silently; only for use while no work can be lost.

    With Python's own handler, Ctrl+C would raise an exception at an arbitrary point. During an import of Qt, the
    process would abort.
    """
    for number in termination_signals():
        signal.signal(number, signal.SIG_DFL)


PACKAGES = {
    "libxcb-cursor": "libxcb-cursor0",
    "libxcb-icccm": "libxcb-icccm4",
    "libxcb-image": "libxcb-image0",
    "libxcb-keysyms": "libxcb-keysyms1",
    "libxcb-render-util": "libxcb-render-util0",
    "libxcb-util": "libxcb-util1",
    "libxcb-shape": "libxcb-shape0",
    "libxcb-randr": "libxcb-randr0",
    "libxcb-xkb": "libxcb-xkb1",
    "libxcb-xfixes": "libxcb-xfixes0",
    "libxcb-sync": "libxcb-sync1",
    "libxcb-render": "libxcb-render0",
    "libxcb-shm": "libxcb-shm0",
    "libxcb": "libxcb1",
    "libX11-xcb": "libx11-xcb1",
    "libX11": "libx11-6",
    "libxkbcommon-x11": "libxkbcommon-x11-0",
    "libxkbcommon": "libxkbcommon0",
    "libEGL": "libegl1",
    "libGL": "libgl1",
    "libOpenGL": "libopengl0",
    "libGLX": "libglx0",
    "libdbus-1": "libdbus-1-3",
    "libfontconfig": "libfontconfig1",
    "libfreetype": "libfreetype6",
    "libglib-2.0": "libglib2.0-0",
    "libgthread-2.0": "libglib2.0-0",
}
"""Debian and Ubuntu package of each system library that Qt needs to open a window."""

NO_DISPLAY = tr(
    "qe-desktop: error: There is no display for the window. Run the command on a desktop, with `ssh -X`, or "
    "with `xvfb-run` (on Debian and Ubuntu: `sudo apt-get install xvfb`). "
    "`qe-desktop --help` lists the commands that need no window."
)


def find_display_error() -> str | None:
    """Return a line that states why no window can be opened and what to do; None if no obstacle was found."""
    if not sys.platform.startswith("linux"):
        return None
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    x11, wayland = os.environ.get("DISPLAY"), os.environ.get("WAYLAND_DISPLAY")
    if not platform and not x11 and not wayland:
        return NO_DISPLAY
    if platform.startswith("xcb") or (not platform and not wayland):
        missing = missing_libraries()
        if missing:
            return install_hint(missing)
        return _connection_error(x11) if x11 else NO_DISPLAY
    return None


def missing_libraries() -> list[str]:
    """Return the names of missing system libraries that Qt's X11 plugin needs; empty if there is no such plugin."""
    plugin = _plugin()
    if plugin is None:
        return []
    try:
        ctypes.CDLL(str(plugin))
    except OSError as error:
        return _all_missing(plugin) or [str(error).partition(":")[0]]
    return []


def install_hint(libraries: list[str]) -> str:
    """Return a line with the missing libraries and the command that installs them on Debian and Ubuntu."""
    names = ", ".join(libraries)
    packages = " ".join(find_packages(libraries))
    return tr(
        "qe-desktop: error: System libraries for the window are missing ({names}). On Debian or Ubuntu, run: "
        "sudo apt-get install {packages}",
        names=names,
        packages=packages,
    )


def import_error_hint(error: ImportError) -> str | None:
    """Return the text of `install_hint` if `error` reports a missing system library; None otherwise."""
    library, separator, _ = str(error).partition(": cannot open shared object file")
    if not separator:
        return None
    plugin = _plugin()
    missing = _all_missing(plugin) if plugin is not None else []
    return install_hint(list(dict.fromkeys([library, *missing])))


def find_packages(libraries: list[str]) -> list[str]:
    """Return the packages that contain the libraries, without duplicates, in alphabetical order.

    The package of an unknown library is assumed to have the name of the library in lower case.
    """
    return sorted({PACKAGES.get(name.partition(".so")[0], name.partition(".so")[0].lower()) for name in libraries})


def _plugin() -> Path | None:
    spec = importlib.util.find_spec("PySide6")
    for folder in (spec.submodule_search_locations or []) if spec is not None else []:
        plugin = Path(folder) / "Qt" / "plugins" / "platforms" / "libqxcb.so"
        if plugin.is_file():
            return plugin
    return None


def _all_missing(plugin: Path) -> list[str]:
    import subprocess

    try:
        output = subprocess.run(["ldd", str(plugin)], capture_output=True, text=True, check=False, timeout=20).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    lines = [line.split() for line in output.splitlines() if "not found" in line]
    return list(dict.fromkeys(parts[0] for parts in lines))


def _connection_error(display: str) -> str | None:
    """Return an error message if the X server cannot be reached; in that case, Qt would abort the process.

    Return None if the X server can be reached, or if that cannot be checked.
    """
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return None
    xcb.xcb_connect.restype = ctypes.c_void_p
    connection = ctypes.c_void_p(xcb.xcb_connect(None, None))
    try:
        if not xcb.xcb_connection_has_error(connection):
            return None
    finally:
        xcb.xcb_disconnect(connection)
    return tr(
        "qe-desktop: error: The display “{display}” cannot be used. Check DISPLAY and your access to the display, "
        "or use `xvfb-run`.",
        display=display,
    )
