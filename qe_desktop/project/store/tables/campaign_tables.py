"""Campaigns in a project: what raters may know, and the key that is the owner's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table, insert, select

from qe_desktop.corpus import ItemRole, QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import CAMPAIGN_UNBLINDED
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.cell_validation import validate_condition, validate_fields, validate_integer
from qe_desktop.project.store.tables.json_codec import decode_campaign, decode_setup, encode_fields
from qe_desktop.ratings.assignment.random_stream import SECRET_BYTES
from qe_desktop.ratings.campaign import (
    Campaign,
    CampaignDesign,
    CampaignSetup,
    Output,
    OutputKey,
    Passage,
    Screen,
    ScreenKey,
)
from qe_desktop.ratings.protocols import get_protocol


def write_design(connection: Connection, design: CampaignDesign) -> None:
    """Write a campaign with its key. QeError where there is one of this uid."""
    campaign, uid = design.campaign, design.campaign.uid
    if connection.execute(select(schema.campaigns.c.uid).where(schema.campaigns.c.uid == uid)).first() is not None:
        message = tr("the campaign “{campaign}” is in the project already", campaign=campaign.name)
        raise QeError(message, hint=tr("Open it."))
    protocol = get_protocol(campaign.protocol)
    connection.execute(
        insert(schema.campaigns).values(
            uid=uid,
            public=encode_fields(campaign),
            needs=list(protocol.fields),
            at=campaign.created,
            takes=protocol.takes,
        )
    )
    draws = {"secret": design.secret.hex(), "trained_from": design.trained_from} if design.secret else None
    connection.execute(
        insert(schema.campaign_setups).values(campaign=uid, setup=encode_fields(design.setup), draws=draws)
    )
    _rows(connection, schema.passages, uid, design.passages)
    # written by their opaque names, so that where a row lies in the file tells raters nothing
    _rows(connection, schema.outputs, uid, design.outputs, by="uid")
    _rows(connection, schema.screens, uid, design.screens, by="uid")
    _rows(connection, schema.output_keys, uid, design.output_keys, by="output")
    _rows(connection, schema.screen_keys, uid, design.screen_keys, by="screen")


def _rows(connection: Connection, table: Table, campaign: str, values: Sequence[Any], by: str = "") -> None:
    names = [column.name for column in table.columns if column.name not in ("campaign", "place")]
    rows = [
        {"campaign": campaign, "place": place, **{name: _plain(getattr(value, name)) for name in names}}
        for place, value in enumerate(values)
    ]
    if by:
        rows.sort(key=lambda row: str(row[by]))
    if rows:
        connection.execute(insert(table), rows)


def _plain(value: Any) -> Any:
    if isinstance(value, ItemRole):
        return int(value)
    return list(value) if isinstance(value, tuple) else value


def read_campaigns(connection: Connection) -> list[Campaign]:
    """The campaigns that one may see, the oldest first."""
    table = schema.campaigns.c
    return [
        decode_campaign(row.public) for row in connection.execute(select(table.public).order_by(table.at, table.uid))
    ]


def read_campaign(connection: Connection, uid: str) -> Campaign:
    """One campaign. QeError where there is none that one may see."""
    found = connection.execute(select(schema.campaigns.c.public).where(schema.campaigns.c.uid == uid)).scalar()
    if found is None:
        raise QeError(tr("there is no such campaign in the project"), hint=tr("It may be in another project."))
    return decode_campaign(found)


def read_setup(connection: Connection, uid: str) -> tuple[CampaignSetup, bytes, tuple[int, ...]]:
    """What the owner chose, the secret of the draws (empty where there is none), and what training was drawn from."""
    table = schema.campaign_setups.c
    row = connection.execute(select(table.setup, table.draws).where(table.campaign == uid)).first()
    if row is None:
        raise QeError(
            tr("this is a copy for raters, which does not hold which system is which"),
            hint=tr("Open the project that it was made of, and import what was rated here."),
        )
    draws = row.draws or {"secret": "", "trained_from": ()}
    secret = bytes.fromhex(draws["secret"])
    validate_condition(len(secret) == (SECRET_BYTES if row.draws else 0), "a campaign's secret has another length")
    return decode_setup(row.setup), secret, tuple(validate_integer(one, "a segment") for one in draws["trained_from"])


def hidden_systems(connection: Connection) -> set[str]:
    """The systems of all campaigns that are blind. For owners."""
    audit, setups = schema.audit.c, schema.campaign_setups.c
    rows = connection.execute(select(audit.details).where(audit.what == CAMPAIGN_UNBLINDED)).scalars()
    opened = {str(details.get("campaign")) for details in rows if isinstance(details, dict)}
    found = connection.execute(select(setups.campaign, setups.setup)).all()
    return {name for row in found if row.campaign not in opened for name in decode_setup(row.setup).systems}


def read_passages(connection: Connection, uid: str) -> tuple[Passage, ...]:
    """The texts of a campaign's segments, in the order of the segments."""
    table = schema.passages.c
    rows = connection.execute(
        select(table.segment, table.source, table.reference, table.document)
        .where(table.campaign == uid)
        .order_by(table.segment)
    )
    return tuple(validate_fields(Passage(*row)) for row in rows)


