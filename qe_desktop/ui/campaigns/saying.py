"""How times, counts and agreement are said in this part of the window."""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime

from qe_desktop.outgoing import label
from qe_desktop.ui.scores.figures import score_text

READINGS = (
    (0.0, "none"),
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (1.0, "almost perfect"),
)
"""Landis and Koch (1977), the usual words for agreement beyond chance; a convention, not a law."""


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(1, "rater"), counted(12000, "rating")
    ('1 rater', '12,000 ratings')
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def duration(seconds: float) -> str:
    """A stretch of time, rounded as one would say it.

    >>> duration(12.4), duration(95), duration(5400), duration(36000)
    ('12 s', '1 min 35 s', '1 h 30 min', '10 h')
    """
    if seconds < 60:
        return f"{seconds:.0f} s" if seconds >= 10 else f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes % 60 else f"{minutes // 60} h"


def moment(at: float) -> str:
    """A point in time on this desktop's clock, to the minute."""
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M")


def ago(at: float, now: float | None = None) -> str:
    """How long something is past.

    >>> ago(0, 30), ago(0, 3700), ago(0, 200000)
    ('just now', '1 h ago', '2 days ago')
    """
    past = (time.time() if now is None else now) - at
    if past < 60:
        return "just now"
    if past < 3600:
        return f"{past / 60:.0f} min ago"
    if past < 86_400:
        return f"{past / 3600:.0f} h ago"
    days = round(past / 86_400)
    return f"{days} day{'' if days == 1 else 's'} ago"


def reading(value: float | None) -> str:
    """The usual word for a measure of agreement.

    >>> reading(0.45), reading(-0.1), reading(None)
    ('moderate', 'none', '')
    """
    if value is None:
        return ""
    return next((word for limit, word in READINGS if value <= limit), READINGS[-1][1])


def percent(share: float) -> str:
    """A share as percent.

    >>> percent(0.4567), percent(1.0)
    ('46 %', '100 %')
    """
    return f"{100 * share:.0f} %"


def short_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names without the parts between full stops that all of them begin or end with, where there is little room.

    >>> short_names(["newstest.uedin.1.en-ro", "newstest.KIT.2.en-ro"]), short_names(["A.x"])
    (('uedin.1', 'KIT.2'), ('A.x',))
    """
    parts = [name.split(".") for name in names]
    if len(set(names)) < 2 or min(map(len, parts)) < 2:
        return tuple(map(label, names))
    most = min(map(len, parts)) - 1
    head = next((place for place in range(most) if len({part[place] for part in parts}) > 1), most)
    tail = next((place for place in range(most - head) if len({part[-1 - place] for part in parts}) > 1), most - head)
    return tuple(label(".".join(part[head : len(part) - tail])) for part in parts)


def known(value: float | None, decimals: int = 3) -> str:
    """A figure, or a dash where there is none."""
    return score_text(float("nan") if value is None else value, decimals)
