"""Columns of discriminative power: share of system pairs that a metric separates significantly."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.tables.table_model import TableColumn


def distinction_columns(systems: int, split: tuple[int, int]) -> tuple[TableColumn, ...]:
    """Return the columns of d, d_top and d_bottom: words first, the symbol below; `split` as `top_and_bottom`."""
    top, bottom = split
    group = tr("Discriminative power, share of pairs")
    about = tr(
        "Share of all system pairs that the metric separates significantly, after correction. Higher is more "
        "discriminative."
    )
    about_top = tr(
        "The same share among the {n} best {n:system|systems} by this metric, corrected for their own pairs.", "", top
    )
    others = tr("The same share among the other {n} {n:system|systems}, corrected for their own pairs.", "", bottom)
    return tuple(
        TableColumn(title, text, right=True, below=f"{symbol} · {_count_pairs(size)}", group=group, exported=(symbol,))
        for title, symbol, text, size in (
            (tr("all {systems}", systems=systems), "d", about, systems),
            (tr("top {systems}", systems=top), "d_top", about_top, top),
            (tr("bottom {systems}", systems=bottom), "d_bottom", others, bottom),
        )
    )


def _count_pairs(systems: int) -> str:
    return tr("{n:,} {n:pair|pairs}", "", systems * (systems - 1) // 2)
