"""Human scores from files of ratings, of segment scores or of system scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from qe_desktop.corpus import Documents, QeError, Ratings, SourceLocation, SystemNameMapping
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats import open_file
from qe_desktop.formats.ratings import read_ratings
from qe_desktop.formats.ratings.wmt_ratings import without_penalties
from qe_desktop.formats.scores.system_scores import (
    is_system_scores,
    is_system_table,
    read_system_scores,
    read_system_table,
)
from qe_desktop.formats.text_files import named_path
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.human.human_inputs import MAX_LINES_PER_RATING, RatingFiles, no_scale_error
from qe_desktop.levels.human.human_level import has_scores
from qe_desktop.levels.human.segment_ids import NO_LINE, SegmentLines, match_segment_lines, parse_line_numbers
from qe_desktop.levels.system_files import read_segment_documents
from qe_desktop.ratings.aggregation.means import SegmentMeans, system_means
from qe_desktop.ratings.results.scale_results import output_means

HumanScoreMeans = Literal["compared", "mean", "z"]
"""Mean rating of a system: protocol default ("compared"), mean of raw ratings ("mean"), or mean z-score ("z")."""


@dataclass(frozen=True, slots=True, eq=False)
class HumanFileScores:
    """System scores, and segment scores if available, keyed by system name.

    The segment scores of a system have shape (segments,), NaN if missing. `documents` has the document of each segment,
    if known. `unit` is the unit of the scores for display, such as “z-score”; empty if unknown. `omits_segments` states
    whether there are segment scores that the user chose not to use.
    """

    systems: Mapping[str, float]
    segments: Mapping[str, Scores] | None = None
    notes: tuple[str, ...] = ()
    documents: Documents | None = None
    unit: str = ""
    omits_segments: bool = False

    def without_segments(self) -> HumanFileScores:
        """Return the system scores without the segment scores."""
        return replace(self, segments=None, omits_segments=self.segments is not None)

    def with_system_names(self, matched: SystemNameMapping) -> HumanFileScores:
        """Return the scores with systems renamed by `matched` to the names that metrics use."""
        segments = None if self.segments is None else matched.rename_systems(self.segments)
        return replace(self, systems=matched.rename_systems(self.systems), segments=segments)


def read_human_files(files: RatingFiles, column: str = "", size: int | None = None) -> HumanFileScores:
    """Return human scores from files and projects.

    `column` is the score column to use if the file is a table of systems. `size` is the number of segments scored by
    metrics, if known. Several rating files are joined. Raises QeError if a file is invalid, or if it contains neither
    ratings on a scale, nor a table of systems, nor `system⇥score` lines.
    """
    first = files.names[0]
    documents = None
    if files.documents is not None and size is not None:
        documents = read_segment_documents(files.documents, size)
    if len(files.names) == 1 and first not in files.projects:
        result = _scores_from_table(named_path(first), files.language_pair, column)
        if result is not None:
            return replace(result, documents=documents)
    return human_scores_from_ratings(files.read(), first, size, documents)


def _scores_from_table(path: Path, language_pair: str, column: str) -> HumanFileScores | None:
    """Return the scores of a file of segment or system scores; None if the file has neither."""
    opened = open_file(path)
    head = opened.head()
    if is_system_scores(head):
        table_scores = read_system_scores(opened)
        values, notes = without_penalties(path, np.stack(list(table_scores.systems.values())))
        if table_scores.size == 1:
            return HumanFileScores(dict(zip(table_scores.systems, values[:, 0].tolist(), strict=True)), notes=notes)
        return _scores_from_segments(dict(zip(table_scores.systems, values, strict=True)), notes)
    if is_system_table(head) and not _is_ratings(path, language_pair):
        return HumanFileScores(read_system_table(opened).column(column, SourceLocation(str(path))))
    return None


def human_scores_from_ratings(
    ratings: Ratings,
    origin: str,
    size: int | None = None,
    documents: Documents | None = None,
    by: HumanScoreMeans = "compared",
) -> HumanFileScores:
    """Return human scores computed as means of ratings.

    `size` is the number of segments scored by metrics, and `documents` has the document of each of these segments, if
    known. `origin` is a label of the ratings. Raises QeError if no rating is on a scale, or if the ratings do not have
    the means selected by `by`.
    """
    if not has_scores(ratings):
        raise no_scale_error(origin)
    result = output_means(ratings.scores)
    means = {"compared": result.comparison_means, "mean": result.raw, "z": result.z}[by]
    if means is None:
        message = tr("these ratings have no z-scores") if by == "z" else tr("these ratings have z-scores only")
        raise QeError(
            message, hint=tr("Select “default of the protocol” as the human score."), place=SourceLocation(origin)
        )
    unit = tr("z-score") if means is result.z else tr("mean rating")
    return replace(_scores_from_means(means, ratings, size, documents), documents=documents, unit=unit)


def _is_ratings(path: Path, language_pair: str) -> bool:
    try:
        return bool(len(read_ratings(path, language_pair).scores))
    except QeError:
        return False


def _scores_from_segments(segments: Mapping[str, Scores], notes: tuple[str, ...] = ()) -> HumanFileScores:
    rated = {name: scores[~np.isnan(scores)] for name, scores in segments.items()}
    return HumanFileScores({name: float(given.mean()) for name, given in rated.items() if len(given)}, segments, notes)


def _scores_from_means(
    means: SegmentMeans, ratings: Ratings, size: int | None, documents: Documents | None = None
) -> HumanFileScores:
    """Return system means, and segment means if the rated segments can be matched with the lines scored by metrics."""
    overall_means = system_means(means)
    rated = np.flatnonzero(overall_means.segments)
    systems = {means.systems[index]: float(overall_means.mean[index]) for index in rated}
    if size is not None and documents is not None:
        by_document = match_segment_lines(means.segments, ratings.scores.segment, size, documents)
        if by_document.has_lines and by_document.by_document:
            return _scores_by_document(means, systems, by_document, size)
    numbered = parse_line_numbers(means.segments, ratings.scores.segment, size)
    is_out_of_range = (
        size is None and numbered is not None and numbered[0].max() > MAX_LINES_PER_RATING * len(means.segments)
    )
    if numbered is None or is_out_of_range:
        notes = [tr("segments of the ratings have no usable line numbers, so only systems are compared")]
        if size is not None:
            notes.append(match_segment_lines(means.segments, ratings.scores.segment, size, documents).note(size))
        return HumanFileScores(systems, notes=tuple(note for note in notes if note))
    numbers, base = numbered
    columns = np.full((len(means.systems), size or int(numbers.max()) + 1), np.nan)
    columns[means.system, numbers[means.segment]] = means.mean
    note = tr("segments of the ratings, numbered from {base}, were matched with lines by number", base=base)
    return HumanFileScores(systems, {means.systems[index]: columns[index] for index in rated}, (note,))


def _scores_by_document(
    means: SegmentMeans, systems: Mapping[str, float], lines: SegmentLines, size: int
) -> HumanFileScores:
    """Return segment means by line, where segments match lines by document; `systems` are means over all segments."""
    columns = np.full((len(means.systems), size), np.nan)
    line = lines.lines[means.segment]
    has_line = line != NO_LINE
    columns[means.system[has_line], line[has_line]] = means.mean[has_line]
    rated = {name: columns[index] for index, name in enumerate(means.systems) if name in systems}
    notes = [tr("segments of the ratings were matched with lines by document and position")]
    return HumanFileScores(systems, rated, (*notes, *([lines.note(size)] if lines.unmatched_count else [])))
