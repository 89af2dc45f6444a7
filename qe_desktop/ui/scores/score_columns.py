"""Which metrics the score table shows: a person's choice, kept in the settings."""

from __future__ import annotations

from qe_desktop.metrics import WORD_METRICS, Metric
from qe_desktop.ui.settings import Settings

TABLE = "scores"
DEFAULT = ("F1-BAD", "F1-OK", "F1-mult", "MCC", "phr-F1-BAD", "phr-F1-mult", "SeqCor")


def shown_metrics(settings: Settings, chosen: str = "") -> list[Metric]:
    """The metrics to be shown, in the registry's order; the one looked at is always among them."""
    names = set(settings.columns.get(TABLE) or DEFAULT) | {chosen}
    return [metric for name, metric in WORD_METRICS.items() if name in names]


def show_metric(settings: Settings, name: str, shown: bool) -> None:
    """Add a metric to those shown, or take it away; the last one stays."""
    names = set(settings.columns.get(TABLE) or DEFAULT) & set(WORD_METRICS)
    names = names | {name} if shown else names - {name}
    if names:
        settings.columns = {**settings.columns, TABLE: [metric for metric in WORD_METRICS if metric in names]}


def show_usual(settings: Settings) -> None:
    """Show what is shown when nothing was chosen."""
    settings.columns = {name: columns for name, columns in settings.columns.items() if name != TABLE}
