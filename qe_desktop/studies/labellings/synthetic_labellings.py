"""Labellings made of the gold by a rule, which a metric should rate below real systems.

Logacheva et al. 2016, section 3.1, name five. Which words a rule calls BAD is drawn from a seed; how many is not, but
for the random one.
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
"""Of BAD, in the optimistic labelling."""
TAGGED_SHARE = 0.9
"""The share of BAD words and of OK words that the pessimistic labelling calls BAD."""
SYNTHETIC_PREFIX = "synthetic-"
"""What names of layers and files with labellings begin with, so that no export takes them for a system's."""

Bad = NDArray[np.bool_]
Rule = Callable[[Bad, np.random.Generator], Bad]


def _optimistic(bad: Bad, dice: np.random.Generator) -> Bad:
    """Few words, most of them rightly; of OK words no more than there are."""
    hits = round(RECALL * int(np.count_nonzero(bad)))
    false_alarms = min(round(hits * (1 - PRECISION) / PRECISION), int(np.count_nonzero(~bad)))
    return _sample_words(bad, hits, dice) | _sample_words(~bad, false_alarms, dice)


def _pessimistic(bad: Bad, dice: np.random.Generator) -> Bad:
    """Most words, whatever they are in the gold."""
    hits, false_alarms = (round(TAGGED_SHARE * int(np.count_nonzero(words))) for words in (bad, ~bad))
    return _sample_words(bad, hits, dice) | _sample_words(~bad, false_alarms, dice)


def _random(bad: Bad, dice: np.random.Generator) -> Bad:
    """Each word by itself, BAD as often as words of the gold are."""
    return dice.random(len(bad)) < (bad.mean() if len(bad) else 0.0)


def _sample_words(words: Bad, count: int, dice: np.random.Generator) -> Bad:
    """So many of these words, each of them as likely as any other."""
    places = np.flatnonzero(words)
    found = np.zeros(len(words), bool)
    found[places[dice.choice(len(places), count, replace=False, shuffle=False)] if count else places[:0]] = True
    return found


_RULES: dict[str, Rule] = {
    "all-BAD": lambda bad, dice: np.ones(len(bad), bool),
    "all-OK": lambda bad, dice: np.zeros(len(bad), bool),
    "optimistic": _optimistic,
    "pessimistic": _pessimistic,
    "random": _random,
}
LABELLINGS = tuple(_RULES)
"""Their names, as the command line and JSON have them, in the order of the paper's table 1."""
RANDOM_LABELLINGS = ("optimistic", "pessimistic", "random")
"""Those that are another one with every draw."""
_NAMED = re.compile(rf"{SYNTHETIC_PREFIX}({'|'.join(map(re.escape, LABELLINGS))})(-\d+)?", re.IGNORECASE)


def make_labelling(gold: TagColumn, name: str, seed: int = 1, draw: int = 0) -> TagColumn:
    """Tags of the gold's items, of whatever kind, by the rule of this name; a KeyError where there is none.

    Of N gold-BAD and M gold-OK items, optimistic calls TP = round(N/10) and round(TP/9) BAD (precision .9 and recall .1
    as far as whole numbers go), pessimistic round(.9 N) and round(.9 M), random each item with a probability of
    N/(N + M). Other draws of one seed have nothing to do with each other, nor have other labellings.
    """
    rule = _RULES[name]
    dice = np.random.default_rng([seed, LABELLINGS.index(name), draw])
    return TagColumn(rule(gold.values == 1, dice).astype(np.uint8), gold.offsets)


def synthetic_name(name: str, draw: int = 0) -> str:
    """What a labelling is called among systems: `synthetic-random`, and further draws `synthetic-random-2`."""
    return f"{SYNTHETIC_PREFIX}{name}-{draw + 1}" if draw else SYNTHETIC_PREFIX + name


def synthetic_layer(gold: TagColumn, kind: Kind, name: str, seed: int = 1, draw: int = 0) -> Layer:
    """A labelling as a layer that can stand in the gold's corpus, where nothing takes it for a system's.

    It is of a provenance of its own, and by its `synthetic_name` it is told apart in whatever is exported.
    """
    key = LayerKey(Provenance.SYNTHETIC, synthetic_name(name, draw), kind)
    return Layer(key, make_labelling(gold, name, seed, draw), notes=(tr("synthetic, from seed {seed}", seed=seed),))


def is_synthetic(name: str) -> bool:
    """Whether a system is called like a labelling."""
    return _NAMED.fullmatch(name) is not None


def write_labellings(
    folder: Path, gold: TagColumn, names: Sequence[str] = LABELLINGS, seed: int = 1, draws: int = 1
) -> list[Path]:
    """Write labellings as tag lines, each in a file of its `synthetic_name`, such as synthetic-random.tags; the paths.

    The folder need not be there yet. QeError where a file cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in names:
        for draw in range(draws if name in RANDOM_LABELLINGS else 1):
            path = folder / f"{synthetic_name(name, draw)}.tags"
            write_tags(path, make_labelling(gold, name, seed, draw))
            written.append(path)
    return written
