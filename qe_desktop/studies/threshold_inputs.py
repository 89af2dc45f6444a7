"""Word scores from files for a threshold study: P(BAD), log-probabilities, or any numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from qe_desktop.corpus import Fault, QeError, RaggedColumn, SourceLocation, offsets_from_lengths, raise_for_rows
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.formats import TAG_FORMATS, LineUnit, ProbabilityOf, TextFile, detect_format, open_file
from qe_desktop.formats.messages import LineContent
from qe_desktop.formats.scores.score_lines import read_number_lines
from qe_desktop.formats.tags.probabilities import ROUNDING_TOLERANCE
from qe_desktop.formats.tags.token_per_line import SegmentedColumn, join_token_lines, without_segments
from qe_desktop.formats.text_files import named_path
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.system_files import check_unique_system, has_format, resolve_named_files
from qe_desktop.levels.words.tag_inputs import GoldTags, WordKind, read_gold
from qe_desktop.studies.threshold_study import ThresholdData, WordScores

is_probability_file = partial(has_format, ("probabilities",))
"""Return whether a file contains word scores; also True for unreadable files, so that their errors are reported."""


class _NumberColumnRead(RaggedColumn[np.float64]):
    """Column of float64 numbers, so that numbers that differ in the file remain distinct."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdInputs:
    """Gold tags and word scores of the same words, with warnings (`notes`)."""

    gold: GoldTags
    data: ThresholdData
    notes: tuple[str, ...]


def read_threshold_data(
    gold: str,
    systems: Sequence[str],
    mt: str | None,
    *,
    kind: WordKind = "words",
    language_pair: str = "",
    lines: LineUnit | None = None,
    numbers: ProbabilityOf | None = None,
) -> ThresholdInputs:
    """Read gold tags and the systems' word scores.

    `numbers` is the label (OK or BAD) whose probabilities or scores the files contain; None if unknown. Raises QeError
    if a file is invalid or does not match the gold, if two systems have the same name, or if `numbers` is None but
    required by `orient_numbers`.
    """
    read = read_gold(named_path(gold), kind, named_path(mt) if mt else None, language_pair, lines)
    files, remarks = resolve_named_files(systems, is_probability_file, tr("word scores"))
    notes = [*read.parsed.notes, *remarks]
    origins: dict[str, Path] = {}
    for file in files:
        check_unique_system(file.name, file.path, origins)
    results: dict[str, WordScores] = {}
    for name, path in origins.items():
        opened = open_file(path)
        column, more = _fit_numbers(opened, read, lines)
        results[name], note = orient_numbers(column.values, numbers, opened)
        notes += [join_localized(": ", (name, item)) for item in (*more, note) if item]
    return ThresholdInputs(read, ThresholdData(read.tags, results), tuple(dict.fromkeys(notes)))


def _fit_numbers(opened: TextFile, gold: GoldTags, lines: LineUnit | None) -> tuple[_NumberColumnRead, tuple[str, ...]]:
    """Read the numbers of a file, one for each tag of the gold; return them by segment, with notes on the file.

    Raises QeError if the file contains tags, or if its numbers do not match the gold.
    """
    # a file of unknown kind is read as numbers, for a precise error message
    if detect_format(opened).name in TAG_FORMATS:
        message = tr("the file contains tags, not numbers")
        hint = tr("The file must have one number for each tag of the gold, with one segment or one number per line."
            " To compare tags, use: {command}.",
                  command="qe-desktop compare words")  # fmt: skip
        raise QeError(message, hint=hint, place=opened.location())
    values, counts = read_number_lines(opened)
    column = _NumberColumnRead(values, offsets_from_lengths(counts))
    lengths = gold.tags.lengths()
    result = join_token_lines(column, lines, lambda: [lengths], opened.name, LineContent.NUMBERS)
    if gold.parsed.excluded is not None:
        result = without_segments(result, gold.parsed.excluded)
    _check_same_words(result, lengths, opened, gold.path)
    return result.column, result.notes


