"""Whose scores and ratings a corpus holds, by the names of their files, beside the translations that there are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import Corpus, NamesMatched, Ratings
from qe_desktop.corpus.names_matched import left_unmatched
from qe_desktop.levels.translations.texts import translations_of
from qe_desktop.wording import tr


@dataclass(frozen=True, slots=True)
class Named:
    """The systems of one metric's scores, or (without a metric) of people's ratings: `given` as their files call them,
    `systems` the translations here, `matched` who is who as far as anybody said.
    """

    metric: str
    given: tuple[str, ...]
    systems: tuple[str, ...]
    matched: NamesMatched

    @property
    def title(self) -> str:
        """What people call the scores."""
        return self.metric or tr("people's ratings")

    @property
    def doubtful(self) -> bool:
        """Whether names are left on both sides, so that some of them may mean the same, and nobody said so yet."""
        return not self.matched and all(left_unmatched(self.given, self.systems, self.matched))


def named_in(corpus: Corpus) -> list[Named]:
    """The scores of every metric and the ratings of a corpus, where there are translations that they could be of."""
    systems = tuple(translations_of(corpus))
    if not systems:
        return []
    found = [
        Named(metric, tuple(column.systems), systems, column.matched)
        for metric, column in corpus.metric_scores.items()
        if column.systems
    ]
    rated = () if corpus.ratings is None else rated_systems(corpus.ratings)
    return [*found, Named("", rated, systems, corpus.rated)] if rated else found


def rated_systems(ratings: Ratings) -> tuple[str, ...]:
    """The systems that were rated on a scale; none where they go by letters that only their campaign can tell."""
    from qe_desktop.corpus.campaigns import marks_of
    from qe_desktop.corpus.ratings import BLIND

    scores = ratings.scores
    if any(mark.endswith(BLIND) for mark in marks_of(ratings)):
        return ()
    counts = np.bincount(scores.system, minlength=len(scores.systems))
    return tuple(name for name, count in zip(scores.systems, counts.tolist(), strict=True) if count)
