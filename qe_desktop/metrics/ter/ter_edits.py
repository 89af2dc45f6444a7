"""TER edits of segments: alignments of tokens, and edit counts as rows whose sums give TER."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Literal

import numpy as np
from rapidfuzz.distance.Levenshtein import distance

from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.metrics.ter.edit_distance import DELETION, INSERTION, MATCH, SUBSTITUTION, is_within_beam, trace_edits
from qe_desktop.metrics.ter.shifts import Shift, shift_tokens
from qe_desktop.metrics.ter.ter_tokens import TercomLineTokenizer, encode_letters
from qe_desktop.metrics.text.tokenized_pairs import TokenColumn, TokenizedPair

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


TER_BLOCK_SEGMENTS = 256
"""Number of segments that are encoded at once."""
_SEGMENTS_PER_REPORT = 16
"""Number of segments between two progress reports."""


def edit_rows(
    translated: TokenizedPair, tokenizer: TercomLineTokenizer, on_progress: OnProgress | None = None
) -> Floats:
    """Return the edit counts and reference lengths from which TER is computed, one row per segment.

    Parameters
    ----------
    translated
        Translation with its references.
    tokenizer
        Tokenizer.
    on_progress
        Progress callback, called with the completed share (0 to 1); it may raise an exception to stop the computation.

    Returns
    -------
    ndarray
        Shape (segments, 3). The columns are the number of edits (the minimum over the references), the number of shifts
        for the first reference with that minimum, and the mean reference length in tokens. Each shift counts as one
        edit, as in sacreBLEU.
    """
    system = translated.system.tokens(tokenizer)
    references = [reference.tokens(tokenizer) for reference in translated.references]
    return token_edit_rows(system, references, on_progress)


def token_edit_rows(
    system: TokenColumn, references: list[TokenColumn], on_progress: OnProgress | None = None
) -> Floats:
    """Return the result of `edit_rows` for texts that are already tokenized.

    Parameters
    ----------
    system
        Tokens of the translation.
    references
        Tokens of each reference, with the vocabulary of `system`.
    on_progress
        Progress callback, as in `edit_rows`.

    Returns
    -------
    ndarray
        Numbers of edits and shifts, and mean reference length in tokens, shape (segments, 3).
    """
    segments = len(system.offsets) - 1
    rows = np.zeros((segments, 3))
    rows[:, 2] = np.mean([reference.counts for reference in references], axis=0)
    for first in range(0, segments, TER_BLOCK_SEGMENTS):
        last = min(segments, first + TER_BLOCK_SEGMENTS)
        result = encode_letters([system, *references], first, last)
        for index in range(last - first):
            mt, *segment_references = (lines[index] for lines in result.lines)
            rows[first + index, :2] = _fewest_edits(mt, segment_references, result.shared[1:, index].tolist())
            if on_progress is not None and index % _SEGMENTS_PER_REPORT == 0:
                on_progress((first + index) / segments)
    if on_progress is not None:
        on_progress(1.0)
    return rows


def _fewest_edits(mt: str, references: list[str], shared: list[int]) -> tuple[int, int]:
    """Return the numbers of edits and shifts for the reference with the fewest edits (the first in a tie).

    `shared` is the number of tokens that the MT shares with each reference, regardless of order.
    """
    bounds = [max(len(mt), len(reference)) - common for reference, common in zip(references, shared, strict=True)]
    best = _edits(mt, references[0], bounds[0])
    for reference, lower_bound in zip(references[1:], bounds[1:], strict=True):
        # skip references that cannot need fewer edits
        if lower_bound < best[0]:
            best = min(best, _edits(mt, reference, lower_bound), key=itemgetter(0))
    return best


def _edits(mt: str, reference: str, lower_bound: int) -> tuple[int, int]:
    """Return the numbers of edits (including shifts) and of shifts; there are at least `lower_bound` edits."""
    edits = int(distance(mt, reference))
    if edits == lower_bound and is_within_beam(edits, len(mt), len(reference)):
        return edits, 0
    result = shift_tokens(mt, reference, lower_bound)
    return result.edits, len(result.shifts)
