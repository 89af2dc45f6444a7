"""Trivial baselines: labellings derived from the gold by a rule, which a metric should rank below real systems.

Logacheva et al. 2016, section 3.1, define the five baselines. The words that a rule labels BAD are sampled with a seed;
their number is fixed, except in the random baseline.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, TagColumn
from qe_desktop.formats import write_tags
from qe_desktop.i18n.messages import tr

PRECISION, RECALL = 0.9, 0.1
"""Precision and recall of BAD in the optimistic baseline."""
TAGGED_SHARE = 0.9
"""Share of BAD words and of OK words that the pessimistic baseline labels BAD."""
SYNTHETIC_PREFIX = "synthetic-"
"""Name prefix of layers and files of baselines, so that exports do not mistake them for systems."""

BadMask = NDArray[np.bool_]
Rule = Callable[[BadMask, np.random.Generator], BadMask]


def _optimistic(bad: BadMask, generator: np.random.Generator) -> BadMask:
    """Label few words BAD, most of them correctly; false alarms are limited to the number of OK words."""
    hits = round(RECALL * int(np.count_nonzero(bad)))
    false_alarms = min(round(hits * (1 - PRECISION) / PRECISION), int(np.count_nonzero(~bad)))
    return _sample_words(bad, hits, generator) | _sample_words(~bad, false_alarms, generator)


def _pessimistic(bad: BadMask, generator: np.random.Generator) -> BadMask:
    """Label most words BAD, whatever their gold tag."""
    hits, false_alarms = (round(TAGGED_SHARE * int(np.count_nonzero(words))) for words in (bad, ~bad))
    return _sample_words(bad, hits, generator) | _sample_words(~bad, false_alarms, generator)


def _random(bad: BadMask, generator: np.random.Generator) -> BadMask:
    """Label each word independently, BAD with the frequency of the gold."""
    return generator.random(len(bad)) < (bad.mean() if len(bad) else 0.0)


def _sample_words(words: BadMask, count: int, generator: np.random.Generator) -> BadMask:
    """Return a mask of `count` of the `words`, sampled without replacement."""
    indices = np.flatnonzero(words)
    result = np.zeros(len(words), bool)
    result[indices[generator.choice(len(indices), count, replace=False, shuffle=False)] if count else indices[:0]] = (
        True
    )
    return result


_RULES: dict[str, Rule] = {
    "all-BAD": lambda bad, dice: np.ones(len(bad), bool),
    "all-OK": lambda bad, dice: np.zeros(len(bad), bool),
    "optimistic": _optimistic,
    "pessimistic": _pessimistic,
    "random": _random,
}
LABELLINGS = tuple(_RULES)
"""Names of baselines on the command line and in JSON, ordered as in table 1 of Logacheva et al. 2016."""
RANDOM_LABELLINGS = ("optimistic", "pessimistic", "random")
"""Baselines that differ with every draw."""
_SYNTHETIC_NAME = re.compile(rf"{SYNTHETIC_PREFIX}({'|'.join(map(re.escape, LABELLINGS))})(-\d+)?", re.IGNORECASE)


def make_labelling(gold: TagColumn, name: str, seed: int = 1, draw: int = 0) -> TagColumn:
    """Return the tags that a named rule assigns to items of any kind. Raises KeyError for an unknown name.

    Of N gold-BAD and M gold-OK items, "optimistic" labels TP = round(N/10) and min(round(TP/9), M) items BAD (precision
    .9 and recall .1, up to rounding). "pessimistic" labels round(.9 N) gold-BAD and round(.9 M) gold-OK items BAD.
    "random" labels each item BAD with probability N/(N + M). Draws and baselines with the same seed are independent of
    each other.
    """
    rule = _RULES[name]
    generator = np.random.default_rng([seed, LABELLINGS.index(name), draw])
    return TagColumn(rule(gold.values == 1, generator).astype(np.uint8), gold.offsets)


def synthetic_name(name: str, draw: int = 0) -> str:
    """Return the system name of a baseline: `synthetic-random` for draw 0, `synthetic-random-2` for draw 1."""
    return f"{SYNTHETIC_PREFIX}{name}-{draw + 1}" if draw else SYNTHETIC_PREFIX + name


def synthetic_layer(gold: TagColumn, kind: Kind, name: str, seed: int = 1, draw: int = 0) -> Layer:
    """Return a baseline as a layer of the gold's corpus, distinguishable from a system.

    The layer has its own provenance, and its `synthetic_name` identifies it in exports. Raises KeyError for an unknown
    name.
    """
    key = LayerKey(Provenance.SYNTHETIC, synthetic_name(name, draw), kind)
    return Layer(key, make_labelling(gold, name, seed, draw), notes=(tr("synthetic, from seed {seed}", seed=seed),))


def is_synthetic(name: str) -> bool:
    """Return whether a system has the name of a baseline."""
    return _SYNTHETIC_NAME.fullmatch(name) is not None


def write_labellings(
    folder: Path, gold: TagColumn, names: Sequence[str] = LABELLINGS, seed: int = 1, draws: int = 1
) -> list[Path]:
    """Write baselines as tag lines, one file per draw, such as `synthetic-random.tags`; return the paths.

    The folder is created if needed. Raises OSError if that fails, QeError if a file cannot be written, and KeyError for
    an unknown name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name in names:
        for draw in range(draws if name in RANDOM_LABELLINGS else 1):
            path = folder / f"{synthetic_name(name, draw)}.tags"
            write_tags(path, make_labelling(gold, name, seed, draw))
            paths.append(path)
    return paths
