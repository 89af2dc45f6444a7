"""Rates: times, or other amounts of a whole segment, divided by the tokens of the MT, as seconds a word.

Graham (2015, section 2) turns post-edit times into post-edit rates so, the gold's and the predicted ones. Systems that
predict something else, such as HTER, can stand beside them as they are, for a correlation knows no unit.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, QeError, SourceLocation, raise_for_rows
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats import read_text
from qe_desktop.formats.io.text_files import named_path
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr

ALL_SYSTEMS = "all"
"""What a signature says where all scores were divided."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRates:
    """A gold and systems as they are scored; `divided` says whose numbers are rates: nobody's where it is empty."""

    gold: Scores
    systems: Mapping[str, Scores]
    divided: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def add_rates(parser: argparse.ArgumentParser) -> None:
    """The options that say what is divided by the tokens of which text."""
    parser.add_argument(
        "--per-token", metavar="MT",
        help=tr("divide times by the tokens of this text, one segment a line, for seconds a word"),
    )  # fmt: skip
    parser.add_argument(
        "--times", nargs="+", action="extend", metavar="NAME", default=[],
        help=tr("the gold and the systems that are times, for --per-token; all of them when not given"),
    )  # fmt: skip


def compute_rates(args: argparse.Namespace, name: str, gold: Scores, systems: Mapping[str, Scores]) -> ScoreRates:
    """What the options make of the gold of this name and the systems, each of shape (segments,).

    QeError where the text has other segments or one without tokens, or where a name is none of these.
    """
    if not args.per_token:
        if args.times:
            hint = tr("Give the MT with --per-token, whose tokens times are divided by.")
            raise QeError(tr("nothing says by how many tokens times are divided"), hint=hint)
        return ScoreRates(gold, systems)
    divided = _named(args.times, (name, *systems))
    tokens = _tokens(named_path(args.per_token), ~np.isnan(gold))
    found = {system: scores / tokens if system in divided else scores for system, scores in systems.items()}
    if args.times:
        note = tr("divided by the tokens of the MT: {names}", names=list_names(divided))
        return ScoreRates(gold / tokens if name in divided else gold, found, divided, (note,))
    note = tr("the gold and all scores are divided by the tokens of the MT")
    return ScoreRates(gold / tokens, found, (ALL_SYSTEMS,), (note,))


def _named(wanted: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    for name in wanted:
        if name not in names:
            message = tr("neither the gold nor a system is called “{name}”", name=name)
            raise QeError(message, hint=tr("They are called {names}.", names=list_names(names, joined=True)))
    return tuple(dict.fromkeys(wanted or names))


def _tokens(path: Path, kept: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many tokens each segment has, at least one; those that are not `kept` may have none."""
    text, size = read_text(path), len(kept)
    if len(text) != size:
        message = tr(
            "{n:,} {n:line|lines}, but the gold has {size:,} {size:segment|segments}", "", len(text), size=size
        )
        place = SourceLocation(str(path), min(len(text), size) + (len(text) > size))
        raise QeError(message, hint=tr("Give the MT of these segments, one a line."), place=place)
    counts = np.where(kept, text.token_counts(), 1).astype(np.int64)

    def fault(segment: int) -> Fault:
        return Fault(SourceLocation(str(path), segment + 1), tr("this segment has no tokens"))

    raise_for_rows(np.flatnonzero(counts == 0), fault, tr("A time cannot be divided by none; take the segment out."))
    return counts
