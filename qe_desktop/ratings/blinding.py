"""Blind names of a campaign's systems, and export of ratings and journals with blind names or system names."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.answers.answer_type import RatingContext
from qe_desktop.answers.event_history import EventHistory, RatingEvent, group_by_rater
from qe_desktop.answers.rating_conversion import RatingRows
from qe_desktop.corpus import (
    BLIND_SUFFIX,
    CAMPAIGN_JOINER,
    ItemRole,
    PairRatings,
    QeError,
    Ratings,
    ScoreRatings,
    SourceLocation,
)
from qe_desktop.corpus.ratings_merge import ratings_with_marks
from qe_desktop.formats.ratings import JournalLine, write_journal
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.trueskill import TrueSkill, skills_problem
from qe_desktop.ratings.aggregation.win_rates import count_wins
from qe_desktop.ratings.assignment.random_stream import RandomStream
from qe_desktop.ratings.campaign import Campaign, CampaignDesign
from qe_desktop.ratings.event_validation import EventValidator, SkippedRows, skipped_notes
from qe_desktop.ratings.protocols import get_protocol

DisplayNames = Mapping[str, str]
"""Displayed name of each system."""
BLIND_NAME_PATTERN = re.compile(r"System [A-Z]{1,2}")
"""Pattern of the names that replace the names of systems while a campaign is blind."""


def blind_names(systems: Iterable[str], uid: str, seed: int = 1, secret: bytes = b"") -> dict[str, str]:
    """Return the blind name of each system, such as “System A” and “System B”.

    The names depend only on the set of systems, the campaign, the seed and the secret, not on the order of the systems.

    >>> sorted(blind_names(["online-B", "uedin"], "campaign").values())
    ['System A', 'System B']
    """
    names = sorted(set(systems))
    if secret:
        order = RandomStream(seed, "letters", uid, secret=secret).permutation(len(names))
    else:
        # campaigns created before secrets were introduced
        order = np.random.default_rng([seed, zlib.crc32(uid.encode())]).permutation(len(names)).tolist()
    return {names[index]: f"System {letter_label(number)}" for number, index in enumerate(order)}


def letter_label(number: int) -> str:
    """Return the label of the spreadsheet column with a 0-based number: A for 0, Z for 25, AA for 26.

    >>> letter_label(0), letter_label(25), letter_label(26), letter_label(52)
    ('A', 'Z', 'AA', 'BA')
    """
    text = ""
    number += 1
    while number:
        number, letter = divmod(number - 1, 26)
        text = chr(ord("A") + letter) + text
    return text


def design_letters(design: CampaignDesign) -> dict[str, str]:
    """Return the blind name of each system of a campaign."""
    return blind_names(design.setup.systems, design.campaign.uid, design.setup.seed, design.secret)


def blind_ratings(ratings: Ratings, names: DisplayNames, campaign: str) -> Ratings:
    """Replace the names of a campaign's systems with blind names, and mark the ratings of these systems.

    The mark, `campaign` with `BLIND_SUFFIX`, is needed for unblinding. Ratings of these systems that come from
    other sources are also changed, because they would reveal the names of the systems.
    """
    scores, pairs = ratings.scores, ratings.pairs
    hidden = np.array([name in names for name in scores.systems], bool)[scores.system]
    units = np.array([any(name in names for name in unit.split(CAMPAIGN_JOINER)) for unit in pairs.units], bool)
    mark = campaign + BLIND_SUFFIX
    blinded = replace(
        ratings,
        scores=_mark_table(scores, hidden, mark),
        pairs=_mark_table(pairs, units[pairs.first] | units[pairs.second], mark),
        comments=tuple(
            replace(comment, campaign=mark) if any(name in names for name in comment.systems) else comment
            for comment in ratings.comments
        ),
    )
    return rename_systems(blinded, names)


Table = TypeVar("Table", ScoreRatings, PairRatings)


def _mark_table(table: Table, hidden: NDArray[np.bool_], mark: str) -> Table:
    marks = (*table.campaigns, mark)
    return replace(table, campaigns=marks, campaign=np.where(hidden, len(marks) - 1, table.campaign).astype(np.int32))


def unblind_ratings(ratings: Ratings, campaign: str, names: DisplayNames) -> Ratings:
    """Return the blind ratings of a campaign with the names of the systems restored.

    `names` maps blind names to system names. Raises QeError if the ratings have a blind name that is not in `names`.
    """
    blind = ratings_with_marks(ratings, [campaign + BLIND_SUFFIX])
    units = [name for index in np.unique(np.append(blind.pairs.first, blind.pairs.second)).tolist()
             for name in blind.pairs.units[index].split(CAMPAIGN_JOINER)]  # fmt: skip
    used = {blind.scores.systems[index] for index in np.unique(blind.scores.system).tolist()} | set(units)
    unknown_names = sorted(name for name in used if BLIND_NAME_PATTERN.fullmatch(name) and name not in names)
    if unknown_names:
        raise QeError(
            tr("the campaign has no {system}, so this file is not one of its exports", system=unknown_names[0]),
            hint=tr("Export the ratings again from the project of the campaign."),
            place=SourceLocation(ratings.origin) if ratings.origin else None,
        )
    renamed = rename_systems(blind, names)
    return replace(
        renamed,
        scores=replace(renamed.scores, campaigns=(campaign,) * len(renamed.scores.campaigns)),
        pairs=replace(renamed.pairs, campaigns=(campaign,) * len(renamed.pairs.campaigns)),
        comments=tuple(replace(comment, campaign=campaign) for comment in renamed.comments),
    )


def _map_names(systems: Sequence[str], names: DisplayNames) -> tuple[str, ...]:
    """Return the new name of each system, or the old name if `names` does not contain the system."""
    return tuple(names.get(system, system) for system in systems)


def rename_systems(ratings: Ratings, names: DisplayNames) -> Ratings:
    """Rename systems in ratings; systems that are not in `names` keep their names."""
    if not names:
        return ratings
    units = tuple(CAMPAIGN_JOINER.join(_map_names(unit.split(CAMPAIGN_JOINER), names)) for unit in ratings.pairs.units)
    return replace(
        ratings,
        scores=replace(ratings.scores, systems=_map_names(ratings.scores.systems, names)),
        pairs=replace(ratings.pairs, units=units),
        comments=tuple(replace(comment, systems=_map_names(comment.systems, names)) for comment in ratings.comments),
    )


def rename_skills(skills: TrueSkill, names: DisplayNames, pairs: PairRatings) -> TrueSkill:
    """Rename systems in the TrueSkill results of `pairs`; in `pairs`, systems must have their original names."""
    if not names:
        return skills
    # the note is generated again, because replacing a system name in a text could also change other words
    table = count_wins(pairs)
    problem = skills_problem(replace(table, systems=_map_names(table.systems, names)))
    clusters = tuple(_map_names(cluster, names) for cluster in skills.clusters)
    return replace(skills, systems=_map_names(skills.systems, names), clusters=clusters, problem=problem)


def rename_design(design: CampaignDesign, names: DisplayNames) -> CampaignDesign:
    """Rename systems in a campaign's key and settings."""
    keys = tuple(replace(key, systems=_map_names(key.systems, names)) for key in design.output_keys)
    return replace(
        design, output_keys=keys, setup=replace(design.setup, systems=_map_names(design.setup.systems, names))
    )


