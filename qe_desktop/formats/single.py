"""One file at a time, for the command line: texts, segment scores, probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from qe_desktop.corpus import QeError, TextColumn
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats import numbers, texts
from qe_desktop.formats.names import name_of
from qe_desktop.formats.opening import open_file
from qe_desktop.formats.probabilities import ReadProbabilities, fitted_numbers
from qe_desktop.formats.questions import UNASKED, Answers
from qe_desktop.formats.registry import recognise
from qe_desktop.formats.score_tables import FORMAT as SCORE_TABLE
from qe_desktop.formats.score_tables import read_score_table, scores_of
from qe_desktop.wording import tr


@dataclass(frozen=True, slots=True, eq=False)
class ReadScores:
    """One number a segment, shape (segments,), with remarks and the name of who gave them."""

    scores: Scores
    notes: tuple[str, ...]
    name: str


def read_text(path: Path | str) -> TextColumn:
    """The lines of a text, one segment a line. QeError for what is no UTF-8 text."""
    return texts.read_text(open_file(path))


def read_scores(path: Path | str, *, language_pair: str = "", size: int | None = None, name: str = "") -> ReadScores:
    """The scores of a file with one number a line, or of a WMT submission; `size` is how many there must be.

    QeError that names the lines that are wrong, and where the number of segments is another one.
    """
    opened = open_file(path)
    if recognise(opened) is SCORE_TABLE:
        scores, notes = scores_of(read_score_table(opened), language_pair, size)
    else:
        scores, notes = numbers.read_scores(opened), ()
    if size is not None and len(scores) != size:
        message = tr("{n:,} scores for {size:,} segments", "", len(scores), size=size)
        raise QeError(message, hint=tr("Give one score a segment."), place=opened.place())
    return ReadScores(scores, notes, name or name_of(opened.path))


def read_probabilities(
    path: Path | str,
    *,
    mt: TextColumn | None = None,
    pieces: TextColumn | None = None,
    name: str = "",
    answers: Answers = UNASKED,
) -> ReadProbabilities:
    """P(BAD) of each token of the MT, from probabilities or log-probabilities, of tokens or of subword `pieces`.

    `answers` say what lines and numbers mean, where the file does not tell; QeError where it must be said.
    """
    opened = open_file(path)
    found = fitted_numbers(numbers.read_token_numbers(opened), opened, mt, pieces, answers)
    return replace(found, name=name or name_of(opened.path))
