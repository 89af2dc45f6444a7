"""Reader of files with one number per segment (scores) or per token (probabilities), and writer of scores."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Faults, NumberColumn, offsets_from_lengths, raise_for_rows
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.atomic_write import atomic_write
from qe_desktop.formats.file_format import Format, ParseResult
from qe_desktop.formats.files import MAX_SEGMENTS, check_line_count
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.tags.token_per_line import line_unit_ambiguity
from qe_desktop.formats.text_files import TextFile, TokenBlock, iter_blocks, split_tokens
from qe_desktop.formats.tsv import parse_decimals
from qe_desktop.i18n.messages import tr

_SCORED = re.compile(r"(?<![a-z])(hter|da|ter|mqm|scores?)(?![a-z])", re.IGNORECASE)
"""Pattern of words in a file name that indicate one number per segment."""
NUMBER_BLOCK_LINES = 1 << 16
"""Maximum number of lines written in one call."""


def read_number_lines(
    opened: TextFile, kind: type[np.floating[Any]] = np.float64
) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """Read the numbers in a file as floats of type `kind`, and count the numbers in each line, shape (lines,).

    Raises QeError if tokens are not numbers (the error lists them), or if there are too many lines.
    """
    check_line_count(opened.data, opened.name)
    blocks: list[NDArray[Any]] = []
    counts: list[NDArray[np.int32]] = []
    errors, lines = Faults(), 0
    for _, block in iter_blocks(opened):
        parts = split_tokens(block)
        values, valid = parse_decimals(parts.codes, parts.starts, parts.ends)
        errors.add(np.flatnonzero(~valid), partial(_invalid_number_error, opened, parts, lines))
        blocks.append(values.astype(kind, copy=False))
        counts.append(parts.counts.astype(np.int32))
        lines += len(parts.counts)
    errors.raise_if_any(
        tr("Write numbers as in 0.25 or -1.5e-3, separated by spaces. Columns of a table must be separated by tabs.")
    )
    return np.concatenate(blocks), np.concatenate(counts)


def _invalid_number_error(opened: TextFile, parts: TokenBlock, lines: int, token: int) -> Fault:
    return Fault(
        opened.location(lines + parts.line_of(token)), tr("{text} is not a number", text=quote_token(parts.text(token)))
    )


def read_scores(opened: TextFile) -> Scores:
    """Read one number per line, shape (segments,).

    Raises QeError if lines do not contain exactly one number (the error lists them), or if there are too many lines.
    """
    check_line_count(opened.data, opened.name, MAX_SEGMENTS)
    values, counts = read_number_lines(opened)

    def error(line: int) -> Fault:
        return Fault(opened.location(line + 1), _too_many_numbers(int(counts[line])))

    raise_for_rows(np.flatnonzero(counts != 1), error, tr("A score file has one number per line."))
    values.flags.writeable = False
    return values


def _too_many_numbers(count: int) -> str:
    return tr("the line has no number") if count == 0 else tr("the line has {n:,} numbers, not one", "", count)


def write_scores(path: Path, scores: Scores) -> None:
    """Write scores with `atomic_write`, one per line with six decimal places, as in the HTER files of WMT."""
    with atomic_write(path) as file:
        for first in range(0, len(scores), NUMBER_BLOCK_LINES):
            file.write(
                "".join(f"{score:.6f}\n" for score in scores[first : first + NUMBER_BLOCK_LINES].tolist()).encode()
            )


def read_token_numbers(opened: TextFile) -> NumberColumn:
    """Read the numbers of tokens, one segment per line. Raises QeError as `read_number_lines` does."""
    # values beyond float32 become infinite, which is outside of any range
    with np.errstate(over="ignore"):
        values, counts = read_number_lines(opened, np.float32)
    return NumberColumn(values, offsets_from_lengths(counts))


@lru_cache(maxsize=1)
def _share_of_numbers(head: bytes) -> tuple[float, bool, bool]:
    """Return the share of tokens that are numbers, and two properties of the lines.

    The second value is whether each line has at most one token. The third is whether, in such a file, empty lines seem
    to separate segments with one token per line. If the file contains tabs or no tokens, the values are 0, False and
    False.
    """
    parts = split_tokens(head if head.endswith(b"\n") else head + b"\n")
    if not len(parts.starts) or b"\t" in head:
        return 0.0, False, False
    _, valid = parse_decimals(parts.codes, parts.starts, parts.ends)
    ambiguity = line_unit_ambiguity(parts.counts)
    return float(valid.mean()), bool((parts.counts <= 1).all()), ambiguity is not None and ambiguity.default is not None


def _scores_confidence(head: bytes, name: str) -> float:
    share, single, parted = _share_of_numbers(head)
    if not single or share < 0.5:
        return 0.0
    # files of scores have no empty lines; with empty lines, the name must mark a file as scores
    return 0.7 if "prob" in name.lower() or (parted and not _SCORED.search(name)) else 0.9


def _probabilities_confidence(head: bytes, name: str) -> float:
    share, single, parted = _share_of_numbers(head)
    if share < 0.8:
        return 0.0
    return 0.8 if "prob" in name.lower() or not single or parted else 0.5


def _read_scores(opened: TextFile) -> ParseResult:
    scores = read_scores(opened)
    minimum, maximum = float(scores.min()), float(scores.max())
    text = tr("{n:,} {n:score|scores}, {low:.3g} to {high:.3g}", "", len(scores), low=minimum, high=maximum)
    return ParseResult(SCORE_LINES_FORMAT.name, text, scores)


def _read_probabilities(opened: TextFile) -> ParseResult:
    column = read_token_numbers(opened)
    minimum, maximum = (float(column.values.min()), float(column.values.max())) if len(column.values) else (0.0, 0.0)
    description = tr(
        "{numbers:,} {numbers:number|numbers} in {n:,} {n:line|lines}, {low:.3g} to {high:.3g}",
        "", len(column), numbers=len(column.values), low=minimum, high=maximum,
    )  # fmt: skip
    return ParseResult(PROBABILITY_LINES_FORMAT.name, description, column)


SCORE_LINES_FORMAT = Format("scores", _scores_confidence, _read_scores)
PROBABILITY_LINES_FORMAT = Format("probabilities", _probabilities_confidence, _read_probabilities)
