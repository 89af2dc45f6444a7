"""What a corpus that was made of translators' files keeps of them: their bytes, codes, statuses and notes."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.text import TextColumn
from qe_desktop.i18n.messages import tr


class ReviewStatus(enum.IntEnum):
    """How far the review of a segment is. The numbers are what projects keep."""

    OPEN = 0
    EDITED = 1
    CONFIRMED = 2
    REJECTED = 3
    """The translation is of no use and was not mended."""
    LOCKED = 4
    """The file says that the target may not change."""

    @property
    def shown(self) -> str:
        """What people call it."""
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
    """A translator's file: as it was called and where it lay, its bytes as read, and the segments it gave.

    `form` is the name of its dialect. `choice` is what a person said that the file does not tell (columns, languages),
    by name, so that it is read again in the same way. Its segments are `first` to `first + count` (exclusive).
    """

    name: str
    path: str
    form: str
    data: bytes
    first: int
    count: int
    choice: Mapping[str, str] = field(default_factory=dict)

    @property
    def segments(self) -> range:
        """The numbers of its segments in the corpus."""
        return range(self.first, self.first + self.count)


@dataclass(frozen=True, slots=True, eq=False)
class TranslationJob:
    """Translators' files under review, over the segments of a corpus.

    `sources` and `targets` are the texts as the files have them, as lines with codes (`formats.bilingual.lines`):
    `⟨1⟩` opens, `⟨/1⟩` closes, `⟨2/⟩` stands alone, a ⟨ of the text is doubled, a line break is U+2028. `statuses` is
    what the files say, shape (segments,), `without_target` which segments have no target, shape (segments,). `notes`
    are those of the files, `states` and `origins` in their own words, by segment, where there are any. `labels` says of
    the codes of a segment what may be said of them, by number. `noted` says which have notes, shape (segments,).
    `loaded` is the MT that targets were made of, as lines, where files have it beside them; None where they have not.
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
    noted: NDArray[np.bool_] = field(init=False)
    edited: tuple[int, ...] = field(init=False)
    """The segments whose target differs from `loaded`, ascending."""

    def __post_init__(self) -> None:
        # it is asked for at every edit, and of many segments takes longer than all else of that
        noted = np.zeros(len(self.statuses), bool)
        noted[np.fromiter(self.notes, np.int64, len(self.notes))] = True
        noted.flags.writeable = False
        object.__setattr__(self, "noted", noted)
        object.__setattr__(self, "edited", () if self.loaded is None else _differing(self.targets, self.loaded))

    @property
    def mt(self) -> TextColumn:
        """The MT as lines: what targets were made of where files say it, else the targets."""
        return self.targets if self.loaded is None else self.loaded

    def file_of(self, segment: int) -> JobFile:
        """The file that a segment came from."""
        return next(one for one in self.files if segment in one.segments)


def _differing(one: TextColumn, other: TextColumn) -> tuple[int, ...]:
    """The lines in which two texts differ; those of one length are looked at one by one."""
    lengths = one.ends - one.starts
    differs = lengths != other.ends - other.starts
    alike = np.flatnonzero(~differs & (lengths > 0)).tolist()
    more = [place for place in alike if one.raw(place) != other.raw(place)]
    differs[more] = True
    return tuple(np.flatnonzero(differs).tolist())
