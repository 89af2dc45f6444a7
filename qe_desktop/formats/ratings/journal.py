"""Journal of a campaign as an append-only JSON Lines file: one event per line, with its rater and time.

{"campaign": UID, "name": …, "protocol": …}                                              (first, and optional)
{"rating": UID, "campaign": …, "screen": …, "rater": …, "at": "2024-03-24T21:42:27.693Z", "seconds": 4.2,
"field": "fluency", "value": 4, "action": "rate", "refers": "",
"segment": "17", "outputs": [["A"], ["B", "C"]], "roles": ["system", "bad"], "role": "system", "repeats": ""}

The fields from `segment` on describe the rated item; only journals of the campaign's owner contain these fields.
`action` is rate, undo or redo; `refers` is the UID of the event that is undone or redone. `roles` is omitted if no
output was degraded and no output is a reference.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from qe_desktop.answers.answer_type import RatingContext
from qe_desktop.answers.event_history import (
    COMMENT,
    PROFILE,
    REVEAL,
    SEEN,
    SKIP,
    EventHistory,
    EventValue,
    RatingAction,
    RatingEvent,
)
from qe_desktop.answers.rating_conversion import RatingRows
from qe_desktop.corpus import BLIND_SUFFIX, ItemRole, QeError, Ratings
from qe_desktop.escaping import dumps_json
from qe_desktop.formats.atomic_write import atomic_write
from qe_desktop.formats.ratings.cell_parsing import SkippedValueError, SkippedValues, format_timestamps, header_ranges
from qe_desktop.formats.ratings.jsonl_records import JsonRecord, iter_objects
from qe_desktop.formats.ratings.rating_format import ROLES
from qe_desktop.formats.text_files import TextFile, open_file
from qe_desktop.i18n.messages import tr

TEXT_FIELDS = frozenset({COMMENT, SKIP, PROFILE, REVEAL, SEEN})
"""Names of event fields whose values are not ratings and may be texts."""


@dataclass(frozen=True, slots=True)
class JournalLine(RatingEvent):
    """Event, and the rated item to which the event refers.

    `outputs` contains the systems of each output, in display order; systems with identical outputs share an entry.
    `outputs` and `segment` are empty if the file does not describe the item. `repeats` is the earlier screen that the
    screen of the event repeats; empty if there is none.
    """

    segment: str = ""
    outputs: tuple[tuple[str, ...], ...] = ()
    roles: tuple[ItemRole, ...] = ()
    role: ItemRole = ItemRole.SYSTEM
    repeats: str = ""


@dataclass(frozen=True, slots=True)
class Journal:
    """Events of a campaign, in file order, and the header, which describes the campaign (uid, name, …)."""

    lines: tuple[JournalLine, ...]
    campaign: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """Notes on events that were left out."""


def read_journal(path: Path | str) -> Journal:
    """Parse a journal. Raises QeError if the file cannot be read, or if a line is not a valid event.

    An event whose value or time is impossible raises no error: it is left out, and mentioned in the notes.
    """
    opened = open_file(path)
    lines: list[JournalLine] = []
    campaign: dict[str, Any] = {}
    skipped = skipped_events()
    for number, fields in iter_objects(opened):
        if "field" in fields:
            add_event(lines, JsonRecord(opened, number, fields), skipped)
        elif is_header(fields) and not lines:
            campaign |= fields
        else:
            message = tr("the line is not an event of a campaign")
            raise JsonRecord(opened, number, fields).error(message, tr("Use the journal of a campaign."))
    return Journal(tuple(lines), campaign, skipped.notes())


def skipped_events() -> SkippedValues:
    """Create a counter of events with an invalid value or time."""
    return SkippedValues(
        lambda n, named: tr(
            "{n:,} {n:event with an invalid value or time|events with an invalid value or time} left out: {named}",
            "", n, named=named,
        )
    )  # fmt: skip


def add_event(lines: list[JournalLine], line: JsonRecord, skipped: SkippedValues) -> None:
    """Append the event of a line to `lines`; if its value or time is invalid, count the event in `skipped` instead."""
    try:
        lines.append(journal_line(line))
    except SkippedValueError as value:
        skipped.add(str(value), line.number)


def is_header(fields: Mapping[str, Any]) -> bool:
    """Whether the fields of a line are those of the header, which describes the campaign."""
    return "campaign" in fields and "rater" not in fields and "rating" not in fields


def journal_line(line: JsonRecord) -> JournalLine:
    """Parse the event of a line.

    Raises SkippedValueError if the value or time of the event is impossible, and QeError if another field is invalid
    or a required field is missing.
    """
    action = line.text("action", RatingAction.RATE)
    if action not in list(RatingAction):
        raise line.error(tr('"{action}" is not an action: use rate, undo or redo', action=action))
    outputs = tuple(tuple(unit) for unit in line.system_groups("outputs"))
    roles = tuple(parse_role(line, name) for name in line.texts("roles"))
    if roles and len(roles) != len(outputs):
        raise line.error(
            tr(
                "there {n:is|are} {n} {n:output|outputs}, but {roles} {roles:role|roles}",
                "",
                len(outputs),
                roles=len(roles),
            )
        )
    return JournalLine(
        uid=line.text("rating", ""), campaign=line.text("campaign", ""), screen=line.text("screen", ""),
        rater=line.text("rater"), at=line.timestamp(), field=line.text("field"), value=_value(line),
        seconds=line.float_field("seconds", 0.0), action=RatingAction(action), refers=line.text("refers", ""),
        segment=line.text("segment", ""), outputs=outputs, roles=roles, role=parse_role(line, line.text("role", "")),
        repeats=line.text("repeats", ""),
    )  # fmt: skip


def parse_role(line: JsonRecord, name: str) -> ItemRole:
    """Parse the name of a role. Raises QeError with the line if the name is unknown."""
    role = ROLES.get(name.lower())
    if role is None:
        raise line.error(tr('"{name}" is not a role: use system, repeat, bad, reference or training', name=name))
    return role


def _value(line: JsonRecord) -> EventValue:
    value = line.fields.get("value")
    if isinstance(value, list):
        return tuple(line.ranks("value"))
    if value is None or (isinstance(value, str) and line.text("field") in TEXT_FIELDS):
        return value
    return line.rating()


def write_journal(path: Path | str, lines: Iterable[JournalLine], campaign: Mapping[str, Any] | None = None) -> None:
    """Write a journal with `atomic_write`; the header `campaign`, if there is one, becomes the first line."""
    events = tuple(lines)
    times = format_timestamps(np.array([line.at for line in events], np.float64))
    with atomic_write(Path(path)) as file:
        if campaign:
            file.write(f"{dumps_json(dict(campaign))}\n".encode())
        for line, at in zip(events, times, strict=True):
            file.write(f"{dumps_json(_fields(line, at))}\n".encode())


def _fields(line: JournalLine, at: str) -> dict[str, Any]:
    value = list(line.value) if isinstance(line.value, tuple) else line.value
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    fields: dict[str, Any] = {
        "rating": line.uid, "campaign": line.campaign, "screen": line.screen, "rater": line.rater, "at": at,
        "seconds": line.seconds, "field": line.field, "value": value, "action": line.action, "refers": line.refers,
    }  # fmt: skip
    if line.segment or line.outputs:
        fields |= {
            "segment": line.segment, "outputs": [list(unit) for unit in line.outputs],
            "role": line.role.name.lower(), "repeats": line.repeats,
        }  # fmt: skip
    if line.roles:
        fields["roles"] = [role.name.lower() for role in line.roles]
    return fields


def is_journal(opened: TextFile) -> bool:
    """Whether the first line after any headers is an event. Raises QeError as `iter_objects` does."""
    for _, fields in iter_objects(opened):
        if not is_header(fields):
            return "field" in fields
    return False


SCALE_BEFORE_REVEAL = "fluency"
_SCALE_BEFORE_REVEAL_BY_PROTOCOL = {"adequacy-fluency": SCALE_BEFORE_REVEAL, "fluency": SCALE_BEFORE_REVEAL}
"""Scale that is rated while only the translation is visible, by protocol; used if a journal does not name the scale."""


def fold_journal(opened: TextFile, lines: Iterable[JournalLine], campaign: Mapping[str, Any]) -> Ratings:
    """Ratings in effect at the end of a journal. Raises QeError if ratings exist, but no rated system is named."""
    histories: dict[tuple[str, str], EventHistory] = {}
    abouts: dict[tuple[str, str, str], RatingContext] = {}
    for line in _sort_lines(lines):
        histories.setdefault((line.campaign, line.rater), EventHistory()).apply(line)
        if line.outputs and line.segment:
            key = line.campaign, line.rater, line.screen
            abouts.setdefault(key, _rating_context(line, campaign))
    judged = [
        (abouts.get((*key, uid)), state)
        for key, history in histories.items()
        for uid, state in history.screens.items()
        if state.steps or state.comments
    ]
    identified = [(context, state) for context, state in judged if context is not None]
    if judged and not identified:
        message = tr("the journal does not name the rated systems")
        hint = tr(
            "Only the project of the campaign's owner contains the system names. Import the journal into that project."
        )
        raise QeError(message, hint=hint, place=opened.location())
    unseen = str(campaign.get("unseen") or _SCALE_BEFORE_REVEAL_BY_PROTOCOL.get(str(campaign.get("protocol")), ""))
    rows = RatingRows(unseen or SCALE_BEFORE_REVEAL, hidden=bool(unseen))
    for context, state in identified:
        rows.add_screen(context, state)
    notes = [tr("the raters are simulated")] if campaign.get("simulated") is True else []
    if len(identified) < len(judged):
        unidentified_count = len(judged) - len(identified)
        notes.append(
            tr("{n:,} {n:item|items} left out: the file does not name {n:its|their} systems", "", unidentified_count)
        )
    if rows.unfinished:
        unfinished = rows.unfinished
        notes.append(tr("{n:,} {n:ranking|rankings} left out: some outputs have no rank yet", "", unfinished))
    return rows.ratings(origin=opened.name, notes=notes, ranges=header_ranges(campaign.get("ranges")))


def _sort_lines(lines: Iterable[JournalLine]) -> list[JournalLine]:
    """Sort lines by time, with ties in file order; keep the last event of each id, and every event without an id."""
    named: dict[object, JournalLine] = {line.uid or index: line for index, line in enumerate(lines)}
    return sorted(named.values(), key=lambda line: 0.0 if math.isnan(line.at) else line.at)


def _rating_context(line: JournalLine, header: Mapping[str, Any]) -> RatingContext:
    """Context of the rating in a line; in a blind journal, the campaign's uid gets the suffix `BLIND_SUFFIX`."""
    campaign = line.campaign or str(header.get("campaign", ""))
    mark = campaign + BLIND_SUFFIX if campaign and header.get("blind") is True else campaign
    return RatingContext(mark, line.screen, line.rater, line.segment, line.outputs, line.roles, line.role)
