"""Small gold and systems with many errors, and data sets made of them plainly, tag by tag."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from qe_desktop.corpus import TagColumn
from qe_desktop.levels import Scoring
from qe_desktop.metrics import PAPER_METRICS
from qe_desktop.studies.sampling.sampling_options import SamplingOptions
from tests.building import noisy, random_tags
from tests.comparing import scored, word_metrics

METRICS = word_metrics(PAPER_METRICS)


def gold_and_systems(systems=4, segments=60, words=9, flips=0.35, seed=3) -> tuple[TagColumn, list[TagColumn]]:
    """Systems that are wrong about a third of the tags; the last segment is empty, and nobody is wrong in the first."""
    lengths = np.random.default_rng(seed).integers(1, 2 * words, segments)
    lengths[-1] = 0
    gold = random_tags(lengths, 0.3, seed)
    found = []
    for place in range(systems):
        tags = noisy(gold, flips + 0.02 * place, seed + 10 + place).values.copy()
        tags[: lengths[0]] = gold.values[: lengths[0]]
        found.append(TagColumn(tags, gold.offsets))
    return gold, found


def scoring(systems=4, **others) -> Scoring:
    gold, found = gold_and_systems(systems, **others)
    return scored([f"s{place}" for place in range(systems)], gold, found)


def options(**others) -> SamplingOptions:
    asked = {"errors": ("20", "21", "25"), "sizes": (5, 20, 60), "repetitions": 40, **others}
    return SamplingOptions(**{**asked, "errors": tuple(map(Decimal, asked["errors"]))}).checked()


def as_lists(column: TagColumn) -> list[list[int]]:
    return [column.values[a:b].tolist() for a, b in zip(column.offsets[:-1], column.offsets[1:], strict=True)]


def data_set(gold, systems, chosen: list[tuple[int, int]], *, repeated=False) -> tuple[list, list]:
    """Gold and tags of a data set that takes these (system, segment); all other segments are the gold's."""
    tags = dict.fromkeys(range(len(gold)))
    more = []
    for system, segment in chosen:
        if tags[segment] is None:
            tags[segment] = systems[system][segment]
        else:
            assert repeated
            more.append((segment, systems[system][segment]))
    there = [(segment, gold[segment] if held is None else held) for segment, held in tags.items()] + more
    return [gold[segment] for segment, _ in there], [held for _, held in there]


def wrong(gold, tags) -> int:
    return sum(a != b for g, t in zip(gold, tags, strict=True) for a, b in zip(g, t, strict=True))
