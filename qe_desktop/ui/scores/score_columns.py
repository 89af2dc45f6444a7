"""Which metrics the score table shows: a person's choice for each group of levels, kept in the settings."""

from __future__ import annotations

from qe_desktop.levels import Level
from qe_desktop.metrics import Metric
from qe_desktop.ui.settings import Settings

TABLE = {"words": "scores"}
"""The name in the settings of a group's table, where it is not that of the group."""


def shown_metrics(settings: Settings, level: Level, chosen: str = "") -> list[Metric]:
    """The metrics to be shown, in the level's order; the one looked at is always among them."""
    names = set(settings.columns.get(_table(level)) or level.shown) | {chosen}
    return [metric for name, metric in level.metrics.items() if name in names]


def show_metric(settings: Settings, level: Level, name: str, shown: bool) -> None:
    """Add a metric to those shown, or take it away; the last one stays."""
    names = set(settings.columns.get(_table(level)) or level.shown) & set(level.metrics)
    names = names | {name} if shown else names - {name}
    if names:
        chosen = [metric for metric in level.metrics if metric in names]
        settings.columns = {**settings.columns, _table(level): chosen}


def show_usual(settings: Settings, level: Level) -> None:
    """Show what is shown when nothing was chosen."""
    settings.columns = {name: columns for name, columns in settings.columns.items() if name != _table(level)}


def _table(level: Level) -> str:
    return TABLE.get(level.group, level.group)
