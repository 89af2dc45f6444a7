"""A campaign's events as lines of a journal, which say what each event is about: for its owner, who has the key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from qe_desktop.corpus import ItemRole
from qe_desktop.formats.ratings import JournalLine
from qe_desktop.ratings.campaign import Campaign, Design, RatingEvent
from qe_desktop.ratings.collect import ranges_of, segment_name
from qe_desktop.ratings.protocols import protocol_of


def journal_header(campaign: Campaign) -> dict[str, Any]:
    """The journal's first line."""
    return {
        "campaign": campaign.uid, "name": campaign.name, "protocol": campaign.protocol,
        "basis": campaign.basis.value, "source-language": campaign.source_language,
        "target-language": campaign.target_language, "simulated": campaign.simulated,
        "ranges": {scale: [low, high] for scale, low, high in ranges_of(protocol_of(campaign.protocol))},
        **({"design": campaign.design_hash} if campaign.design_hash else {}),
    }  # fmt: skip


def journal_lines(design: Design, events: Iterable[RatingEvent]) -> list[JournalLine]:
    """Each event with its segment, the systems of its outputs in the order shown, and why the screen was shown."""
    outputs = {key.output: key for key in design.output_keys}
    keys = {key.screen: key for key in design.screen_keys}
    screens = {screen.uid: screen for screen in design.screens}
    found = []
    for event in events:
        line = JournalLine(
            event.uid, event.campaign, event.screen, event.rater, event.at, event.field, event.value, event.seconds,
            event.action.value, event.refers,
        )  # fmt: skip
        screen = screens.get(event.screen)
        if screen is not None:
            shown = [outputs[uid] for uid in screen.outputs]
            roles = tuple(key.role for key in shown)
            why = keys[screen.uid]
            line = JournalLine(
                line.uid, line.campaign, line.screen, line.rater, line.at, line.field, line.value, line.seconds,
                line.action, line.refers, segment_name(screen.segment), tuple(key.systems for key in shown),
                roles if set(roles) != {ItemRole.SYSTEM} else (), why.role, why.repeats,
            )  # fmt: skip
        found.append(line)
    return found