def _check_same_words(
    numbers: SegmentedColumn[_NumberColumnRead], lengths: Ints, opened: TextFile, gold_path: Path
) -> None:
    number_counts = numbers.column.lengths()
    hint = tr("The numbers and the gold must be for the same words; the gold is {file}.", file=str(gold_path))
    if len(number_counts) != len(lengths):
        message = tr(
            "{found:,} {found:segment|segments}, but the gold has {expected:,}",
            found=len(number_counts),
            expected=len(lengths),
        )
        raise QeError(message, hint=hint, place=SourceLocation(opened.name))

    command_hint = ""
    if len(number_counts) and np.array_equal(2 * number_counts + 1, lengths):
        hint = tr(
            "The gold has words and gaps, interleaved (2n+1). Open the MT too, so that the word tags can be identified."
        )
        command_hint = tr(
            "The gold has words and gaps, interleaved (2n+1). Add the MT (--mt), so that the word "
            "tags can be identified."
        )

    def length_error(segment: int) -> Fault:
        message = tr(
            "{n:,} {n:number|numbers}, but the gold has {tags:,} {tags:tag|tags}",
            "",
            int(number_counts[segment]),
            tags=int(lengths[segment]),
        )
        return Fault(opened.location(numbers.line(segment)), message)

    raise_for_rows(np.flatnonzero(number_counts != lengths), length_error, hint, command_hint)


def orient_numbers(values: Floats, meaning: ProbabilityOf | None, opened: TextFile) -> tuple[WordScores, str]:
    """Return word scores, oriented so that higher means BAD, and a note on how the numbers were interpreted.

    If all numbers are from 0 to 1, up to rounding, they are P(BAD), or P(OK) if `meaning` is OK. If all are 0 or 1,
    `meaning` is required. Otherwise, if no number is above 0, they are log-probabilities of OK, as in shared tasks, or
    of BAD if `meaning` is BAD. All other numbers are scores, of which only the order matters; the order is reversed if
    `meaning` is OK. Raises QeError if `meaning` is required but None.
    """
    if not len(values):
        return WordScores(values), ""
    low, high = float(values.min()), float(values.max())
    # values slightly outside keep their order, so they are not clipped
    if (high > 0 and low >= -ROUNDING_TOLERANCE and high <= 1 + ROUNDING_TOLERANCE) or low == high == 0:
        if meaning is None and bool(((values == 0) | (values == 1)).all()):
            message = tr("all numbers are 0 or 1, and it is not known whether 1 means BAD or OK")
            command_hint = tr("Use --numbers BAD if 1 means BAD, --numbers OK if 1 means OK.")
            raise QeError(
                message,
                hint=tr("Select whether 1 means BAD or OK."),
                command_hint=command_hint,
                place=opened.location(),
            )
        if meaning is ProbabilityOf.OK:
            return WordScores(1 - values, probabilities=True), tr("numbers interpreted as {numbers}", numbers="P(OK)")
        return WordScores(values, probabilities=True), tr("numbers interpreted as {numbers}", numbers="P(BAD)")
    if high <= 0:
        if meaning is ProbabilityOf.BAD:
            results, formula = np.exp(values), "P(BAD) = exp(x)"
        else:
            results, formula = -np.expm1(values), "P(BAD) = 1 - exp(x)"
        return WordScores(results, probabilities=True), tr(
            "numbers interpreted as log-probabilities: {formula}", formula=formula
        )
    if meaning is ProbabilityOf.OK:
        return WordScores(-values), tr("numbers interpreted as scores; lower means BAD, so signs are reversed")
    return WordScores(values), tr("numbers interpreted as scores; higher means BAD")


def check_dev_systems(data: Mapping[str, WordScores], dev: Mapping[str, WordScores]) -> None:
    """Raise QeError if the tuning data (`dev`) include a system that is not in `data`."""
    unknown = [name for name in dev if name not in data]
    if unknown:
        message = tr("no system “{name}” to tune a threshold for", name=unknown[0])
        hint = tr("Use one of {names}.", names=", ".join(data))
        raise QeError(message, hint=hint, place=SourceLocation("--dev"))
