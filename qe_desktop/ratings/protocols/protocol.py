"""What a protocol is: the scales or ranks that it asks for, its anchors, and the words that raters read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qe_desktop.ratings.campaign import Campaign

LETTERS = "ABCDE"
"""What the outputs of a screen are called, in the order shown."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A value of a scale in words: `label` as the protocol has it, `meaning` a second line where there is one."""

    value: int
    label: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """One question and its values `low`..`high`; whole numbers, chosen by key or button, or with a slider.

    A slider starts unset: there is no value until the rater gives one. Anchors stand best first.
    """

    name: str
    title: str
    question: str
    low: int
    high: int
    anchors: tuple[Anchor, ...]
    slider: bool = False

    def label(self, value: float) -> str:
        """The anchor's label of a value; empty where it has none."""
        return next((anchor.label for anchor in self.anchors if anchor.value == value), "")


@dataclass(frozen=True, slots=True)
class Protocol:
    """One way to ask people about translations.

    `scales` is empty where outputs are ranked (`ranks`). `outputs` are the least and the most on a screen.
    `target_first`: the source or reference stays hidden until the first scale is rated; `target_only`: it is never
    shown. `seconds` is what a screen with `outputs[1]` outputs takes as a rule. `worded` gives the scales in the words
    of a campaign and `paragraphs` its instructions.
    """

    id: str
    title: str
    summary: str
    worded: Callable[[Campaign], tuple[Scale, ...]]
    paragraphs: Callable[[Campaign], tuple[str, ...]]
    outputs: tuple[int, int] = (1, 1)
    ranks: bool = False
    target_first: bool = False
    target_only: bool = False
    seconds: float = 30.0
    scales: tuple[Scale, ...] = ()
    """The scales in words that fit any campaign."""

    @property
    def fields(self) -> tuple[str, ...]:
        """What a screen needs before it is done: the scales' names in the order asked, or "ranks"."""
        return ("ranks",) if self.ranks else tuple(scale.name for scale in self.scales)

    @property
    def unseen(self) -> str:
        """The scale that is asked with only the translation in view; empty where nothing is."""
        return self.fields[0] if self.target_first or self.target_only else ""

    @property
    def takes(self) -> dict[str, tuple[int, int]]:
        """The least and the greatest whole number that each field may have; 0 is a rank that is not given yet."""
        if self.ranks:
            return {"ranks": (0, self.outputs[1])}
        return {scale.name: (scale.low, scale.high) for scale in self.scales}

    def scale(self, name: str) -> Scale | None:
        """The scale of this name."""
        return next((scale for scale in self.scales if scale.name == name), None)

    def scales_for(self, campaign: Campaign) -> tuple[Scale, ...]:
        """The scales as this campaign's raters read them, with its languages and what they judge against."""
        return self.worded(campaign)

    def instructions(self, campaign: Campaign) -> str:
        """What raters read before they begin: plain text, paragraphs apart by an empty line, the owner's words last."""
        own = (campaign.instructions.strip(),) if campaign.instructions.strip() else ()
        return "\n\n".join((*self.paragraphs(campaign), *own))
