"""Answers that compare the outputs of a screen: ranks, or which one of two is better."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar

from qe_desktop.answers.answer import Answer
from qe_desktop.answers.events import RANKS, Value
from qe_desktop.answers.history import ScreenState, Step
from qe_desktop.answers.orders import LETTERS, Order, no_ranks, unranked
from qe_desktop.corpus import TOGETHER, ItemRole, Pair, QeError
from qe_desktop.wording import listed, tr

if TYPE_CHECKING:
    from qe_desktop.answers.rows import About, Rows

CHOICES: tuple[tuple[str, Order], ...] = (
    (tr("A better"), (1, 2)),
    (tr("Tie"), (1, 1)),
    (tr("B better"), (2, 1)),
)
"""The answers of a choice between two, and the ranks of A and B that each stands for."""
_CHOSEN = {ranks: label for label, ranks in CHOICES}


@dataclass(frozen=True, slots=True)
class Ranks(Answer):
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

    def problem(self, value: Value, outputs: int) -> str:
        """What is wrong with ranks."""
        if self._fit(value, outputs):
            return ""
        return tr("ranks that are not one of 0 to {most} for each output", most=self.most)

    def checked(self, value: Value, outputs: int) -> Value:
        """The ranks of all outputs; zeros take them away."""
        if not isinstance(value, tuple) or len(value) != outputs:
            hint = tr("Give {outputs} a rank.", outputs=listed(LETTERS[:outputs]))
            raise QeError(tr("this item has {n} {n:translation|translations} to rank", "", outputs), hint=hint)
        if not self._fit(value, outputs):
            hint = tr("Ranks are 1 (best) to {most}, and 0 for none yet.", most=self.most)
            raise QeError(tr("{value} are no ranks", value=repr(value)), hint=hint)
        return value

    def is_whole(self, value: Value) -> bool:
        """Whether all outputs have a rank."""
        return isinstance(value, tuple) and all(value)

    def missing(self, value: Value, outputs: int) -> str:
        """Which outputs have no rank."""
        without = [LETTERS[place] for place in unranked(value if isinstance(value, tuple) else no_ranks(outputs))]
        return tr("{outputs} {n:has|have} no rank yet", "", len(without), outputs=listed(without))

    def said(self, value: Value, before: Value) -> str:
        """The one rank that changed, if it is one."""
        if not isinstance(value, tuple):
            return self.name
        held = before if isinstance(before, tuple) and len(before) == len(value) else no_ranks(len(value))
        changed = [place for place, rank in enumerate(value) if rank != held[place]]
        if len(changed) != 1:
            return self.name
        letter, rank = LETTERS[changed[0]], value[changed[0]]
        if not rank:
            return tr("no rank for {output}", output=letter)
        return tr("rank {rank} for {output}", rank=rank, output=letter)

    @classmethod
    def add_rows(cls, rows: Rows, about: About, state: ScreenState, step: Step) -> None:
        """Add a judgement for each pair of outputs, once all have a rank."""
        ranks = step.event.value
        if not isinstance(ranks, tuple):
            return
        if len(ranks) != len(about.outputs) or not all(rank > 0 for rank in ranks):
            rows.unfinished += any(ranks)
            return
        roles = about.roles or (ItemRole.SYSTEM,) * len(ranks)
        listed = list(zip([TOGETHER.join(unit) for unit in about.outputs], ranks, roles, strict=True))
        for one, other in combinations(listed * 2 if len(listed) == 1 else listed, 2):
            # a degraded output stands second
            first, second = (other, one) if one[2] is ItemRole.BAD else (one, other)
            rows.pairs.append(
                Pair(
                    about.rater, about.segment, first[0], second[0], first[1], second[1], about.screen,
                    _role(about.role, one[2], other[2]), state.began, state.seconds, about.campaign, step.event.uid,
                )
            )  # fmt: skip

    def _fit(self, value: Value, outputs: int) -> bool:
        return (
            isinstance(value, tuple)
            and len(value) == outputs
            and all(type(rank) is int and 0 <= rank <= self.most for rank in value)
        )


@dataclass(frozen=True, slots=True)
class Choice(Ranks):
    """Which one of two outputs is better, or neither."""

    most: int = 2

    def missing(self, value: Value, outputs: int) -> str:
        """That nothing was chosen."""
        if outputs == self.most and not (isinstance(value, tuple) and any(value)):
            return tr("no choice between A and B yet")
        return Ranks.missing(self, value, outputs)

    def said(self, value: Value, before: Value) -> str:
        """What was chosen."""
        if isinstance(value, tuple) and value in _CHOSEN:
            return _CHOSEN[value]
        return Ranks.said(self, value, before)


def _role(screen: ItemRole, one: ItemRole, other: ItemRole) -> ItemRole:
    """BAD with a degraded output; what else stands on such a screen was seen before."""
    if screen is not ItemRole.TRAINING and ItemRole.BAD in (one, other):
        return ItemRole.BAD
    return ItemRole.REPEAT if screen is ItemRole.BAD else screen
