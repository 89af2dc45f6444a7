"""The segments of a file as columns, which hold what a corpus needs of them, and each segment when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, overload

from qe_desktop.formats.bilingual.codes import Content
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


class Batch(Protocol):
    """Segments that were read at once."""

    names: list[str]
    lines: list[int]
    longest: int
    """The characters of the longest text, or more."""

    def number(self, numbered: Callable[[Content, Content], tuple[Content, Content | None]]) -> None:
        """Give their codes the numbers that they get."""
        ...

    def segments(self) -> list[Segment]:
        """Each of them."""
        ...

    def add_to(self, columns: Columns) -> None:
        """What a corpus needs of them."""
        ...


class Segments(Sequence[Segment]):
    """The segments of a file, of which some were read in batches. They are made when the first is asked for."""

    def __init__(self, parts: Sequence[list[Segment] | Batch]) -> None:
        self._parts = list(parts)
        self._made: tuple[Segment, ...] | None = None
        self._size = sum([len(part) if isinstance(part, list) else len(part.names) for part in parts])

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> Segment: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Segment, ...]: ...
    def __getitem__(self, at: int | slice) -> Segment | tuple[Segment, ...]:
        return self._all()[at]

    def __iter__(self) -> Iterator[Segment]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == tuple(other)

    __hash__ = None  # type: ignore[assignment]

    def _all(self) -> tuple[Segment, ...]:
        if self._made is None:
            found = [part if isinstance(part, list) else part.segments() for part in self._parts]
            self._made = tuple([segment for segments in found for segment in segments])
        return self._made

    def let_go(self) -> None:
        """Give all of them back piece by piece: nobody asks for one any longer."""
        while self._parts:
            del self._parts[-1]

    def add_to(self, columns: Columns) -> None:
        """What a corpus needs of them."""
        for part in self._parts:
            if isinstance(part, list):
                columns.add(part)
            else:
                part.add_to(columns)


def columns_of(documents: Sequence[Sequence[Segment]]) -> Columns:
    """The columns of the segments of several files, one after the other."""
    columns = Columns()
    for segments in documents:
        if isinstance(segments, Segments):
            segments.add_to(columns)
        else:
            columns.add(segments)
    return columns
