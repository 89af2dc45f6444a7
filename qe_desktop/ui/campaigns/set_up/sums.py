"""What the choices of the form come to: screens, time and judgements, as figures with their words."""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.ratings.assignment.workload import Workload, estimated
from qe_desktop.ratings.campaign_draft import CampaignDraft
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.report.amounts import duration
from qe_desktop.wording import tr


@dataclass(frozen=True, slots=True)
class Sum:
    """One figure of the summary: the number as written, what it counts, and more about it."""

    number: str
    text: str
    about: str = ""


def sums_of(draft: CampaignDraft, texts: CampaignTexts | None) -> list[Sum]:
    """What the choices come to."""
    if texts is None or len(draft.systems) < draft.rules.outputs[0]:
        return []
    work = estimated(draft.campaign(), draft.setup(texts))
    screens, seconds = list(work.screens.values()), list(work.seconds.values())
    judged = list(work.judgements.values())
    longest = max(seconds, default=0.0)
    hours = duration(work.total_seconds) if seconds else "–"
    return [
        Sum(_spread(screens), tr("screens a rater"), _each(work)),
        Sum(duration(longest) if longest else "–", tr("a rater", "below a time"), _times(work)),
        Sum(_spread([round(count) for count in judged]), tr("judgements a system"), tr("By all raters together")),
        Sum(
            hours if work.total_seconds else "–",
            tr("in all", "below a time"),
            tr("All raters together, at the usual pace of the protocol"),
        ),
    ]


def _spread(numbers: list[int]) -> str:
    """One number, or the least and the most.

    >>> _spread([3, 3]), _spread([3, 5]), _spread([])
    ('3', '3–5', '–')
    """
    if not numbers or not max(numbers):
        return "–"
    low, high = min(numbers), max(numbers)
    return f"{low:,}" if low == high else f"{low:,}–{high:,}"


def _each(work: Workload) -> str:
    return ", ".join(f"{rater}: {count:,}" for rater, count in list(work.screens.items())[:20])


def _times(work: Workload) -> str:
    return ", ".join(f"{rater}: {duration(seconds)}" for rater, seconds in list(work.seconds.items())[:20])
