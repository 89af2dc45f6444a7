"""Registry of the built-in metrics by name. A new family needs a module with `METRICS` and an entry in this module."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics import correlation, delta_avg, kendall
from qe_desktop.metrics.family import Family, Metric
from qe_desktop.metrics.tags import phrase_metrics, sequence_correlation, word_f1_mcc
from qe_desktop.metrics.text.translation_metrics import translation_metrics

WORD_METRICS: dict[str, Metric] = {
    metric.name: metric for module in (word_f1_mcc, phrase_metrics, sequence_correlation) for metric in module.METRICS
}
SENTENCE_METRICS: dict[str, Metric] = {
    metric.name: metric for module in (correlation, kendall, delta_avg) for metric in module.METRICS
}

TRANSLATION_METRICS: dict[str, Metric] = translation_metrics()

PAPER_METRICS = ("F1-BAD", "F1-mult", "phr-F1-BAD", "phr-F1-mult", "MCC", "SeqCor")
"""Names of the metrics compared by Logacheva et al. 2016."""


def get_metrics(names: Iterable[str], available: Mapping[str, Metric], level_name: str) -> list[Metric]:
    """Return the metrics with the given names, without duplicates.

    Parameters
    ----------
    names
        Names of metrics; case is ignored.
    available
        Metrics by name, such as `WORD_METRICS`.
    level_name
        Localized name of the scored items, for the error message.

    Returns
    -------
    list of Metric
        Metrics in the order of `names`; a repeated name counts only at its first position.

    Raises
    ------
    QeError
        If a name is unknown.
    """
    metrics = {name.lower(): metric for name, metric in available.items()}
    chosen = []
    for name in names:
        if name.lower() not in metrics:
            raise QeError(
                tr("there is no metric “{name}” for {level}", name=name, level=level_name),
                hint=tr("Use one of {names}.", names=", ".join(available)),
            )
        chosen.append(metrics[name.lower()])
    return list(dict.fromkeys(chosen))


def metric_families(metrics: Iterable[Metric]) -> list[Family[Any]]:
    """Return the families of metrics.

    Parameters
    ----------
    metrics
        Metrics in any order.

    Returns
    -------
    list of Family
        Families, each once, in the order of their first metric.
    """
    return list({metric.family.name: metric.family for metric in metrics}.values())
