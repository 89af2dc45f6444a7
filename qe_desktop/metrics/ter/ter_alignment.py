"""Alignment of the tokens of an MT segment with those of its post-edit, including edits and shifts."""

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
    """Match or edit of a token.

    Attributes
    ----------
    operation
        Kind of step. An `insertion` is a post-edit token missing in the MT, and a `deletion` is an MT token missing in
        the post-edit. (In the XML of tercom, the letters are swapped: I is an extra MT token.)
    mt, post_edit
        Indices of the aligned tokens. `mt` is None for an insertion; `post_edit` is None for a deletion.
    """

    operation: Operation
    mt: int | None
    post_edit: int | None
    is_moved: bool
    """Whether a shift moved the token."""


@dataclass(frozen=True, slots=True)
class EditAlignment:
    """Steps that turn an MT into its post-edit, in the token order of the MT after all shifts.

    `shifts` are in order of application; the indices of a shift refer to the MT after the previous shifts.
    """

    steps: tuple[EditStep, ...]
    shifts: tuple[Shift, ...]

    @property
    def edits(self) -> int:
        """Number of edits: insertions, deletions, substitutions and shifts."""
        return len(self.shifts) + sum(step.operation != "match" for step in self.steps)

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Pairs of MT and post-edit indices of aligned tokens (matches and substitutions), in post-edit order."""
        return tuple(
            (step.mt, step.post_edit) for step in self.steps if step.mt is not None and step.post_edit is not None
        )


def align_edits(
    mt: Sequence[str], post_edit: Sequence[str], *, shifts: bool = True, case_sensitive: bool = False
) -> EditAlignment:
    """Align MT tokens with the post-edit as tercom does.

    Parameters
    ----------
    mt, post_edit
        Tokens of one segment.
    shifts
        Whether to shift blocks; false corresponds to tercom's option `-d 0`.
    case_sensitive
        Whether a difference in case counts as an edit.

    Returns
    -------
    EditAlignment
        Edits and shifts.
    """
    mt_characters, post_edit_characters = _as_characters(mt, post_edit, case_sensitive)
    if shifts and post_edit_characters:
        result = shift_tokens(mt_characters, post_edit_characters)
        return _alignment(result.trace.operations, result.shifts, len(mt_characters))
    return _alignment(trace_edits(mt_characters, post_edit_characters).operations, (), len(mt_characters))


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
        order = [order[index] for index in shift.order(tokens)]
    steps = []
    row = column = 0
    for operation in operations:
        mt = None if operation == INSERTION else order[row]
        post_edit = None if operation == DELETION else column
        steps.append(EditStep(_NAMES[operation], mt, post_edit, mt in moved))
        row += mt is not None
        column += post_edit is not None
    return EditAlignment(tuple(steps), shifts)
