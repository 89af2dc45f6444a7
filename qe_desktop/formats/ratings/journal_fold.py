"""A campaign's journal as ratings: folded as the program itself does it (`answers.history`)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from qe_desktop.answers.history import History
from qe_desktop.answers.rated_screens import RatingRows
from qe_desktop.answers.rows import About
from qe_desktop.corpus import BLIND, QeError, Ratings
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.ratings.journal import JournalLine
from qe_desktop.formats.ratings.scale_ranges import ranges_in
from qe_desktop.wording import tr

UNSEEN = "fluency"
_UNSEEN = {"adequacy-fluency": UNSEEN, "fluency": UNSEEN}
"""The scale that is asked with only the translation in view, by protocol: for journals that do not say it."""


def folded(opened: OpenedFile, lines: Iterable[JournalLine], campaign: Mapping[str, Any]) -> Ratings:
    """The ratings that hold at the end of a journal. QeError where no line says what it is about."""
    histories: dict[tuple[str, str], History] = {}
    abouts: dict[tuple[str, str, str], About] = {}
    for line in _ordered(lines):
        histories.setdefault((line.campaign, line.rater), History()).apply(line)
        if line.outputs and line.segment:
            key = line.campaign, line.rater, line.screen
            abouts.setdefault(key, _about(line, campaign))
    judged = [
        (abouts.get((*key, uid)), state)
        for key, history in histories.items()
        for uid, state in history.screens.items()
        if state.steps or state.comments
    ]
    known = [(about, state) for about, state in judged if about is not None]
    if judged and not known:
        message = tr("the journal does not say which systems its ratings are of")
        hint = tr("Only the campaign's owner knows that: import it into the project (ratings import PROJECT FILE).")
        raise QeError(message, hint=hint, place=opened.place())
    unseen = str(campaign.get("unseen") or _UNSEEN.get(str(campaign.get("protocol")), ""))
    rows = RatingRows(unseen or UNSEEN, hidden=bool(unseen))
    for about, state in known:
        rows.take(about, state)
    notes = [tr("the raters are simulated")] if campaign.get("simulated") is True else []
    if len(known) < len(judged):
        left = len(judged) - len(known)
        notes.append(tr("{n:,} {n:item|items} left out whose systems the file does not name", "", left))
    if rows.unfinished:
        unfinished = rows.unfinished
        notes.append(tr("{n:,} {n:ranking|rankings} left out, for some outputs have no rank yet", "", unfinished))
    return rows.ratings(origin=opened.name, notes=notes, ranges=ranges_in(campaign.get("ranges")))


def _ordered(lines: Iterable[JournalLine]) -> list[JournalLine]:
    """By time, or as in the file where that is the same; each event once, those without a name all."""
    named: dict[object, JournalLine] = {line.uid or place: line for place, line in enumerate(lines)}
    return sorted(named.values(), key=lambda line: 0.0 if math.isnan(line.at) else line.at)


def _about(line: JournalLine, header: Mapping[str, Any]) -> About:
    """What a line says of its screen; the campaign has the mark of a blind journal."""
    campaign = line.campaign or str(header.get("campaign", ""))
    mark = campaign + BLIND if campaign and header.get("blind") is True else campaign
    return About(mark, line.screen, line.rater, line.segment, line.outputs, line.roles, line.role)
