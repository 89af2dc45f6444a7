"""All metrics by name. A new one is a module with its family, and a line here."""

from __future__ import annotations

from collections.abc import Iterable

from qe_desktop.corpus import QeError
from qe_desktop.metrics import phrases, sequence, words
from qe_desktop.metrics.family import Family, Metric

WORD_METRICS: dict[str, Metric] = {
    metric.name: metric for module in (words, phrases, sequence) for metric in module.METRICS
}

PAPER_METRICS = ("F1-BAD", "F1-mult", "phr-F1-BAD", "phr-F1-mult", "MCC", "SeqCor")
"""The six metrics that Logacheva et al. 2016 compare."""


def word_metrics(names: Iterable[str]) -> list[Metric]:
    """The metrics of these names, whatever the case; a QeError names those that do not exist."""
    known = {name.lower(): metric for name, metric in WORD_METRICS.items()}
    chosen = []
    for name in names:
        if name.lower() not in known:
            raise QeError(f"there is no word metric “{name}”", hint=f"Choose from {', '.join(WORD_METRICS)}.")
        chosen.append(known[name.lower()])
    return list(dict.fromkeys(chosen))


def families_of(metrics: Iterable[Metric]) -> list[Family]:
    """The families that the metrics need, each once."""
    return list({metric.family.name: metric.family for metric in metrics}.values())
