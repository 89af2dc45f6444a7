"""From what holds for a screen to ratings by system: the one place where a rater's work becomes rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from qe_desktop.answers.events import COMMENT, RANKS, SKIP, Value
from qe_desktop.answers.history import ScreenState, Step
from qe_desktop.corpus import TOGETHER, Comment, ItemRole, Pair, RatingFlag, Ratings, Score

_CHANGED, _NOT_SEEN = int(RatingFlag.CHANGED_AFTER_REVEAL), int(RatingFlag.SOURCE_NOT_SEEN)


@dataclass(frozen=True, slots=True)
class About:
    """What a screen showed, and why: only a campaign's owner knows.

    `outputs` are the systems of each output in the order shown, several where their outputs are identical; `roles`
    says of each whether it was degraded or a reference, and is empty where nothing says so. `campaign` is the uid of
    the campaign, with the mark of blind ratings where the systems go by letters.
    """

    campaign: str
    screen: str
    rater: str
    segment: str
    outputs: tuple[tuple[str, ...], ...]
    roles: tuple[ItemRole, ...] = ()
    role: ItemRole = ItemRole.SYSTEM


class RatingRows:
    """Gathers the ratings of screens.

    Values of screens that are not skipped count, also where another scale is not rated yet; rankings count once they
    are complete. `seconds` is the whole active time of the screen, on each of its rows. A pair with a degraded output
    has the role BAD, and the degraded one stands second; other pairs of that screen are repeats. `first` names the
    scale that is asked while only the translation is in view: always where `hidden`, else on screens that came to show
    more.
    """

    def __init__(self, first: str = "", *, hidden: bool = False) -> None:
        self.unfinished = 0
        """Rankings that are begun and not whole."""
        self._first = first
        self._hidden = hidden
        self._scores: list[Score] = []
        self._pairs: list[Pair] = []
        self._comments: list[Comment] = []

    def take(self, about: About, state: ScreenState) -> None:
        """Add what one rater said of one screen."""
        reason = state.skipped
        if (reason or state.comments) and about.role is not ItemRole.TRAINING:
            self._remark(about, state, reason)
        if reason:
            return
        for name, step in {step.event.field: step for step in state.steps}.items():
            value = step.event.value
            if name == RANKS:
                self._rank(about, state, step, value)
            elif name != SKIP and isinstance(value, float | int):
                self._score(about, state, step, value)

    def ratings(
        self, *, origin: str, notes: Sequence[str] = (), ranges: Sequence[tuple[str, float, float]] = ()
    ) -> Ratings:
        """All that was gathered."""
        return Ratings.of(self._scores, self._pairs, self._comments, origin=origin, notes=notes, ranges=ranges)

    def _score(self, about: About, state: ScreenState, step: Step, value: float) -> None:
        event, role = step.event, about.role
        if about.roles and role not in (ItemRole.TRAINING, ItemRole.REPEAT):
            role = about.roles[0]
        flags = 0
        if event.field == self._first and (self._hidden or state.revealed):
            flags = _CHANGED if step.after_reveal else _NOT_SEEN
        for system in about.outputs[0]:
            self._scores.append(
                Score(
                    about.rater, system, about.segment, event.field, value, role, state.began, state.seconds, flags,
                    about.campaign, event.uid,
                )
            )  # fmt: skip

    def _rank(self, about: About, state: ScreenState, step: Step, ranks: Value) -> None:
        if not isinstance(ranks, tuple):
            return
        if len(ranks) != len(about.outputs) or min(ranks, default=0) <= 0:
            self.unfinished += any(ranks)
            return
        roles = about.roles or (ItemRole.SYSTEM,) * len(ranks)
        listed = list(zip([TOGETHER.join(unit) for unit in about.outputs], ranks, roles, strict=True))
        for one, other in combinations(listed * 2 if len(listed) == 1 else listed, 2):
            first, second = (other, one) if one[2] is ItemRole.BAD else (one, other)
            self._pairs.append(
                Pair(
                    about.rater, about.segment, first[0], second[0], first[1], second[1], about.screen,
                    _pair_role(about.role, one[2], other[2]), state.began, state.seconds, about.campaign,
                    step.event.uid,
                )
            )  # fmt: skip

    def _remark(self, about: About, state: ScreenState, reason: str) -> None:
        systems = tuple(dict.fromkeys(system for unit in about.outputs for system in unit))
        text = str(state.value(COMMENT) or "").strip()
        for said, skipped in ((reason, True), (text, False)):
            if said:
                self._comments.append(
                    Comment(about.rater, about.segment, said, systems, skipped, state.began, about.campaign)
                )


def _pair_role(screen: ItemRole, one: ItemRole, other: ItemRole) -> ItemRole:
    """BAD with a degraded output; what else stands on such a screen was seen before."""
    if screen is not ItemRole.TRAINING and ItemRole.BAD in (one, other):
        return ItemRole.BAD
    return ItemRole.REPEAT if screen is ItemRole.BAD else screen
