"""The table of systems: one row a system, best first, one column a figure."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from qe_desktop.outgoing import short_names
from qe_desktop.ratings.findings import Results, SystemResult
from qe_desktop.ui.campaigns.results.figure_columns import FigureColumn, columns_of, interval_of, main_column
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.parts.table_model import TableModel
from qe_desktop.wording import tr

NAME = 0
RANKS = ("rank-low", "rank-high")
_FIRST = 2
"""The column of the first figure: names and ranges of ranks stand before it."""


class SystemsModel(TableModel):
    """Name, range of ranks, figures, and the interval of the figure that is looked at."""

    chosen_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__((), parent, says_headers=False)
        self.results: Results | None = None
        self.decimals = 3
        self.chosen = ""
        """The key of the figure that is looked at."""
        self._own = False
        self._figures: list[FigureColumn] = []

    # --- what is shown

    def show_results(self, results: Results | None) -> None:
        """Show other results; a figure that a person chose stays where they have it."""
        self.results = results
        self._figures = [] if results is None else columns_of(results)
        keys = [figure.key for figure in self.scored()]
        if not self._own or self.chosen not in keys:
            main = None if results is None else main_column(results)
            self.chosen = "" if main is None else main.key
        self._refresh()
        self.chosen_changed.emit()

    def set_decimals(self, decimals: int) -> None:
        """Show figures with so many digits after the point."""
        self.decimals = decimals
        self._refresh()

    def choose(self, key: str) -> None:
        """Look at another figure."""
        if key != self.chosen and any(figure.key == key for figure in self.scored()):
            self.chosen, self._own = key, True
            self._refresh()
            self.chosen_changed.emit()

    def figure(self, place: int) -> FigureColumn | None:
        """The figure of a column; None for names, ranks and the interval."""
        return self._figures[place - _FIRST] if _FIRST <= place < len(self._figures) + _FIRST else None

    def looked_at(self) -> FigureColumn | None:
        """The figure that is looked at."""
        return next((figure for figure in self._figures if figure.key == self.chosen), None)

    def scored(self) -> list[FigureColumn]:
        """The figures that systems can be compared by."""
        return [figure for figure in self._figures if not figure.count]

    # --- behind it

    def _refresh(self) -> None:
        results = self.results
        if results is None:
            self.show_rows((), ())
            return
        intervals = any(figure.interval(system) is not None for figure in self._figures for system in results.systems)
        ends, names = cluster_ends(results), short_names([system.name for system in results.systems])
        rows = [
            self._row(system, name, last=place in ends, with_interval=intervals)
            for place, (system, name) in enumerate(zip(results.systems, names, strict=True))
        ]
        self.show_rows(rows, self._heads(intervals))

    def _heads(self, with_interval: bool) -> list[Column]:
        heads = [
            Column(tr("system"), tr("Best first; a line stands between clusters")),
            Column(tr("ranks"), tr("The range of ranks that the data leaves open"), right=True, exported=RANKS),
        ]
        for figure in self._figures:
            chosen = figure.key == self.chosen
            heads.append(Column(figure.header, figure.about, right=True, chosen=chosen, exported=(figure.key,)))
        if with_interval:
            looked_at = self.looked_at()
            header = tr("interval") if looked_at is None else tr("95 % of {figure}", figure=looked_at.header)
            ends = tuple(f"{self.chosen} {end}".strip() for end in ("low", "high"))
            about = tr("The bootstrap interval of the figure that is looked at")
            heads.append(Column(header, about, right=True, exported=ends))
        return heads

    def _row(self, system: SystemResult, name: str, *, last: bool, with_interval: bool) -> list[Cell]:
        assert self.results is not None
        ranks, count = ranks_text(system.rank_low, system.rank_high), len(self.results.systems)
        said = system.name
        if system.rank_low:
            said = tr("{system}: rank {ranks} of {n}", "", count, system=system.name, ranks=ranks)
        row = [
            Cell(name, system.name, last=last, exact=(system.name,)),
            Cell(ranks, said, last=last, exact=(system.rank_low, system.rank_high)),
        ]
        for figure in self._figures:
            chosen, token = figure.key == self.chosen, "muted" if figure.count else ""
            share = self._share(system) if chosen else None
            text = figure.text(system, self.decimals)
            exact = (figure.value(system),)
            row.append(Cell(text, figure.said(system, self.decimals), token, share, chosen, last, exact=exact))
        if with_interval:
            looked_at = self.looked_at()
            found = None if looked_at is None else looked_at.interval(system)
            text = "–" if found is None else interval_of(*found, self.decimals)
            said = system.name if looked_at is None else looked_at.said(system, self.decimals)
            row.append(Cell(text, said, last=last, exact=found or (None, None)))
        return row

    def _share(self, system: SystemResult) -> float | None:
        """How long the bar is: from the worst system's value to the best's, with some length for the worst."""
        column, results = self.looked_at(), self.results
        if column is None or results is None:
            return None
        values = [value for one in results.systems if (value := column.value(one)) is not None]
        value = column.value(system)
        if value is None or not values or max(values) <= min(values):
            return None
        return 0.15 + 0.85 * (value - min(values)) / (max(values) - min(values))


def cluster_ends(results: Results) -> set[int]:
    """The rows below which a cluster ends; none below the last."""
    places = {system.name: place for place, system in enumerate(results.systems)}
    ends = {max(places[name] for name in cluster) for cluster in results.clusters if cluster}
    return {end for end in ends if end < len(results.systems) - 1}


def ranks_text(low: int | None, high: int | None) -> str:
    """A range of ranks.

    >>> ranks_text(1, 1), ranks_text(2, 3), ranks_text(None, None)
    ('1', '2–3', '–')
    """
    if low is None or high is None:
        return "–"
    return f"{low}" if low == high else f"{low}–{high}"
