"""Trivial baselines: labellings that a rule derives from the gold. A metric should rank them below real systems.

Logacheva et al. 2016, section 3.1, define the five baselines. The optimistic and pessimistic baselines sample a fixed
number of words to label BAD; the random baseline labels each word independently. The random numbers are seeded.
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
"""Share of the words of each gold tag (BAD or OK) that the pessimistic baseline labels BAD."""
SYNTHETIC_PREFIX = "synthetic-"
"""Prefix of the names of baseline layers and files; it distinguishes baselines from systems in exports."""

BadMask = NDArray[np.bool_]
Rule = Callable[[BadMask, np.random.Generator], BadMask]


def _optimistic(bad: BadMask, generator: np.random.Generator) -> BadMask:
    """Label few words BAD, most of them correctly; the number of false alarms is at most the number of OK words."""
    hits = round(RECALL * int(np.count_nonzero(bad)))
    false_alarms = min(round(hits * (1 - PRECISION) / PRECISION), int(np.count_nonzero(~bad)))
    return _sample_words(bad, hits, generator) | _sample_words(~bad, false_alarms, generator)


def _pessimistic(bad: BadMask, generator: np.random.Generator) -> BadMask:
    """Label most words BAD, whatever their gold tag."""
    hits, false_alarms = (round(TAGGED_SHARE * int(np.count_nonzero(words))) for words in (bad, ~bad))
    return _sample_words(bad, hits, generator) | _sample_words(~bad, false_alarms, generator)


def _random(bad: BadMask, generator: np.random.Generator) -> BadMask:
    """Label each word independently; the probability of BAD is the share of BAD in the gold."""
    return generator.random(len(bad)) < (bad.mean() if len(bad) else 0.0)


def _sample_words(words: BadMask, count: int, generator: np.random.Generator) -> BadMask:
    """Return a mask of `count` words, sampled without replacement from the words in the mask `words`."""
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
"""Names of the baselines that differ between draws."""
_SYNTHETIC_NAME = re.compile(rf"{SYNTHETIC_PREFIX}({'|'.join(map(re.escape, LABELLINGS))})(-\d+)?", re.IGNORECASE)


def make_labelling(gold: TagColumn, name: str, seed: int = 1, draw: int = 0) -> TagColumn:
    """Return the tags of a baseline for items of any kind. Raises KeyError for an unknown name.

    Let N items be BAD and M items be OK in the gold. "optimistic" labels TP = round(N/10) of the N items and
    min(round(TP/9), M) of the M items BAD (precision .9 and recall .1, up to rounding). "pessimistic" labels
    round(.9 N) of the N items and round(.9 M) of the M items BAD. "random" labels each item BAD with probability
    N/(N + M). Different draws and different baselines are independent of each other, even with the same seed.
    """
    rule = _RULES[name]
    generator = np.random.default_rng([seed, LABELLINGS.index(name), draw])
    return TagColumn(rule(gold.values == 1, generator).astype(np.uint8), gold.offsets)


def synthetic_name(name: str, draw: int = 0) -> str:
    """Return the system name of a baseline: `synthetic-random` for draw 0, `synthetic-random-2` for draw 1."""
    return f"{SYNTHETIC_PREFIX}{name}-{draw + 1}" if draw else SYNTHETIC_PREFIX + name


def synthetic_layer(gold: TagColumn, kind: Kind, name: str, seed: int = 1, draw: int = 0) -> Layer:
    """Return a baseline as a layer that is distinguishable from the layer of a system.

    The layer has provenance `SYNTHETIC` and is named by `synthetic_name`. Raises KeyError for an unknown name.
    """
    key = LayerKey(Provenance.SYNTHETIC, synthetic_name(name, draw), kind)
    return Layer(key, make_labelling(gold, name, seed, draw), notes=(tr("trivial baseline, seed {seed}", seed=seed),))


def is_synthetic(name: str) -> bool:
    """Return whether `name` is a system name as returned by `synthetic_name`, ignoring case."""
    return _SYNTHETIC_NAME.fullmatch(name) is not None


def write_labellings(
    folder: Path, gold: TagColumn, names: Sequence[str] = LABELLINGS, seed: int = 1, draws: int = 1
) -> list[Path]:
    """Write one file of tag lines per baseline and draw, such as `synthetic-random.tags`; return the paths.

    The folder is created if needed. Raises OSError if the folder cannot be created, QeError if a file cannot be
    written, and KeyError for an unknown name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for name in names:
        for draw in range(draws if name in RANDOM_LABELLINGS else 1):
            path = folder / f"{synthetic_name(name, draw)}.tags"
            write_tags(path, make_labelling(gold, name, seed, draw))
            paths.append(path)
    return paths
