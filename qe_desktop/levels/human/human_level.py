"""What people gave systems: the mean rating of each output, one number a segment, as any metric of segments has it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, View
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.human.human_scores import MEAN, HumanScores, Z, human_scores_of
from qe_desktop.levels.level import (
    WILLIAMS_TESTS,
    Families,
    FamilyRowsMap,
    Level,
    OnProgress,
    ScoringObstacle,
    Selection,
)
from qe_desktop.metrics import Metric
from qe_desktop.metrics.external import ExternalScores, external_metric
from qe_desktop.metrics.family import Floats

RATERS_KEY = LayerKey(Provenance.PERSON, "raters", Kind.SCORES)
"""Stands where other levels have a reference: nothing is compared with anything, people say how good it is."""
NO_CORRELATION = tr("the Williams test compares correlations of sentence scores, not ratings")


def _metrics() -> dict[str, Metric]:
    unrated = tr("Undefined where none of a system's outputs was rated so.")
    mean = replace(
        external_metric(MEAN),
        rewards=tr("What people gave: the mean of an output's ratings, then of a system's outputs."),
        caution=tr("Adequacy and fluency are added where an output was rated for both."),
        source=tr("Lavie et al. 2004, section 3.1"),
        reason=unrated,
    )
    z = replace(
        external_metric(Z),
        rewards=tr("The same of ratings less their rater's mean, in that rater's standard deviations."),
        caution=tr("On long scales, such as 0 to 100, systems are compared by this."),
        source=tr("the direct assessment of the WMT news tasks"),
        reason=unrated,
    )
    return {MEAN: mean, Z: z}


@dataclass(frozen=True, eq=False, kw_only=True)
class HumanLevel(Level):
    """Ratings on scales. Systems that were rated on other segments are tested pair by pair, on what both share."""

    name: str = "people"
    group: str = "people"
    title: str = tr("people", "what they gave")
    heading: str = tr("People", "what they gave")
    items: str = tr("ratings", "what people gave")
    items_heading: str = tr("Ratings", "what people gave")
    metrics: Mapping[str, Metric] = field(default_factory=_metrics)
    shown: tuple[str, ...] = (MEAN, Z)
    tested: tuple[str, ...] = (MEAN, Z)
    main: str = MEAN
    beside: str = Z
    tests: tuple[str, ...] = ("randomisation", "bootstrap")
    untested: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(WILLIAMS_TESTS, NO_CORRELATION))

    # --- what there is

    def references(self, view: View) -> list[LayerKey]:
        """The raters, all of them, where they rated any segment of the corpus."""
        return [] if human_scores_of(view.corpus) is None else [RATERS_KEY]

    def subjects(self, view: View, reference: LayerKey) -> list[LayerKey]:
        """The systems of which outputs were rated."""
        found = human_scores_of(view.corpus)
        names = () if found is None else found.systems
        return [LayerKey(Provenance.SYSTEM, name, Kind.TRANSLATION) for name in names]

    def size(self, taken: Selection) -> int:
        """Outputs that were rated, of all systems taken."""
        return int(np.count_nonzero(_is_rated(taken)))

    # --- counting

    def rows(self, taken: Selection, families: Families, watch: OnProgress | None = None) -> FamilyRowsMap:
        """The mean of each output's ratings, and whether there is one."""
        found = _human_scores(taken)
        rows = {}
        for place, family in enumerate(families, 1):
            scores = found.scores[family.name]
            each = [family.rows(ExternalScores(scores[found.systems.index(key.name)])) for key in taken.subjects]
            rows[family.name] = np.stack(each) if each else np.zeros((0, scores.shape[1], len(family.columns)))
            if watch is not None:
                watch(place / len(families))
        return rows

    def totals(self, taken: Selection, families: Families, watch: OnProgress | None = None) -> dict[str, Floats]:
        """The sums of the rows, added up as results of ratings are, so that means are the same to the last digit."""
        return {name: _sums(rows) for name, rows in self.rows(taken, families, watch).items()}

    def touched(self, scored: Collection[LayerKey], layer: LayerKey, segments: Sequence[int]) -> Sequence[int]:
        """None: no edit of tags or texts changes what was rated."""
        return ()

    def identical(self, taken: Selection) -> NDArray[np.bool_]:
        """Which systems were given the same throughout."""
        rows = self.rows(taken, [metric.family for metric in self.metrics.values()])
        codes: dict[bytes, int] = {}
        marks = [one.tobytes() for one in np.concatenate(list(rows.values()), axis=2)]
        code = np.asarray([codes.setdefault(mark, len(codes)) for mark in marks], np.int64)
        return np.asarray(code[:, None] == code[None, :])

    def gold(self, taken: Selection) -> bytes:
        """What was rated how."""
        ratings = taken.view.corpus.ratings
        assert ratings is not None
        return b"".join(column.tobytes() for column in (ratings.scores.segment, ratings.scores.value))

    # --- in words

    def also_called(self, view: View) -> dict[str, list[str]]:
        """What the ratings call them."""
        found = human_scores_of(view.corpus)
        return (
            {} if found is None else {name: [tr("rated as {name}", name=as_)] for name, as_ in found.otherwise.items()}
        )

    def against(self, reference: LayerKey) -> str:
        """Nothing but what people say."""
        return tr("what people gave")

    def described(self, taken: Selection) -> str:
        """How many segments were rated, and how many of them of every system."""
        there = _is_rated(taken)
        some, all_ = int(np.count_nonzero(there.any(axis=0))), int(np.count_nonzero(there.all(axis=0)))
        if some == all_:
            return tr("{n:,} rated {n:segment|segments}", "", some)
        return tr("{n:,} rated {n:segment|segments}, {shared:,} of every system", "", some, shared=all_)

    def summary(self, taken: Selection) -> str:
        """The same, and how pairs are tested where systems were rated on other segments."""
        there = _is_rated(taken)
        without = _human_scores(taken).without
        said = join_localized("; ", [self.described(taken), *([without] if without else [])])
        if (there == there[:1]).all():
            return said
        return tr("{segments}; two systems are tested on what was rated of both", segments=said)

    def headline(self, taken: Selection) -> str:
        """What people gave is set against nothing."""
        return tr("What people gave: {summary}", summary=self.summary(taken))

    def signature(self, taken: Selection) -> Mapping[str, str]:
        """How ratings are averaged, and how systems are tested that were rated on other segments."""
        there = _is_rated(taken)
        pairs = {} if (there == there[:1]).all() else {"pairs": "shared"}
        return {"means": "segments", "repeats": "each", "standardise": "drop", **pairs, "undefined": "null"}

    def without_reference(self) -> ScoringObstacle:
        """Add ratings."""
        return ScoringObstacle(
            tr("There are no ratings"),
            tr("Ratings of translations say how good people find systems. Add a file of ratings, or rate."),
        )

    def without_subjects(self) -> ScoringObstacle:
        """Add ratings of systems."""
        return ScoringObstacle(tr("No system was rated"), tr("Add a file with ratings of systems' translations."))


