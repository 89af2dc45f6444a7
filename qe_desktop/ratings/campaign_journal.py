"""Journal of a campaign's events as text lines with segments, systems and roles, for the owner of the blinding key."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import ItemRole
from qe_desktop.formats.ratings import JournalLine, write_journal
from qe_desktop.ratings.blinding import DisplayNames, rename_design, screen_contexts
from qe_desktop.ratings.campaign import Campaign, CampaignDesign
from qe_desktop.ratings.protocols import get_protocol


def journal_header(campaign: Campaign) -> dict[str, Any]:
    """Return the content of the journal's first line: public data of the campaign."""
    protocol = get_protocol(campaign.protocol)
    return {
        "campaign": campaign.uid,
        "name": campaign.name,
        "protocol": campaign.protocol,
        "basis": campaign.basis.value,
        "source-language": campaign.source_language,
        "target-language": campaign.target_language,
        "simulated": campaign.simulated,
        "unseen": protocol.pre_reveal_answer,
        "ranges": {scale: [low, high] for scale, low, high in protocol.ranges},
        **({"design": campaign.design_hash} if campaign.design_hash else {}),
    }


def journal_lines(design: CampaignDesign, events: Iterable[RatingEvent]) -> list[JournalLine]:
    """Return one line per event, with the segment, systems (in display order) and role of the event's screen.

    The segment, systems and role are left out if the event has no screen in the design, for example if it is a profile.
    """
    contexts = screen_contexts(design)
    repeats = {key.screen: key.repeats for key in design.screen_keys}
    lines = []
    for event in events:
        context = contexts.get(event.screen)
        fields = (
            event.uid, event.campaign, event.screen, event.rater, event.at, event.field, event.value, event.seconds,
            event.action, event.refers,
        )  # fmt: skip
        if context is None:
            lines.append(JournalLine(*fields))
            continue
        roles = context.roles if set(context.roles) != {ItemRole.SYSTEM} else ()
        lines.append(JournalLine(*fields, context.segment, context.outputs, roles, context.role, repeats[event.screen]))
    return lines


def write_campaign_journal(
    path: Path, design: CampaignDesign, events: Iterable[RatingEvent], names: DisplayNames | None = None
) -> int:
    """Write the journal of a campaign and return the number of events written.

    `names` maps system names to blind names; by default, the system names are written. Raises QeError if the file
    cannot be written.
    """
    lines = journal_lines(rename_design(design, names or {}), events)
    write_journal(path, lines, journal_header(design.campaign) | ({"blind": True} if names else {}))
    return len(lines)
