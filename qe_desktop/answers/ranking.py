"""Answers that compare the outputs of a screen: ranks, or which one of two is better."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from qe_desktop.answers.answer_type import AnswerType
from qe_desktop.answers.event_history import RANKS, EventValue, JudgementStep, ScreenState
from qe_desktop.corpus import CAMPAIGN_JOINER, ItemRole, PairwiseJudgement, QeError
from qe_desktop.i18n.messages import join_names, tr

if TYPE_CHECKING:
    from qe_desktop.answers.answer_type import RatingContext, RatingSink

LETTERS = "ABCDE"
"""What the outputs of a screen are called, in the order shown."""
RankOrder = tuple[int, ...]


def empty_ranks(count: int) -> RankOrder:
    """Nothing ranked yet."""
    return (0,) * count


def set_rank(ranks: RankOrder, place: int, rank: int) -> RankOrder:
    """With another rank for one output."""
    return (*ranks[:place], rank, *ranks[place + 1 :])


def move_output(ranks: RankOrder, place: int, by: int) -> RankOrder:
    """One output `by` rows down (up, where negative), no further than the first or last row.

    An output without a rank comes in at the bottom going up, and at the top going down.

    >>> move_output((0, 1, 3), 0, -1), move_output((2, 1, 3), 0, -1), move_output((1, 1, 3), 0, -1)
    ((3, 1, 3), (1, 1, 3), (1, 1, 3))
    """
    last = len(ranks)
    before = ranks[place] or (last + 1 if by < 0 else 0)
    return set_rank(ranks, place, min(max(1, before + by), last))


def unranked_positions(ranks: RankOrder) -> list[int]:
    """The places that have no rank yet."""
    return [place for place, rank in enumerate(ranks) if not rank]


def next_unranked(ranks: RankOrder, place: int) -> int:
    """The next output without a rank, after `place` and then from the beginning; `place` where all have one."""
    later = [other for other in unranked_positions(ranks) if other > place]
    return next(iter(later or unranked_positions(ranks)), place)


def rank_rows(ranks: RankOrder) -> dict[int, list[int]]:
    """The places by rank, only the ranks that are used, the best first."""
    return {rank: [place for place, own in enumerate(ranks) if own == rank] for rank in sorted(set(ranks) - {0})}


def describe_ranks(ranks: RankOrder) -> str:
    """The whole ranking in one line.

    >>> describe_ranks((2, 1, 2)), describe_ranks((1, 0)), describe_ranks((0, 0))
    ('B > A = C', 'A', 'nothing ranked')
    """
    parts = [" = ".join(LETTERS[place] for place in places) for places in rank_rows(ranks).values()]
    return " > ".join(parts) or tr("nothing ranked")


CHOICES: tuple[tuple[str, RankOrder], ...] = (
    (tr("A better"), (1, 2)),
    (tr("Tie"), (1, 1)),
    (tr("B better"), (2, 1)),
)
"""The answers of a choice between two, and the ranks of A and B that each stands for."""
_CHOSEN = {ranks: label for label, ranks in CHOICES}


@dataclass(frozen=True, slots=True)
class RankingAnswer(AnswerType):
    """A rank of each output, 1 the best, ties allowed; 0 where there is none yet."""

    least: int = 2
    most: int = len(LETTERS)
    name: str = RANKS
    judges_pairs: ClassVar[bool] = True

    @property
    def outputs(self) -> tuple[int, int]:
        """What can be ranked on one screen."""
        return self.least, self.most

    @property
    def takes(self) -> tuple[int, int]:
        """The ranks, with 0 for one that is not given yet."""
        return 0, self.most

    @property
    def facts(self) -> str:
        """What ranks may be."""
        return tr("ties")

    def problem(self, value: EventValue, outputs: int) -> str:
        """What is wrong with ranks."""
        if self._fit(value, outputs):
            return ""
        return tr("ranks that are not one of 0 to {most} for each output", most=self.most)

    def checked(self, value: EventValue, outputs: int) -> EventValue:
        """The ranks of all outputs; zeros take them away."""
        if not isinstance(value, tuple) or len(value) != outputs:
            hint = tr("Give {outputs} a rank.", outputs=join_names(LETTERS[:outputs]))
            raise QeError(tr("this item has {n} {n:translation|translations} to rank", "", outputs), hint=hint)
        if not self._fit(value, outputs):
            hint = tr("Ranks are 1 (best) to {most}, and 0 for none yet.", most=self.most)
            raise QeError(tr("{value} are no ranks", value=repr(value)), hint=hint)
        return value

    def is_whole(self, value: EventValue) -> bool:
        """Whether all outputs have a rank."""
        return isinstance(value, tuple) and all(value)

    def missing(self, value: EventValue, outputs: int) -> str:
        """Which outputs have no rank."""
        without = [
            LETTERS[place] for place in unranked_positions(value if isinstance(value, tuple) else empty_ranks(outputs))
        ]
        return tr("{outputs} {n:has|have} no rank yet", "", len(without), outputs=join_names(without))

    def said(self, value: EventValue, before: EventValue) -> str:
        """The one rank that changed, if it is one."""
        if not isinstance(value, tuple):
            return self.name
        held = before if isinstance(before, tuple) and len(before) == len(value) else empty_ranks(len(value))
        changed = [place for place, rank in enumerate(value) if rank != held[place]]
        if len(changed) != 1:
            return self.name
        letter, rank = LETTERS[changed[0]], value[changed[0]]
        if not rank:
            return tr("no rank for {output}", output=letter)
        return tr("rank {rank} for {output}", rank=rank, output=letter)

    @classmethod
    def add_rows(cls, rows: RatingSink, about: RatingContext, state: ScreenState, step: JudgementStep) -> None:
        """Add a judgement for each pair of outputs, once all have a rank."""
        ranks = step.event.value
        if not isinstance(ranks, tuple):
            return
        if len(ranks) != len(about.outputs) or not all(rank > 0 for rank in ranks):
            rows.unfinished += any(ranks)
            return
        roles = about.roles or (ItemRole.SYSTEM,) * len(ranks)
        listed = list(zip([CAMPAIGN_JOINER.join(unit) for unit in about.outputs], ranks, roles, strict=True))
        for one, other in combinations(listed * 2 if len(listed) == 1 else listed, 2):
            # a degraded output stands second
            first, second = (other, one) if one[2] is ItemRole.BAD else (one, other)
            rows.pairs.append(
                PairwiseJudgement(
                    about.rater, about.segment, first[0], second[0], first[1], second[1], about.screen,
                    _role(about.role, one[2], other[2]), state.began, state.seconds, about.campaign, step.event.uid,
                )
            )  # fmt: skip

    def _fit(self, value: EventValue, outputs: int) -> bool:
        return (
            isinstance(value, tuple)
            and len(value) == outputs
            and all(type(rank) is int and 0 <= rank <= self.most for rank in value)
        )


@dataclass(frozen=True, slots=True)
class PairwiseAnswer(RankingAnswer):
    """Which one of two outputs is better, or neither."""

    most: int = 2

    def missing(self, value: EventValue, outputs: int) -> str:
        """That nothing was chosen."""
        if outputs == self.most and not (isinstance(value, tuple) and any(value)):
            return tr("no choice between A and B yet")
        return RankingAnswer.missing(self, value, outputs)

    def said(self, value: EventValue, before: EventValue) -> str:
        """What was chosen."""
        if isinstance(value, tuple) and value in _CHOSEN:
            return _CHOSEN[value]
        return RankingAnswer.said(self, value, before)


def _role(screen: ItemRole, one: ItemRole, other: ItemRole) -> ItemRole:
    """BAD with a degraded output; what else stands on such a screen was seen before."""
    if screen is not ItemRole.TRAINING and ItemRole.BAD in (one, other):
        return ItemRole.BAD
    return ItemRole.REPEAT if screen is ItemRole.BAD else screen
