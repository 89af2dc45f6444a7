"""The journal of a campaign as JSON Lines: what each rater did and when, one event a line; nothing is ever changed.

    {"campaign": UID, "name": …, "protocol": …}                                              (first, and optional)
    {"rating": UID, "campaign": …, "screen": …, "rater": …, "at": "2024-03-24T21:42:27.693Z", "seconds": 4.2,
     "field": "fluency", "value": 4, "action": "rate", "refers": "",
     "segment": "17", "outputs": [["A"], ["B", "C"]], "roles": ["system", "bad"], "role": "system", "repeats": ""}

The last line's fields say what the event is about; only a campaign's owner knows them. `action` is rate, undo or redo;
`refers` names the event that is taken back or brought again. `roles` is left out where no output was degraded and none
is a reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from qe_desktop.answers.events import COMMENT, PROFILE, REVEAL, SEEN, SKIP, Action, RatingEvent, Value
from qe_desktop.corpus import ItemRole
from qe_desktop.formats.opening import OpenedFile, open_file
from qe_desktop.formats.ratings.cells import moments
from qe_desktop.formats.ratings.json_lines import Line, objects
from qe_desktop.formats.ratings.odd_values import OddValue, OddValues
from qe_desktop.formats.ratings.vocabulary import ROLES
from qe_desktop.formats.writing import written
from qe_desktop.outgoing import json_text
from qe_desktop.wording import tr

TEXTS = frozenset({COMMENT, SKIP, PROFILE, REVEAL, SEEN})
"""Fields that hold no rating."""


@dataclass(frozen=True, slots=True)
class JournalLine(RatingEvent):
    """An event, and what it is about.

    `outputs` are the systems of each output in the order shown, several where their outputs are identical; empty, like
    `segment`, where the file does not say what the event is about. `repeats` is an earlier screen.
    """

    segment: str = ""
    outputs: tuple[tuple[str, ...], ...] = ()
    roles: tuple[ItemRole, ...] = ()
    role: ItemRole = ItemRole.SYSTEM
    repeats: str = ""


@dataclass(frozen=True, slots=True)
class Journal:
    """A campaign's events in the order of the file, and what the first line says of the campaign (uid, name, …)."""

    lines: tuple[JournalLine, ...]
    campaign: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """What was left out."""


def read_journal(path: Path | str) -> Journal:
    """A journal from a file. QeError for lines that are no events."""
    opened = open_file(path)
    lines: list[JournalLine] = []
    campaign: dict[str, Any] = {}
    odd = odd_event()
    for number, fields in objects(opened):
        if "field" in fields:
            add_event(lines, Line(opened, number, fields), odd)
        elif is_header(fields) and not lines:
            campaign |= fields
        else:
            message = tr("the line is no event of a campaign")
            raise Line(opened, number, fields).fault(message, tr("Give a campaign's journal."))
    return Journal(tuple(lines), campaign, odd.notes())


def odd_event() -> OddValues:
    """Collects events whose value or time can be none."""
    return OddValues(
        lambda n, named: tr(
            "{n:,} {n:event with a value or time that cannot be|events with values or times that cannot be} left out: "
            "{named}",
            "", n, named=named,
        )
    )  # fmt: skip


def add_event(lines: list[JournalLine], line: Line, odd: OddValues) -> None:
    """Add the event of a line; one with a value that can be none is left out, and counted in `odd`."""
    try:
        lines.append(journal_line(line))
    except OddValue as value:
        odd.add(str(value), line.number)


def is_header(fields: Mapping[str, Any]) -> bool:
    """Whether a line says what campaign the file is of."""
    return "campaign" in fields and "rater" not in fields and "rating" not in fields


def journal_line(line: Line) -> JournalLine:
    """An event from a line that has a "field". OddValue for a value or a time that can be none."""
    action = line.text("action", Action.RATE)
    if action not in list(Action):
        raise line.fault(tr('"{action}" is no action: rate, undo or redo', action=action))
    outputs = tuple(tuple(unit) for unit in line.units("outputs"))
    roles = tuple(role_of(line, name) for name in line.texts("roles"))
    if roles and len(roles) != len(outputs):
        raise line.fault(
            tr("{n} {n:output|outputs}, but {roles} {roles:role|roles}", "", len(outputs), roles=len(roles))
        )
    return JournalLine(
        uid=line.text("rating", ""), campaign=line.text("campaign", ""), screen=line.text("screen", ""),
        rater=line.text("rater"), at=line.when(), field=line.text("field"), value=_value(line),
        seconds=line.number_of("seconds", 0.0), action=Action(action), refers=line.text("refers", ""),
        segment=line.text("segment", ""), outputs=outputs, roles=roles, role=role_of(line, line.text("role", "")),
        repeats=line.text("repeats", ""),
    )  # fmt: skip


def role_of(line: Line, name: str) -> ItemRole:
    """The role with this name; a QeError names the line where there is none."""
    role = ROLES.get(name.lower())
    if role is None:
        raise line.fault(tr('"{name}" is no role: system, repeat, bad, reference or training', name=name))
    return role


def _value(line: Line) -> Value:
    value = line.fields.get("value")
    if isinstance(value, list):
        return tuple(line.whole("value"))
    if value is None or (isinstance(value, str) and line.text("field") in TEXTS):
        return value
    return line.rating()


def write_journal(path: Path | str, lines: Iterable[JournalLine], campaign: Mapping[str, Any] | None = None) -> None:
    """Write a journal, its campaign first; compressed where the name ends in .gz."""
    held = tuple(lines)
    times = moments(np.array([line.at for line in held], np.float64))
    with written(Path(path)) as file:
        if campaign:
            file.write(f"{json_text(dict(campaign))}\n".encode())
        for line, at in zip(held, times, strict=True):
            file.write(f"{json_text(_fields(line, at))}\n".encode())


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


def is_journal(opened: OpenedFile) -> bool:
    """Whether a file's first lines are those of a journal."""
    for _, fields in objects(opened):
        if not is_header(fields):
            return "field" in fields
    return False
