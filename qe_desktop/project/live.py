"""Scores that follow every edit: totals, plus the rows of the segments that changed, minus their rows before."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.corpus import Kind, LayerKey, TagColumn
from qe_desktop.metrics import WORD_METRICS, Metric, families_of, rows_of, totals_of
from qe_desktop.metrics.counting import ShareWatch
from qe_desktop.metrics.family import Floats
from qe_desktop.project.edits import Change, Tags
from qe_desktop.project.session import Session

METRICS: tuple[Metric, ...] = tuple(WORD_METRICS.values())
FAMILIES = families_of(METRICS)


class LiveScores:
    """The scores of all layers of one kind against the reference, kept up to date.

    `start` takes a snapshot; `count` sums its rows and may run on another thread; `finish` takes the sums over and
    catches up with what was edited meanwhile; from then on `update` follows each change.
    """

    def __init__(self, session: Session, kind: Kind) -> None:
        self.session = session
        self.kind = kind
        self.reference: LayerKey | None = None
        self.layers: list[LayerKey] = []
        self.totals: dict[str, Floats] | None = None
        self._tags: dict[LayerKey, dict[int, Tags]] = {}
        self._columns: dict[LayerKey, TagColumn] = {}
        self._waiting: set[int] = set()

    def start(self) -> bool:
        """Take a snapshot of what is to be scored; False where there is nothing to score."""
        self.reference = self.session.reference(self.kind)
        self.layers = self.session.scored(self.kind)
        self.totals = None
        self._tags = {}
        self._waiting = set()
        if self.reference is None or not self.layers:
            self._columns = {}
            return False
        self._columns = {key: self.session.tags(key) for key in (self.reference, *self.layers)}
        return True

    def count(self, watch: ShareWatch | None = None) -> dict[str, Floats]:
        """The totals of the snapshot, by family, shape (layers, columns)."""
        assert self.reference is not None
        gold = self._columns[self.reference]
        return totals_of(FAMILIES, gold, [self._columns[key] for key in self.layers], watch=watch)

    def finish(self, totals: dict[str, Floats]) -> None:
        """Take over counted totals, and follow the edits made while they were counted."""
        self.totals = totals
        for segment in sorted(self._waiting):
            self._recount(segment)
        self._waiting = set()

    def concerns(self, change: Change) -> bool:
        """Whether a change moves these scores."""
        return change.layer is not None and change.layer in self._columns

    def update(self, change: Change) -> bool:
        """Follow an edit; True where scores moved."""
        if not self.concerns(change):
            return False
        if self.totals is None:
            self._waiting.update(change.segments)
            return False
        for segment in change.segments:
            self._recount(segment)
        return bool(change.segments)

    def _recount(self, segment: int) -> None:
        assert self.reference is not None
        assert self.totals is not None
        keys = (self.reference, *self.layers)
        before = [self._before(key, segment) for key in keys]
        after = [self.session.segment_tags(key, segment) for key in keys]
        old, new = _segment_rows(before), _segment_rows(after)
        for name, totals in self.totals.items():
            totals += new[name] - old[name]
        for key, tags in zip(keys, after, strict=True):
            self._tags.setdefault(key, {})[segment] = tags

    def _before(self, key: LayerKey, segment: int) -> Tags:
        counted = self._tags.get(key, {}).get(segment)
        return self._columns[key][segment] if counted is None else counted

    def scores(self, metric: Metric) -> Floats:
        """The metric of each layer, in the order of `layers`, NaN where undefined; empty before the first count."""
        if self.totals is None:
            return np.zeros(0)
        return metric.score(self.totals[metric.family.name])


def _segment_rows(tags: Sequence[Tags]) -> dict[str, Floats]:
    """Rows of one segment: gold first, then the layers; by family, shape (layers, columns)."""
    offsets = np.asarray([0, len(tags[0])], np.int64)
    gold, *layers = (TagColumn(one, offsets) for one in tags)
    return {name: rows[:, 0] for name, rows in rows_of(FAMILIES, gold, layers).items()}
