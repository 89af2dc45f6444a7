"""The file that a long run goes on from: its sums so far, and what they are sums of."""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.opening import open_file
from qe_desktop.formats.writing import write_bytes
from qe_desktop.metrics.family import Floats
from qe_desktop.studies.sampling.data_sets import DataSets
from qe_desktop.studies.sampling.sums import First, Sums
from qe_desktop.wording import side_by_side, tr

KIND = "qe-desktop sums of repeated sampling"
VERSION = 2
DATA = "gold and systems"


def settings(sets: DataSets) -> dict[str, str | int]:
    """All that the sums depend on, by name; of the tags a fingerprint. How many repetitions there are is not of it, so
    that a finished run can be made longer.
    """
    pool = sets.pool
    mark = blake2b(digest_size=16)
    for values in (pool.gold, pool.changes, pool.wholes, pool.errors, pool.segment, pool.system):
        mark.update(np.ascontiguousarray(values).tobytes())
    return {**sets.options.drawing(), "metrics": " ".join(pool.metrics), DATA: mark.hexdigest()}


def write_sums(path: Path, sets: DataSets, sums: Sums) -> None:
    """Write all of them, or leave what was there."""
    content = {
        "file": KIND,
        "version": VERSION,
        "settings": settings(sets),
        "added": sums.added,
        "total": sums.first.total.tolist(),
        "squares": sums.first.squares.tolist(),
        "waiting": {str(number): row.tolist() for number, row in sorted(sums.waiting.items())},
        "mark": _mark(sums),
    }
    write_bytes(path, json.dumps(content).encode())


def read_sums(path: Path, sets: DataSets, figures: int) -> Sums:
    """The sums that a file keeps, none where there is no file yet; QeError for a file that is no such or of a study
    with other settings, which it names.
    """
    if not path.exists():
        return Sums.empty(figures)
    place = Place(str(path))
    try:
        opened = open_file(path)
        held = json.loads(opened.data[opened.start :])
        known = held["settings"] if held["file"] == KIND and held["version"] == VERSION else None
    except (ValueError, KeyError, TypeError, RecursionError):
        known = None
    if not isinstance(known, dict):
        message = tr("this file holds no sums of repeated sampling")
        raise QeError(message, hint=tr("Name a file that is not there yet."), place=place)
    asked = settings(sets)
    other = [name for name in asked if known.get(name) != asked[name]]
    if other:
        message = tr("these sums are of a study with other settings: {settings}", settings=_said(other, known, asked))
        raise QeError(message, hint=tr("Give the same settings, or the name of another file."), place=place)
    try:
        return _sums(held, figures)
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        message = tr("the sums in this file are damaged")
        raise QeError(message, hint=tr("Take the file away, and start again."), place=place) from None


def _said(names: list[str], known: dict[str, Any], asked: dict[str, str | int]) -> str:
    """What differs, from what to what; of the data only that they do."""
    changed = [
        tr("{name} was {before}, and is {now}", name=name, before=known.get(name), now=asked[name])
        for name in names
        if name != DATA
    ]
    # of other metrics there are other rows, of which nothing can be told
    if DATA in names and "metrics" not in names:
        changed.append(tr("the gold or the systems"))
    return side_by_side("; ", changed)


def _sums(held: dict[str, Any], figures: int) -> Sums:
    waiting = {int(number): _row(row, figures) for number, row in held["waiting"].items()}
    added = int(held["added"])
    if added < 0 or any(number <= added for number in waiting):
        raise ValueError("rows that wait for none")
    sums = Sums(First(_row(held["total"], figures), _row(held["squares"], figures), added), waiting)
    if held["mark"] != _mark(sums):
        # a figure that something changed is as good a number as any
        raise ValueError("other figures than were written")
    return sums


def _mark(sums: Sums) -> str:
    """A fingerprint of all figures, to the last digit."""
    mark = blake2b(digest_size=16)
    for number, row in ((sums.added, sums.first.total), (0, sums.first.squares), *sorted(sums.waiting.items())):
        mark.update(f"{number}:".encode() + row.tobytes())
    return mark.hexdigest()


def _row(values: Any, figures: int) -> Floats:
    row = np.asarray(values, np.float64)
    if row.shape != (figures,) or not np.isfinite(row).all():
        raise ValueError("other figures")
    return row
