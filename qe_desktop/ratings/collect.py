"""From a design and what its raters did to ratings by system: the blind key is applied here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from qe_desktop.answers.events import RatingEvent
from qe_desktop.answers.history import History, by_rater
from qe_desktop.answers.rated_screens import RatingRows
from qe_desktop.answers.rows import About
from qe_desktop.corpus import Ratings
from qe_desktop.ratings.admitting import Admission, LeftOut, left_out_notes
from qe_desktop.ratings.campaign import Design
from qe_desktop.ratings.protocols import protocol_of
from qe_desktop.wording import tr


def segment_name(segment: int) -> str:
    """A segment's name in ratings: its number as people count, from 1."""
    return str(segment + 1)


def abouts_of(design: Design) -> dict[str, About]:
    """What each screen of a design showed, and why."""
    outputs = {key.output: key for key in design.output_keys}
    roles = {key.screen: key.role for key in design.screen_keys}
    found = {}
    for screen in design.screens:
        shown = [outputs[uid] for uid in screen.outputs]
        found[screen.uid] = About(
            design.campaign.uid, screen.uid, screen.rater, segment_name(screen.segment),
            tuple([key.systems for key in shown]), tuple([key.role for key in shown]), roles[screen.uid],
        )  # fmt: skip
    return found


def collect(design: Design, events: Iterable[RatingEvent], left_out: Sequence[LeftOut] = ()) -> Ratings:
    """What holds of all that the raters said, by system; see `RatingRows`.

    Events that are not in order (see `admitting`) are left out, and so were those of `left_out` before; notes say
    whose, how many and why.
    """
    protocol = protocol_of(design.campaign.protocol)
    rows = RatingRows(protocol.unseen, hidden=True)
    abouts = abouts_of(design)
    mine, wrong = Admission(design.campaign, design.screens).split(events)
    for own in by_rater(mine).values():
        for uid, state in History(own).screens.items():
            rows.take(abouts[uid], state)
    notes = left_out_notes([*left_out, *wrong])
    if design.campaign.simulated:
        notes.append(tr("the raters are simulated"))
    return rows.ratings(origin=design.campaign.name, notes=notes, ranges=protocol.ranges)
