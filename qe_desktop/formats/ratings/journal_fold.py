"""A campaign's journal folded into ratings: of each rater, screen and field, the last value that was not undone.

Undoing takes an event back, redoing brings it again as the newest; an event that gives the value which holds already is
none, a skip is taken back by any later judgement, and comments within half a minute are one, as in the program itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from qe_desktop.corpus import (
    BLIND,
    TOGETHER,
    Comment,
    ItemRole,
    Pair,
    PairRatings,
    QeError,
    RatingFlag,
    Ratings,
    Score,
    ScoreRatings,
)
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.ratings.journal import REDO, UNDO, JournalLine, Value
from qe_desktop.formats.ratings.scale_ranges import ranges_in
from qe_desktop.formats.reading import counted

COMMENT, SKIP, RANKS, REVEAL, SEEN, PROFILE = "comment", "skip", "ranks", "reveal", "seen", "profile"
ONE_COMMENT = 30.0
"""Seconds within which one comment goes on with the one before."""
_SOURCE_HIDDEN = ("adequacy-fluency", "fluency")
"""The protocols that ask for fluency with only the translation in view."""


@dataclass(slots=True)
class _Step:
    line: JournalLine
    after_reveal: bool


@dataclass(slots=True)
class _Screen:
    """What holds for one screen of one rater: its judgements as given, and its comments."""

    began: float
    about: JournalLine
    seconds: float = 0.0
    revealed: bool = False
    steps: list[_Step] = field(default_factory=list)
    comments: list[_Step] = field(default_factory=list)

    def of(self, name: str) -> list[_Step]:
        return self.comments if name == COMMENT else self.steps

    def step(self, name: str) -> _Step | None:
        return next((step for step in reversed(self.of(name)) if step.line.field == name), None)

    def value(self, name: str) -> Value:
        step = self.step(name)
        return None if step is None else step.line.value

    @property
    def skipped(self) -> str:
        last = self.steps[-1].line if self.steps else None
        return str(last.value or "") if last is not None and last.field == SKIP else ""

    def holds(self, line: JournalLine) -> bool:
        """Whether the line's value holds already."""
        if line.field == SKIP:
            return str(line.value or "") == self.skipped
        if line.field == COMMENT:
            return str(line.value or "") == str(self.value(COMMENT) or "")
        return not self.skipped and line.value == self.value(line.field)


class _Fold:
    """One rater's screens."""

    def __init__(self) -> None:
        self.screens: dict[str, _Screen] = {}
        self._done: dict[str, tuple[_Screen, _Step]] = {}
        self._undone: dict[str, tuple[_Screen, _Step]] = {}
        self._open_comment: _Step | None = None

    def apply(self, line: JournalLine) -> None:
        if line.field == PROFILE:
            return
        screen = self.screens.get(line.screen)
        if screen is None:
            screen = self.screens[line.screen] = _Screen(line.at - line.seconds, line)
        screen.seconds += line.seconds
        if line.outputs and not screen.about.outputs:
            screen.about = line
        if line.action in (UNDO, REDO):
            self._open_comment = None
            self._again(line)
        elif line.field == REVEAL:
            screen.revealed = True
        elif line.field == SEEN:
            self._open_comment = None
        elif not screen.holds(line):
            self._judge(line, screen)

    def _judge(self, line: JournalLine, screen: _Screen) -> None:
        step, before = _Step(line, screen.revealed), self._open_comment
        self._open_comment = None
        if line.field == COMMENT:
            if before is not None and _goes_on(before.line, line):
                screen.comments.pop()
                self._done.pop(before.line.uid, None)
                if screen.holds(line):
                    return
            self._open_comment = step
        screen.of(line.field).append(step)
        self._done[line.uid] = screen, step

    def _again(self, line: JournalLine) -> None:
        source, target = (self._done, self._undone) if line.action == UNDO else (self._undone, self._done)
        found = source.pop(line.refers, None)
        if found is None:
            return
        screen, step = found
        steps = screen.of(step.line.field)
        if line.action == UNDO:
            steps.remove(step)
        else:
            steps.append(step)
        target[line.refers] = found


def _goes_on(before: JournalLine, after: JournalLine) -> bool:
    return before.screen == after.screen and after.at - before.at <= ONE_COMMENT


def folded(opened: OpenedFile, lines: Iterable[JournalLine], campaign: Mapping[str, Any]) -> Ratings:
    """The ratings that hold at the end of a journal. QeError where no line says what it is about."""
    folds: dict[tuple[str, str], _Fold] = {}
    for line in _ordered(lines):
        folds.setdefault((line.campaign, line.rater), _Fold()).apply(line)
    screens = [(rater, screen) for (_, rater), fold in folds.items() for screen in fold.screens.values()]
    judged = [(rater, screen) for rater, screen in screens if screen.steps or screen.comments]
    known = [(rater, screen) for rater, screen in judged if screen.about.outputs and screen.about.segment]
    if judged and not known:
        message = "the journal does not say which systems its ratings are of"
        hint = "Only the campaign's owner knows that: import it into the project (ratings import PROJECT FILE)."
        raise QeError(message, hint=hint, place=opened.place())
    hidden = campaign.get("protocol") in _SOURCE_HIDDEN
    pairs, unfinished = _pairs(known, campaign)
    notes = ["the raters are simulated"] if campaign.get("simulated") is True else []
    if len(known) < len(judged):
        notes.append(f"{counted(len(judged) - len(known), 'item')} left out whose systems the file does not name")
    if unfinished:
        notes.append(f"{counted(unfinished, 'ranking')} left out, for some outputs have no rank yet")
    scores, comments = _scores(known, hidden, campaign), _comments(known, campaign)
    return Ratings(scores, pairs, comments, opened.name, tuple(notes), ranges_in(campaign.get("ranges")))


