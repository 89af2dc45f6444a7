"""Campaigns as immutable values: the data visible to raters, and the owner's key."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from qe_desktop.corpus import ItemRole


class EvaluationBasis(enum.Enum):
    """Text that translations are compared with."""

    SOURCE = "source"
    """Bilingual raters read the source."""
    REFERENCE = "reference"
    """Monolingual raters read a reference."""
    BOTH = "both"


WHOLE_DOCUMENT = -1
"""Value of `Campaign.context` for the whole document."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """Public data of a campaign.

    `protocol` is the id of a protocol, a key of `protocols.PROTOCOLS`. `context` is the number of neighboring segments
    displayed on either side, or `WHOLE_DOCUMENT`. `source_original` is whether the source was originally written in its
    language (None: unknown). `by_document` keeps documents whole: a rater gets all segments of a document in sequence.
    `design_hash` is the hash of the whole design including its key, published before rating starts (see
    `assignment.design`); it is empty in older campaigns.
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
    """Texts of a segment as displayed to raters: source and reference (empty if there is none), and the document."""

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
    item, the screen with the original output. It is empty for other screens.
    """

    screen: str
    role: ItemRole = ItemRole.SYSTEM
    repeats: str = ""


@dataclass(frozen=True, slots=True)
class CampaignSetup:
    """Settings of a campaign. With the same texts and secret, the same settings give the same design.

    `overlap` is the share of items that every rater gets (0..1; the rest is distributed). `repeats` and `controls` are
    the numbers of repeated items and of degraded copies, as shares of a rater's items. `training` is the number of
    training screens of each rater, `per_screen` the number of systems per screen of a ranking.
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

    `secret` and the seed determine all random numbers and names. The secret has 32 bytes, which raters must not know;
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
