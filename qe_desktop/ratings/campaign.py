"""A campaign as values: what a rater may know of it, and the key that only its owner holds."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from qe_desktop.corpus import ItemRole


class EvaluationBasis(enum.Enum):
    """What a translation is judged against."""

    SOURCE = "source"
    """Bilingual raters read the source."""
    REFERENCE = "reference"
    """Monolingual raters read a reference."""
    BOTH = "both"


WHOLE_DOCUMENT = -1
"""As `Campaign.context`: the whole document is in view."""


@dataclass(frozen=True, slots=True)
class Campaign:
    """What everybody may know. `protocol` is an id of the registry, `context` the neighbouring segments in view on
    either side, `source_original` whether the source was first written in its language (None: not said).

    `by_document` keeps documents whole: a rater gets all segments of a document, one after the other. `design_hash` is
    that of the whole design with its key, published before anybody rates (see `assignment.commitment`); empty for
    campaigns that were set up before there were such hashes.
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
    """A segment's texts as raters may see them: source and reference (empty where there is none), and its document."""

    segment: int
    source: str = ""
    reference: str = ""
    document: str = ""


@dataclass(frozen=True, slots=True)
class Output:
    """A translation of a segment under an opaque name."""

    uid: str
    segment: int
    text: str


@dataclass(frozen=True, slots=True)
class Screen:
    """What one rater is shown at one time: outputs of one segment, in the order shown."""

    uid: str
    rater: str
    position: int
    segment: int
    outputs: tuple[str, ...]
    training: bool = False


@dataclass(frozen=True, slots=True)
class OutputKey:
    """Which systems an output is from; several where their outputs are identical."""

    output: str
    systems: tuple[str, ...]
    role: ItemRole = ItemRole.SYSTEM
    """SYSTEM, BAD or REFERENCE."""


@dataclass(frozen=True, slots=True)
class ScreenKey:
    """Why a screen is shown: SYSTEM, REPEAT, BAD (holds a control item) or TRAINING; `repeats` is an earlier screen.

    For a control item, `repeats` is the screen that shows the same rater the output before it was degraded.
    """

    screen: str
    role: ItemRole = ItemRole.SYSTEM
    repeats: str = ""


@dataclass(frozen=True, slots=True)
class CampaignSetup:
    """What an owner chooses. With the same texts and the same secret, the same setup gives the same design.

    `overlap` is the share of items that every rater gets (0..1; the rest is dealt out), `repeats` and `controls` the
    shares of a rater's items that are shown again and that are degraded copies, `training` the number of screens before
    the real ones, `per_screen` the systems on one screen of a ranking.
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
    """A whole campaign, with the blind key.

    `secret` is what all draws and names come from besides the seed, 32 bytes that no rater may have; it is empty for
    campaigns that were set up before there were secrets. `trained_from` are the segments outside the campaign that
    training screens were drawn from.
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
