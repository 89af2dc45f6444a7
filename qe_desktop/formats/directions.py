"""Probabilities beside the gold: where they point the other way, it is said, and nothing is changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance
from qe_desktop.wording import tr

SURELY = 5.0
"""Standard errors that a correlation must lie below 0 for it to be no matter of chance."""


def beside_gold(known: Mapping[LayerKey, Layer], new: Mapping[LayerKey, Layer]) -> dict[LayerKey, Layer]:
    """The new layers of probabilities that point away from the gold, each with a remark on that.

    A system may well be worse than chance, so this only says what a person should look at.
    """
    golds = [layer for key, layer in known.items() if key.provenance is Provenance.GOLD and key.kind is Kind.WORDS]
    found = {}
    for key, layer in new.items():
        if key.kind is not Kind.PROBABILITIES or not golds:
            continue
        correlation = _correlation(layer, golds[0])
        if correlation is not None:
            note = tr(
                "beside the gold, words with higher P(BAD) are OK more often (correlation {correlation:.2f}): "
                "if its numbers mean OK, say so when it is opened",
                correlation=correlation,
            )
            found[key] = replace(layer, notes=(*layer.notes, note))
    return found


def _correlation(layer: Layer, gold: Layer) -> float | None:
    """Pearson's correlation of P(BAD) with the gold, where it is surely negative; else None."""
    numbers, tags = layer.numbers, gold.tags
    if not np.array_equal(numbers.offsets, tags.offsets) or not len(tags.values):
        return None
    if tags.values.min() == tags.values.max() or numbers.values.min() == numbers.values.max():
        return None
    found = float(np.corrcoef(numbers.values, tags.values)[0, 1])
    return found if found * np.sqrt(len(tags.values)) < -SURELY else None
