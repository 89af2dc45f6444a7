"""What a format is, and what reading a file gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from qe_desktop.corpus import AlignmentColumn, Documents, NumberColumn, TagColumn, TextColumn
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.tables import ScoreTable, WordTable
from qe_desktop.wording import listed, tr

FEW = 5
LONG = 40


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A file as read: what it holds, what it is called in one line, and remarks about it."""

    format: str
    description: str
    values: TagColumn | NumberColumn | Scores | TextColumn | AlignmentColumn | Documents | WordTable | ScoreTable
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """A family of files: `confidence` says from a file's first bytes and its name how well it fits, 0..1.

    `like` is the format whose files are to a corpus what those of this one are: the name of its own where it is the
    first of its kind, as “text” or “tags”.
    """

    name: str
    confidence: Callable[[bytes, str], float]
    read: Callable[[OpenedFile], Reading]
    like: str = ""

    @property
    def holds(self) -> str:
        """What its files are to a corpus."""
        return self.like or self.name


def few(names: Sequence[str], *, joined: bool = False, of: int | None = None) -> str:
    """The first of some names from a file, shortened, and how many more there are: messages stay readable.

    With `joined` they are listed as in a sentence, where all of them are named. `of` is how many there are where not
    all were given.
    """
    short = [name if len(name) <= LONG else f"{name[:LONG]}…" for name in names[:FEW]]
    total = len(names) if of is None else of
    if total > FEW:
        return tr("{names} and {n:,} more", "", total - FEW, names=", ".join(short))
    return listed(short) if joined else ", ".join(short)
