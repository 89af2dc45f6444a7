"""Spool file: rows not yet saved in the database, as append-only JSON lines."""

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
from qe_desktop.project.store.committer import validate_row
from qe_desktop.project.store.errors import TransientError, unexpected_rejection
from qe_desktop.project.store.tables.cell_codec import row_from_json, row_to_json

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
try:
    import msvcrt
except ImportError:  # everywhere else
    msvcrt = None  # type: ignore[assignment]

_LOCK_OFFSET = 1 << 30
"""Offset of the byte to lock on Windows: beyond the data, because a locked byte cannot be read."""


def lock_file(file: int) -> bool:
    """Lock an open file for this process; return False if that fails, for example if another process has locked it."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            os.lseek(file, _LOCK_OFFSET, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
    except OSError:
        return False
    return True


_BINARY = getattr(os, "O_BINARY", 0)
"""Flag that prevents Windows from converting line ends."""


def data_folder() -> Path:
    """Per-user data folder of the program."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData/Local") / "QE Desktop"
    if sys.platform == "darwin":
        return Path.home() / "Library/Application Support/QE Desktop"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share") / "qe-desktop"


def remove_spools(place: str, folder: Path | None = None) -> None:
    """Delete the spool files of a deleted project, unless they are in use; for `place`, see `Spool`."""
    for path in ((folder or data_folder()) / "unsaved").glob("*.jsonl"):
        with suppress(OSError):
            file = os.open(path, os.O_RDWR | _BINARY)
            objects = _objects(file)[0] if lock_file(file) else []
            if objects[:1] == [{"place": place}]:
                _discard_spool(file, path)
            else:
                os.close(file)


class Spool:
    """Spool file of one client for one project. `place` is the project's path, or its URL without the password.

    The file is readable only by its owner and is locked while the program runs.
    """

    def __init__(self, place: str, project: str, window: str, folder: Path | None = None) -> None:
        self._folder = (folder or data_folder()) / "unsaved"
        self._stem = hashlib.sha256(project.encode()).hexdigest()[:24]
        self._place = place
        self.path = self._folder / f"{self._stem}-{window[:12]}.jsonl"
        self._file: int | None = None
        self.recovery_errors: list[QeError] = []
        """Errors for rows of earlier sessions that were set aside; each error names the file that contains the rows."""

    def append(self, rows: Sequence[Row]) -> None:
        """Append rows and sync the file to disk. Raises OSError on failure."""
        if not rows:
            return
        if self._file is None:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._file = os.open(self.path, os.O_CREAT | os.O_APPEND | os.O_RDWR | _BINARY, 0o600)
            if not lock_file(self._file):
                os.close(self._file)
                self._file = None
                raise BlockingIOError(f"{self.path} is locked by another program")
            _write(self._file, _lines([{"place": self._place}]))
        _write(self._file, _lines([row_to_json(row) for row in rows]))
        os.fsync(self._file)

    def clear(self) -> None:
        """Remove the file. All rows must have been committed or rejected before."""
        if self._file is not None:
            _discard_spool(self._file, self.path)
            self._file = None

    def close(self) -> None:
        """Close the file without removing it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def set_aside(self, row: Row, error: QeError) -> Path:
        """Store a rejected row and the reason in another file; return the file's path. Raises OSError on failure."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self.path.with_suffix(".refused")
        reason = QeError(to_english(error.message), hint=to_english(error.hint), place=error.place).line()
        _append(path, _lines([{**row_to_json(row), "refused": reason}]))
        return path

    def earlier_sessions(self) -> Iterator[tuple[list[Row], Callable[[], None]]]:
        """For each spool file of an earlier session, yield its rows and a function that removes the file.

        Call the function after saving the rows; it also moves unreadable lines to a separate file. Each file is locked
        while its rows are processed. Files in use and files of other projects are skipped.
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
                    objects, unread = _objects(file)
                    if not self._belongs_to_project(objects):
                        continue
                    rows, unknown = _rows(objects)

                    def remove(
                        file: int = file, path: Path = path, removed: list[Path] = removed,
                        unread: Sequence[bytes] = unread, unknown: Sequence[dict[str, Any]] = unknown,
                    ) -> None:  # fmt: skip
                        self._save_unreadable_lines(path, unread, unknown)
                        removed.append(path)
                        _discard_spool(file, path)

                    yield rows, remove
            finally:
                if not removed:
                    os.close(file)

    def _save_unreadable_lines(self, path: Path, unread: Sequence[bytes], unknown: Sequence[dict[str, Any]]) -> None:
        """Append unreadable lines and unknown objects to a file that is never removed. Raises OSError on failure."""
        if not unread and not unknown:
            return
        unread_path = path.with_suffix(".unread")
        _append(unread_path, b"".join(b"\n" + line for line in unread) + b"\n" + _lines(unknown))
        # a line truncated by a full disk was reported at that time, and its row was written again
        number = len(unknown) + sum(line.endswith(b"}") for line in unread)
        if number:
            message = tr("{n:,} unsaved {n:change|changes} from an earlier session cannot be read", "", number)
            hint = tr("{n:It is|They are} kept in {file}. Please report this.", "", number, file=unread_path)
            self.recovery_errors.append(QeError(message, hint=hint))

    def _belongs_to_project(self, objects: Sequence[dict[str, Any]]) -> bool:
        """Return whether the spool file with `objects` belongs to this project, or to a path that no longer exists."""
        place = str(next((item["place"] for item in objects if "place" in item), ""))
        if place == self._place or "://" in place:
            return place == self._place
        try:
            # the same file through a link
            return os.path.samefile(place, self._place)
        except (OSError, ValueError):
            return not os.path.exists(place)


def recover_spool(spool: Spool, commit: Callable[[Sequence[Row]], None]) -> int:
    """Commit the rows of earlier sessions and remove their files; return the number of rows.

    Rejected rows are set aside and included in the number. If the database is not available or an I/O error occurs, the
    file is kept and its rows are not included.
    """
    count = 0
    for rows, remove in spool.earlier_sessions():
        try:
            _commit_all(spool, commit, rows)
            remove()
        except (TransientError, OSError):
            # the rows of another file may not have this problem
            continue
        count += len(rows)
    return count


def _commit_all(spool: Spool, commit: Callable[[Sequence[Row]], None], rows: Sequence[Row]) -> None:
    try:
        commit(rows)
    except (TransientError, OSError):
        raise
    except Exception as raised:
        if len(rows) == 1:
            error = raised if isinstance(raised, QeError) else unexpected_rejection(raised)
            path = spool.set_aside(rows[0], error)
            hint = tr("The change is stored in {file}.", file=path)
            message = tr("an unsaved change from an earlier session was rejected: {reason}", reason=error.message)
            spool.recovery_errors.append(QeError(message, hint=f"{error.hint} {hint}".strip(), place=error.place))
        else:
            half = len(rows) // 2
            _commit_all(spool, commit, rows[:half])
            _commit_all(spool, commit, rows[half:])


def _discard_spool(file: int, path: Path) -> None:
    """Close and remove a file whose rows are saved or obsolete.

    The file is first truncated while it is locked, because Windows cannot remove a file that another process has open.
    In that case, the next session removes the empty file.
    """
    try:
        os.ftruncate(file, 0)
    finally:
        os.close(file)
    with suppress(OSError):
        path.unlink()


def _objects(file: int) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Return the JSON objects of a file, and the lines that are not JSON objects.

    A truncated last line is dropped, because its row was never reported as stored.
    """
    objects: list[dict[str, Any]] = []
    unread: list[bytes] = []
    os.lseek(file, 0, os.SEEK_SET)
    with os.fdopen(os.dup(file), "rb") as stream:
        data = stream.read()
    *lines, last = data.split(b"\n")
    for line in (*lines, last):
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            objects.append(value)
        elif line.strip() and line is not last:
            unread.append(line)
    return objects, unread


