"""Checkpoint file of a sampling study: partial sums and the settings that they depend on."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.columns import Floats
from qe_desktop.formats.atomic_write import write_bytes
from qe_desktop.formats.text_files import open_file
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.studies.sampling.data_sets import DataSets


@dataclass(frozen=True, slots=True, eq=False)
class LeadingSums:
    """Sums of the first `count` rows (`total`) and of their squares (`squares`), each with one value per column."""

    total: Floats
    squares: Floats
    count: int = 0

    def with_row(self, row: Floats) -> LeadingSums:
        """Return the sums including `row` as the next row."""
        return LeadingSums(self.total + row, self.squares + row**2, self.count + 1)


@dataclass(slots=True)
class PartialSums:
    """Sums of rows that are received in any order.

    `leading` are the sums of the first rows; `waiting` contains later rows by index. Floating-point sums depend on the
    order of addition, so a row waits until all rows with a lower index have been added. The sums and their count are
    replaced together, so that an interrupt leaves them consistent.
    """

    leading: LeadingSums
    waiting: dict[int, Floats] = field(default_factory=dict)

    @classmethod
    def empty(cls, figures: int) -> PartialSums:
        """Return sums of no rows; `figures` is the number of values in a row."""
        return cls(LeadingSums(np.zeros(figures), np.zeros(figures)))

    @property
    def added(self) -> int:
        """Number of rows that have been added to the sums."""
        return self.leading.count

    @property
    def received_count(self) -> int:
        """Number of rows received, including waiting rows."""
        return self.added + len(self.waiting)

    def has(self, number: int) -> bool:
        """Return whether the row with this 0-based index has been received."""
        return number < self.added or number in self.waiting

    def add(self, number: int, row: Floats) -> None:
        """Add a row by its 0-based index."""
        self.waiting[number] = row
        while self.added in self.waiting:
            # removed before it is added: a row lost by an interrupt is computed again; a duplicate would count twice
            self.leading = self.leading.with_row(self.waiting.pop(self.added))

    def all_sums(self) -> tuple[Floats, Floats]:
        """Return the sums of all received rows and of their squares, including waiting rows."""
        first = self.leading
        for _, row in sorted(self.waiting.items()):
            first = first.with_row(row)
        return first.total, first.squares


SUMS_KIND = "qe-desktop sums of repeated sampling"
SUMS_VERSION = 2
DATA_SETTING = "gold and systems"


def sums_settings(sets: DataSets) -> dict[str, str | int]:
    """Return all settings that the sums depend on, by name, with a fingerprint of the tags.

    The number of repetitions is excluded, so that a finished run can be extended.
    """
    pool = sets.pool
    fingerprint = blake2b(digest_size=16)
    for values in (pool.gold, pool.changes, pool.repeat_changes, pool.errors, pool.segment, pool.system):
        fingerprint.update(np.ascontiguousarray(values).tobytes())
    return {
        **sets.options.sampling_settings(),
        "metrics": " ".join(pool.metrics),
        DATA_SETTING: fingerprint.hexdigest(),
    }


def write_sums(path: Path, sets: DataSets, sums: PartialSums) -> None:
    """Write the sums atomically. Raises QeError if the file cannot be written."""
    content = {
        "file": SUMS_KIND,
        "version": SUMS_VERSION,
        "settings": sums_settings(sets),
        "added": sums.added,
        "total": sums.leading.total.tolist(),
        "squares": sums.leading.squares.tolist(),
        "waiting": {str(number): row.tolist() for number, row in sorted(sums.waiting.items())},
        "mark": _fingerprint(sums),
    }
    write_bytes(path, json.dumps(content).encode())


def read_sums(path: Path, sets: DataSets, figures: int) -> PartialSums:
    """Read the sums from a file; return sums of no rows if the file does not exist.

    `figures` is the number of values in a row. Raises QeError if the file cannot be read, is not a checkpoint, has an
    unsupported version, is damaged, or has settings that differ from those of `sets`; the message names the
    differences.
    """
    if not path.exists():
        return PartialSums.empty(figures)
    location = SourceLocation(str(path))
    try:
        opened = open_file(path)
        content = json.loads(opened.data[opened.start :])
        version = content["version"] if content["file"] == SUMS_KIND else None
    except (ValueError, KeyError, TypeError, RecursionError):
        version = None
    if type(version) is not int:
        message = tr("this file is not a checkpoint of repeated sampling")
        raise QeError(message, hint=tr("Use the name of a new file."), place=location)
    if version != SUMS_VERSION:
        message = tr(
            "this checkpoint has format version {version}, but this program uses version {own}",
            version=version, own=SUMS_VERSION,
        )  # fmt: skip
        raise QeError(
            message, hint=tr("Use the QE Desktop version that wrote it, or the name of a new file."), place=location
        )
    stored = content.get("settings")
    if not isinstance(stored, dict):
        raise _damaged(location)
    requested = sums_settings(sets)
    different = [name for name in requested if stored.get(name) != requested[name]]
    if different:
        message = tr(
            "this checkpoint is from a study with different settings or data: {settings}",
            settings=_describe_difference(different, stored, requested),
        )
        raise QeError(
            message, hint=tr("Use the settings and data of the checkpoint, or the name of a new file."), place=location
        )
    try:
        return _sums(content, figures)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        raise _damaged(location) from None


def _damaged(place: SourceLocation) -> QeError:
    return QeError(tr("this checkpoint is damaged"), hint=tr("Delete the file and run again."), place=place)


def _describe_difference(names: list[str], stored: dict[str, Any], requested: dict[str, str | int]) -> str:
    """Describe how the settings `names` differ; for the data, state only that they differ."""
    changed = [
        tr("{name} changed from {before} to {now}", name=name, before=stored[name], now=requested[name])
        if name in stored
        else tr("{name} is missing from the checkpoint", name=name)
        for name in names
        if name != DATA_SETTING
    ]
    # other metrics have other rows, so the fingerprints cannot be compared
    if DATA_SETTING in names and "metrics" not in names:
        changed.append(
            tr("the gold or the systems changed")
            if DATA_SETTING in stored
            else tr("{name} is missing from the checkpoint", name=DATA_SETTING)
        )
    return join_localized("; ", changed)


def _sums(content: dict[str, Any], figures: int) -> PartialSums:
    waiting = {int(number): _row(row, figures) for number, row in content["waiting"].items()}
    added = int(content["added"])
    if added < 0 or any(number <= added for number in waiting):
        raise ValueError("rows do not match the number of sums")
    sums = PartialSums(LeadingSums(_row(content["total"], figures), _row(content["squares"], figures), added), waiting)
    if content["mark"] != _fingerprint(sums):
        # only the fingerprint shows that a value was modified
        raise ValueError("values differ from the fingerprint")
    return sums


def _fingerprint(sums: PartialSums) -> str:
    """Return a fingerprint of all values at full precision."""
    mark = blake2b(digest_size=16)
    for number, row in ((sums.added, sums.leading.total), (0, sums.leading.squares), *sorted(sums.waiting.items())):
        mark.update(f"{number}:".encode() + row.tobytes())
    return mark.hexdigest()


def _row(values: Any, figures: int) -> Floats:
    row = np.asarray(values, np.float64)
    if row.shape != (figures,) or not np.isfinite(row).all():
        raise ValueError("invalid number of values")
    return row
