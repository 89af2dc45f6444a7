"""Pair matrices: significance and differences of system pairs, and agreement of rater pairs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject

from qe_desktop.escaping import shorten_names
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.win_rates import WinTable
from qe_desktop.ratings.agreement.rater_agreement import InterRater
from qe_desktop.ratings.results.result_types import SystemRanking
from qe_desktop.report import Table
from qe_desktop.report.rating_report import p_table
from qe_desktop.significance import CORRECTION_LABELS, Correction, PairVerdict, SignificanceLevel
from qe_desktop.ui.campaigns.results.statistic_columns import StatisticColumn, format_statistic
from qe_desktop.ui.scores.number_format import format_p_relation, format_score, format_signed
from qe_desktop.ui.scores.significance.significance_matrix_model import verdict_cell
from qe_desktop.ui.widgets.matrix_model import DIAGONAL_CELL, AbstractMatrixModel, MatrixCell

UNTESTED_SIGN = SignificanceLevel.UNTESTED.sign


class SystemPairModel(AbstractMatrixModel):
    """Matrix of one `SystemRanking`: test results above the diagonal, win rates or score differences below."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.decimals = 3
        self.ranking: SystemRanking | None = None
        self._wins: WinTable | None = None
        self._values: dict[str, float] = {}
        self._figure = ""
        self._correction: Correction = "none"
        self._widest = 0.0

    def show_ranking(
        self,
        ranking: SystemRanking | None,
        *,
        correction: Correction = "none",
        wins: WinTable | None = None,
        figure: StatisticColumn | None = None,
        values: dict[str, float] | None = None,
    ) -> None:
        """Show a ranking; if `ranking` is None, clear the matrix.

        The cells below the diagonal show win rates from `wins` or, if `wins` is None, differences between `values`: the
        values of the statistic `figure`, keyed by system name.
        """
        self.ranking, self._wins, self._correction = ranking, wins, correction
        self.verdicts = None if ranking is None else ranking.verdicts
        self._values = values or {}
        self._figure = "" if figure is None else figure.name
        self._widest = max(self._values.values()) - min(self._values.values()) if self._values else 0.0
        systems = () if ranking is None else ranking.systems
        self.show_names(systems, shorten_names(systems))

    # --- cells

    def _cell(self, row: int, column: int) -> MatrixCell:
        if self.verdicts is None:
            return DIAGONAL_CELL
        return self._difference(row, column) if row > column else verdict_cell(self.verdicts.pair(row, column))

    def block(self, rows: Sequence[int], columns: Sequence[int]) -> Table:
        """Return a table of the adjusted p-values in these rows and columns, both above and below the diagonal."""
        if self.ranking is None:
            return super().block(rows, columns)
        table = p_table(self.ranking, self._correction)
        chosen = replace(table, rows=tuple(table.rows[row] for row in rows))
        return chosen.select_columns([0, *(1 + column for column in columns)])

    def _sentence(self, row: int, column: int) -> str:
        ranking, verdicts = self.ranking, self.verdicts
        if ranking is None or verdicts is None:
            return ""
        upper, lower = sorted((row, column))
        first, second = ranking.systems[upper], ranking.systems[lower]
        verdict = verdicts.pair(upper, lower)
        if verdict.level is SignificanceLevel.SAME_SYSTEM:
            return self._system_text(first)
        if verdict.level is SignificanceLevel.UNTESTED:
            return tr(
                "{one} and {other} cannot be compared because neither won a judgement against the other.",
                one=first,
                other=second,
            )
        p = self._p(verdict)
        sentence = tr("{one} is not significantly better than {other}: {p}.", one=first, other=second, p=p)
        if verdict.better == upper:
            sentence = tr("{one} is significantly better than {other}: {p}.", one=first, other=second, p=p)
        elif verdict.better == lower:
            sentence = tr(
                "{other} is significantly better than {one}, which is ranked higher: {p}.", one=first, other=second, p=p
            )
        return f"{sentence} {self._counts(first, second)}".strip()

    def _p(self, verdict: PairVerdict) -> str:
        if self._correction == "none":
            return f"p {format_p_relation(verdict.p)}"
        judged, unadjusted = format_p_relation(verdict.adjusted), format_p_relation(verdict.p).removeprefix("= ")
        correction = CORRECTION_LABELS[self._correction]
        return tr(
            "adjusted p {judged} ({correction}), unadjusted {unadjusted}",
            judged=judged, correction=correction, unadjusted=unadjusted,
        )  # fmt: skip

    # --- helpers

    def _difference(self, row: int, column: int) -> MatrixCell:
        assert self.ranking is not None
        # below the diagonal, the column's system is ranked higher
        first, second = self.ranking.systems[column], self.ranking.systems[row]
        if self._wins is not None:
            won, lost, _ = self._win_counts(first, second)
            if won + lost == 0:
                return MatrixCell("", UNTESTED_SIGN, scaled_value=0.0)
            win_rate = won / (won + lost)
            return MatrixCell(f"{100 * win_rate:.0f} %", "", scaled_value=2 * win_rate - 1)
        if first not in self._values or second not in self._values:
            return MatrixCell("", UNTESTED_SIGN, scaled_value=0.0)
        difference = self._values[first] - self._values[second]
        lean = difference / self._widest if self._widest else 0.0
        return MatrixCell(
            format_signed(difference, min(self.decimals, 2) if self._widest > 10 else self.decimals),
            "",
            scaled_value=lean,
        )

    def _win_counts(self, first: str, second: str) -> tuple[int, int, int]:
        """Return the numbers of wins, losses and ties of the first system against the second."""
        table = self._wins
        if table is None or first not in table.systems or second not in table.systems:
            return 0, 0, 0
        a, b = table.systems.index(first), table.systems.index(second)
        return int(table.wins[a, b]), int(table.wins[b, a]), int(table.ties[a, b])

    def _counts(self, first_system: str, second_system: str) -> str:
        if self._wins is not None:
            won, lost, tied = self._win_counts(first_system, second_system)
            return tr(
                "{system}: {won:,} {won:win|wins}, {lost:,} {lost:loss|losses}, {tied:,} {tied:tie|ties}",
                system=first_system, won=won, lost=lost, tied=tied,
            )  # fmt: skip
        if first_system in self._values and second_system in self._values:
            first, second = (
                format_statistic(self._values[name], self.decimals) for name in (first_system, second_system)
            )
            return tr("{figure}: {first} vs. {second}", figure=self._figure, first=first, second=second)
        return ""

    def _system_text(self, name: str) -> str:
        if self._wins is not None and name in self._wins.systems:
            index = self._wins.systems.index(name)
            judged = int(self._wins.comparison_counts[index].sum())
            return tr("{system}: {n:,} {n:judgement|judgements}", "", judged, system=name)
        return (
            f"{name}: {self._figure} {format_statistic(self._values[name], self.decimals)}"
            if name in self._values
            else name
        )