def segment_name(segment: int) -> str:
    """Return the name of a segment in ratings, which is its 1-based number; `segment` is 0-based."""
    return str(segment + 1)


def screen_contexts(design: CampaignDesign) -> dict[str, RatingContext]:
    """Return the contents and role of each screen of a design, keyed by the uid of the screen."""
    outputs = {key.output: key for key in design.output_keys}
    roles = {key.screen: key.role for key in design.screen_keys}
    contexts = {}
    for screen in design.screens:
        output_keys = [outputs[uid] for uid in screen.outputs]
        contexts[screen.uid] = RatingContext(
            design.campaign.uid, screen.uid, screen.rater, segment_name(screen.segment),
            tuple([key.systems for key in output_keys]), tuple([key.role for key in output_keys]), roles[screen.uid],
        )  # fmt: skip
    return contexts


def collect_ratings(
    design: CampaignDesign, events: Iterable[RatingEvent], skipped_rows: Sequence[SkippedRows] = ()
) -> Ratings:
    """Return the valid ratings of all raters, assigned to systems; see `RatingRows`.

    Invalid events (see `event_validation`) are left out. Notes in the ratings state the number of invalid events by
    rater and reason; these numbers include the rows in `skipped_rows`, which were skipped earlier.
    """
    protocol = get_protocol(design.campaign.protocol)
    rows = RatingRows(protocol.pre_reveal_answer, hidden=True)
    contexts = screen_contexts(design)
    valid, invalid_rows = EventValidator(design.campaign, design.screens).split(events)
    for rater_events in group_by_rater(valid).values():
        for uid, state in EventHistory(rater_events).screens.items():
            rows.add_screen(contexts[uid], state)
    notes = skipped_notes([*skipped_rows, *invalid_rows])
    if design.campaign.simulated:
        notes.append(tr("the raters are simulated"))
    return rows.ratings(origin=design.campaign.name, notes=notes, ranges=protocol.ranges)


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

    The segment, systems and role are left out for events without a screen in the design, such as profiles.
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
