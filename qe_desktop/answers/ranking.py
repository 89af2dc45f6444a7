"""Answers that compare the outputs of a screen: a ranking, or a preference between two outputs."""

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
"""Labels of the outputs of a screen, in the order shown."""
RankOrder = tuple[int, ...]


def empty_ranks(count: int) -> RankOrder:
    """Return a rank of 0 (unranked) for each of `count` outputs."""
    return (0,) * count


def set_rank(ranks: RankOrder, index: int, rank: int) -> RankOrder:
    """Return a copy of `ranks` in which the output at `index` has the rank `rank`."""
    return (*ranks[:index], rank, *ranks[index + 1 :])


def move_output(ranks: RankOrder, index: int, by: int) -> RankOrder:
    """Return the ranks after moving one output `by` ranks down (up if negative), at most to the first or last rank.

    An unranked output starts below the last rank when it is moved up, and above the first rank when it is moved down.

    >>> move_output((0, 1, 3), 0, -1), move_output((2, 1, 3), 0, -1), move_output((1, 1, 3), 0, -1)
    ((3, 1, 3), (1, 1, 3), (1, 1, 3))
    """
    last = len(ranks)
    before = ranks[index] or (last + 1 if by < 0 else 0)
    return set_rank(ranks, index, min(max(1, before + by), last))


def unranked_positions(ranks: RankOrder) -> list[int]:
    """Indices of the outputs without a rank."""
    return [index for index, rank in enumerate(ranks) if not rank]


def next_unranked(ranks: RankOrder, index: int) -> int:
    """Index of the next unranked output after `index`, wrapping around to the start; `index` if all have a rank."""
    later = [position for position in unranked_positions(ranks) if position > index]
    return next(iter(later or unranked_positions(ranks)), index)


def rank_rows(ranks: RankOrder) -> dict[int, list[int]]:
    """Indices of the outputs, keyed by rank, best rank first; unranked outputs and unused ranks are left out."""
    return {
        rank: [index for index, output_rank in enumerate(ranks) if output_rank == rank]
        for rank in sorted(set(ranks) - {0})
    }


def describe_ranks(ranks: RankOrder) -> str:
    """Return a ranking as one line of text.

    >>> describe_ranks((2, 1, 2)), describe_ranks((1, 0)), describe_ranks((0, 0))
    ('B > A = C', 'A', 'nothing ranked')
    """
    parts = [" = ".join(LETTERS[index] for index in indices) for indices in rank_rows(ranks).values()]
    return " > ".join(parts) or tr("nothing ranked")


CHOICES: tuple[tuple[str, RankOrder], ...] = (
    (tr("A better"), (1, 2)),
    (tr("Tie"), (1, 1)),
    (tr("B better"), (2, 1)),
)
"""Label of each possible answer to a preference question, and the corresponding ranks of A and B."""
_CHOICE_LABELS = {ranks: label for label, ranks in CHOICES}


