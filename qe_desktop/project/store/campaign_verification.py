"""Verification of campaign designs by their published hash and by regeneration from secret and seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import Corpus, QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.assignment.design import design_campaign, design_hash, differences
from qe_desktop.ratings.campaign import CampaignDesign
from qe_desktop.ratings.campaign_texts import CampaignTexts


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
    """Verify designs, each given with its rating events.

    `corpus` is the corpus from which the designs were made; None if it is not available.
    """
    texts = None if corpus is None else CampaignTexts.of_corpus(corpus)
    return [
        verify_design(design, texts, min((event.at for event in events), default=None)) for design, events in campaigns
    ]


def verify_design(stored: CampaignDesign, texts: CampaignTexts | None, first_rating: float | None) -> CampaignVerdict:
    """Verify a design.

    `texts` are the texts of the corpus from which the design was made; None if there is no corpus. `first_rating` is
    the Unix time of the first rating; None if nothing has been rated.
    """
    campaign = stored.campaign
    if not stored.secret and not campaign.design_hash:
        note = tr(
            "it was set up before the program published design hashes, so its design cannot be verified; a rater who "
            "tries all seeds can identify the systems"
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
