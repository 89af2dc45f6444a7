"""Whether campaigns are those whose hash was published before anybody rated, and come of secret and seed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import Corpus, QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.assignment.design import design_campaign
from qe_desktop.ratings.assignment.design_hash import design_hash, differences
from qe_desktop.ratings.campaign import CampaignDesign
from qe_desktop.ratings.campaign_texts import CampaignTexts


@dataclass(frozen=True, slots=True)
class CampaignVerdict:
    """What is found of one campaign.

    `published` is the hash that raters can read, `computed` that of the design as it is kept; both are empty for
    campaigns that were set up before hashes were published. `drawn_again` says whether secret, seed and texts give the
    design once more (None where that cannot be tried; `notes` say why), `differences` what differs. `created` and
    `first_rating` are Unix times, `first_rating` None where nobody has rated.
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
        """Whether everything that could be compared is the same; None where there is nothing to compare."""
        if not self.published and not self.computed:
            return None
        return self.published == self.computed and self.drawn_again is not False


def verify_designs(
    held: Sequence[tuple[CampaignDesign, Sequence[RatingEvent]]], corpus: Corpus | None
) -> list[CampaignVerdict]:
    """A verdict on each design, with what was rated by it; `corpus` is what they were made of, where it is there."""
    texts = None if corpus is None else CampaignTexts.of_corpus(corpus)
    return [verify_design(one, texts, min((event.at for event in said), default=None)) for one, said in held]


def verify_design(kept: CampaignDesign, texts: CampaignTexts | None, rated: float | None) -> CampaignVerdict:
    """What is found of a design; `texts` are those of the corpus that it was made of."""
    campaign = kept.campaign
    if not kept.secret and not campaign.design_hash:
        note = tr(
            "it was set up before hashes of designs were published, so that there is nothing to compare with; its "
            "draws come from its seed alone, so that a rater who tries all seeds can work out which system is which"
        )
        return CampaignVerdict(campaign.uid, campaign.name, "", "", None, (), (note,), campaign.created, rated)
    computed = design_hash(kept)
    found: list[str] = []
    if computed != campaign.design_hash:
        found.append(tr("the design that is kept is not the one whose hash was published"))
    notes: list[str] = []
    if rated is not None and rated < campaign.created:
        notes.append(tr("there are ratings from before the campaign was set up, by the clocks of those who wrote them"))
    again: bool | None = None
    if not kept.secret:
        found.append(tr("its secret is missing"))
    else:
        drawn, why = _regenerate_design(kept, texts)
        again = None if drawn is None else not differences(kept, drawn)
        if drawn is None:
            notes.append(tr("its order and names could not be drawn again: {reason}", reason=why))
        else:
            found += [
                tr("drawn again from its secret and its seed, {difference}", difference=one)
                for one in differences(kept, drawn)
            ]
    return CampaignVerdict(
        campaign.uid, campaign.name, campaign.design_hash, computed, again, tuple(found), tuple(notes),
        campaign.created, rated,
    )  # fmt: skip


def _regenerate_design(kept: CampaignDesign, texts: CampaignTexts | None) -> tuple[CampaignDesign | None, str]:
    """The design as its secret and seed give it now, or why there is none."""
    if texts is None:
        return None, tr("the project has no corpus")
    outputs = texts.outputs()
    missing = [name for name in kept.setup.systems if name not in outputs]
    if missing:
        return None, tr("the corpus of the project has no translation by “{system}”", system=missing[0])
    if kept.setup.training > len(kept.screens):
        return None, tr("it has fewer screens than its owner chose to train with")
    segments = {passage.segment for passage in kept.passages} | {*kept.setup.segments, *kept.trained_from}
    if not segments <= set(range(texts.size)):
        return None, tr("the corpus of the project has only {n:,} {n:segment|segments}", "", texts.size)
    try:
        drawn = design_campaign(
            kept.campaign, kept.setup, texts.passages(sorted(segments)),
            {name: outputs[name] for name in kept.setup.systems}, secret=kept.secret, reference_rated=True,
        )  # fmt: skip
    except QeError as error:
        return None, error.message
    return drawn, ""