def read_outputs(connection: Connection, uid: str, *, as_designed: bool) -> tuple[Output, ...]:
    """The outputs that one may see; only an owner may ask for the order of the design."""
    table = schema.outputs.c
    rows = connection.execute(
        select(table.uid, table.segment, table.text)
        .where(table.campaign == uid)
        .order_by(table.place if as_designed else table.uid)
    )
    return tuple(validate_fields(Output(*row)) for row in rows)


def read_screens(connection: Connection, uid: str, *, rater: str | None = None) -> tuple[Screen, ...]:
    """The screens of one rater by position, or all in the order of the design (an owner's)."""
    table = schema.screens.c
    wanted = select(table.uid, table.rater, table.position, table.segment, table.outputs, table.training)
    wanted = wanted.where(table.campaign == uid)
    wanted = wanted.order_by(table.place) if rater is None else wanted.where(table.rater == rater)
    rows = connection.execute(wanted if rater is None else wanted.order_by(table.position))
    return tuple(
        validate_fields(Screen(row.uid, row.rater, row.position, row.segment, tuple(row.outputs), bool(row.training)))
        for row in rows
    )


def read_design(connection: Connection, uid: str) -> CampaignDesign:
    """A whole campaign with its key, as it was designed. Damaged where its parts do not fit each other; a QeError for
    a protocol that does not exist.
    """
    outputs, screens = schema.output_keys.c, schema.screen_keys.c
    output_keys = connection.execute(
        select(outputs.output, outputs.systems, outputs.role).where(outputs.campaign == uid).order_by(outputs.place)
    )
    screen_keys = connection.execute(
        select(screens.screen, screens.role, screens.repeats).where(screens.campaign == uid).order_by(screens.place)
    )
    passages = schema.passages.c
    ordered = connection.execute(
        select(passages.segment, passages.source, passages.reference, passages.document)
        .where(passages.campaign == uid)
        .order_by(passages.place)
    )
    setup, secret, trained_from = read_setup(connection, uid)
    design = CampaignDesign(
        read_campaign(connection, uid),
        setup,
        tuple(Passage(*row) for row in ordered),
        read_outputs(connection, uid, as_designed=True),
        read_screens(connection, uid),
        tuple(OutputKey(row.output, tuple(row.systems), ItemRole(row.role)) for row in output_keys),
        tuple(ScreenKey(row.screen, ItemRole(row.role), row.repeats) for row in screen_keys),
        secret,
        trained_from,
    )
    validate_fields(design)
    check_screens_complete(design.campaign, design.screens, design.outputs)
    designed, shown = [one.uid for one in design.outputs], [one.uid for one in design.screens]
    validate_condition(sorted(key.output for key in design.output_keys) == sorted(designed), "outputs have no key")
    validate_condition(sorted(key.screen for key in design.screen_keys) == sorted(shown), "screens have no key")
    validate_condition(all(key.systems for key in design.output_keys), "an output is of no system")
    return design


def check_screens_complete(campaign: Campaign, screens: Sequence[Screen], outputs: Sequence[Output]) -> None:
    """Damaged where screens show what is not there, more than their protocol has, or are there twice."""
    most = get_protocol(campaign.protocol).outputs[1]
    there = {output.uid: output.segment for output in outputs}
    validate_condition(len(there) == len(outputs), "an output is there twice")
    validate_condition(len({screen.uid for screen in screens}) == len(screens), "a screen is there twice")
    for screen in screens:
        validate_condition(1 <= len(screen.outputs) <= most, "a screen shows more or less than it can")
        validate_condition(0 <= screen.segment < 2**31, "a screen is of no segment")
        validate_condition(
            all(there.get(uid) == screen.segment for uid in screen.outputs), "a screen shows what is not there"
        )
