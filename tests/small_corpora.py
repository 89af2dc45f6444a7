"""Small corpora and random tags for tests."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from qe_desktop.corpus import (
    Corpus,
    Kind,
    Layer,
    LayerKey,
    Provenance,
    TagColumn,
    TextColumn,
    TextRole,
    offsets_from_lengths,
)

TAG = {"o": 0, "b": 1}


def tags(*segments: str) -> TagColumn:
    """Tags of segments: in `tags("oob", "b")`, o is OK and b is BAD."""
    return TagColumn.of([[TAG[letter] for letter in segment] for segment in segments])


def random_tags(lengths: np.ndarray, share: float, seed: int) -> TagColumn:
    """Return random tags with a share of BAD in segments of these lengths."""
    rng = np.random.default_rng(seed)
    offsets = offsets_from_lengths(lengths)
    return TagColumn((rng.random(offsets[-1]) < share).astype(np.uint8), offsets)


def noisy(gold: TagColumn, flips: float, seed: int) -> TagColumn:
    """Tags of a system that differ from gold in a share of the words."""
    rng = np.random.default_rng(seed)
    flip = rng.random(len(gold.values)) < flips
    return TagColumn(np.where(flip, 1 - gold.values, gold.values).astype(np.uint8), gold.offsets)


def corpus_of(gold: TagColumn | None, systems: dict[str, TagColumn], *, words: bool = True) -> Corpus:
    """A corpus whose tokens are numbered words."""
    template = gold if gold is not None else next(iter(systems.values()))
    layers = {}
    if gold is not None:
        key = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
        layers[key] = Layer(key, gold, origin="gold.tags", form="n")
    for name, column in systems.items():
        key = LayerKey(Provenance.SYSTEM, name, Kind.WORDS)
        layers[key] = Layer(key, column, origin=f"{name}.tags", form="n")
    lines = [" ".join(f"w{index}" for index in range(length)) for length in template.lengths()]
    texts = {TextRole.MT: TextColumn.of(lines), TextRole.SOURCE: TextColumn.of(lines)} if words else {}
    return Corpus("made", len(template), texts, layers)


@st.composite
def tagged_pairs(draw: st.DrawFn, segments: int = 6, words: int = 9) -> tuple[TagColumn, TagColumn]:
    """Gold and system tags of the same few segments, some of them empty."""
    lengths = draw(st.lists(st.integers(0, words), min_size=1, max_size=segments))
    bits = st.integers(0, 1)
    gold = [draw(st.lists(bits, min_size=n, max_size=n)) for n in lengths]
    system = [draw(st.lists(bits, min_size=n, max_size=n)) for n in lengths]
    return TagColumn.of(gold), TagColumn.of(system)
