"""From a draft to a campaign: its design, drawn, with the texts that it needs."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable

import numpy as np

from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, Design
from qe_desktop.ratings.campaign_draft import CampaignDraft
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.wording import tr

TRAINED = 200
"""Segments outside the campaign that training screens may be taken from."""
Tell = Callable[[float, str], object]


def make(
    draft: CampaignDraft,
    texts: CampaignTexts,
    person: str,
    tell: Tell = lambda share, text: None,
    *,
    secret: bytes = b"",
) -> Design:
    """The design of a campaign, drawn from a new secret if none is given. QeError says why there can be none."""
    from qe_desktop.ratings.assignment.design import design
    from qe_desktop.ratings.assignment.draws import new_secret

    tell(0.0, tr("texts"))
    setup = draft.setup(texts)
    campaign = draft.campaign(uid=uuid.uuid4().hex, created=time.time(), created_by=person)
    passages = texts.passages(in_view(draft, texts, setup.segments))
    tell(0.3, tr("screens"))
    outputs = texts.outputs()
    return design(
        campaign,
        setup,
        passages,
        {name: outputs[name] for name in draft.systems},
        secret=secret or new_secret(),
        reference_rated=draft.reference_rated,
    )


def in_view(draft: CampaignDraft, texts: CampaignTexts, segments: tuple[int, ...]) -> list[int]:
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
