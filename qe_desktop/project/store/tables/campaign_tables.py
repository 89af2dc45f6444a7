"""Tables of campaigns, and verification of a stored design by its published hash and by regeneration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, insert, select

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import Corpus, ItemRole, QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import CAMPAIGN_UNBLINDED
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.cell_codec import (
    decode_campaign,
    decode_setup,
    encode_fields,
    validate_condition,
    validate_fields,
    validate_integer,
)
from qe_desktop.ratings.assignment.design import design_campaign, design_hash, differences
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
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.ratings.protocols import get_protocol


def write_design(connection: Connection, design: CampaignDesign) -> None:
    """Write a campaign and its blinding key. Raises QeError if it already exists or its protocol is unknown."""
    campaign, uid = design.campaign, design.campaign.uid
    if connection.execute(select(schema.campaigns.c.uid).where(schema.campaigns.c.uid == uid)).first() is not None:
        message = tr("the project already has the campaign “{campaign}”", campaign=campaign.name)
        raise QeError(message, hint=tr("Open this campaign."))
    protocol = get_protocol(campaign.protocol)
    connection.execute(
        insert(schema.campaigns).values(
            uid=uid,
            public=encode_fields(campaign),
            needs=list(protocol.fields),
            at=campaign.created,
            takes=protocol.integer_ranges,
        )
    )
    draws = {"secret": design.secret.hex(), "trained_from": design.trained_from} if design.secret else None
    connection.execute(
        insert(schema.campaign_setups).values(campaign=uid, setup=encode_fields(design.setup), draws=draws)
    )
    _write_rows(connection, schema.passages, uid, design.passages)
    # sorted by opaque names, so that the order in the file reveals nothing
    _write_rows(connection, schema.outputs, uid, design.outputs, by="uid")
    _write_rows(connection, schema.screens, uid, design.screens, by="uid")
    _write_rows(connection, schema.output_keys, uid, design.output_keys, by="output")
    _write_rows(connection, schema.screen_keys, uid, design.screen_keys, by="screen")


def _write_rows(connection: Connection, table: Table, campaign: str, values: Sequence[Any], by: str = "") -> None:
    names = [column.name for column in table.columns if column.name not in ("campaign", "place")]
    rows = [
        {"campaign": campaign, "place": index, **{name: _plain_value(getattr(value, name)) for name in names}}
        for index, value in enumerate(values)
    ]
    if by:
        rows.sort(key=lambda row: str(row[by]))
    if rows:
        connection.execute(insert(table), rows)


def _plain_value(value: Any) -> Any:
    if isinstance(value, ItemRole):
        return int(value)
    return list(value) if isinstance(value, tuple) else value


def read_campaigns(connection: Connection) -> list[Campaign]:
    """Campaigns that the user may see, oldest first."""
    table = schema.campaigns.c
    return [
        decode_campaign(row.public) for row in connection.execute(select(table.public).order_by(table.at, table.uid))
    ]


def read_campaign(connection: Connection, uid: str) -> Campaign:
    """Read a campaign. Raises QeError if it does not exist or is not visible."""
    public = connection.execute(select(schema.campaigns.c.public).where(schema.campaigns.c.uid == uid)).scalar()
    if public is None:
        raise QeError(tr("no such campaign in the project"), hint=tr("It may be in another project."))
    return decode_campaign(public)


def read_setup(connection: Connection, uid: str) -> tuple[CampaignSetup, bytes, tuple[int, ...]]:
    """Return a campaign's setup, its secret (empty in older campaigns), and the candidate segments for training.

    Raises QeError in a copy for raters, which does not contain these data, and for an unknown campaign.
    """
    table = schema.campaign_setups.c
    row = connection.execute(select(table.setup, table.draws).where(table.campaign == uid)).first()
    if row is None:
        read_campaign(connection, uid)
        raise QeError(
            tr("this is a copy for raters, which does not contain the names of systems"),
            hint=tr("Open the original project and import the ratings of this copy."),
        )
    draws = row.draws or {"secret": "", "trained_from": ()}
    secret = bytes.fromhex(draws["secret"])
    validate_condition(len(secret) == (SECRET_BYTES if row.draws else 0), "a campaign's secret has the wrong length")
    return (
        decode_setup(row.setup),
        secret,
        tuple(validate_integer(segment, "a segment") for segment in draws["trained_from"]),
    )


def hidden_systems(connection: Connection) -> set[str]:
    """Names of the systems in all campaigns that have not been unblinded. For owners only."""
    audit, setups = schema.audit.c, schema.campaign_setups.c
    rows = connection.execute(select(audit.details).where(audit.what == CAMPAIGN_UNBLINDED)).scalars()
    unblinded = {str(details.get("campaign")) for details in rows if isinstance(details, dict)}
    rows_of_setups = connection.execute(select(setups.campaign, setups.setup)).all()
    return {name for row in rows_of_setups if row.campaign not in unblinded for name in decode_setup(row.setup).systems}


def read_passages(connection: Connection, uid: str) -> tuple[Passage, ...]:
    """Texts of a campaign's segments, in segment order."""
    table = schema.passages.c
    rows = connection.execute(
        select(table.segment, table.source, table.reference, table.document)
        .where(table.campaign == uid)
        .order_by(table.segment)
    )
    return tuple(validate_fields(Passage(*row)) for row in rows)


