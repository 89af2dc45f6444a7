"""Numbers of tokens as P(BAD): probabilities as they are, or log-probabilities of tokens or of the pieces of tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, NumberColumn, QeError, TextColumn, TextRole, offsets_of, refuse_all
from qe_desktop.formats.forms import Counted, Form, form_of
from qe_desktop.formats.one_a_line import Segmented, doubt_of, segmented, without
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.pieces import means_of_tokens
from qe_desktop.formats.questions import UNASKED, Answers, Doubt, Numbers
from qe_desktop.formats.sentences import Compared, Other, Unit
from qe_desktop.wording import tr

ROUNDING = 1e-3
"""How far beyond 0 and 1 a probability may lie for it to be put down to rounding."""
_DROPPED = tr("the last number of each line is of the end of the segment and was dropped")


@dataclass(frozen=True, slots=True, eq=False)
class ReadProbabilities:
    """P(BAD) of each token, the form that the file has, remarks, and the name of who gave them, where it is asked for.

    `eos` says that there is one number more than tokens, for `<EOS>`; `line` on which line, from 1, a segment begins.
    """

    column: NumberColumn
    form: str
    notes: tuple[str, ...]
    eos: bool
    line: Callable[[int], int]
    name: str = ""


def doubts_of(column: NumberColumn) -> tuple[Doubt, ...]:
    """What numbers leave open by themselves: what they are probabilities of, and perhaps what a line is.

    Numbers that are all 0 or 1 may be tags written either way, so nothing holds before it was said. Others are taken
    as P(BAD), and log-probabilities as those of the token being right, as the shared tasks have them.
    """
    lines = doubt_of(column.lengths())
    values = column.values
    held = None if _only_0_and_1(values) else Numbers.OK if _are_logs(values) else Numbers.BAD
    return (*([lines] if lines else []), Doubt(Numbers, held))


def fitted_numbers(
    column: NumberColumn,
    opened: OpenedFile,
    mt: TextColumn | None,
    pieces: TextColumn | None = None,
    answers: Answers = UNASKED,
    like: NDArray[np.int64] | None = None,
    left_out: NDArray[np.int64] | None = None,
) -> ReadProbabilities:
    """P(BAD) of each token.

    Numbers from 0 to 1 are P(BAD), or P(OK) if `answers` say so, which they must where all are 0 or 1. Numbers from 0
    down are log-probabilities of the token being right, with `pieces` those of subword pieces (see `pieces`):
    P(BAD) = 1 - exp(mean of the token's pieces). `like` are the numbers of tags of other tags' segments;
    numbers of the segments `left_out` are not taken.
    """
    found = segmented(column, answers.lines, lambda: _wanted(mt, pieces, like), opened.name, Unit.NUMBERS)
    found = found if left_out is None else without(found, left_out)
    column, notes = found.column, found.notes
    values, logs, more = _range(column, opened, found)
    of, said = _numbers_of(values, logs, answers.numbers, opened)
    notes = (*notes, *more, *said)
    lines = found.first_lines is None
    what = Counted(opened.name, lambda segment: opened.place(found.line(segment)), lines=lines)
    if logs and pieces is not None and mt is not None:
        form = _number_form(column, pieces, what, Other.PIECES)
        kept = column if form is Form.WORDS else column.without_last()
        if form is Form.EOS:
            notes = (*notes, _DROPPED)
        merged, remarks = means_of_tokens(kept, pieces, mt, opened)
        notes = (*notes, *remarks)
        column = NumberColumn(_from_logs(merged, of), offsets_of(mt.token_counts()))
        return ReadProbabilities(column, "log-probabilities of pieces", notes, False, found.line)
    if logs:
        values = _from_logs(values, of)
    elif of is Numbers.OK:
        values = np.float32(1) - values
    column = NumberColumn(values, column.offsets)
    if mt is None:
        return ReadProbabilities(column, "as they are", notes, False, found.line)
    form = _number_form(column, mt, what, TextRole.MT)
    if form is Form.EOS and logs:
        notes = (*notes, _DROPPED)
        return ReadProbabilities(column.without_last(), form.value, notes, False, found.line)
    return ReadProbabilities(column, form.value, notes, form is Form.EOS, found.line)


def _wanted(
    mt: TextColumn | None, pieces: TextColumn | None, like: NDArray[np.int64] | None
) -> list[NDArray[np.int64]]:
    texts = [text.token_counts() for text in (mt, pieces) if text is not None]
    wanted = [form.tags(tokens) for tokens in texts for form in (Form.WORDS, Form.EOS)]
    return wanted or ([] if like is None else [like])


def _only_0_and_1(values: NDArray[np.float32]) -> bool:
    return len(values) > 0 and bool(((values == 0) | (values == 1)).all())


def _are_logs(values: NDArray[np.float32]) -> bool:
    return len(values) > 0 and float(values.max()) <= 0 and float(values.min()) < 0


def _numbers_of(
    values: NDArray[np.float32], logs: bool, said: Numbers | None, opened: OpenedFile
) -> tuple[Numbers, tuple[str, ...]]:
    """What the numbers are probabilities of, and what is to be said about it."""
    binary = _only_0_and_1(values)
    if binary and said is None:
        message = tr("all numbers are 0 or 1, and nothing tells whether 1 means BAD or OK")
        command_hint = tr("Say which: --numbers BAD if 1 means BAD, --numbers OK if 1 means OK.")
        raise QeError(message, hint=tr("Say which of them 1 means."), command_hint=command_hint, place=opened.place())
    of = said or (Numbers.OK if logs else Numbers.BAD)
    other = {Numbers.BAD: "OK", Numbers.OK: "BAD"}[of]
    if binary:
        note = tr("1 is taken as {one} and 0 as {zero}", one=of.name, zero=other)
    elif logs:
        taken = "1 - exp(log-probability)" if of is Numbers.OK else "exp(log-probability)"
        note = tr("the numbers are taken as log {numbers}: P(BAD) = {formula}", numbers=of.value, formula=taken)
    else:
        note = tr("the numbers are taken as {numbers}", numbers=of.value)
    return of, (note,) if len(values) else ()


def _range(
    column: NumberColumn, opened: OpenedFile, found: Segmented[NumberColumn]
) -> tuple[NDArray[np.float32], bool, tuple[str, ...]]:
    """The values within 0..1, or whether they are logarithms."""
    values = column.values
    if not len(values):
        return values, False, ()
    low, high = float(values.min()), float(values.max())
    if low >= 0 and high <= 1:
        return values, False, ()
    if high <= 0:
        return values, True, ()
    if low >= -ROUNDING and high <= 1 + ROUNDING:
        note = tr("numbers a little beyond 0..1 ({low:.3g} to {high:.3g}) were taken as 0 and 1", low=low, high=high)
        return values.clip(0, 1), False, (note,)

    def fault(place: int) -> Fault:
        segment = int(np.searchsorted(column.offsets, place, side="right")) - 1
        return Fault(opened.place(found.line(segment)), tr("{value:.6g} is no probability", value=float(values[place])))

    hint = tr("Probabilities of BAD lie between 0 and 1, log-probabilities all at 0 or below.")
    refuse_all(np.flatnonzero((values < 0) | (values > 1)), fault, hint)
    return values, False, ()


def _number_form(column: NumberColumn, text: TextColumn, what: Counted, than: Compared) -> Form:
    return form_of(column.lengths(), text.token_counts(), (Form.WORDS, Form.EOS), what, than, Unit.NUMBERS)


def _from_logs(logs: NDArray[np.float32], of: Numbers) -> NDArray[np.float32]:
    exact = logs.astype(np.float64)
    return (-np.expm1(exact) if of is Numbers.OK else np.exp(exact)).astype(np.float32)
