"""Small gold tags and systems with many errors, and data sets built from them tag by tag."""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from qe_desktop.corpus import TagColumn
from qe_desktop.levels import Scoring
from qe_desktop.metrics import PAPER_METRICS
from qe_desktop.studies.sampling.sampling_options import SamplingOptions
from tests.small_corpora import noisy, random_tags
from tests.tag_comparison import make_scoring, word_metrics

METRICS = word_metrics(PAPER_METRICS)


def gold_and_systems(systems=4, segments=60, words=9, flips=0.35, seed=3) -> tuple[TagColumn, list[TagColumn]]:
    """Return systems with errors in about a third of the tags; the last segment is empty, the first has no errors."""
    lengths = np.random.default_rng(seed).integers(1, 2 * words, segments)
    lengths[-1] = 0
    gold = random_tags(lengths, 0.3, seed)
    system_tags = []
    for number in range(systems):
        tags = noisy(gold, flips + 0.02 * number, seed + 10 + number).values.copy()
        tags[: lengths[0]] = gold.values[: lengths[0]]
        system_tags.append(TagColumn(tags, gold.offsets))
    return gold, system_tags


def small_scoring(systems=4, **others) -> Scoring:
    """Return the scoring of small random systems."""
    gold, system_tags = gold_and_systems(systems, **others)
    return make_scoring([f"s{number}" for number in range(systems)], gold, system_tags)


def sampling_options(**others) -> SamplingOptions:
    """Return options of a short study, with some changes."""
    values = {"errors": ("20", "21", "25"), "sizes": (5, 20, 60), "repetitions": 40, **others}
    return SamplingOptions(**{**values, "errors": tuple(map(Decimal, values["errors"]))}).normalize()


def as_lists(column: TagColumn) -> list[list[int]]:
    """Return the tags of each segment as lists."""
    return [column.values[a:b].tolist() for a, b in zip(column.offsets[:-1], column.offsets[1:], strict=True)]


def data_set(gold, systems, chosen: list[tuple[int, int]], *, repeated=False) -> tuple[list, list]:
    """Return gold and tags of a data set: the chosen (system, segment) pairs, and gold tags in all other segments."""
    tags = dict.fromkeys(range(len(gold)))
    repeats = []
    for system, segment in chosen:
        if tags[segment] is None:
            tags[segment] = systems[system][segment]
        else:
            assert repeated
            repeats.append((segment, systems[system][segment]))
    rows = [
        (segment, gold[segment] if chosen_tags is None else chosen_tags) for segment, chosen_tags in tags.items()
    ] + repeats
    return [gold[segment] for segment, _ in rows], [chosen_tags for _, chosen_tags in rows]


def count_errors(gold, tags) -> int:
    """Return the number of tags that differ from the gold."""
    return sum(a != b for g, t in zip(gold, tags, strict=True) for a, b in zip(g, t, strict=True))
