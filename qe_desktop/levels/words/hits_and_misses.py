"""Chart of the hits, false alarms and misses in each system's tags."""

from __future__ import annotations

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import ChartTable, LegendKey, Panel, Panels, StackedBars
from qe_desktop.levels.level import ChartRequest
from qe_desktop.metrics.tags.word_f1_mcc import WORDS

HIT_KEYS = (
    LegendKey(tr("hits"), "bad", "solid"),
    LegendKey(tr("false alarms"), "false_alarm", "hatched"),
    LegendKey(tr("misses"), "miss", "dotted"),
)


def hits_and_misses_panels(request: ChartRequest) -> Panels | str:
    """Plot the hits, misses and false alarms of each system, in the order of the score table.

    If the tags have not been scored yet, return a message instead.
    """
    counts = hit_counts(request)
    if not len(counts):
        return tr("The hits and misses of each system are available once the tags are scored.")
    order = list(request.order or range(len(counts)))
    counts, names = counts[order], [request.subjects[index].display_name for index in order]
    descriptions = tuple(counts_sentence(name, *map(int, row)) for name, row in zip(names, counts, strict=True))

    def numbers() -> ChartTable:
        hits, alarms, misses = counts.astype(int).T
        return ChartTable.of_columns(system=names, hits=hits, false_alarms=alarms, misses=misses)

    items = request.reference.kind.display_name
    bars = StackedBars(items, tuple(names), HIT_KEYS, counts, descriptions)
    return (Panel("", bars, "", numbers, legend=tr("Bars: numbers of {items}", items=items)),)


def hit_counts(request: ChartRequest) -> Floats:
    """Return hits, false alarms and misses of each subject, shape (subjects, 3); empty if there are no scores."""
    totals = request.totals.get(WORDS.name)
    if totals is None:
        return np.zeros((0, 3))
    hits, alarms, gold, _ = totals.T
    return np.stack([hits, alarms, gold - hits], axis=1)


def counts_sentence(name: str, hits: int, alarms: int, misses: int) -> str:
    """Describe the hits, false alarms and misses of a system."""
    return tr(
        "{name}: {n:,} {n:hit|hits}, {alarms:,} {alarms:false alarm|false alarms}, {misses:,} {misses:miss|misses}",
        "",
        hits,
        name=name,
        alarms=alarms,
        misses=misses,
    )
