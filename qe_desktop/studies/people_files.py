"""What people gave systems, from whatever file says it: ratings, scores of segments, or a score for each system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Place, QeError
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats import open_file
from qe_desktop.formats.ratings import read_ratings
from qe_desktop.formats.system_scores import is_system_scores, read_system_scores
from qe_desktop.formats.system_tables import is_system_table, read_system_table
from qe_desktop.ratings.aggregation.means import SegmentMeans
from qe_desktop.ratings.scale_results import compared_means
from qe_desktop.wording import tr


@dataclass(frozen=True, slots=True, eq=False)
class PeopleScores:
    """Scores by system, and where there are any, those of segments by system, shape (segments,), NaN where none."""

    systems: Mapping[str, float]
    segments: Mapping[str, Scores] | None = None
    notes: tuple[str, ...] = ()


def read_people(path: Path, *, language_pair: str = "", column: str = "", size: int | None = None) -> PeopleScores:
    """What people gave. `size` is how many segments metrics scored, `column` the one that is read of a table.

    QeError for what is none of ratings, a table of systems, and `system⇥score` lines.
    """
    opened = open_file(path)
    head = opened.head()
    if is_system_scores(head):
        found = read_system_scores(opened)
        if found.size == 1:
            return PeopleScores({name: float(scores[0]) for name, scores in found.systems.items()})
        return _of_segments(found.systems)
    if is_system_table(head) and not _is_ratings(path, language_pair):
        return PeopleScores(read_system_table(opened).column(column, Place(str(path))))
    ratings = read_ratings(path, language_pair)
    if not len(ratings.scores):
        message = tr("these ratings compare translations and give none a score")
        hint = tr("Give ratings on a scale, or a table with a score for each system.")
        raise QeError(message, hint=hint, place=Place(str(path)))
    means = compared_means(ratings.scores)
    return _of_means(means, size)


def _is_ratings(path: Path, language_pair: str) -> bool:
    try:
        return bool(len(read_ratings(path, language_pair).scores))
    except QeError:
        return False


def _of_segments(segments: Mapping[str, Scores], notes: tuple[str, ...] = ()) -> PeopleScores:
    rated = {name: scores[~np.isnan(scores)] for name, scores in segments.items()}
    return PeopleScores({name: float(held.mean()) for name, held in rated.items() if len(held)}, segments, notes)


def _of_means(means: SegmentMeans, size: int | None) -> PeopleScores:
    """The mean of each system's segments; those of segments where their names are numbers of the metrics' lines."""
    sums = np.bincount(means.system, means.mean, len(means.systems))
    counts = np.bincount(means.system, minlength=len(means.systems))
    systems = {name: float(sums[place] / counts[place]) for place, name in enumerate(means.systems) if counts[place]}
    places = _places(means, size)
    if places is None:
        note = tr("segments of the ratings are not numbered as lines are, so only systems are compared")
        return PeopleScores(systems, notes=(note,))
    numbered, base = places
    columns = np.full((len(means.systems), size or int(numbered.max()) + 1), np.nan)
    columns[means.system, numbered[means.segment]] = means.mean
    note = tr("segments of the ratings are counted from {base} and taken for lines in this order", base=base)
    return PeopleScores(systems, dict(zip(means.systems, columns, strict=True)), (note,))


def _places(means: SegmentMeans, size: int | None) -> tuple[NDArray[np.int64], int] | None:
    """The line, from 0, of each of the ratings' segments, and what they are counted from; None if unclear."""
    used = np.unique(means.segment)
    names = [means.segments[place] for place in used]
    if not names or not all(name.isascii() and name.isdigit() and len(name) < 16 for name in names):
        return None
    numbers = np.zeros(len(means.segments), np.int64)
    numbers[used] = [int(name) for name in names]
    base = 0 if numbers[used].min() == 0 else 1
    numbers -= base
    if size is not None and numbers[used].max() >= size:
        return None
    return numbers, base