def read_outputs(connection: Connection, uid: str, *, as_designed: bool) -> tuple[Output, ...]:
    """Outputs that the user may see, sorted by uid, or in the order of the design if `as_designed` (owners only)."""
    table = schema.outputs.c
    rows = connection.execute(
        select(table.uid, table.segment, table.text)
        .where(table.campaign == uid)
        .order_by(table.place if as_designed else table.uid)
    )
    return tuple(validate_fields(Output(*row)) for row in rows)


def read_screens(connection: Connection, uid: str, *, rater: str | None = None) -> tuple[Screen, ...]:
    """Screens of `rater`, sorted by position. Without `rater`, all screens in the order of the design (owners only)."""
    table = schema.screens.c
    query = select(table.uid, table.rater, table.position, table.segment, table.outputs, table.training)
    query = query.where(table.campaign == uid)
    query = query.order_by(table.place) if rater is None else query.where(table.rater == rater)
    rows = connection.execute(query if rater is None else query.order_by(table.position))
    return tuple(
        validate_fields(Screen(row.uid, row.rater, row.position, row.segment, tuple(row.outputs), bool(row.training)))
        for row in rows
    )


def read_design(connection: Connection, uid: str) -> CampaignDesign:
    """Read a whole campaign, including its blinding key.

    Raises CorruptRowError if the tables are inconsistent. Raises QeError in a copy for raters, and if the campaign does
    not exist or its protocol is unknown.
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
    designed, screen_uids = [output.uid for output in design.outputs], [screen.uid for screen in design.screens]
    validate_condition(sorted(key.output for key in design.output_keys) == sorted(designed), "outputs have no key")
    validate_condition(sorted(key.screen for key in design.screen_keys) == sorted(screen_uids), "screens have no key")
    validate_condition(all(key.systems for key in design.output_keys), "an output has no system")
    return design


def check_screens_complete(campaign: Campaign, screens: Sequence[Screen], outputs: Sequence[Output]) -> None:
    """Raise CorruptRowError for duplicate screens or outputs, and for screens with invalid segments or outputs.

    Raises QeError for an unknown protocol.
    """
    max_outputs = get_protocol(campaign.protocol).outputs[1]
    segments = {output.uid: output.segment for output in outputs}
    validate_condition(len(segments) == len(outputs), "an output is a duplicate")
    validate_condition(len({screen.uid for screen in screens}) == len(screens), "a screen is a duplicate")
    for screen in screens:
        validate_condition(1 <= len(screen.outputs) <= max_outputs, "a screen has too many or too few outputs")
        validate_condition(0 <= screen.segment < 2**31, "a screen has an invalid segment")
        validate_condition(
            all(segments.get(uid) == screen.segment for uid in screen.outputs), "a screen has an unknown output"
        )


@dataclass(frozen=True, slots=True)
class CampaignVerdict:
    """Result of verifying one campaign.

    `published` is the hash that raters can read, and `computed` is the hash of the stored design. Both are empty for
    campaigns that were set up before hashes were published. `drawn_again` states whether the secret, the seed and the
    texts reproduce the design. It is None if the design cannot be regenerated; `notes` or `differences` then give the
    reason. `differences` describes all discrepancies. `created` and `first_rating` are Unix times in seconds;
    `first_rating` is None if nothing has been rated.
    """

    uid: str
    name: str
    published: str
    computed: str
    drawn_again: bool | None
    differences: tuple[str, ...]
    notes: tuple[str, ...]
    created: float
    first_rating: float | None

    @property
    def agrees(self) -> bool | None:
        """Whether the hashes match and any regenerated design equals the stored one; None if there are no hashes."""
        if not self.published and not self.computed:
            return None
        return self.published == self.computed and self.drawn_again is not False


def verify_designs(
    campaigns: Sequence[tuple[CampaignDesign, Sequence[RatingEvent]]], corpus: Corpus | None
) -> list[CampaignVerdict]:
    """Return the verdict on each design; `campaigns` pairs designs with their rating events.

    `corpus` is the corpus from which the designs were made; None if it is not available.
    """
    texts = None if corpus is None else CampaignTexts.of_corpus(corpus)
    return [
        verify_design(design, texts, min((event.at for event in events), default=None)) for design, events in campaigns
    ]


def verify_design(stored: CampaignDesign, texts: CampaignTexts | None, first_rating: float | None) -> CampaignVerdict:
    """Return whether a design matches its published hash and can be regenerated, with the differences found.

    `texts` are the texts of the corpus from which the design was made; None if there is no corpus. `first_rating` is
    the Unix time of the first rating; None if nothing has been rated.
    """
    campaign = stored.campaign
    if not stored.secret and not campaign.design_hash:
        note = tr(
            "it was set up with a version of QE Desktop that did not publish design hashes, so its design cannot be "
            "verified; a rater who tries all seeds can identify the systems"
        )
        return CampaignVerdict(campaign.uid, campaign.name, "", "", None, (), (note,), campaign.created, first_rating)
    computed = design_hash(stored)
    problems: list[str] = []
    if computed != campaign.design_hash:
        problems.append(tr("the stored design does not match the published hash"))
    notes: list[str] = []
    if first_rating is not None and first_rating < campaign.created:
        notes.append(tr("some ratings are dated before the campaign was set up, according to the raters' clocks"))
    reproduced: bool | None = None
    if not stored.secret:
        problems.append(tr("its secret is missing"))
    else:
        regenerated, reason = _regenerate_design(stored, texts)
        reproduced = None if regenerated is None else not differences(stored, regenerated)
        if regenerated is None:
            notes.append(tr("its design could not be regenerated: {reason}", reason=reason))
        else:
            problems += [
                tr("the design regenerated from its secret and seed differs: {difference}", difference=difference)
                for difference in differences(stored, regenerated)
            ]
    return CampaignVerdict(
        campaign.uid, campaign.name, campaign.design_hash, computed, reproduced, tuple(problems), tuple(notes),
        campaign.created, first_rating,
    )  # fmt: skip


def _regenerate_design(stored: CampaignDesign, texts: CampaignTexts | None) -> tuple[CampaignDesign | None, str]:
    """Return the design regenerated from its secret and seed, or None and the reason why that is impossible."""
    if texts is None:
        return None, tr("the project has no corpus")
    outputs = texts.outputs()
    missing = [name for name in stored.setup.systems if name not in outputs]
    if missing:
        return None, tr("the project's corpus has no translation by “{system}”", system=missing[0])
    if stored.setup.training > len(stored.screens):
        return None, tr("its settings specify more training items than the campaign has items")
    segments = {passage.segment for passage in stored.passages} | {*stored.setup.segments, *stored.trained_from}
    if not segments <= set(range(texts.size)):
        return None, tr("the project's corpus has only {n:,} {n:segment|segments}", "", texts.size)
    try:
        regenerated = design_campaign(
            stored.campaign, stored.setup, texts.passages(sorted(segments)),
            {name: outputs[name] for name in stored.setup.systems}, secret=stored.secret, reference_rated=True,
        )  # fmt: skip
    except QeError as error:
        return None, error.message
    return regenerated, ""
