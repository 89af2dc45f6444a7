"""Scores that follow every edit: totals, plus the rows of the segments that changed, minus their rows before."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.corpus import Kind, LayerKey, TagColumn, Tags, offsets_of
from qe_desktop.metrics import WORD_METRICS, Metric, families_of, rows_of, totals_of
from qe_desktop.metrics.counting import ShareWatch
from qe_desktop.metrics.family import Floats
from qe_desktop.project.edits import Change
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
        self._recount(sorted(self._waiting))
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
        self._recount(list(dict.fromkeys(change.segments)))
        return bool(change.segments)

    def _recount(self, segments: Sequence[int]) -> None:
        assert self.reference is not None
        assert self.totals is not None
        if not segments:
            return
        keys = (self.reference, *self.layers)
        before = [[self._before(key, segment) for segment in segments] for key in keys]
        after = [[self.session.segment_tags(key, segment) for segment in segments] for key in keys]
        for name, moved in _moved(before, after).items():
            self.totals[name] += moved
        for key, now in zip(keys, after, strict=True):
            self._tags.setdefault(key, {}).update(zip(segments, now, strict=True))

    def _before(self, key: LayerKey, segment: int) -> Tags:
        counted = self._tags.get(key, {}).get(segment)
        return self._columns[key][segment] if counted is None else counted

    def scores(self, metric: Metric) -> Floats:
        """The metric of each layer, in the order of `layers`, NaN where undefined; empty before the first count."""
        if self.totals is None:
            return np.zeros(0)
        return metric.score(self.totals[metric.family.name])


def _moved(before: Sequence[Sequence[Tags]], after: Sequence[Sequence[Tags]]) -> dict[str, Floats]:
    """How far some segments move the totals, by family, shape (layers, columns), from the tags of gold and layers.

    All layers are counted as segments of one, before and after together: counting few words costs much the same
    however few they are.
    """
    (gold_before, *layers_before), (gold_after, *layers_after) = before, after
    layers, segments = len(layers_before), len(gold_before)
    gold = _column([*gold_before, *gold_after] * layers)
    both = zip(layers_before, layers_after, strict=True)
    found = rows_of(FAMILIES, gold, [_column([tags for pair in both for state in pair for tags in state])])
    moved: dict[str, Floats] = {}
    for name, rows in found.items():
        old, new = rows.reshape(layers, 2, segments, -1).swapaxes(0, 1)
        moved[name] = (new - old).sum(axis=1)
    return moved


def _column(segments: Sequence[Tags]) -> TagColumn:
    return TagColumn(np.concatenate(segments), offsets_of([len(tags) for tags in segments]))
