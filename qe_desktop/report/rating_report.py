"""The results of manual evaluation in every form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from qe_desktop.ratings.findings import Ranking, Results
from qe_desktop.report.matrix_svg import MOST_DRAWN, drawn_matrix, legend_of, words_for_page
from qe_desktop.report.rating_tables import compared, rating_tables, totals_table
from qe_desktop.report.ratings import notes, ratings_json
from qe_desktop.report.scores import signature
from qe_desktop.report.tables import Table
from qe_desktop.significance import CALLED
from qe_desktop.wording import tr


@dataclass(frozen=True, slots=True, eq=False)
class RatingsReport:
    """Results, and the conflicts between their files; with a `width`, tables as a terminal of so many columns can show
    them.
    """

    results: Results
    conflicts: Sequence[str] = ()
    width: int = 0

    @property
    def heading(self) -> str:
        """What a page of them is called."""
        return tr("Ratings")

    @property
    def signature(self) -> str:
        """What one must know to get the same numbers again, in one line."""
        options = self.results.options
        runs = {} if self.results.trueskill is None else {"runs": self.results.trueskill.runs}
        parts = {
            "seed": options.seed, **runs, "rounds": options.rounds, "alpha": options.alpha,
            "standardise": options.standardise, "correction": options.correction, "repeats": options.repeats,
        }  # fmt: skip
        return signature("ratings", parts)

    def json(self) -> dict[str, Any]:
        """Everything, as plain values."""
        found = {**ratings_json(self.results), "signature": self.signature}
        return {**found, "conflicts": list(self.conflicts)} if self.conflicts else found

    def notes(self) -> list[str]:
        """What a reader of the numbers must know."""
        return notes(self.results)

    def tables(self) -> list[Table]:
        """Systems, significance, agreement, raters; the signature stands below the last."""
        *others, last = rating_tables(self.results, self.width)
        return [*others, replace(last, notes=(*last.notes, self.signature))]

    def columns(self) -> list[Table]:
        """One table, a row for each system."""
        return [totals_table(self.results)]

    def pictures(self) -> list[str]:
        """The matrix of each comparison of systems."""
        rankings = (self.results.scale_ranking, self.results.wins_ranking)
        return [self._matrix(one) for one in rankings if one is not None and len(one.systems) > 1]

    def _matrix(self, ranking: Ranking) -> str:
        title, options = compared(ranking), self.results.options
        if len(ranking.systems) > MOST_DRAWN:
            return words_for_page(title)
        legend = legend_of(options.alpha, options.correction, CALLED[options.correction])
        return drawn_matrix(ranking.systems, ranking.verdicts, range(len(ranking.systems)), title, legend)