def _human_scores(taken: Selection) -> HumanScores:
    found = human_scores_of(taken.view.corpus)
    assert found is not None, "raters are no reference where there are no ratings"
    return found


def _is_rated(taken: Selection) -> NDArray[np.bool_]:
    """Which outputs of the systems taken were rated, shape (systems, segments)."""
    found = _human_scores(taken)
    return found.there[[found.systems.index(key.name) for key in taken.subjects]]


def _sums(rows: NDArray[np.float64]) -> Floats:
    from qe_desktop.ratings.aggregation.rating_groups import exact_sums

    systems, segments, columns = rows.shape
    group = np.repeat(np.arange(systems), segments)
    return np.stack([exact_sums(group, rows[..., column].ravel(), systems) for column in range(columns)], axis=-1)


HUMAN_LEVEL = HumanLevel()


def human_level_of(corpus: Corpus) -> HumanLevel:
    """The level with the metrics that the ratings give, of which there are some: a source of z may have no others."""
    found = human_scores_of(corpus)
    assert found is not None
    names = tuple(name for name in HUMAN_LEVEL.metrics if np.isfinite(found.scores[name]).any())
    return replace(
        HUMAN_LEVEL,
        metrics={name: HUMAN_LEVEL.metrics[name] for name in names},
        shown=names,
        tested=names,
        main=names[0],
        beside=names[-1],
    )
