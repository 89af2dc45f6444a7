"""Data of the bilingual files from which a corpus was read: their bytes, codes, statuses and notes."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.target_rules import TargetRules
from qe_desktop.corpus.text import TextColumn
from qe_desktop.i18n.messages import tr


class ReviewStatus(enum.IntEnum):
    """Review status of a segment. Projects store the numeric values of the members."""

    OPEN = 0
    EDITED = 1
    CONFIRMED = 2
    REJECTED = 3
    """Rejected: the translation is unusable and was not corrected."""
    LOCKED = 4
    """Locked: the file marks the target as locked."""

    @property
    def display_name(self) -> str:
        """Localized name."""
        return _STATUS_LABELS[self]


_STATUS_LABELS = {
    ReviewStatus.OPEN: tr("open"),
    ReviewStatus.EDITED: tr("edited"),
    ReviewStatus.CONFIRMED: tr("confirmed"),
    ReviewStatus.REJECTED: tr("rejected"),
    ReviewStatus.LOCKED: tr("locked"),
}
StatusArray = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class JobFile:
    """Bilingual file: its name and path, its bytes as read, and the range of its segments.

    `form` is the name of its dialect. `column_selection` maps `source` and `target` to the columns or languages that
    the user selected, so that the file can be read again in the same way. The segments are `first` to `first + count`
    (exclusive). `faults` are messages about errors in the file, which are not stored in projects.
    """

    name: str
    path: str
    form: str
    data: bytes
    first: int
    count: int
    column_selection: Mapping[str, str] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    @property
    def segments(self) -> range:
        """Indices of the file's segments in the corpus."""
        return range(self.first, self.first + self.count)


@dataclass(frozen=True, slots=True, eq=False)
class TranslationJob:
    """Bilingual files under review, and their data for each segment of a corpus.

    `sources` and `targets` are the texts in the files, as lines with codes (`plain_lines`): `⟨1⟩` opens, `⟨/1⟩` closes,
    `⟨2/⟩` is unpaired, a literal ⟨ is doubled, and a line break is U+2028. `statuses` are the statuses in the files,
    shape (segments,); `without_target` marks segments without a target, shape (segments,). `loaded` is the MT that the
    targets were edited from, as lines; None if the files do not contain it. `noted` marks segments with notes, shape
    (segments,).

    The mappings are keyed by segment. `notes`, `states` and `origins` are as in the files, and `rules` are the
    requirements of the files for targets. `reviewer_notes` are the notes that earlier reviews in this program wrote
    into the files; they are not among `notes`. `labels` maps the numbers of codes to their descriptions. `annotations`
    are the numbers of the codes that mark terms, comments or issues and are not part of the text's format.
    """

    files: tuple[JobFile, ...]
    sources: TextColumn
    targets: TextColumn
    statuses: StatusArray
    without_target: NDArray[np.bool_]
    notes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    states: Mapping[int, str] = field(default_factory=dict)
    origins: Mapping[int, str] = field(default_factory=dict)
    labels: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    loaded: TextColumn | None = None
    rules: Mapping[int, TargetRules] = field(default_factory=dict)
    reviewer_notes: Mapping[int, str] = field(default_factory=dict)
    annotations: Mapping[int, frozenset[int]] = field(default_factory=dict)
    noted: NDArray[np.bool_] = field(init=False)
    edited: tuple[int, ...] = field(init=False)
    """Segments whose target differs from `loaded`, ascending; empty if `loaded` is None."""

    def __post_init__(self) -> None:
        # needed at every edit, and slow to compute for many segments
        noted = np.zeros(len(self.statuses), bool)
        for notes in (self.notes, self.reviewer_notes):
            noted[np.fromiter(notes, np.int64, len(notes))] = True
        noted.flags.writeable = False
        object.__setattr__(self, "noted", noted)
        object.__setattr__(self, "edited", () if self.loaded is None else _differing_lines(self.targets, self.loaded))

    @property
    def mt(self) -> TextColumn:
        """MT as lines: the text that the targets were edited from (`loaded`) or, without it, the targets."""
        return self.targets if self.loaded is None else self.loaded

    def file_of(self, segment: int) -> JobFile:
        """File that contains a segment. Raises StopIteration if there is none."""
        return next(file for file in self.files if segment in file.segments)


def _differing_lines(left: TextColumn, right: TextColumn) -> tuple[int, ...]:
    """Return the indices of the lines that differ; lines of equal length are compared one by one."""
    lengths = left.ends - left.starts
    differs = lengths != right.ends - right.starts
    equal_length_lines = np.flatnonzero(~differs & (lengths > 0)).tolist()
    differing_lines = [index for index in equal_length_lines if left.raw(index) != right.raw(index)]
    differs[differing_lines] = True
    return tuple(np.flatnonzero(differs).tolist())
