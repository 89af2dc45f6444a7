"""From a design and what its raters did to ratings by system: the blind key is applied here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from qe_desktop.corpus import TOGETHER, Comment, ItemRole, Pair, RatingFlag, Ratings, Score
from qe_desktop.ratings import saying
from qe_desktop.ratings.admitting import Admission, LeftOut, left_out_notes
from qe_desktop.ratings.campaign import Design, OutputKey, RatingEvent, Screen, ScreenKey
from qe_desktop.ratings.history import COMMENT, RANKS, History, ScreenState, by_rater, ordered
from qe_desktop.ratings.protocols import Protocol, protocol_of

_CHANGED, _NOT_SEEN = int(RatingFlag.CHANGED_AFTER_REVEAL), int(RatingFlag.SOURCE_NOT_SEEN)

__all__ = ["collect", "ordered", "segment_name"]


def segment_name(segment: int) -> str:
    """A segment's name in ratings: its number as people count, from 1."""
    return str(segment + 1)


def ranges_of(protocol: Protocol) -> tuple[tuple[str, float, float], ...]:
    """A protocol's scales with their least and greatest value."""
    return tuple((scale.name, float(scale.low), float(scale.high)) for scale in protocol.scales)


def collect(design: Design, events: Iterable[RatingEvent], left_out: Sequence[LeftOut] = ()) -> Ratings:
    """What holds of all that the raters said, by system.

    Scores of screens that are not skipped count, also where another scale is not rated yet; rankings count once they
    are complete. `seconds` is the whole active time of the screen, on each of its rows. A pair with a degraded output
    has the role BAD, and the degraded one stands second; other pairs of that screen are repeats. Events that are not in
    order (see `admitting`) are left out, and so were those of `left_out` before; notes say whose, how many and why.
    """
    collector = _Collector(design)
    mine, wrong = Admission(design.campaign, design.screens).split(events)
    for own in by_rater(mine).values():
        collector.take(History(own))
    notes = left_out_notes([*left_out, *wrong])
    if design.campaign.simulated:
        notes.append("the raters are simulated")
    return Ratings.of(collector.scores, collector.pairs, collector.comments, origin=design.campaign.name, notes=notes,
        ranges=ranges_of(collector.protocol),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Unit:
    """What a row says of an output: its systems, their joined name, and whether it was degraded."""

    systems: tuple[str, ...]
    name: str
    role: ItemRole

    @classmethod
    def of(cls, key: OutputKey) -> _Unit:
        return cls(key.systems, TOGETHER.join(key.systems), key.role)


class _Collector:
    def __init__(self, design: Design) -> None:
        self.protocol: Protocol = protocol_of(design.campaign.protocol)
        self.scores: list[Score] = []
        self.pairs: list[Pair] = []
        self.comments: list[Comment] = []
        self._campaign = design.campaign.uid
        self._units = {key.output: _Unit.of(key) for key in design.output_keys}
        self._keys = {key.screen: key for key in design.screen_keys}
        self._screens = {screen.uid: screen for screen in design.screens}
        blind = self.protocol.target_only or self.protocol.target_first
        self._fields = self.protocol.fields
        self._first = self._fields[0] if blind else ""

    def take(self, history: History) -> None:
        """Add what one rater said."""
        for uid, state in history.screens.items():
            screen, key = self._screens[uid], self._keys[uid]
            units = [self._units[output] for output in screen.outputs]
            reason = state.skipped
            if (reason or state.comments) and key.role is not ItemRole.TRAINING:
                self._remark(screen, units, state, reason)
            if reason:
                continue
            if self.protocol.ranks:
                self._rank(screen, key, units, state)
            else:
                self._score(screen, key, units[0], state)

    def _score(self, screen: Screen, key: ScreenKey, unit: _Unit, state: ScreenState) -> None:
        role = _role(key.role, unit.role)
        segment = segment_name(screen.segment)
        for scale in self._fields:
            step = state.step(scale)
            value = None if step is None else step.event.value
            if step is None or not isinstance(value, float | int):
                continue
            flags = 0 if scale != self._first else _CHANGED if step.after_reveal else _NOT_SEEN
            for system in unit.systems:
                self.scores.append(
                    Score(
                        screen.rater,
                        system,
                        segment,
                        scale,
                        value,
                        role,
                        state.began,
                        state.seconds,
                        flags,
                        self._campaign,
                        step.event.uid,
                    )
                )

    def _rank(self, screen: Screen, key: ScreenKey, units: Sequence[_Unit], state: ScreenState) -> None:
        ranks, step = state.value(RANKS), state.step(RANKS)
        uid = "" if step is None else step.event.uid
        if not isinstance(ranks, tuple) or saying.missing(self.protocol, len(units), {RANKS: ranks}):
            return
        segment = segment_name(screen.segment)
        listed = list(zip(units, ranks, strict=True))
        if len(listed) == 1:
            listed *= 2
        for (one, rank), (other, other_rank) in combinations(listed, 2):
            role = _pair_role(key.role, one.role, other.role)
            if one.role is ItemRole.BAD:
                one, rank, other, other_rank = other, other_rank, one, rank
            self.pairs.append(Pair(
                screen.rater, segment, one.name, other.name, rank, other_rank, screen.uid, role, state.began,
                state.seconds, self._campaign, uid,
            ))  # fmt: skip

    def _remark(self, screen: Screen, units: Sequence[_Unit], state: ScreenState, reason: str) -> None:
        systems = tuple(dict.fromkeys(name for unit in units for name in unit.systems))
        text = str(state.value(COMMENT) or "").strip()
        for said, skipped in ((reason, True), (text, False)):
            if said:
                self.comments.append(
                    Comment(
                        screen.rater, segment_name(screen.segment), said, systems, skipped, state.began, self._campaign
                    )
                )


def _pair_role(screen: ItemRole, one: ItemRole, other: ItemRole) -> ItemRole:
    """BAD with a degraded output; what else stands on such a screen was seen before."""
    if screen is not ItemRole.TRAINING and ItemRole.BAD in (one, other):
        return ItemRole.BAD
    return ItemRole.REPEAT if screen is ItemRole.BAD else screen


def _role(screen: ItemRole, output: ItemRole) -> ItemRole:
    """Why a row was asked for: training and repeats whatever the output is, else what the output is."""
    return screen if screen in (ItemRole.TRAINING, ItemRole.REPEAT) else output
