"""Human scores as a level: the mean rating of each output is its score, as with segment-level metrics."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, Documents, Kind, LayerKey, Provenance, SystemNameMapping, View
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.human.segment_ids import NO_LINE, SegmentLines, match_segment_lines
from qe_desktop.levels.level import (
    WILLIAMS_TESTS,
    Families,
    FamilyRowsMap,
    Level,
    ScoringObstacle,
    Selection,
    equal_pairs,
)
from qe_desktop.metrics import Metric
from qe_desktop.metrics.external import ExternalScores, external_metric

if TYPE_CHECKING:
    from qe_desktop.corpus import Ratings  # without ratings, their modules are not imported
    from qe_desktop.ratings.aggregation.means import SegmentMeans


MEAN, Z = "mean", "z"
"""Metric names: the mean of the ratings of an output, and the mean of the z-scores of these ratings."""


@dataclass(frozen=True, slots=True, eq=False)
class HumanScores:
    """Mean ratings of outputs.

    `scores` maps `MEAN` and `Z` to arrays of shape (systems, segments), with NaN for unrated outputs. `original_names`
    maps systems to their names in the ratings, if the names differ. `unmatched_note` is a note on rated segments
    without a line in the corpus. `order` contains the indices of all segments, sorted by their names in the ratings
    (see `resampling_order`), with unrated segments last; it is None if the rated segments already have this order.
    """

    systems: tuple[str, ...]
    scores: Mapping[str, Floats]
    original_names: Mapping[str, str]
    unmatched_note: str = ""
    order: Ints | None = None

    @property
    def rated_mask(self) -> NDArray[np.bool_]:
        """Return which outputs were rated, shape (systems, segments)."""
        return np.asarray(~np.logical_and.reduce([np.isnan(scores) for scores in self.scores.values()]))


def human_scores_of(corpus: Corpus) -> HumanScores | None:
    """Return human scores of the corpus's segments; None if no ratings on a scale match them.

    The first call is slow if there are many ratings; the result is cached.
    """
    return (
        None
        if corpus.ratings is None
        else _with_corpus_names(corpus.ratings, corpus.size, corpus.documents, corpus.rating_systems)
    )


def unmatched_ratings_note(corpus: Corpus) -> str:
    """Return a note on ratings that match no segment of the corpus; empty if there are no such ratings."""
    if corpus.ratings is None or not corpus.size or not len(corpus.ratings.scores):
        return ""
    return _lines(corpus.ratings, corpus.size, corpus.documents).note(corpus.size)


# called on every event of the window; ratings are immutable, so the results are cached
@lru_cache(maxsize=4)
def _with_corpus_names(
    ratings: Ratings, size: int, documents: Documents | None, matched: SystemNameMapping
) -> HumanScores | None:
    """Return human scores under the system names of the corpus; None if there are no such scores."""
    averaged = _average_ratings(ratings, size, documents)
    if averaged is None or not matched:
        return averaged
    corpus_names = matched.map_names(averaged.systems)
    rows = [index for index, name in enumerate(averaged.systems) if name in corpus_names]
    if not rows:
        return None
    scores = (
        {name: column[rows] for name, column in averaged.scores.items()}
        if len(rows) < len(averaged.systems)
        else averaged.scores
    )
    names = tuple(corpus_names[averaged.systems[index]] for index in rows)
    return HumanScores(names, scores, matched.original_names(averaged.systems), averaged.unmatched_note, averaged.order)


@lru_cache(maxsize=2)
def _average_ratings(ratings: Ratings, size: int, documents: Documents | None) -> HumanScores | None:
    """Return human scores under the system names of the ratings; None if no line was rated."""
    from qe_desktop.ratings.results.scale_results import output_means

    if not has_scores(ratings):
        return None
    means = output_means(ratings.scores)
    # excluded ratings count too: numbers are 0-based if any is 0, and segment 0 may be a quality-control item
    lines = _lines(ratings, size, documents)
    if not lines.has_lines:
        return None
    by_name = {MEAN: means.raw, Z: means.z}
    rated = [column for column in by_name.values() if column is not None]
    systems = np.unique(np.concatenate([column.system for column in rated]))
    shape = len(systems), size
    scores = {name: _columns(column, systems, lines.lines, shape) for name, column in by_name.items()}
    names = tuple(means.comparison_means.systems[index] for index in systems)
    return HumanScores(names, scores, {}, lines.note(size), _order_of_names(ratings.scores.segments, lines.lines, size))


@lru_cache(maxsize=2)
def _lines(ratings: Ratings, size: int, documents: Documents | None) -> SegmentLines:
    return match_segment_lines(ratings.scores.segments, ratings.scores.segment, size, documents)


def has_scores(ratings: Ratings) -> bool:
    """Return whether any rating on a scale counts: it has a value, and its role is in `COUNTED_ROLES`."""
    from qe_desktop.ratings.aggregation.rating_groups import COUNTED_ROLES, has_role

    scores = ratings.scores
    return bool((has_role(scores, COUNTED_ROLES) & np.isfinite(scores.value)).any())


def _order_of_names(names: Sequence[str], lines: Ints, size: int) -> Ints | None:
    """Return all `size` lines sorted by name, unrated lines last; None if rated lines are already in this order."""
    from qe_desktop.ratings.aggregation.rating_groups import resampling_order

    named = np.flatnonzero(lines != NO_LINE)
    rated = lines[named[resampling_order([names[index] for index in named.tolist()])]]
    if (np.diff(rated) >= 0).all():
        return None
    first = np.unique(rated, return_index=True)[1]
    rated = rated[np.sort(first)]
    return np.concatenate([rated, np.setdiff1d(np.arange(size), rated)])


def _columns(means: SegmentMeans | None, systems: Ints, lines: Ints, shape: tuple[int, int]) -> Floats:
    columns = np.full(shape, np.nan)
    if means is not None:
        line = lines[means.segment]
        is_matched = line != NO_LINE
        columns[np.searchsorted(systems, means.system[is_matched]), line[is_matched]] = means.mean[is_matched]
    return columns


RATERS_KEY = LayerKey(Provenance.PERSON, "raters", Kind.SCORES)
"""Key that stands for all raters; used in place of a reference, because human scores do not need a reference."""
NO_CORRELATION = tr("the Williams test applies only to segment scores, not to ratings")


def _metrics() -> dict[str, Metric]:
    unrated = tr("Undefined if no output of the system has a usable rating.")
    mean = replace(
        external_metric(MEAN),
        rewards=tr("Human scores: the mean rating of each output, averaged over a system's outputs."),
        caution=tr("Adequacy and fluency are added if an output has ratings for both."),
        source=tr("Lavie et al. 2004, section 3.1"),
        reason=unrated,
    )
    z = replace(
        external_metric(Z),
        rewards=tr("Mean of z-scores: ratings minus their rater's mean, divided by that rater's standard deviation."),
        caution=tr("Used to compare systems rated on long scales, such as 0 to 100."),
        source=tr("the direct assessment of the WMT news tasks"),
        reason=unrated,
    )
    return {MEAN: mean, Z: z}


@dataclass(frozen=True, eq=False, kw_only=True)
class HumanLevel(Level):
    """Level of ratings on scales; two systems rated on different segments are tested on the segments rated for both."""

    name: str = "people"
    group: str = "people"
    title: str = tr("human scores", "a level")
    heading: str = tr("Human scores", "a level")
    items: str = tr("ratings", "human scores")
    items_heading: str = tr("Ratings", "human scores")
    metrics: Mapping[str, Metric] = field(default_factory=_metrics)
    shown_metrics: tuple[str, ...] = (MEAN, Z)
    tested_metrics: tuple[str, ...] = (MEAN, Z)
    main_metric: str = MEAN
    companion_metric: str = Z
    tests: tuple[str, ...] = ("randomisation", "bootstrap")
    untested_reasons: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(WILLIAMS_TESTS, NO_CORRELATION))

    # --- contents

    def references(self, view: View) -> list[LayerKey]:
        """Return `[RATERS_KEY]`, or an empty list if no segment of the corpus was rated."""
        return [] if human_scores_of(view.corpus) is None else [RATERS_KEY]

    def subjects(self, view: View, reference: LayerKey) -> list[LayerKey]:
        """Return the systems with rated outputs."""
        scores = human_scores_of(view.corpus)
        names = () if scores is None else scores.systems
        return [LayerKey(Provenance.SYSTEM, name, Kind.TRANSLATION) for name in names]

    def resampling_order(self, selection: Selection) -> Ints | None:
        """Return the indices of segments, sorted by their names in the ratings, as for rating results.

        Unrated segments come last. None if the rated segments already have this order.
        """
        return _human_scores(selection).order

    def size(self, selection: Selection) -> int:
        """Return the number of rated outputs of the selected systems."""
        return int(np.count_nonzero(_is_rated(selection)))

    # --- counting

    def rows(self, selection: Selection, families: Families, on_progress: OnProgress | None = None) -> FamilyRowsMap:
        """Return rows of two columns: the mean rating of an output (0 if unrated), and whether the output is rated."""
        human = _human_scores(selection)
        rows = {}
        for count, family in enumerate(families, 1):
            scores = human.scores[family.name]
            subject_rows = [
                family.rows(ExternalScores(scores[human.systems.index(key.name)])) for key in selection.subjects
            ]
            rows[family.name] = (
                np.stack(subject_rows) if subject_rows else np.zeros((0, scores.shape[1], len(family.columns)))
            )
            if on_progress is not None:
                on_progress(count / len(families))
        return rows

    def totals(
        self, selection: Selection, families: Families, on_progress: OnProgress | None = None
    ) -> dict[str, Floats]:
        """Return the exact sums of the rows, so that mean ratings are identical to those in the rating results."""
        return {name: _sums(rows) for name, rows in self.rows(selection, families, on_progress).items()}

    def affected_segments(
        self, scored: Collection[LayerKey], layer: LayerKey, segments: Sequence[int]
    ) -> Sequence[int]:
        """Return no segments: edits of tags or texts do not change ratings."""
        return ()

    def identical_subjects(self, selection: Selection) -> NDArray[np.bool_]:
        """Return which pairs of systems have identical mean ratings, shape (systems, systems)."""
        rows = self.rows(selection, [metric.family for metric in self.metrics.values()])
        return equal_pairs(system_rows.tobytes() for system_rows in np.concatenate(list(rows.values()), axis=2))

    def gold_bytes(self, selection: Selection) -> bytes:
        """Return bytes that identify the ratings: their segments and values."""
        ratings = selection.view.corpus.ratings
        assert ratings is not None
        return b"".join(column.tobytes() for column in (ratings.scores.segment, ratings.scores.value))

    # --- texts

    def other_names(self, view: View) -> dict[str, list[str]]:
        """Return texts that state under which other names systems were rated, by system name."""
        scores = human_scores_of(view.corpus)
        return (
            {}
            if scores is None
            else {
                name: [tr("rated under the name {name}", name=alias)] for name, alias in scores.original_names.items()
            }
        )

    def reference_name(self, reference: LayerKey) -> str:
        """Return the name of human scores as used in sentences."""
        return tr("human scores")

    def data_summary(self, selection: Selection) -> str:
        """Return how many segments were rated, and how many of these were rated for all systems."""
        is_rated = _is_rated(selection)
        some, all_ = int(np.count_nonzero(is_rated.any(axis=0))), int(np.count_nonzero(is_rated.all(axis=0)))
        if some == all_:
            return tr("{n:,} rated {n:segment|segments}", "", some)
        return tr("{n:,} rated {n:segment|segments}, {shared:,} of them for all systems", "", some, shared=all_)

    def summary(self, selection: Selection) -> str:
        """Return the number of rated segments, with a note on ratings that match no segment.

        If systems were rated on different segments, the text also says how they are tested.
        """
        is_rated = _is_rated(selection)
        unmatched_note = _human_scores(selection).unmatched_note
        description = join_localized(
            "; ", [self.data_summary(selection), *([unmatched_note] if unmatched_note else [])]
        )
        if (is_rated == is_rated[:1]).all():
            return description
        return tr("{segments}; each pair of systems is tested on the segments rated for both", segments=description)

    def headline(self, selection: Selection) -> str:
        """Return the summary, preceded by the name of the level; human scores have no reference."""
        return tr("Human scores: {summary}", summary=self.summary(selection))

    def signature(self, selection: Selection) -> Mapping[str, str]:
        """Return how ratings are averaged, and how systems that were rated on different segments are tested."""
        is_rated = _is_rated(selection)
        pairs = {} if (is_rated == is_rated[:1]).all() else {"pairs": "shared"}
        return {"means": "segments", "repeats": "each", "standardise": "drop", **pairs, "undefined": "null"}

    def explain_missing_reference(self) -> ScoringObstacle:
        """Suggest adding ratings."""
        return ScoringObstacle(
            tr("There are no ratings"),
            tr("Human scores measure translation quality. Add a file of ratings, or rate translations."),
        )

    def explain_missing_subjects(self) -> ScoringObstacle:
        """Suggest adding ratings of systems."""
        return ScoringObstacle(tr("No system has ratings"), tr("Add a file with ratings of systems' translations."))


def _human_scores(selection: Selection) -> HumanScores:
    scores = human_scores_of(selection.view.corpus)
    assert scores is not None, "raters are not a reference without ratings"
    return scores


def _is_rated(selection: Selection) -> NDArray[np.bool_]:
    """Return which outputs of the selected systems were rated, shape (systems, segments)."""
    scores = _human_scores(selection)
    return scores.rated_mask[[scores.systems.index(key.name) for key in selection.subjects]]


def _sums(rows: Floats) -> Floats:
    from qe_desktop.ratings.aggregation.rating_groups import exact_sums

    systems, segments, columns = rows.shape
    group = np.repeat(np.arange(systems), segments)
    return np.stack([exact_sums(group, rows[..., column].ravel(), systems) for column in range(columns)], axis=-1)


HUMAN_LEVEL = HumanLevel()


def human_level_of(corpus: Corpus) -> HumanLevel:
    """Return the level with only those metrics for which the corpus has human scores, for example z-scores only.

    The corpus must have human scores.
    """
    human = human_scores_of(corpus)
    assert human is not None
    names = tuple(name for name in HUMAN_LEVEL.metrics if np.isfinite(human.scores[name]).any())
    return replace(
        HUMAN_LEVEL,
        metrics={name: HUMAN_LEVEL.metrics[name] for name in names},
        shown_metrics=names,
        tested_metrics=names,
        main_metric=names[0],
        companion_metric=names[-1],
    )
