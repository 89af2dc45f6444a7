"""Which token of an MT belongs to which of its post-edit, what was done to it, and what was moved: for one segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from qe_desktop.metrics.ter.edit_distance import DELETION, INSERTION, MATCH, SUBSTITUTION, trace_edits
from qe_desktop.metrics.ter.shifts import Shift, shift_tokens

Operation = Literal["match", "substitution", "insertion", "deletion"]
_NAMES: dict[str, Operation] = {
    MATCH: "match",
    SUBSTITUTION: "substitution",
    INSERTION: "insertion",
    DELETION: "deletion",
}


@dataclass(frozen=True, slots=True)
class EditStep:
    """What becomes of a token: the places in MT and post-edit, from 0, of those that belong together.

    An `insertion` is a token of the post-edit that the MT lacks, so it has no place there; a `deletion` is one of the
    MT that is in the post-edit no more. (In tercom's XML the letters are the other way round: I is too much in the MT.)
    """

    operation: Operation
    mt: int | None
    post_edit: int | None
    moved: bool
    """Whether the token was part of a block that a shift moved."""


@dataclass(frozen=True, slots=True)
class EditAlignment:
    """The steps from an MT to its post-edit, in the order of the MT once its shifts are done.

    `shifts` are in the order in which they were made, and each counts places in the MT as those before it left it.
    """

    steps: tuple[EditStep, ...]
    shifts: tuple[Shift, ...]

    @property
    def edits(self) -> int:
        """All edits: tokens that were inserted, deleted or replaced, and shifts."""
        return len(self.shifts) + sum(step.operation != "match" for step in self.steps)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The places in MT and post-edit that belong together, alike or not, by the place in the post-edit."""
        return tuple(
            (step.mt, step.post_edit) for step in self.steps if step.mt is not None and step.post_edit is not None
        )


def align_edits(
    mt: Sequence[str], post_edit: Sequence[str], *, shifts: bool = True, case_sensitive: bool = False
) -> EditAlignment:
    """How tokens of an MT became those of its post-edit, as tercom sees it (`-d 0` where there are no shifts)."""
    ours, theirs = _as_characters(mt, post_edit, case_sensitive)
    if shifts and theirs:
        found = shift_tokens(ours, theirs)
        return _alignment(found.trace.operations, found.shifts, len(ours))
    return _alignment(trace_edits(ours, theirs).operations, (), len(ours))


def _as_characters(mt: Sequence[str], post_edit: Sequence[str], case_sensitive: bool) -> tuple[str, str]:
    known: dict[str, str] = {}

    def characters(tokens: Sequence[str]) -> str:
        cased = tokens if case_sensitive else [token.lower() for token in tokens]
        return "".join(known.setdefault(token, chr(len(known))) for token in cased)

    return characters(mt), characters(post_edit)


def _alignment(operations: str, shifts: tuple[Shift, ...], tokens: int) -> EditAlignment:
    order = list(range(tokens))
    moved = set()
    for shift in shifts:
        moved.update(order[shift.start : shift.start + shift.length])
        order = [order[place] for place in shift.order(tokens)]
    steps = []
    row = column = 0
    for operation in operations:
        mt = None if operation == INSERTION else order[row]
        post_edit = None if operation == DELETION else column
        steps.append(EditStep(_NAMES[operation], mt, post_edit, mt in moved))
        row += mt is not None
        column += post_edit is not None
    return EditAlignment(tuple(steps), shifts)
