"""Conversion to P(BAD) of each token: from probabilities, or from log-probabilities of tokens or subword pieces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, NumberColumn, QeError, TextColumn, TextRole, offsets_from_lengths, raise_for_rows
from qe_desktop.corpus.columns import Ints
from qe_desktop.formats.importing.planned_file import NO_ANSWERS, Ambiguity, ProbabilityOf, QuestionAnswers
from qe_desktop.formats.messages import Compared, ComparedWith, LineContent
from qe_desktop.formats.tags.subwords import average_subwords
from qe_desktop.formats.tags.tag_lines import TaggedItems, TagLayout, detect_layout
from qe_desktop.formats.tags.token_per_line import (
    SegmentedColumn,
    join_token_lines,
    line_unit_ambiguity,
    without_segments,
)
from qe_desktop.formats.text_files import TextFile
from qe_desktop.i18n.messages import tr

ROUNDING_TOLERANCE = 1e-3
"""Tolerance for probabilities that are outside 0..1 because of rounding errors."""
_DROPPED_EOS_NOTE = tr("the last number of each segment was dropped: it is for the end of the segment (<EOS>)")


@dataclass(frozen=True, slots=True, eq=False)
class ParsedProbabilities:
    """P(BAD) of each token, the layout of the file, notes, and the system's name (empty if not set).

    `eos` is true if segments have one more number than tokens, for `<EOS>`. `line` returns the 1-based line number of a
    segment from its 0-based number.
    """

    column: NumberColumn
    form: str
    notes: tuple[str, ...]
    eos: bool
    line: Callable[[int], int]
    name: str = ""


def probability_ambiguities(column: NumberColumn) -> tuple[Ambiguity, ...]:
    """Open questions about numbers: whether a line is a segment or a token, and whether numbers are for OK or for BAD.

    If all numbers are 0 or 1, either value may mean BAD, so the second question has no default answer. Otherwise, as
    in the shared tasks, log-probabilities are log P(OK) by default, and other numbers are P(BAD).
    """
    lines = line_unit_ambiguity(column.lengths())
    values = column.values
    default = None if _only_0_and_1(values) else ProbabilityOf.OK if _are_logs(values) else ProbabilityOf.BAD
    return (*([lines] if lines else []), Ambiguity(ProbabilityOf, default))


def fit_numbers(
    column: NumberColumn,
    opened: TextFile,
    mt: TextColumn | None,
    pieces: TextColumn | None = None,
    answers: QuestionAnswers = NO_ANSWERS,
    like: Ints | None = None,
    excluded_segments: Ints | None = None,
) -> ParsedProbabilities:
    """Convert the numbers in a file to P(BAD) of each token.

    Numbers from 0 to 1 are P(BAD) by default. If all numbers are at most 0, they are log-probabilities, by default
    log P(OK). `answers` may specify the tag, OK or BAD; it must do so if all numbers are 0 or 1. With `mt` and
    `pieces`, log-probabilities belong to subword pieces and are averaged over each token (see `average_subwords`). For
    log P(OK), P(BAD) is then 1 - exp(mean); for log P(BAD), it is exp(mean).

    `like` are the numbers of tags per segment in other files. Numbers in `excluded_segments` (0-based) are dropped.
    Raises QeError if the numbers are invalid, do not fit the texts, or are ambiguous.
    """
    segmented = join_token_lines(
        column, answers.line_unit, lambda: _expected_counts(mt, pieces, like), opened.name, LineContent.NUMBERS
    )
    segmented = segmented if excluded_segments is None else without_segments(segmented, excluded_segments)
    column, notes = segmented.column, segmented.notes
    values, logs, more = _limit_range(column, opened, segmented)
    probability_of, number_notes = _detect_meaning(values, logs, answers.probability_of, opened)
    notes = (*notes, *more, *number_notes)
    lines = segmented.first_lines is None
    items = TaggedItems(opened.name, lambda segment: opened.location(segmented.line(segment)), are_lines=lines)
    if logs and pieces is not None and mt is not None:
        form = _number_layout(column, pieces, items, ComparedWith.PIECES)
        piece_numbers = column if form is TagLayout.WORDS else column.without_last()
        if form is TagLayout.EOS:
            notes = (*notes, _DROPPED_EOS_NOTE)
        merged, remarks = average_subwords(piece_numbers, pieces, mt, opened)
        notes = (*notes, *remarks)
        column = NumberColumn(_from_logs(merged, probability_of), offsets_from_lengths(mt.token_counts()))
        return ParsedProbabilities(column, "log-probabilities of pieces", notes, False, segmented.line)
    if logs:
        values = _from_logs(values, probability_of)
    elif probability_of is ProbabilityOf.OK:
        values = np.float32(1) - values
    column = NumberColumn(values, column.offsets)
    if mt is None:
        return ParsedProbabilities(column, "as they are", notes, False, segmented.line)
    form = _number_layout(column, mt, items, TextRole.MT)
    if form is TagLayout.EOS and logs:
        notes = (*notes, _DROPPED_EOS_NOTE)
        return ParsedProbabilities(column.without_last(), form.value, notes, False, segmented.line)
    return ParsedProbabilities(column, form.value, notes, form is TagLayout.EOS, segmented.line)


def _expected_counts(mt: TextColumn | None, pieces: TextColumn | None, like: Ints | None) -> list[Ints]:
    texts = [text.token_counts() for text in (mt, pieces) if text is not None]
    counts = [form.count_tags(tokens) for tokens in texts for form in (TagLayout.WORDS, TagLayout.EOS)]
    return counts or ([] if like is None else [like])


def _only_0_and_1(values: NDArray[np.float32]) -> bool:
    return len(values) > 0 and bool(((values == 0) | (values == 1)).all())


def _are_logs(values: NDArray[np.float32]) -> bool:
    return len(values) > 0 and float(values.max()) <= 0 and float(values.min()) < 0


def _detect_meaning(
    values: NDArray[np.float32], logs: bool, answer: ProbabilityOf | None, opened: TextFile
) -> tuple[ProbabilityOf, tuple[str, ...]]:
    """Determine whether the numbers are for BAD or for OK; also return notes.

    Raises QeError if all numbers are 0 or 1 and `answer` is None.
    """
    binary = _only_0_and_1(values)
    if binary and answer is None:
        message = tr("all numbers are 0 or 1, and it is unknown whether 1 means BAD or OK")
        command_hint = tr("Use --numbers BAD if 1 means BAD, --numbers OK if 1 means OK.")
        hint = tr("Select whether 1 means BAD or OK.")
        raise QeError(message, hint=hint, command_hint=command_hint, place=opened.location())
    probability_of = answer or (ProbabilityOf.OK if logs else ProbabilityOf.BAD)
    opposite = {ProbabilityOf.BAD: "OK", ProbabilityOf.OK: "BAD"}[probability_of]
    if binary:
        note = tr("1 is read as {one} and 0 as {zero}", one=probability_of.name, zero=opposite)
    elif logs:
        formula = "1 - exp(log-probability)" if probability_of is ProbabilityOf.OK else "exp(log-probability)"
        note = tr(
            "the numbers are read as log {numbers}: P(BAD) = {formula}", numbers=probability_of.value, formula=formula
        )
    else:
        note = tr("the numbers are read as {numbers}", numbers=probability_of.value)
    return probability_of, (note,) if len(values) else ()


def _limit_range(
    column: NumberColumn, opened: TextFile, segmented: SegmentedColumn[NumberColumn]
) -> tuple[NDArray[np.float32], bool, tuple[str, ...]]:
    """Return the values, with probabilities clipped to 0..1, whether they are log-probabilities, and notes.

    Raises QeError if the values are neither probabilities nor log-probabilities.
    """
    values = column.values
    if not len(values):
        return values, False, ()
    minimum, maximum = float(values.min()), float(values.max())
    if minimum >= 0 and maximum <= 1:
        return values, False, ()
    if maximum <= 0:
        return values, True, ()
    if minimum >= -ROUNDING_TOLERANCE and maximum <= 1 + ROUNDING_TOLERANCE:
        note = tr(
            "the numbers range from {low:.6g} to {high:.6g}; those slightly outside 0..1 were set to 0 or 1",
            low=minimum,
            high=maximum,
        )
        return values.clip(0, 1), False, (note,)

    def error(index: int) -> Fault:
        segment = int(np.searchsorted(column.offsets, index, side="right")) - 1
        return Fault(
            opened.location(segmented.line(segment)), tr("{value:.6g} is not a probability", value=float(values[index]))
        )

    hint = tr("Probabilities must be between 0 and 1; log-probabilities must all be 0 or below.")
    raise_for_rows(np.flatnonzero((values < 0) | (values > 1)), error, hint)
    return values, False, ()


def _number_layout(column: NumberColumn, text: TextColumn, items: TaggedItems, compared_with: Compared) -> TagLayout:
    return detect_layout(
        column.lengths(),
        text.token_counts(),
        (TagLayout.WORDS, TagLayout.EOS),
        items,
        compared_with,
        LineContent.NUMBERS,
    )


def _from_logs(logs: NDArray[np.float32], probability_of: ProbabilityOf) -> NDArray[np.float32]:
    exact = logs.astype(np.float64)
    return (-np.expm1(exact) if probability_of is ProbabilityOf.OK else np.exp(exact)).astype(np.float32)
