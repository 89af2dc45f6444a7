"""Whether the parts of a campaign that was read fit each other: screens show outputs that there are, and have a key."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.project.store.cells import checked, ensure
from qe_desktop.ratings.campaign import Campaign, Design, Output, Screen
from qe_desktop.ratings.protocols import protocol_of


def whole_design(design: Design) -> Design:
    """A design as it is. Damaged where its parts do not fit; a QeError for a protocol that does not exist."""
    checked(design)
    shown_whole(design.campaign, design.screens, design.outputs)
    outputs, screens = [one.uid for one in design.outputs], [one.uid for one in design.screens]
    ensure(sorted(key.output for key in design.output_keys) == sorted(outputs), "outputs have no key")
    ensure(sorted(key.screen for key in design.screen_keys) == sorted(screens), "screens have no key")
    ensure(all(key.systems for key in design.output_keys), "an output is of no system")
    return design


def shown_whole(campaign: Campaign, screens: Sequence[Screen], outputs: Sequence[Output]) -> None:
    """Damaged where screens show what is not there, more than their protocol has, or are there twice."""
    most = protocol_of(campaign.protocol).outputs[1]
    there = {output.uid: output.segment for output in outputs}
    ensure(len(there) == len(outputs), "an output is there twice")
    ensure(len({screen.uid for screen in screens}) == len(screens), "a screen is there twice")
    for screen in screens:
        ensure(1 <= len(screen.outputs) <= most, "a screen shows more or less than it can")
        ensure(0 <= screen.segment < 2**31, "a screen is of no segment")
        ensure(all(there.get(uid) == screen.segment for uid in screen.outputs), "a screen shows what is not there")
