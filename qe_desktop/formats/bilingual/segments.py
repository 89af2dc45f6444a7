"""A segment of a translator's file: its texts, what the file says of them, and where its target stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Content
from qe_desktop.formats.bilingual.plain_lines import content_to_line


@dataclass(frozen=True, slots=True)
class Quality:
    """A score of a segment. `kind` is what the file calls it, `value` in the file's own range, `system` who says so.

    `form` tells which words a value stands for, where the file has words (`corpus.score_words`).
    """

    kind: str
    value: float
    system: str = ""
    form: str = ""


@dataclass(frozen=True, slots=True)
class Issue:
    """Something wrong from character `start` to `end` (exclusive) of the target's text, or of the source's.

    Codes are no characters. `type` is that of ITS 2.0 (8.12), or what the file has; `severity` 0–100, None where the
    file says nothing of it. `on_words` tells that it lies on these words, and is not said of the segment as a whole.
    """

    start: int
    end: int
    type: str = ""
    severity: float | None = None
    comment: str = ""
    of_source: bool = False
    on_words: bool = False


@dataclass(frozen=True, slots=True, order=True)
class TextEdit:
    """Other text (`new`, UTF-8) for what stands from `start` to `end` (exclusive); where they are one, it is put in."""

    start: int
    end: int
    new: bytes


def apply_edits(text: bytes, splices: Iterable[TextEdit]) -> tuple[bytes, list[bytes]]:
    """The text with all splices, and the pieces that stayed. ValueError where two of them overlap."""
    kept: list[bytes] = []
    pieces: list[bytes] = []
    low = 0
    for splice in sorted(set(splices)):
        if splice.start < low:
            raise ValueError("splices overlap")
        kept.append(text[low : splice.start])
        pieces += kept[-1], splice.new
        low = splice.end
    kept.append(text[low:])
    return b"".join([*pieces, kept[-1]]), kept


class TargetLocation(Protocol):
    """Where the target of a segment stands in a file, or would stand: what knows how to put other text there."""

    @property
    def group(self) -> object:
        """What is equal by identity for targets that are written together; the target itself where it stands alone."""
        ...

    def splices(
        self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]
    ) -> list[TextEdit]:
        """What changes where the targets in `contents`, all of one group, get these; `segment` is that of the first."""
        ...


class Segment(NamedTuple):
    """A source and its target; `target` is None where the file has none, and `place` where none can be written.

    `name` is what the file calls it, `line` where it begins. `state`, `origin` and `notes` are in the file's own words.
    `qualities` and `issues` are what it says of the quality of the target or of the source. `loaded` is the MT that the
    target was made of, None where the file does not say that it was another one.
    """

    name: str
    line: int
    source: Content
    target: Content | None
    place: TargetLocation | None
    state: str = ""
    locked: bool = False
    origin: str = ""
    notes: tuple[str, ...] = ()
    qualities: tuple[Quality, ...] = ()
    issues: tuple[Issue, ...] = ()
    loaded: Content | None = None

    @property
    def source_line(self) -> str:
        """The source as one line of text; see `lines`."""
        return content_to_line(self.source)

    @property
    def target_line(self) -> str:
        """The target as one line of text; empty where there is none."""
        return content_to_line(self.target) if self.target is not None else ""
