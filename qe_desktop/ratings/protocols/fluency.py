"""Fluency alone: raters see nothing but translations."""

from __future__ import annotations

from qe_desktop.answers.scale import Scale
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.protocols import scales, wording
from qe_desktop.ratings.protocols.protocol import Protocol
from qe_desktop.wording import tr


def _scales(campaign: Campaign) -> tuple[Scale, ...]:
    return (scales.fluency_for(campaign),)


def _paragraphs(campaign: Campaign) -> tuple[str, ...]:
    language = wording.target_of(campaign)
    return (
        tr("You will see one text in {language} at a time, without what it was translated from.", language=language)
        if language
        else tr("You will see one text at a time, without what it was translated from."),
        tr(
            "Say how it sounds to a native speaker: is it something that one could have written, stilted, or broken? "
            "Whether it is true or complete does not count."
        ),
        wording.closing_sentence(),
    )


PROTOCOL = Protocol(
    id="fluency",
    title=tr("Fluency"),
    within=tr("fluency", "a protocol, within a name"),
    summary=tr("How the translation sounds to a native speaker, from 1 to 5; the source is never shown"),
    answers=(scales.fluency_scale(),),
    worded=_scales,
    paragraphs=_paragraphs,
    target_only=True,
)
