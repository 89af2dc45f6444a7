"""What was restored from the journal of files when they were opened."""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.corpus import QeError


@dataclass(frozen=True, slots=True)
class JournalReport:
    """What was restored when files were opened.

    `unsaved` is the number of segments whose review is not in the files, `draft` the segment whose target was being
    typed when the program was killed. `changed` are the segments whose target another program changed, and `unmatched`
    the source and target of reviewed segments that are not in the files any more. `problem` is the reason why there is
    no journal.
    """

    unsaved: int = 0
    draft: int | None = None
    changed: tuple[int, ...] = ()
    unmatched: tuple[tuple[str, str], ...] = ()
    problem: QeError | None = None
