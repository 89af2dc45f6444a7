"""Rates: times or other segment totals divided by the number of MT tokens, such as seconds per word.

Graham (2015, section 2) computes post-edit rates this way, for gold and predicted times. Predictions of other
quantities, such as HTER, need no division: correlation does not depend on units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, QeError, SourceLocation, raise_for_rows
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats import read_text
from qe_desktop.formats.io.text_files import named_path
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr

ALL_SYSTEMS = "all"
"""Signature value if all scores were divided."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRates:
    """Gold and systems as scored; `divided` lists the names of those that are rates, or only `ALL_SYSTEMS`."""

    gold: Scores
    systems: Mapping[str, Scores]
    divided: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def compute_rates(
    name: str, gold: Scores, systems: Mapping[str, Scores], per_token: str | None, times: Sequence[str]
) -> ScoreRates:
    """Divide times by the number of tokens of each segment in the text file `per_token`.

    `name` is the name of the gold; `gold` and each system have shape (segments,). `times` lists the scores to divide,
    by default all. Without `per_token`, none are divided. Raises QeError for a text that cannot be read or has a
    different number of segments, a scored segment without tokens, an unknown name, or `times` without `per_token`.
    """
    if not per_token:
        if times:
            hint = tr("Specify the MT with --per-token.")
            raise QeError(tr("there are no tokens to divide times by"), hint=hint)
        return ScoreRates(gold, systems)
    divided = _named(times, (name, *systems))
    tokens = _tokens(named_path(per_token), ~np.isnan(gold))
    rates = {system: scores / tokens if system in divided else scores for system, scores in systems.items()}
    if times:
        note = tr("divided by the number of MT tokens: {names}", names=list_names(divided))
        return ScoreRates(gold / tokens if name in divided else gold, rates, divided, (note,))
    note = tr("the gold and all scores are divided by the number of MT tokens")
    return ScoreRates(gold / tokens, rates, (ALL_SYSTEMS,), (note,))


def _named(wanted: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    for name in wanted:
        if name not in names:
            message = tr("neither the gold nor a system is named “{name}”", name=name)
            raise QeError(message, hint=tr("Available names: {names}.", names=list_names(names, joined=True)))
    return tuple(dict.fromkeys(wanted or names))


def _tokens(path: Path, kept: NDArray[np.bool_]) -> Ints:
    """Return the number of tokens of each segment in a file; 1 for segments that are not `kept`.

    Raises QeError if the file cannot be read, if the number of lines differs, or if a kept segment has no tokens.
    """
    text, size = read_text(path), len(kept)
    if len(text) != size:
        message = tr(
            "{n:,} {n:line|lines}, but the gold has {size:,} {size:segment|segments}", "", len(text), size=size
        )
        place = SourceLocation(str(path), min(len(text), size) + (len(text) > size))
        raise QeError(message, hint=tr("Use the MT of these segments, one per line."), place=place)
    counts = np.where(kept, text.token_counts(), 1).astype(np.int64)

    def fault(segment: int) -> Fault:
        return Fault(SourceLocation(str(path), segment + 1), tr("this segment has no tokens"))

    raise_for_rows(
        np.flatnonzero(counts == 0),
        fault,
        tr("A time cannot be divided by zero tokens. Remove the segment from all files."),
    )
    return counts
