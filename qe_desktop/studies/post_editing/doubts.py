"""How much a system doubts each segment, one number a segment, whatever it gave: scores, P(BAD), or tags alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, Provenance, RaggedColumn, View
from qe_desktop.corpus.ragged import segment_sums
from qe_desktop.metrics.family import Floats
from qe_desktop.wording import tr

Better = Literal["higher", "lower"] | None
"""Which scores of segments are better; None: those of translators' files higher, all others lower, as HTER is."""


@dataclass(frozen=True, slots=True, eq=False)
class Doubt:
    """Numbers of shape (segments,), more being more doubtful, NaN where nothing was said; `of` says what they are.

    `sign` is -1 where what is shown to people is the number with its sign turned.
    """

    values: Floats
    of: str
    sign: int = 1

    def taken(self, segments: NDArray[np.int64]) -> Doubt:
        """Those of some segments."""
        return Doubt(self.values[segments], self.of, self.sign)


def doubts_of(view: View, better: Better = None) -> dict[str, Doubt]:
    """The doubts of each system: its scores of segments; without any, the mean P(BAD) of the words of a segment; and
    without that, the share of them that are BAD.
    """
    found: dict[str, Doubt] = {}
    corpus = view.corpus
    turned = (better or ("lower" if corpus.job is None else "higher")) == "higher"
    for layer in corpus.find(Provenance.SYSTEM, Kind.SCORES):
        said = tr("scores, higher being better") if turned else tr("scores, lower being better")
        found[layer.key.name] = Doubt(-layer.scores if turned else layer.scores, said, -1 if turned else 1)
    for layer in corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES):
        found.setdefault(layer.key.name, Doubt(_means(layer.numbers), tr("mean P(BAD) of the words")))
    for key in view.tracks(Kind.WORDS):
        if key.provenance is Provenance.SYSTEM and key.name not in found:
            found[key.name] = Doubt(_means(view.tags(key)), tr("share of BAD words"))
    return _in_order(view, found)


def _means(column: RaggedColumn[np.float32] | RaggedColumn[np.uint8]) -> Floats:
    """The mean of each segment's values; 0 where it has none."""
    lengths = column.lengths()
    return np.asarray(segment_sums(column.values.astype(np.float64), column.offsets) / np.maximum(1, lengths))


def _in_order(view: View, found: Mapping[str, Doubt]) -> dict[str, Doubt]:
    return {name: found[name] for name in view.corpus.names(Provenance.SYSTEM) if name in found}
