"""Direct assessment from 0 to 100 with a slider that starts unset (Graham et al. 2013; WMT 2017 to 2021)."""

from __future__ import annotations

from qe_desktop.answers.scale import Anchor, Scale
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.protocols import wording
from qe_desktop.ratings.protocols.protocol import Protocol


def _scale(basis: str = "the source or reference", in_target: str = "") -> Scale:
    """WMT's statement and the two ends of its scale.

    WMT writes “the black text” and “the gray text”; here both are named, because colours change with the theme.
    """
    statement = f"The translation adequately expresses the meaning of {basis}{in_target}."
    anchors = (Anchor(100, "Perfectly"), Anchor(0, "Not at all"))
    return Scale("score", "Score", statement, 0, 100, anchors, slider=True)


def _scales(campaign: Campaign) -> tuple[Scale, ...]:
    return (_scale(wording.meaning_of(campaign), wording.in_target(campaign)),)


def _paragraphs(campaign: Campaign) -> tuple[str, ...]:
    return (
        f"You will see one translation{wording.in_target(campaign)} at a time, and a statement: that it adequately "
        f"expresses the meaning of {wording.meaning_of(campaign)}.",
        "Say how far you agree, from 0 (not at all) to 100 (perfectly). Use the whole scale; any value may be given.",
        f"{wording.basis_sentence(campaign)} {wording.context_sentence(campaign)}",
        wording.closing_sentence(),
    )


PROTOCOL = Protocol(
    id="direct-assessment",
    title="Direct assessment",
    summary="How far the translation expresses the meaning, from 0 to 100 with a slider",
    answers=(_scale(),),
    worded=_scales,
    paragraphs=_paragraphs,
)