MAX_MATRIX_RATERS = 60
"""Maximum number of raters in the matrix; if there are more, those with the most shared items are shown."""


class RaterPairModel(AbstractMatrixModel):
    """Rater × rater matrix: quadratically weighted kappa above the diagonal, numbers of shared items below it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kappa = np.zeros((0, 0))
        self._shared = np.zeros((0, 0), np.int64)

    def show_agreement(self, agreement: InterRater | None) -> None:
        """Show the agreement of each pair of raters on a scale; None clears the matrix.

        Raters without shared items are omitted. If more than `MAX_MATRIX_RATERS` raters remain, those with the most
        shared items are shown.
        """
        count = 0 if agreement is None else len(agreement.raters)
        kappa, shared = np.full((count, count), np.nan), np.zeros((count, count), np.int64)
        if agreement is not None:
            first, second, figures = agreement.pairs.first, agreement.pairs.second, agreement.pairs.statistics
            kappa[first, second] = kappa[second, first] = figures.quadratic
            shared[first, second] = shared[second, first] = figures.n
        # omit raters without shared items: their rows would be empty
        selected = np.flatnonzero(shared.sum(axis=1) > 0)
        if len(selected) > MAX_MATRIX_RATERS:
            selected = np.sort(selected[np.argsort(-shared.sum(axis=1)[selected], kind="stable")[:MAX_MATRIX_RATERS]])
        self._kappa, self._shared = kappa[np.ix_(selected, selected)], shared[np.ix_(selected, selected)]
        self.show_names([] if agreement is None else [agreement.raters[int(index)] for index in selected])

    def _cell(self, row: int, column: int) -> MatrixCell:
        shared = int(self._shared[row, column])
        if row > column:
            return MatrixCell(f"{shared:,}" if shared else "", "")
        kappa = float(self._kappa[row, column])
        if np.isnan(kappa):
            return MatrixCell("–" if shared else "", "", scaled_value=0.0)
        return MatrixCell(format_score(kappa, 2), "", scaled_value=float(np.clip(kappa, -1, 1)))

    def _exact_value(self, row: int, column: int) -> float | int:
        """Return the exact value of a cell: kappa above the diagonal, the number of shared items below the diagonal."""
        return int(self._shared[row, column]) if row > column else float(self._kappa[row, column])

    def _corner(self) -> str:
        return "rater, quadratic kappa above, items below"

    def _sentence(self, row: int, column: int) -> str:
        if row == column:
            return self.name(row)
        first, second, shared = self.name(row), self.name(column), int(self._shared[row, column])
        if not shared:
            return tr("{one} and {other} rated no items in common", one=first, other=second)
        kappa = float(self._kappa[row, column])
        if np.isnan(kappa):
            return tr(
                "{one} and {other}: quadratic kappa is undefined because every rating of the {n:,} shared "
                "{n:item|items} has the same value",
                "", shared, one=first, other=second,
            )  # fmt: skip
        return tr(
            "{one} and {other}: quadratic kappa {kappa} over {n:,} {n:item|items}",
            "", shared, one=first, other=second, kappa=format_score(kappa, 3),
        )  # fmt: skip