def _ordered(lines: Iterable[JournalLine]) -> list[JournalLine]:
    """By time, or as in the file where that is the same; each event once, those without a name all."""
    named: dict[object, JournalLine] = {line.uid or place: line for place, line in enumerate(lines)}
    return sorted(named.values(), key=lambda line: 0.0 if math.isnan(line.at) else line.at)


def _mark(screen: _Screen, header: Mapping[str, Any]) -> str:
    """The campaign that a screen is of, with the mark of a blind journal."""
    campaign = screen.about.campaign or str(header.get("campaign", ""))
    return campaign + BLIND if campaign and header.get("blind") is True else campaign


def _scores(screens: list[tuple[str, _Screen]], hidden: bool, header: Mapping[str, Any]) -> ScoreRatings:
    rows = []
    for rater, screen in screens:
        about, campaign = screen.about, _mark(screen, header)
        held = {step.line.field: step for step in screen.steps}
        if screen.skipped:
            continue
        for name, step in held.items():
            value = step.line.value
            if name in (SKIP, RANKS) or not isinstance(value, float):
                continue
            flags = 0
            if name == "fluency" and step.after_reveal:
                flags = RatingFlag.CHANGED_AFTER_REVEAL
            elif name == "fluency" and (hidden or screen.revealed):
                flags = RatingFlag.SOURCE_NOT_SEEN
            role = about.role
            if role not in (ItemRole.TRAINING, ItemRole.REPEAT) and about.roles:
                role = about.roles[0]
            rows += [
                Score(
                    rater,
                    system,
                    about.segment,
                    name,
                    value,
                    role,
                    screen.began,
                    screen.seconds,
                    int(flags),
                    campaign,
                    step.line.uid,
                )
                for unit in about.outputs[:1]
                for system in unit
            ]
    return ScoreRatings.of(rows)


def _pairs(screens: list[tuple[str, _Screen]], header: Mapping[str, Any]) -> tuple[PairRatings, int]:
    """The pairwise judgements of whole rankings, and how many rankings are not whole."""
    whole = []
    unfinished = 0
    for rater, screen in screens:
        ranks = screen.value(RANKS)
        if screen.skipped or not isinstance(ranks, tuple):
            continue
        if len(ranks) == len(screen.about.outputs) and min(ranks, default=0) > 0:
            whole.append((rater, screen, ranks))
        else:
            unfinished += any(ranks)
    rows = []
    for rater, screen, ranks in whole:
        about = screen.about
        roles = about.roles or (ItemRole.SYSTEM,) * len(ranks)
        listed = list(zip([TOGETHER.join(unit) for unit in about.outputs], ranks, roles, strict=True))
        for one, other in combinations(listed * 2 if len(listed) == 1 else listed, 2):
            # a degraded output stands second
            (first, rank, first_role), (second, second_rank, second_role) = (
                (other, one) if one[2] is ItemRole.BAD else (one, other)
            )
            role = _pair_role(about.role, first_role, second_role)
            rows.append(
                Pair(
                    rater, about.segment, first, second, rank, second_rank, about.screen, role, screen.began,
                    screen.seconds, _mark(screen, header), _uid(screen),
                )
            )  # fmt: skip
    return PairRatings.of(rows), unfinished


def _uid(screen: _Screen) -> str:
    step = screen.step(RANKS)
    return "" if step is None else step.line.uid


def _pair_role(screen: ItemRole, one: ItemRole, other: ItemRole) -> ItemRole:
    """BAD with a degraded output; what else stands on such a screen was seen before."""
    if screen is not ItemRole.TRAINING and ItemRole.BAD in (one, other):
        return ItemRole.BAD
    return ItemRole.REPEAT if screen is ItemRole.BAD else screen


def _comments(screens: list[tuple[str, _Screen]], header: Mapping[str, Any]) -> tuple[Comment, ...]:
    found = []
    for rater, screen in screens:
        if screen.about.role is ItemRole.TRAINING:
            continue
        systems = tuple(dict.fromkeys(system for unit in screen.about.outputs for system in unit))
        text = str(screen.value(COMMENT) or "").strip()
        for said, skipped in ((screen.skipped, True), (text, False)):
            if said:
                found.append(
                    Comment(rater, screen.about.segment, said, systems, skipped, screen.began, _mark(screen, header))
                )
    return tuple(found)
