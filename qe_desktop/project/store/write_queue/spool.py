"""The spool file: rows that a database has not yet taken, one JSON object a line, only ever added to."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import to_english, tr
from qe_desktop.project.events import Row
from qe_desktop.project.store.errors import TransientError
from qe_desktop.project.store.tables.json_codec import row_from_json, row_to_json

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
try:
    import msvcrt
except ImportError:  # everywhere else
    msvcrt = None  # type: ignore[assignment]

_FAR = 1 << 30
"""Where the byte is that Windows locks: nobody could read one within the file."""


def lock_file(file: int) -> bool:
    """Lock an open file for this program alone; False where another one has."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            os.lseek(file, _FAR, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
    except OSError:
        return False
    return True


_BINARY = getattr(os, "O_BINARY", 0)
"""Without it, Windows writes two bytes for each line end."""


def data_folder() -> Path:
    """The folder in which this person's programs keep data of their own."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "QE Desktop"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/QE Desktop"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "qe-desktop"


class Spool:
    """The spool file of one running program for one project. `place` is the project's, without a password.

    The file is readable by its owner alone, and locked while the program runs, so that nobody else takes its rows.
    """

    def __init__(self, place: str, project: str, window: str, folder: Path | None = None) -> None:
        self._folder = (folder or data_folder()) / "unsaved"
        self._stem = hashlib.sha256(project.encode()).hexdigest()[:24]
        self._place = place
        self.path = self._folder / f"{self._stem}-{window[:12]}.jsonl"
        self._file: int | None = None
        self.aside: list[QeError] = []
        """What was set aside of that which earlier programs left, each with the file that has it now."""

    def keep(self, rows: Sequence[Row]) -> None:
        """Add rows; when this returns they are on the disk. OSError where that cannot be."""
        if not rows:
            return
        if self._file is None:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = os.open(self.path, os.O_CREAT | os.O_APPEND | os.O_RDWR | _BINARY, 0o600)
            if not lock_file(self._file):
                os.close(self._file)
                self._file = None
                raise BlockingIOError(f"{self.path} is held by another program")
            _write(self._file, _lines([{"place": self._place}]))
        _write(self._file, _lines([row_to_json(row) for row in rows]))
        os.fsync(self._file)

    def clear(self) -> None:
        """Remove the file: all its rows are in the database."""
        if self._file is not None:
            _discard_spool(self._file, self.path)
            self._file = None

    def close(self) -> None:
        """Let go of the file, which stays where it is."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def set_aside(self, row: Row, error: QeError) -> Path:
        """Keep a row that the database will never take, with the reason, in a file of its own, which is returned."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self.path.with_suffix(".refused")
        reason = QeError(to_english(error.message), hint=to_english(error.hint), place=error.place).line()
        _append(path, _lines([{**row_to_json(row), "refused": reason}]))
        return path

    def left(self) -> Iterator[tuple[list[Row], Callable[[], None]]]:
        """The rows that earlier programs left for this project, and what removes their file, locked until then.

        Whoever has written the rows calls that before asking for the next; lines that cannot be read go into a file of
        their own then. Files of programs that still run are passed over.
        """
        for path in sorted(self._folder.glob(f"{self._stem}-*.jsonl")):
            if path == self.path:
                continue
            try:
                file = os.open(path, os.O_RDWR | _BINARY)
            except OSError:
                continue
            removed: list[Path] = []

            try:
                if lock_file(file):
                    held, unread = _objects(file)
                    if not self._is_for_us(held):
                        continue
                    rows, others = _rows(held)

                    def remove(
                        file: int = file, path: Path = path, removed: list[Path] = removed,
                        unread: Sequence[bytes] = unread, others: Sequence[dict[str, Any]] = others,
                    ) -> None:  # fmt: skip
                        self._keep_unread(path, unread, others)
                        removed.append(path)
                        _discard_spool(file, path)

                    yield rows, remove
            finally:
                if not removed:
                    os.close(file)

    def _keep_unread(self, path: Path, unread: Sequence[bytes], others: Sequence[dict[str, Any]]) -> None:
        """Put what cannot be read of a file into another, which no program removes. OSError where that cannot be."""
        if not unread and not others:
            return
        kept = path.with_suffix(".unread")
        _append(kept, b"".join(b"\n" + line for line in unread) + b"\n" + _lines(others))
        # a line without its end was cut short by a full disk, which was said then; it was written once more
        number = len(others) + sum(line.endswith(b"}") for line in unread)
        if number:
            message = tr("{n:,} {n:change|changes} left from an earlier session cannot be read", "", number)
            hint = tr(
                "They are kept in {file}. If you used a newer version of QE Desktop before, open the project with it; "
                "else please report it.",
                file=kept,
            )
            self.aside.append(QeError(message, hint=hint))

    def _is_for_us(self, objects: Sequence[dict[str, Any]]) -> bool:
        """Whether a file was left for this project here, or for a file that has been moved here since."""
        place = str(next((held["place"] for held in objects if "place" in held), ""))
        if place == self._place or "://" in place:
            return place == self._place
        try:
            # the same file by another way, such as a link
            return os.path.samefile(place, self._place)
        except (OSError, ValueError):
            return not os.path.exists(place)


def recover_spool(spool: Spool, commit: Callable[[Sequence[Row]], None]) -> int:
    """Commit what earlier programs had to leave, and remove their files; how many rows that were.

    Where the database does not take them now, the files stay for the next time.
    """
    count = 0
    for rows, remove in spool.left():
        try:
            _commit_all(spool, commit, rows)
            remove()
        except (TransientError, OSError):
            break
        count += len(rows)
    return count


def _commit_all(spool: Spool, commit: Callable[[Sequence[Row]], None], rows: Sequence[Row]) -> None:
    try:
        commit(rows)
    except TransientError:
        raise
    except QeError as error:
        if len(rows) == 1:
            path = spool.set_aside(rows[0], error)
            hint = tr("It is kept in {file}.", file=path)
            message = tr("a change left from an earlier session was not taken: {reason}", reason=error.message)
            spool.aside.append(QeError(message, hint=f"{error.hint} {hint}".strip(), place=error.place))
        else:
            half = len(rows) // 2
            _commit_all(spool, commit, rows[:half])
            _commit_all(spool, commit, rows[half:])


def _discard_spool(file: int, path: Path) -> None:
    """Let go of a file whose rows are in the database, and remove it.

    It is emptied before, while nobody else may have it: Windows removes no file that is open, be it for another program
    that only looks what it is; then an empty one is left, which the next program removes.
    """
    try:
        os.ftruncate(file, 0)
    finally:
        os.close(file)
    with suppress(OSError):
        path.unlink()


def _objects(file: int) -> tuple[list[dict[str, Any]], list[bytes]]:
    """The lines of a file, and those that are none of ours. A last line that a crash cut short was never said to be
    kept, and is left out.
    """
    found: list[dict[str, Any]] = []
    unread: list[bytes] = []
    os.lseek(file, 0, os.SEEK_SET)
    with os.fdopen(os.dup(file), "rb") as whole:
        data = whole.read()
    *lines, last = data.split(b"\n")
    for line in (*lines, last):
        try:
            held = json.loads(line)
        except (ValueError, RecursionError):
            held = None
        if isinstance(held, dict):
            found.append(held)
        elif line.strip() and line is not last:
            unread.append(line)
    return found, unread


def _rows(objects: Sequence[dict[str, Any]]) -> tuple[list[Row], list[dict[str, Any]]]:
    """The rows among the objects of a file, and what is none, such as what a newer program wrote."""
    rows: list[Row] = []
    others: list[dict[str, Any]] = []
    for held in objects:
        try:
            rows.append(row_from_json(held))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            if held.keys() != {"place"}:
                others.append(held)
    return rows, others


def _lines(objects: Sequence[dict[str, object]]) -> bytes:
    # begun with a line end, for should the disk have filled up in the middle of the line before
    return "".join(f"\n{json.dumps(one, ensure_ascii=True, separators=(',', ':'))}" for one in objects).encode() + b"\n"


def _append(path: Path, data: bytes) -> None:
    """Add to a file of one's own; when this returns it is on the disk."""
    file = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY | _BINARY, 0o600)
    try:
        _write(file, data)
        os.fsync(file)
    finally:
        os.close(file)


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]


