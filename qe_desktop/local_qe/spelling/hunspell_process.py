"""Client of the spelling process: checks words and suggests corrections, without blocking other threads.

Hunspell runs in a separate process, because its Python binding does not release the global interpreter lock. Opening
a German dictionary takes about 0.2 s and a suggestion up to 0.5 s; during this time, the window would not respond. In
addition, a damaged dictionary cannot crash the program.
"""

from __future__ import annotations

import importlib.util
import json
import queue
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.files import display_name
from qe_desktop.i18n.messages import tr

START_TIMEOUT_SECONDS, REPLY_TIMEOUT_SECONDS = 60.0, 30.0
"""Time limits in seconds, for opening a dictionary and for a reply."""
_WORKER = Path(__file__).with_name("hunspell_worker.py")
_STOPPED = tr("the spell checker has stopped")
_RETRY_HINT = tr("Turn spell checking on again.")
_STOPPED_HINT = tr("Turn spell checking on again. If this does not help, replace or remove the dictionary.")
_NO_WINDOW_FLAG = "CREATE_NO_WINDOW"
"""Name of the Windows flag that prevents a console window."""


def is_installed() -> bool:
    """Return whether the Hunspell binding is installed (package `chunspell`, extra `spelling`)."""
    return importlib.util.find_spec("hunspell") is not None


class HunspellProcess:
    """Process with one open dictionary. Methods may be called from any thread; requests are processed one by one."""

    def __init__(self, dictionary: Path) -> None:
        """Start the process and wait until the dictionary is open. Raises QeError if either fails."""
        self._dictionary = dictionary
        self._lock = threading.Lock()
        # -P: no module is imported from the current folder, which may contain untrusted files
        command = [sys.executable, "-P", str(_WORKER), str(dictionary)]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                start_new_session=True, creationflags=getattr(subprocess, _NO_WINDOW_FLAG, 0),
            )  # fmt: skip
        except OSError as error:
            message = tr("the spell checker cannot be started: {reason}", reason=error.strerror or str(error))
            raise self._error(message, _RETRY_HINT) from None
        assert self._process.stdout is not None
        self._replies: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        reader = threading.Thread(target=_read_lines, args=(self._process.stdout, self._replies.put), daemon=True)
        self._end = weakref.finalize(self, _end_process, self._process, reader)
        reader.start()
        self._receive(START_TIMEOUT_SECONDS)

    def check(self, words: Sequence[Sequence[str]]) -> list[bool]:
        """Return, for each word, whether the dictionary has a form of it; `words` contains the forms of each word.

        Raises QeError if the process has ended or does not respond.
        """
        results = self._send_request({"check": [list(forms) for forms in words]}, "known")
        if len(results) != len(words):
            raise self._error(_STOPPED, _STOPPED_HINT)
        return list(map(bool, results))

    def suggest(self, word: str) -> tuple[str, ...]:
        """Return suggestions for a misspelled word, best first. Raises QeError as `check` does."""
        return tuple(map(str, self._send_request({"suggest": word}, "suggestions")))

    def close(self) -> None:
        """End the process; a call that is waiting for a reply raises QeError."""
        self._end()

    def _send_request(self, request: dict[str, Any], key: str) -> list[Any]:
        with self._lock:
            stdin = self._process.stdin
            try:
                assert stdin is not None
                stdin.write(json.dumps(request).encode() + b"\n")
                stdin.flush()
            except (OSError, ValueError):
                # closed here, or ended by itself
                raise self._error(_STOPPED, _STOPPED_HINT) from None
            reply = self._receive(REPLY_TIMEOUT_SECONDS).get(key)
        if not isinstance(reply, list):
            raise self._error(_STOPPED, _STOPPED_HINT)
        return reply

    def _receive(self, seconds: float) -> dict[str, Any]:
        try:
            line: bytes | None = self._replies.get(timeout=seconds)
        except queue.Empty:
            line = None
        try:
            content = json.loads(line) if line else None
        except ValueError:
            content = None
        if isinstance(content, dict) and "error" not in content:
            return content
        self.close()
        if isinstance(content, dict):
            message = tr("the dictionary cannot be used: {reason}", reason=str(content["error"]))
            raise self._error(message, tr("Replace or remove the dictionary."))
        raise self._error(_STOPPED if line == b"" else tr("the spell checker does not respond"), _STOPPED_HINT)

    def _error(self, message: str, hint: str) -> QeError:
        return QeError(message, hint=hint, place=SourceLocation(display_name(self._dictionary)))


def _read_lines(stream: IO[bytes], put: Callable[[bytes], object]) -> None:
    """Pass each line of a stream to `put`, and an empty bytes object at the end of the stream."""
    with suppress(OSError, ValueError):
        for line in stream:
            put(line)
    put(b"")


def _end_process(process: subprocess.Popen[bytes], reader: threading.Thread) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is process.stdout and reader.ident is not None:
            # the pipe has ended, so the reader ends too
            reader.join()
        if stream is not None:
            with suppress(OSError):
                stream.close()
