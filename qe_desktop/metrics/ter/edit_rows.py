"""Edit counts of all segments, as rows whose sums give TER."""

from __future__ import annotations

from operator import itemgetter

import numpy as np
from rapidfuzz.distance.Levenshtein import distance

from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.metrics.ter.edit_distance import is_within_beam
from qe_desktop.metrics.ter.shifts import shift_tokens
from qe_desktop.metrics.ter.ter_tokens import TercomLineTokenizer, encode_letters
from qe_desktop.metrics.text.tokenized_pairs import TokenColumn, TokenizedPair

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
