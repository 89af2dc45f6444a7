"""A segment of a translator's file: its texts, what the file says of them, and where its target stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from qe_desktop.formats.bilingual.codes import Content
from qe_desktop.formats.bilingual.encodings import Text
from qe_desktop.formats.bilingual.lines import line_of
from qe_desktop.formats.bilingual.quality import Issue, Quality
from qe_desktop.formats.bilingual.splices import Splice


class Target(Protocol):
    """Where the target of a segment stands in a file, or would stand: what knows how to put other text there."""

    @property
    def group(self) -> object:
        """What is equal by identity for targets that are written together; the target itself where it stands alone."""
        ...

    def splices(self, text: Text, segment: Segment, contents: Mapping[Target, Content]) -> list[Splice]:
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
    place: Target | None
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
        return line_of(self.source)

    @property
    def target_line(self) -> str:
        """The target as one line of text; empty where there is none."""
        return line_of(self.target) if self.target is not None else ""
