"""Bilingual files from which a corpus was read, and the results of their review."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Ints, TagColumn
from qe_desktop.corpus.layers import LayerKey, Scores
from qe_desktop.corpus.text import TextColumn
from qe_desktop.i18n.messages import tr


@dataclass(frozen=True, slots=True)
class TargetRules:
    """Rules for the target of a segment, as stated in its file.

    `max_length` is the maximum number of characters, `max_bytes` the maximum number of UTF-8 bytes; 0 means no limit.
    `formats` are the format-string types of source and target, such as `c-format`. `context` (msgctxt) distinguishes
    entries with the same source. `language` and `source_language` are the target and source language as in the file;
    each is set only if the files of a corpus, or the parts of a file, have several such languages.

    The other fields are about plural forms (PO). `plural_source` is the plural of the source (msgid_plural), with
    which placeholders are compared. `may_omit_arguments` is true in entries with several plural forms if the form
    applies to few numbers, or if the header has no valid plural rule. `expected_forms` is the number of plural forms
    according to the header if the entry has a different number, else 0. `plural_form` is the 1-based number of the
    plural form; 0 for entries without plural forms. `lacks_plural_rule` is true if the entry has plural forms, but the
    header has no valid plural rule.
    """

    max_length: int = 0
    formats: tuple[str, ...] = ()
    plural_source: str = ""
    may_omit_arguments: bool = False
    expected_forms: int = 0
    plural_form: int = 0
    context: str = ""
    language: str = ""
    max_bytes: int = 0
    source_language: str = ""
    lacks_plural_rule: bool = False

    def is_length_allowed(self, text: str) -> bool:
        """Whether a target is within the length limits."""
        return (not self.max_length or len(text) <= self.max_length) and (
            not self.max_bytes or len(text.encode()) <= self.max_bytes
        )

    @property
    def variant(self) -> tuple[int, str]:
        """Plural form and context; if either differs, equal sources may have different translations."""
        return self.plural_form, self.context


NO_RULES = TargetRules()
_DEFAULTS = {field.name: field.default for field in fields(TargetRules)}


def rules_to_json(rules: TargetRules) -> dict[str, object]:
    """Convert rules to JSON-serializable values by name; default values are left out."""
    values = {name: getattr(rules, name) for name in _DEFAULTS}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value != _DEFAULTS[name]
    }


def rules_from_json(values: Mapping[str, object]) -> TargetRules:
    """Restore rules from `rules_to_json`; unknown names are ignored. Raises ValueError if a value is invalid."""
    validated: dict[str, object] = {}
    for name, default in _DEFAULTS.items():
        value = values.get(name, default)
        if name == "formats" and isinstance(value, list):
            value = tuple(value)
        if type(value) is not type(default):
            raise ValueError(f"invalid {name}")
        if isinstance(value, tuple) and not all(isinstance(part, str) for part in value):
            raise ValueError(f"invalid {name}")
        if isinstance(value, int) and value < 0:
            raise ValueError(f"negative {name}")
        validated[name] = value
    return TargetRules(**validated)  # type: ignore[arg-type]


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


Value = TypeVar("Value")


@dataclass(frozen=True, slots=True, eq=False)
class Review:
    """Targets (as lines with codes, see `TranslationJob`), statuses and notes that users set, by segment.

    An empty note removes the note in the file. `people` maps each segment to the user who last set its target or
    status. The mappings must not be mutated.
    """

    targets: Mapping[int, str] = field(default_factory=dict)
    statuses: Mapping[int, ReviewStatus] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)
    people: Mapping[int, str] = field(default_factory=dict)


EMPTY_REVIEW = Review()
"""Review in which users set nothing."""


def values_of(values: Mapping[int, Value], segments: Sequence[int]) -> list[Value | None]:
    """Values of some segments, None where missing; read with the `values_of` method of `values` if there is one."""
    read = getattr(values, "values_of", None)
    return [*map(values.get, segments)] if read is None else read(segments)


class LiveTags(Protocol):
    """Current tags of a layer, which differ from the initial tags (`loaded`) in edited segments."""

    @property
    def loaded(self) -> TagColumn:
        """Initial tags."""

    def __getitem__(self, segment: int) -> NDArray[np.uint8]:
        """Current tags of one segment."""

    def column(self) -> TagColumn:
        """All current tags as one column."""

    def edited_segments(self) -> Ints:
        """Segments whose tags differ from the initial tags, ascending, shape (k,)."""


class DerivedLayers(Protocol):
    """Layers derived from the edited text: tags and scores of post-edits.

    Their tags are read-only. The corpus does not contain these layers.
    """

    @property
    def tags(self) -> Mapping[LayerKey, LiveTags]:
        """Tags by layer."""

    @property
    def scores(self) -> tuple[LayerKey, ...]:
        """Keys of the score layers."""

    def scores_of(self, key: LayerKey) -> Scores:
        """Scores of a layer, shape (segments,), NaN for segments that were not reviewed."""

    def reviewed_segments(self, key: LayerKey) -> NDArray[np.bool_]:
        """Mask of the segments reviewed by the layer's annotator, shape (segments,)."""

    def is_reviewed(self, key: LayerKey, segment: int) -> bool:
        """Whether a segment was reviewed by the layer's annotator."""
