"""What a project's own threads tell, and the one among them that looks for what other windows and people did."""

from __future__ import annotations

import logging
import threading
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from qe_desktop.corpus import QeError
from qe_desktop.ui.jobs import Crossing
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.project.store import Project

INTERVAL = 1.0
"""Seconds between two looks."""

_LOG = logging.getLogger(__name__)


class Relay(Crossing):
    """What the threads of a project told, on the window's thread.

    There is one for each open project, so that what an old one still has to say is not taken for the new one's.
    """

    saved = Signal(float)
    """Rows were committed: when, in Unix time."""
    trouble = Signal(object)
    """A `QeError` that keeps rows from being saved, or None: it works again."""
    heard = Signal(object)
    """`News` of the project."""
    deaf = Signal(object)
    """A `QeError`: what others do cannot be seen; None: it can again."""


class Listener:
    """Looks about once a second from `start` to `stop`, on a thread of its own: a server may be slow.

    It ends by itself should the program end.
    """

    def __init__(self, project: Project, relay: Relay, interval: float = INTERVAL) -> None:
        self._project = project
        self._relay = relay
        self._interval = interval
        self._woken = threading.Event()
        self._stopped = False
        self._deaf = False
        self._thread = threading.Thread(target=self._run, name="project news", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self, seconds: float = 1.0) -> None:
        """Look no more; a look that takes longer than `seconds` is not waited for."""
        self._stopped = True
        self._woken.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        while True:
            self._woken.wait(self._interval)
            self._woken.clear()
            if self._stopped:
                return
            try:
                news = self._project.news()
                if news:
                    self._relay.tell("heard", news)
            except QeError as error:
                self._say(error)
            except Exception as error:
                _LOG.exception("the news of a project could not be read")
                message = tr("what others do cannot be seen: {error}", error=error)
                self._say(QeError(message, hint=tr("It is tried again.")))
            else:
                self._say(None)

    def _say(self, error: QeError | None) -> None:
        """Tell once that it does not work, and once that it works again."""
        if self._stopped or (error is None) != self._deaf:
            return
        self._deaf = error is not None
        self._relay.tell("deaf", error)
