"""Table of the scores of a segment, which is shown in place of the texts if the corpus has no texts."""

from __future__ import annotations

import math

from qe_desktop.corpus import Corpus, Kind, Provenance, View
from qe_desktop.corpus.columns import Floats
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.human.human_level import MEAN, human_scores_of
from qe_desktop.ui.inspect.reader.segment_header import file_score_text
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn
from qe_desktop.ui.widgets.tables.table_view import AutoWidthTable

Scores = dict[str, Floats]
"""Scores of all segments, by the name of the system."""


def has_scores_only(corpus: Corpus | None) -> bool:
    """Return whether a corpus has scores of systems, but neither texts nor tags of words."""
    if corpus is None or corpus.texts or corpus.translations or corpus.references:
        return False
    kinds = {key.kind for key in corpus.layers}
    return kinds <= {Kind.SCORES} and bool(kinds or corpus.metric_scores)


def score_columns(view: View) -> dict[str, Scores]:
    """Return the scores of all systems by column title: gold and QE scores, human scores, then each metric."""
    corpus, columns = view.corpus, dict[str, Scores]()
    layers = sorted(corpus.layers.values(), key=lambda layer: layer.key.provenance is not Provenance.GOLD)
    if layers:
        columns[tr("Score")] = {
            tr("gold {name}", name=layer.key.name)
            if layer.key.provenance is Provenance.GOLD and layer.key.name.casefold() != "gold"
            else layer.key.name: layer.scores
            for layer in layers
        }
    human = human_scores_of(corpus)
    if human is not None:
        columns[tr("Human")] = dict(zip(human.systems, human.scores[MEAN], strict=True))
    return columns | {metric: column.scores_by_system for metric, column in corpus.metric_scores.items()}


class SegmentScoresTable(AutoWidthTable):
    """Table with a row for each system, and columns for gold and QE scores, human scores and each metric."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        super().__init__(settings, tr("Scores of the segment"), ())

    def show_segment(self, view: View, segment: int) -> None:
        """Show the scores of a segment."""
        by_column, decimals = score_columns(view), self._settings.decimals
        names = dict.fromkeys(name for scores in by_column.values() for name in scores)
        columns = [TableColumn(tr("System"))]
        columns += [TableColumn(escape_label(column), is_right_aligned=True) for column in by_column]
        rows = [
            [TableCell(escape_label(name)), *(_cell(name, scores, segment, decimals) for scores in by_column.values())]
            for name in names
        ]
        self.show_rows(rows, columns)
        self.fit_columns()


def _cell(name: str, scores: Scores, segment: int, decimals: int) -> TableCell:
    score = float(scores[name][segment]) if name in scores else math.nan
    text = format_score(score, decimals) if math.isnan(score) else file_score_text(name, score, decimals)
    return TableCell(text, exact_values=(None if math.isnan(score) else score,))
