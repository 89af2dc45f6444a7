"""Campaigns as immutable values: the data visible to raters, and the owner's key."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from qe_desktop.corpus import ItemRole


class EvaluationBasis(enum.Enum):
    """Text that raters compare translations with."""

    SOURCE = "source"
    """Bilingual raters read the source."""
    REFERENCE = "reference"
    """Monolingual raters read a reference."""
    BOTH = "both"


WHOLE_DOCUMENT = -1
"""Value of `Campaign.context` that displays the whole document as context."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """Public data of a campaign.

    `protocol` is the id of a protocol, a key of `protocols.PROTOCOLS`. `context` is the number of neighbouring segments
    displayed on each side, or `WHOLE_DOCUMENT`. `source_original` is false if the source is itself a translation, true
    if not, and None if unknown. `by_document` keeps documents whole: a rater gets all segments of a document in
    sequence. `design_hash` is the hash of the whole design, including the blinding key, and is published before rating
    starts (see `assignment.design`). It is empty in older campaigns.
    """

    uid: str
    name: str
    protocol: str
    basis: EvaluationBasis
    source_language: str = ""
    target_language: str = ""
    context: int = 0
    by_document: bool = False
    source_original: bool | None = None
    instructions: str = ""
    raters: tuple[str, ...] = ()
    simulated: bool = False
    created: float = 0.0
    created_by: str = ""
    design_hash: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """Source and reference of a segment, and the name of its document; each is empty if missing or not displayed."""

    segment: int
    source: str = ""
    reference: str = ""
    document: str = ""


@dataclass(frozen=True, slots=True)
class Output:
    """Translation of a segment, identified by an opaque name."""

    uid: str
    segment: int
    text: str


@dataclass(frozen=True, slots=True)
class Screen:
    """Screen of one rater: `outputs` are the uids of outputs of one segment, in display order."""

    uid: str
    rater: str
    position: int
    segment: int
    outputs: tuple[str, ...]
    training: bool = False


@dataclass(frozen=True, slots=True)
class OutputKey:
    """Systems and role of an output; there are several systems if their outputs are identical."""

    output: str
    systems: tuple[str, ...]
    role: ItemRole = ItemRole.SYSTEM
    """SYSTEM, BAD or REFERENCE."""


@dataclass(frozen=True, slots=True)
class ScreenKey:
    """Role of a screen: SYSTEM, REPEAT, BAD (with a quality-control item) or TRAINING.

    `repeats` is the uid of the same rater's original screen: the screen that is repeated or, for a quality-control
    item, the screen with the original output. `repeats` is empty if the role is SYSTEM or TRAINING.
    """

    screen: str
    role: ItemRole = ItemRole.SYSTEM
    repeats: str = ""


@dataclass(frozen=True, slots=True)
class CampaignSetup:
    """Settings of a campaign. With the same texts and secret, the same settings give the same design.

    `overlap` is the share of items, 0..1, that all raters get; the other items are distributed among the raters.
    `repeats` and `controls` are the numbers of repeated items and of degraded copies, as shares of a rater's items,
    0..1. `training` is the number of training screens of each rater, and `per_screen` is the number of systems per
    screen of a ranking.
    """

    systems: tuple[str, ...]
    segments: tuple[int, ...]
    raters: tuple[str, ...]
    overlap: float = 1.0
    repeats: float = 0.0
    controls: float = 0.0
    training: int = 0
    per_screen: int = 5
    seed: int = 1


@dataclass(frozen=True, slots=True)
class CampaignDesign:
    """Whole campaign, with the blinding key.

    `secret` and the seed determine all random numbers and names. The secret has 32 bytes and must be kept from raters;
    it is empty in campaigns created before secrets were introduced. `trained_from` lists the segments outside the
    campaign that are candidates for training screens.
    """

    campaign: Campaign
    setup: CampaignSetup
    passages: tuple[Passage, ...]
    outputs: tuple[Output, ...]
    screens: tuple[Screen, ...]
    output_keys: tuple[OutputKey, ...]
    screen_keys: tuple[ScreenKey, ...]
    secret: bytes = field(default=b"", repr=False)
    trained_from: tuple[int, ...] = ()
