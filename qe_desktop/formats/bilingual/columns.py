"""The segments of files as columns, which hold what a corpus needs of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from qe_desktop.formats.bilingual.quality import Quality
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.bilingual.text_columns import Texts


@dataclass(slots=True)
class Columns:
    """What a corpus needs of segments, one entry each; whether any has issues, or an MT beside its target."""

    sources: Texts = field(default_factory=Texts)
    targets: Texts = field(default_factory=Texts)
    states: list[str] = field(default_factory=list)
    locks: list[bool] = field(default_factory=list)
    origins: list[str] = field(default_factory=list)
    notes: list[tuple[str, ...]] = field(default_factory=list)
    qualities: list[tuple[Quality, ...]] = field(default_factory=list)
    has_issues: bool = False
    has_loaded: bool = False

    def add(self, segments: Sequence[Segment]) -> None:
        """More segments, that are there."""
        self.sources.add([one.source for one in segments])
        self.targets.add([one.target or () for one in segments])
        self.states += [one.state for one in segments]
        self.locks += [one.locked for one in segments]
        self.origins += [one.origin for one in segments]
        self.notes += [one.notes for one in segments]
        self.qualities += [one.qualities for one in segments]
        self.has_issues = self.has_issues or any([one.issues for one in segments])
        self.has_loaded = self.has_loaded or any([one.loaded is not None for one in segments])


def columns_of(documents: Sequence[Sequence[Segment]]) -> Columns:
    """The columns of the segments of several files, one after the other."""
    columns = Columns()
    for segments in documents:
        columns.add(segments)
    return columns
