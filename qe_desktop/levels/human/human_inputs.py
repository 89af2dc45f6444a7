"""Corpora of rated segments, built from the rating files specified in a command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from qe_desktop.corpus import Corpus, QeError, Ratings, ScoreRatings, SourceLocation, View
from qe_desktop.corpus.ratings_merge import check_not_mixed
from qe_desktop.formats.ratings import read_ratings
from qe_desktop.formats.text_files import named_path
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.human.human_level import human_level_of
from qe_desktop.levels.human.human_scores import HumanScores, has_scores, human_scores_of, unmatched_ratings_note
from qe_desktop.levels.human.segment_ids import parse_line_numbers
from qe_desktop.levels.level_group import ReadInputs
from qe_desktop.levels.scoring import Scoring
from qe_desktop.ratings.rating_file_merge import merge_notes, merge_ratings

MAX_LINES_PER_RATING = 100
"""Maximum ratio of the highest segment number to the number of rated segments; above it, numbers are only names."""


@dataclass(frozen=True, slots=True)
class RatingFiles:
    """Rating files to read.

    `projects` contains the ratings of those files that are projects, by file name; they were read by a higher layer.
    `documents` is the path of a file that names the document of each line.
    """

    names: Sequence[str]
    language_pair: str = ""
    projects: Mapping[str, Ratings] = field(default_factory=dict)
    documents: str | None = None

    def read(self) -> Ratings:
        """Read and merge the ratings of all files, and add notes on duplicates and conflicts between files.

        Raises QeError if a file is invalid, or if a blind campaign would be merged with other ratings.
        """
        parts = [
            self.projects[name] if name in self.projects else read_ratings(named_path(name), self.language_pair)
            for name in self.names
        ]
        check_not_mixed(parts)
        merged = merge_ratings(parts)
        notes = (*merged.ratings.notes, *merge_notes(merged, merged.conflicts))
        return replace(merged.ratings, notes=notes)


def read_rating_files(files: RatingFiles) -> ReadInputs:
    """Read rating files; return a scoring of the rated systems, and notes.

    Raises QeError as `RatingFiles.read` does. It is also raised if there are no usable scores (see `has_scores`), if
    the file of documents is invalid, or if no rated segment matches a line of that file.
    """
    ratings = files.read()
    if not has_scores(ratings):
        raise no_scale_error(files.names[0])
    corpus = _corpus(ratings, files.documents)
    scoring = Scoring.of(human_level_of(corpus), View(corpus))
    assert scoring is not None
    scores = human_scores_of(corpus)
    notes = () if scores is None else (scores.unmatched_note, _small_sample_note(ratings.scores, scores))
    return ReadInputs(scoring, (*ratings.notes, *filter(None, notes)))


def _small_sample_note(ratings: ScoreRatings, scores: HumanScores) -> str:
    """Return the rating report's note on a small number of raters or rated segments.

    It is empty if the numbers are large enough, or if only one system was rated.
    """
    from qe_desktop.ratings.results.sample_size import Evidence, count_raters
    from qe_desktop.ratings.results.scale_results import individual_ratings

    if len(scores.systems) < 2:
        return ""
    segments = int(np.count_nonzero(scores.rated_mask, axis=1).min())
    rated = int(np.count_nonzero(scores.rated_mask.any(axis=0)))
    return Evidence(count_raters(individual_ratings(ratings)[1]), segments, rated).small_sample_note


def _corpus(ratings: Ratings, documents: str | None) -> Corpus:
    """Build a corpus of the rated segments or, with `documents`, of all lines.

    `documents` is the path of a file that names the document of each line. Raises QeError if the file is invalid, or if
    no rated segment matches a line.
    """
    if documents is not None:
        from qe_desktop.formats.file_format import read_documents
        from qe_desktop.formats.text_files import open_file

        named = read_documents(open_file(named_path(documents)))
        corpus = Corpus("", len(named.of_segment), ratings=ratings, documents=named)
        if human_scores_of(corpus) is not None:
            return corpus
        hint = tr("Specify the document of each line, with the document names used in the ratings.")
        raise QeError(unmatched_ratings_note(corpus), hint=hint, place=SourceLocation(documents))
    scores, size = number_segments(ratings.scores)
    return Corpus("", size, ratings=replace(ratings, scores=scores))


def no_scale_error(file: str) -> QeError:
    """Return the error for ratings without usable scores (see `has_scores`)."""
    message = tr("these ratings contain no usable scores")
    hint = tr("Use a file in which systems' translations are rated on a scale.")
    return QeError(message, hint=hint, place=SourceLocation(file))


def number_segments(scores: ScoreRatings) -> tuple[ScoreRatings, int]:
    """Return the ratings with 1-based segment numbers, and the number of segments.

    If all names of rated segments are numbers, these numbers are used, unless the highest is much larger than the
    number of rated segments (see `MAX_LINES_PER_RATING`). Otherwise, rated segments are numbered in their order in
    `scores.segments`.
    """
    used = np.unique(scores.segment)
    lines = parse_line_numbers(scores.segments, used)
    if lines is None or lines[0][used].max() > MAX_LINES_PER_RATING * len(used):
        line_numbers = np.zeros(len(scores.segments), np.int64)
        line_numbers[used] = np.arange(len(used))
    else:
        line_numbers = lines[0]
    names = tuple(str(number + 1) for number in line_numbers.tolist())
    return replace(scores, segments=names), int(line_numbers[used].max()) + 1
