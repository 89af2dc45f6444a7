"""Numbers of words as a study of thresholds takes them: P(BAD), log-probabilities, or any numbers, from files."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Place, QeError, RaggedColumn, offsets_of, refuse_all
from qe_desktop.formats import TAG_FORMATS, Numbers, OpenedFile, open_file, recognise
from qe_desktop.formats.numbers import read_number_lines
from qe_desktop.formats.one_a_line import Segmented, segmented, without
from qe_desktop.formats.options import said_of_lines
from qe_desktop.formats.probabilities import ROUNDING
from qe_desktop.formats.sentences import Unit
from qe_desktop.formats.standard_input import named_path
from qe_desktop.levels.files import holds_one_of, named_files, refuse_second
from qe_desktop.levels.words.inputs import ReadGold, read_gold
from qe_desktop.metrics.family import Floats
from qe_desktop.studies.threshold_study import Data, Numbered
from qe_desktop.wording import side_by_side, tr

holds_numbers = partial(holds_one_of, ("probabilities",))
"""Whether a file of a folder has numbers of words."""


class _Column(RaggedColumn[np.float64]):
    """Numbers as the file has them: thresholds between any two of them are told apart."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, eq=False)
class ReadData:
    """A gold and what was read beside it, with remarks."""

    gold: ReadGold
    data: Data
    notes: tuple[str, ...]


def read_data(args: argparse.Namespace, gold: str, systems: Sequence[str], mt: str | None) -> ReadData:
    """The gold's tags and the systems' numbers; a QeError names the file and line that do not fit."""
    said = said_of_lines(args.lines)
    text = named_path(mt) if mt else None
    read = read_gold(named_path(gold), args.kind, text, args.language_pair, said)
    files, remarks = named_files(systems, holds_numbers, tr("numbers of words"))
    notes = [*read.file.notes, *remarks]
    origins: dict[str, Path] = {}
    for file in files:
        refuse_second(file.name, file.path, origins)
    found: dict[str, Numbered] = {}
    direction = Numbers[args.numbers] if args.numbers else None
    for name, path in origins.items():
        opened = open_file(path)
        column, more = _fitted(opened, read, args)
        found[name], note = meant(column.values, direction, opened)
        notes += [side_by_side(": ", (name, one)) for one in (*more, note) if one]
    return ReadData(read, Data(read.tags, found), tuple(dict.fromkeys(notes)))


def _fitted(opened: OpenedFile, gold: ReadGold, args: argparse.Namespace) -> tuple[_Column, tuple[str, ...]]:
    """A file's numbers by segments, as many as the gold has tags."""
    # what is no file of numbers either is read as one, so that it is said what is wrong with it
    if recognise(opened).name in TAG_FORMATS:
        message = tr("the file holds tags, not numbers")
        hint = tr("Give one number for each tag of the gold, one segment a line. Tags are compared by: {command}.",
                  command="qe-desktop compare words")  # fmt: skip
        raise QeError(message, hint=hint, place=opened.place())
    values, counts = read_number_lines(opened)
    column = _Column(values, offsets_of(counts))
    lengths = gold.tags.lengths()
    found = segmented(column, said_of_lines(args.lines), lambda: [lengths], opened.name, Unit.NUMBERS)
    if gold.file.left_out is not None:
        found = without(found, gold.file.left_out)
    _refuse_others(found, lengths, opened, gold.path)
    return found.column, found.notes


def _refuse_others(found: Segmented[_Column], lengths: NDArray[np.int64], opened: OpenedFile, gold_path: Path) -> None:
    has = found.column.lengths()
    hint = tr("Both must be of the same words; the gold is {file}.", file=str(gold_path))
    if len(has) != len(lengths):
        message = tr(
            "{found:,} {found:segment|segments}, but the gold has {expected:,}", found=len(has), expected=len(lengths)
        )
        raise QeError(message, hint=hint, place=Place(opened.name))

    command_hint = ""
    if len(has) and np.array_equal(2 * has + 1, lengths):
        hint = tr("The gold has tags of gaps and words by turns (2n+1); with the MT those of words are told apart.")
        command_hint = tr(
            "The gold has tags of gaps and words by turns (2n+1); with the MT (--mt) those of words are told apart."
        )

    def fault(segment: int) -> Fault:
        message = tr(
            "{n:,} {n:number|numbers}, but the gold has {tags:,} {tags:tag|tags}",
            "",
            int(has[segment]),
            tags=int(lengths[segment]),
        )
        return Fault(opened.place(found.line(segment)), message)

    refuse_all(np.flatnonzero(has != lengths), fault, hint, command_hint)


def meant(values: Floats, said: Numbers | None, opened: OpenedFile) -> tuple[Numbered, str]:
    """Numbers of which more is more BAD, and what a person should know of how they were taken.

    From 0 to 1, but for rounding, they are P(BAD), or P(OK) where that is said, as it must be where all are 0 or 1. All
    from 0 down they are log-probabilities of the word being OK, as in shared tasks, unless it is said otherwise. Any
    others are scores, whose order alone counts.
    """
    if not len(values):
        return Numbered(values), ""
    low, high = float(values.min()), float(values.max())
    # what lies a little beyond keeps its order, so it is not cut off
    if (high > 0 and low >= -ROUNDING and high <= 1 + ROUNDING) or low == high == 0:
        if said is None and bool(((values == 0) | (values == 1)).all()):
            message = tr("all numbers are 0 or 1, and nothing tells whether 1 means BAD or OK")
            command_hint = tr("Say which: --numbers BAD if 1 means BAD, --numbers OK if 1 means OK.")
            raise QeError(
                message, hint=tr("Say which of them 1 means."), command_hint=command_hint, place=opened.place()
            )
        if said is Numbers.OK:
            return Numbered(1 - values, probabilities=True), tr("the numbers are taken as {numbers}", numbers="P(OK)")
        return Numbered(values, probabilities=True), tr("the numbers are taken as {numbers}", numbers="P(BAD)")
    if high <= 0:
        if said is Numbers.BAD:
            found, formula = np.exp(values), "P(BAD) = exp(x)"
        else:
            found, formula = -np.expm1(values), "P(BAD) = 1 - exp(x)"
        return Numbered(found, probabilities=True), tr(
            "the numbers are taken as log-probabilities: {formula}", formula=formula
        )
    if said is Numbers.OK:
        return Numbered(-values), tr("the numbers are taken as scores, less being worse, and their signs turned")
    return Numbered(values), tr("the numbers are taken as scores, more being worse")


def same_systems(data: Mapping[str, Numbered], dev: Mapping[str, Numbered]) -> None:
    """QeError where numbers to tune on are of a system that is not scored."""
    unknown = [name for name in dev if name not in data]
    if unknown:
        message = tr("there is no system “{name}” to tune a threshold for", name=unknown[0])
        hint = tr("There are {names}.", names=", ".join(data))
        raise QeError(message, hint=hint, place=Place("--dev"))
