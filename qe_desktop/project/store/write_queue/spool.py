"""The spool file: rows that a database has not yet taken, one JSON object a line, only ever added to."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from qe_desktop.corpus import QeError
from qe_desktop.project.events import Row
from qe_desktop.project.store.locking import lock
from qe_desktop.project.store.row_json import from_json, to_json
from qe_desktop.project.store.troubles import Trouble
from qe_desktop.wording import in_english, tr

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
            if not lock(self._file):
                os.close(self._file)
                self._file = None
                raise BlockingIOError(f"{self.path} is held by another program")
            _write(self._file, _lines([{"place": self._place}]))
        _write(self._file, _lines([to_json(row) for row in rows]))
        os.fsync(self._file)

    def clear(self) -> None:
        """Remove the file: all its rows are in the database."""
        if self._file is not None:
            _done_with(self._file, self.path)
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
        reason = QeError(in_english(error.message), hint=in_english(error.hint), place=error.place).line()
        _append(path, _lines([{**to_json(row), "refused": reason}]))
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
                if lock(file):
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
                        _done_with(file, path)

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


def bring_in(spool: Spool, commit: Callable[[Sequence[Row]], None]) -> int:
    """Commit what earlier programs had to leave, and remove their files; how many rows that were.

    Where the database does not take them now, the files stay for the next time.
    """
    count = 0
    for rows, remove in spool.left():
        try:
            _commit_all(spool, commit, rows)
            remove()
        except (Trouble, OSError):
            break
        count += len(rows)
    return count


def _commit_all(spool: Spool, commit: Callable[[Sequence[Row]], None], rows: Sequence[Row]) -> None:
    try:
        commit(rows)
    except Trouble:
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


def _done_with(file: int, path: Path) -> None:
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
            rows.append(from_json(held))
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
