"""From the form to a campaign: what it comes to, and the design itself. No Qt."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from qe_desktop.ratings.assignment.workload import Workload, estimated
from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, Design
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.ui.campaigns.draft import Draft
from qe_desktop.ui.campaigns.saying import duration

TRAINED = 200
"""Segments outside the campaign that training screens may be taken from."""
Tell = Callable[[float, str], object]


@dataclass(frozen=True, slots=True)
class Sum:
    """One figure of the summary: the number as written, what it counts, and more about it."""

    number: str
    text: str
    about: str = ""


def sums_of(draft: Draft, texts: CampaignTexts | None) -> list[Sum]:
    """What the choices come to."""
    if texts is None or len(draft.systems) < draft.rules.outputs[0]:
        return []
    work = estimated(draft.campaign(), draft.setup(texts))
    screens, seconds = list(work.screens.values()), list(work.seconds.values())
    judged = list(work.judgements.values())
    longest = max(seconds, default=0.0)
    hours = duration(work.total_seconds) if seconds else "–"
    return [
        Sum(_spread(screens), "screens a rater", _each(work)),
        Sum(duration(longest) if longest else "–", "a rater", _times(work)),
        Sum(_spread([round(count) for count in judged]), "judgements a system", "By all raters together"),
        Sum(hours if work.total_seconds else "–", "in all", "All raters together, at the usual pace of the protocol"),
    ]


def make(
    draft: Draft,
    texts: CampaignTexts,
    person: str,
    tell: Tell = lambda share, text: None,
    *,
    secret: bytes = b"",
) -> Design:
    """The design of a campaign, drawn from a new secret if none is given. QeError says why there can be none."""
    from qe_desktop.ratings.assignment.design import design
    from qe_desktop.ratings.assignment.draws import new_secret

    tell(0.0, "texts")
    setup = draft.setup(texts)
    campaign = draft.campaign(uid=uuid.uuid4().hex, created=time.time(), created_by=person)
    passages = texts.passages(in_view(draft, texts, setup.segments))
    tell(0.3, "screens")
    outputs = texts.outputs()
    return design(
        campaign,
        setup,
        passages,
        {name: outputs[name] for name in draft.systems},
        secret=secret or new_secret(),
        reference_rated=draft.reference_rated,
    )


def in_view(draft: Draft, texts: CampaignTexts, segments: tuple[int, ...]) -> list[int]:
    """The segments whose texts may be shown: those rated, what stands around them, and some to train with."""
    chosen = np.zeros(texts.size, bool)
    chosen[list(segments)] = True
    seen = chosen.copy()
    documents = texts.documents
    if draft.context == WHOLE_DOCUMENT and documents is not None:
        seen |= np.isin(documents.of_segment, np.unique(documents.of_segment[chosen]))
    else:
        for step in range(1, draft.context + 1):
            seen[step:] |= chosen[:-step]
            seen[:-step] |= chosen[step:]
    if draft.training:
        others = np.flatnonzero(~chosen)
        dice = np.random.default_rng([draft.seed, len(others)])
        seen[dice.choice(others, min(TRAINED, len(others)), replace=False)] = True
    return [int(place) for place in np.flatnonzero(seen)]


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
