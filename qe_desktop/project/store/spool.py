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
from qe_desktop.wording import in_english

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
        file = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY | _BINARY, 0o600)
        try:
            _write(file, _lines([{**to_json(row), "refused": reason}]))
            os.fsync(file)
        finally:
            os.close(file)
        return path

    def left(self) -> Iterator[tuple[list[Row], Callable[[], None]]]:
        """The rows that earlier programs left for this project, and what removes their file, locked until then.

        Whoever has written the rows calls that before asking for the next. Files of programs that still run are passed
        over.
        """
        for path in sorted(self._folder.glob(f"{self._stem}-*.jsonl")):
            if path == self.path:
                continue
            try:
                file = os.open(path, os.O_RDWR | _BINARY)
            except OSError:
                continue
            removed: list[Path] = []

            def remove(file: int = file, path: Path = path, removed: list[Path] = removed) -> None:
                removed.append(path)
                _done_with(file, path)

            try:
                if lock(file):
                    held = _objects(file)
                    if self._is_for_us(held):
                        yield _rows(held), remove
            finally:
                if not removed:
                    os.close(file)

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
        except Trouble:
            break
        count += len(rows)
        remove()
    return count


def _commit_all(spool: Spool, commit: Callable[[Sequence[Row]], None], rows: Sequence[Row]) -> None:
    try:
        commit(rows)
    except Trouble:
        raise
    except QeError as error:
        if len(rows) == 1:
            spool.set_aside(rows[0], error)
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


def _objects(file: int) -> list[dict[str, Any]]:
    """The lines of a file. A last line that a crash cut short was never said to be kept, and is left out."""
    found = []
    os.lseek(file, 0, os.SEEK_SET)
    with os.fdopen(os.dup(file), "rb") as whole:
        data = whole.read()
    for line in data.split(b"\n"):
        try:
            held = json.loads(line)
        except ValueError:
            continue
        if isinstance(held, dict):
            found.append(held)
    return found


def _rows(objects: Sequence[dict[str, Any]]) -> list[Row]:
    rows: list[Row] = []
    for held in objects:
        with suppress(ValueError, KeyError, TypeError):
            rows.append(from_json(held))
    return rows


def _lines(objects: Sequence[dict[str, object]]) -> bytes:
    # begun with a line end, for should the disk have filled up in the middle of the line before
    return "".join(f"\n{json.dumps(one, ensure_ascii=True, separators=(',', ':'))}" for one in objects).encode() + b"\n"


def _write(file: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(file, view) :]
