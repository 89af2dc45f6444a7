"""Sentences that all protocols share: what is judged against what, how to work, why an item may be skipped.

Where both are shown, the source's meaning counts; only where there is no source, the reference's does.
"""

from __future__ import annotations

from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, Basis, Campaign
from qe_desktop.ratings.protocols.languages import language_name
from qe_desktop.wording import tr


def target_of(campaign: Campaign) -> str:
    """The target language's name; empty where the campaign does not say it."""
    return language_name(campaign.target_language)


def one_at_a_time(campaign: Campaign) -> str:
    """What the rater will see, one translation on a screen."""
    language = target_of(campaign)
    if language:
        return tr("You will see one translation in {language} at a time.", language=language)
    return tr("You will see one translation at a time.")


def basis_sentence(campaign: Campaign) -> str:
    """What the rater reads beside a translation, and what to make of it."""
    if campaign.basis is Basis.REFERENCE:
        return tr(
            "Compare each translation with the reference, a translation made by a person. Another wording can be just "
            "as right: judge the meaning, not how many words are the same."
        )
    language = language_name(campaign.source_language)
    with_source = (
        tr("Compare each translation with the source ({language}).", language=language)
        if language
        else tr("Compare each translation with the source.")
    )
    if campaign.basis is Basis.SOURCE:
        return with_source
    beside = tr("The reference is one possible translation, made by a person; another wording can be just as right.")
    return f"{with_source} {beside}"


def context_sentence(campaign: Campaign) -> str:
    """What is in view around the segment; empty where nothing is."""
    if campaign.context == WHOLE_DOCUMENT:
        return tr("The whole document is in view. Judge only the marked segment, as a part of that document.")
    if campaign.context == 1:
        return tr("The segment before and after are in view to help you understand it. Judge only the marked segment.")
    if campaign.context:
        return tr(
            "The {n} {n:segment|segments} before and after are in view to help you understand it. "
            "Judge only the marked segment.",
            "",
            campaign.context,
        )
    return tr("Judge each segment by itself.")


def closing_sentence() -> str:
    """How to work, the same for all protocols."""
    return tr(
        "Work at a steady pace and trust your first impression. Where an item cannot be judged, skip it and say why. "
        "You can go back and change what you said at any time."
    )