GRACE_SECONDS = 0.25
"""Seconds that a row may wait for its commit before it is kept in the file as well."""

_LOG = logging.getLogger(__name__)


class QueueState(NamedTuple):
    """How many rows were committed, how many were ever queued, and whether the database is in trouble."""

    committed: int
    queued: int
    trouble: bool


class SpoolWriter:
    """A thread that owns a spool file.

    `state` looks at the queue; `rows` gives all waiting rows from a number on, and the number behind the last.
    """

    def __init__(
        self, spool: Spool, state: Callable[[], QueueState], rows: Callable[[int], tuple[list[Row], int]], name: str
    ) -> None:
        self._spool = spool
        self._state = state
        self._rows = rows
        self._woken = threading.Event()
        self._ending = False
        self._failed = False
        self._kept = 0
        self._thread = threading.Thread(target=self._run, name=f"keeper of {name}", daemon=True)

    def start(self) -> None:
        """Begin to look after the queue."""
        self._thread.start()

    @property
    def kept(self) -> int:
        """How many of the rows ever queued, from the first on, need not be kept any more: they are in the file."""
        return self._kept

    def wake(self) -> None:
        """Rows have come, or the database does not take them."""
        self._woken.set()

    def end(self, timeout: float) -> None:
        """Keep what is left, or clear the file, and end."""
        self._ending = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _run(self) -> None:
        while not self._ending:
            self._woken.wait()
            self._woken.clear()
            try:
                self._watch()
            except OSError:
                # the rows are still in memory, and it is tried again
                if not self._failed:
                    _LOG.exception("rows could not be kept in the spool file")
                self._failed = True
                self._woken.wait(GRACE_SECONDS)
                self._woken.set()
            else:
                self._failed = False
        # whoever opens the project next, in this program or another, may take the rows
        self._spool.close()

    def _watch(self) -> None:
        """Look after the queue until it is empty."""
        seen, since = 0, time.monotonic()
        while True:
            ending = self._ending
            state = self._state()
            if state.committed == state.queued:
                self._spool.clear()
                return
            # rows of a look that are still there have waited for long enough once the grace is over, and not before:
            # those that come later wake this thread as well
            waited = state.committed < seen and time.monotonic() - since >= GRACE_SECONDS
            if (state.trouble or ending or waited) and self._kept < state.queued:
                rows, behind = self._rows(self._kept)
                self._spool.keep(rows)
                self._kept = behind
            if ending:
                return
            if waited or state.committed >= seen:
                seen, since = state.queued, time.monotonic()
            self._woken.wait(max(0.0, since + GRACE_SECONDS - time.monotonic()))
            self._woken.clear()
