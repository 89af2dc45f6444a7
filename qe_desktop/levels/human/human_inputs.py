"""Rated segments to score, from rating files named in a command or from Python values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, Fault, QeError, Ratings, ScoreRatings, SourceLocation, View, raise_for_rows
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.ratings_merge import check_not_mixed
from qe_desktop.formats.ratings import read_ratings
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.text_files import named_path
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.human.human_level import (
    HumanScores,
    has_scores,
    human_level_of,
    human_scores_of,
    unmatched_ratings_note,
)
from qe_desktop.levels.human.segment_ids import parse_line_numbers
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import ReadInputs, Scoring
from qe_desktop.ratings.rating_file_merge import merge_notes, merge_ratings

MAX_LINES_PER_RATING = 100
"""Maximum ratio of the highest segment number to the number of rated segments; above it, numbers count as names."""


@dataclass(frozen=True, slots=True)
class RatingFiles:
    """Rating files to read.

    `projects` maps the names of project files to their ratings, which a higher layer of the program has already read.
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

    Raises QeError as `RatingFiles.read` does. Also raises QeError if there are no usable scores (see `has_scores`), if
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


DEFAULT_SCALE = "score"
NUMERIC_KINDS = "biufO"
"""NumPy dtype kinds that are accepted as ratings; None and NaN mean no rating."""


def human_scores_from_python(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    """Return a scoring of systems by their ratings: one number per segment from each rater.

    The value of each system is a mapping from raters to arrays of shape (segments,), an array of shape (raters,
    segments), or one rater's array of shape (segments,). Equal row indices stand for the same rater in all systems. NaN
    and None mean that a segment was not rated. There must be at least one system. Raises QeError if `gold` is not None,
    if a value is infinite or not a number, if the numbers of segments differ, or if a system has no ratings.
    """
    if gold is not None:
        message = tr("human scores are not compared with a gold")
        raise QeError(message, hint=tr("Use None as gold."), place=SourceLocation("gold"))
    by_rater = {name: _by_rater(values, f"systems[{name!r}]") for name, values in systems.items()}
    size = len(next(iter(next(iter(by_rater.values())).values())))
    for name, raters in by_rater.items():
        for rater, column in raters.items():
            _check_column_size(column, size, f"systems[{name!r}][{rater!r}]")
        if all(np.isnan(column).all() for column in raters.values()):
            hint = tr("Leave the system out, or add at least one rating.")
            raise QeError(tr("no segment has a rating"), hint=hint, place=SourceLocation(f"systems[{name!r}]"))
    corpus = Corpus("", size, ratings=Ratings(_ratings(by_rater, size)))
    scoring = Scoring.of(human_level_of(corpus), View(corpus))
    assert scoring is not None
    return scoring


def _by_rater(values: Any, location: str) -> dict[str, Floats]:
    if isinstance(values, Mapping):
        columns = {str(rater): _column(column, f"{location}[{rater!r}]") for rater, column in values.items()}
        if not columns:
            raise _invalid_ratings_error(location)
        return columns
    try:
        rows = np.asarray(values)
    except ValueError:
        raise _invalid_ratings_error(location) from None
    if rows.ndim == 1 and len(rows):
        return {"0": _column(values, location)}
    if rows.ndim != 2 or not rows.size:
        raise _invalid_ratings_error(location)
    return {str(rater): _column(rows[rater], f"{location}[{rater}]") for rater in range(len(rows))}


def _column(values: Any, location: str) -> Floats:
    """Return the ratings of one rater, shape (segments,); NaN for unrated segments.

    Raises QeError if `values` do not consist of one number per segment, or if a number is infinite.
    """
    raw = np.asarray(values)
    if raw.ndim != 1 or raw.dtype.kind not in NUMERIC_KINDS:
        raise _invalid_ratings_error(location)
    try:
        column = np.array(values, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise _invalid_ratings_error(location) from None

    def error(segment: int) -> Fault:
        text = quote_token(str(raw[segment]))
        return Fault(SourceLocation(f"{location}[{segment}]"), tr("{text} is not a rating", text=text))

    raise_for_rows(np.flatnonzero(np.isinf(column)), error, tr("Use a finite number, or NaN for a missing rating."))
    return column


def _ratings(by_rater: Mapping[str, Mapping[str, Floats]], size: int) -> ScoreRatings:
    """Return all ratings, ordered by system, then by rater; `by_rater[system][rater]` has shape (`size`,)."""
    raters = list(dict.fromkeys(rater for columns in by_rater.values() for rater in columns))
    parts = [(index, raters.index(rater), column) for index, columns in enumerate(by_rater.values())
             for rater, column in columns.items()]  # fmt: skip
    rated_segments = [np.flatnonzero(~np.isnan(column)) for _, _, column in parts]
    counts = [len(rated) for rated in rated_segments]
    total = sum(counts)

    def repeated(values: list[int]) -> NDArray[np.int32]:
        return np.repeat(np.asarray(values, np.int32), counts)

    return ScoreRatings(
        raters=tuple(raters),
        systems=tuple(by_rater),
        segments=tuple(str(number) for number in range(1, size + 1)),
        scales=(DEFAULT_SCALE,),
        rater=repeated([rater for _, rater, _ in parts]),
        system=repeated([system for system, _, _ in parts]),
        segment=np.concatenate(rated_segments).astype(np.int32),
        scale=np.zeros(total, np.int32),
        value=np.concatenate([column[rated] for (_, _, column), rated in zip(parts, rated_segments, strict=True)]),
        role=np.zeros(total, np.uint8),
        started=np.full(total, np.nan),
        seconds=np.full(total, np.nan),
        flags=np.zeros(total, np.uint8),
    )


def _check_column_size(column: Floats, size: int, location: str) -> None:
    if len(column) != size:
        message = tr("{n:,} {n:rating|ratings} for {size:,} {size:segment|segments}", "", len(column), size=size)
        raise QeError(
            message, hint=tr("Use one rating per segment, or NaN if there is none."), place=SourceLocation(location)
        )


def _invalid_ratings_error(location: str) -> QeError:
    hint = tr("Use a dictionary with one number per segment for each rater, or an array of shape (raters, segments).")
    return QeError(tr("these values are not ratings"), hint=hint, place=SourceLocation(location))