def _rows(objects: Sequence[dict[str, Any]]) -> tuple[list[Row], list[dict[str, Any]]]:
    """Return the valid rows in `objects`, and the objects that are not valid rows, for example from a newer version."""
    rows: list[Row] = []
    unknown: list[dict[str, Any]] = []
    for item in objects:
        try:
            rows.append(validate_row(row_from_json(item)))
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, MemoryError):
            if item.keys() != {"place"}:
                unknown.append(item)
    return rows, unknown


def _lines(objects: Sequence[dict[str, object]]) -> bytes:
    # starts with a line end, in case the previous line was truncated by a full disk
    return (
        "".join(f"\n{json.dumps(item, ensure_ascii=True, separators=(',', ':'))}" for item in objects).encode() + b"\n"
    )


def _append(path: Path, data: bytes) -> None:
    """Append data to a file and sync the file to disk."""
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
"""Seconds that a row may wait for its commit before it is also written to the spool file."""

_LOG = logging.getLogger(__name__)


class QueueState(NamedTuple):
    """Number of rows processed (committed or rejected) so far, number of rows ever queued, and whether saving fails."""

    processed: int
    queued: int
    is_failing: bool


class SpoolWriter:
    """Thread that writes the spool file.

    `state` returns the state of the queue. `rows` takes a row number, counted from the first row ever queued; it
    returns the waiting rows from this number on, and the number after the last row.
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
        self._stored_rows = 0
        self._thread = threading.Thread(target=self._run, name=f"spool of {name}", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    @property
    def stored_rows(self) -> int:
        """Number of queued rows that had been processed or were in the spool file when it was last written."""
        return self._stored_rows

    def notify(self) -> None:
        """Wake the thread. Must be called after rows were queued and after the database failed."""
        self._woken.set()

    def end(self, timeout: float) -> None:
        """Stop the thread after it has stored the waiting rows or removed the file; wait at most `timeout` seconds."""
        self._ending = True
        self._woken.set()
        if self._thread.is_alive():
            self._thread.join(timeout)

    def _run(self) -> None:
        while not self._ending:
            self._woken.wait()
            self._woken.clear()
            try:
                self._save_pending()
            except Exception:
                # the rows are still in memory; retry
                if not self._failed:
                    _LOG.exception("rows could not be written to the spool file")
                self._failed = True
                self._woken.wait(GRACE_SECONDS)
                self._woken.set()
            else:
                self._failed = False
        # release the rows to the next session
        self._spool.close()

    def _save_pending(self) -> None:
        """Write rows to the file if they wait too long, if saving fails or if the thread ends.

        Removes the file once no row is waiting.
        """
        queued, since = 0, time.monotonic()
        while True:
            ending = self._ending
            state = self._state()
            if state.processed == state.queued:
                self._spool.clear()
                return
            # only rows seen at the start of the grace period have waited for its full length
            waited = state.processed < queued and time.monotonic() - since >= GRACE_SECONDS
            if (state.is_failing or ending or waited) and self._stored_rows < state.queued:
                rows, committed = self._rows(self._stored_rows)
                self._spool.append(rows)
                self._stored_rows = committed
            if ending:
                return
            if waited or state.processed >= queued:
                queued, since = state.queued, time.monotonic()
            self._woken.wait(max(0.0, since + GRACE_SECONDS - time.monotonic()))
            self._woken.clear()
