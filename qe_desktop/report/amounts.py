"""How times and shares are said to people."""

from __future__ import annotations

import time
from datetime import datetime


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


def percent(share: float) -> str:
    """A share as percent.

    >>> percent(0.4567), percent(1.0)
    ('46 %', '100 %')
    """
    return f"{100 * share:.0f} %"