@dataclass(frozen=True, slots=True)
class RankingAnswer(AnswerType):
    """Rank for each output: 1 is best, ties are allowed, and 0 means unranked."""

    min_outputs: int = 2
    max_outputs: int = len(LETTERS)
    name: str = RANKS
    judges_pairs: ClassVar[bool] = True

    @property
    def outputs(self) -> tuple[int, int]:
        """Minimum and maximum number of outputs that can be ranked on one screen."""
        return self.min_outputs, self.max_outputs

    @property
    def integer_range(self) -> tuple[int, int]:
        """Range of ranks; 0 means unranked."""
        return 0, self.max_outputs

    @property
    def summary(self) -> str:
        """Short note that ties are allowed."""
        return tr("ties")

    def problem(self, value: EventValue, outputs: int) -> str:
        """Noun phrase that describes invalid ranks; empty if they are valid."""
        if self._are_valid_ranks(value, outputs):
            return ""
        return tr("ranks that are not integers from 0 to {max}, one per output", max=self.max_outputs)

    def validate(self, value: EventValue, outputs: int) -> EventValue:
        """Validate and return the ranks of all outputs; 0 means unranked. Raises QeError if the ranks are invalid."""
        if not isinstance(value, tuple) or len(value) != outputs:
            hint = tr("Rank {outputs}.", outputs=join_names(LETTERS[:outputs]))
            raise QeError(tr("this item has {n} {n:translation|translations} to rank", "", outputs), hint=hint)
        if not self._are_valid_ranks(value, outputs):
            hint = tr("Ranks are 1 (best) to {max}; 0 means unranked.", max=self.max_outputs)
            raise QeError(tr("{value} is not a valid ranking", value=repr(value)), hint=hint)
        return value

    def is_complete(self, value: EventValue) -> bool:
        """Return whether all outputs have a rank."""
        return isinstance(value, tuple) and all(value)

    def completion_hint(self, value: EventValue, outputs: int) -> str:
        """Text that asks the rater to rank the unranked outputs; for a single output, “nothing to compare”."""
        if outputs == 1:
            return tr("nothing to compare")
        unranked = [
            LETTERS[index] for index in unranked_positions(value if isinstance(value, tuple) else empty_ranks(outputs))
        ]
        return tr("Rank {outputs}", outputs=join_names(unranked))

    def describe_change(self, value: EventValue, before: EventValue) -> str:
        """Description of a change: one output and its new rank or, if several ranks changed, the names of the outputs.

        The description is a note if all ranks were removed, if no rank changed, or if there is only one output.
        """
        if not isinstance(value, tuple):
            return tr("ranks removed")
        if len(value) == 1:
            return tr("nothing to compare")
        previous = before if isinstance(before, tuple) and len(before) == len(value) else empty_ranks(len(value))
        changed = [index for index, rank in enumerate(value) if rank != previous[index]]
        if len(changed) != 1:
            letters = [LETTERS[index] for index in changed]
            return tr("ranks of {outputs}", outputs=join_names(letters)) if letters else tr("ranks unchanged")
        letter, rank = LETTERS[changed[0]], value[changed[0]]
        if not rank:
            return tr("rank of {output} removed", output=letter)
        return tr("rank {rank} for {output}", rank=rank, output=letter)

    @classmethod
    def add_rows(cls, rows: RatingSink, context: RatingContext, state: ScreenState, step: JudgementStep) -> None:
        """Add a judgement for each pair if all outputs have a rank; count a ranking of only some outputs as unfinished.

        A single output is paired with itself.
        """
        ranks = step.event.value
        if not isinstance(ranks, tuple):
            return
        if len(ranks) != len(context.outputs) or not all(rank > 0 for rank in ranks):
            rows.unfinished += any(ranks)
            return
        roles = context.roles or (ItemRole.SYSTEM,) * len(ranks)
        listed = list(zip([CAMPAIGN_JOINER.join(systems) for systems in context.outputs], ranks, roles, strict=True))
        for left, right in combinations(listed * 2 if len(listed) == 1 else listed, 2):
            # a degraded output comes second
            first, second = (right, left) if left[2] is ItemRole.BAD else (left, right)
            rows.pairs.append(
                PairwiseJudgement(
                    context.rater,
                    context.segment,
                    first[0],
                    second[0],
                    first[1],
                    second[1],
                    context.screen,
                    _role(context.role, left[2], right[2]),
                    state.started_at,
                    state.seconds,
                    context.campaign,
                    step.event.uid,
                )
            )

    def _are_valid_ranks(self, value: EventValue, outputs: int) -> bool:
        return (
            isinstance(value, tuple)
            and len(value) == outputs
            and all(type(rank) is int and 0 <= rank <= self.max_outputs for rank in value)
        )


@dataclass(frozen=True, slots=True)
class PairwiseAnswer(RankingAnswer):
    """Preference between two outputs, or a tie."""

    max_outputs: int = 2

    def completion_hint(self, value: EventValue, outputs: int) -> str:
        """Text that asks for an answer, or for the missing rank; for a single output, “nothing to compare”."""
        if outputs == self.max_outputs and not (isinstance(value, tuple) and any(value)):
            return tr("Select A, B or a tie")
        return RankingAnswer.completion_hint(self, value, outputs)

    def describe_change(self, value: EventValue, before: EventValue) -> str:
        """Label of the selected answer; for ranks that are not in `CHOICES`, the description from `RankingAnswer`."""
        if isinstance(value, tuple) and value in _CHOICE_LABELS:
            return _CHOICE_LABELS[value]
        return RankingAnswer.describe_change(self, value, before)


def _role(screen: ItemRole, left: ItemRole, right: ItemRole) -> ItemRole:
    """Return the role of a pair of outputs on a screen.

    It is TRAINING on a training screen. On other screens, it is BAD if one of the outputs is degraded, REPEAT if
    another output of the screen is degraded, and otherwise the role of the screen.
    """
    if screen is not ItemRole.TRAINING and ItemRole.BAD in (left, right):
        return ItemRole.BAD
    return ItemRole.REPEAT if screen is ItemRole.BAD else screen
