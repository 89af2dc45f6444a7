"""Design of a campaign from its settings: each rater's screens in order, and the blinding key.

The same campaign, settings, texts and secret give the same design, including names. Without the secret, what raters see
does not reveal the system of an output or the role of a screen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.assignment import opaque_names
from qe_desktop.ratings.assignment.design_hash import design_hash
from qe_desktop.ratings.assignment.design_validation import check_setup
from qe_desktop.ratings.assignment.drafts import DraftBlock, ScreenDraft, Translations
from qe_desktop.ratings.assignment.random_stream import CampaignRandom, RandomStream
from qe_desktop.ratings.assignment.rater_plan import make_degrader, plan_parts, training_drafts, training_screens
from qe_desktop.ratings.assignment.repeats import (
    MIN_DOCUMENT_REPEAT_DISTANCE,
    MIN_REPEAT_DISTANCE,
    Degrade,
    insert_blocks,
    make_control_blocks,
    repeat_blocks,
)
from qe_desktop.ratings.assignment.screen_order import BlockInserter, spaced_order
from qe_desktop.ratings.campaign import Campaign, CampaignDesign, CampaignSetup, EvaluationBasis, Passage
from qe_desktop.ratings.protocols import Protocol, get_protocol

REPEAT_DISTANCE = 10
"""Screens of the same source are at least this many screens apart, if possible."""
DOCUMENT_REPEAT_DISTANCE = 2
"""Blocks of the same document are at least this many blocks apart, if possible, with one other block in between."""


def design_campaign(
    campaign: Campaign,
    setup: CampaignSetup,
    passages: Sequence[Passage],
    translations: Translations,
    *,
    secret: bytes = b"",
    reference_rated: bool = False,
) -> CampaignDesign:
    """Return the campaign design of a setup.

    `passages` are the texts of all segments that may be displayed: those of the campaign, their neighbours, and
    candidates for training. `translations` has each system's translations of all segments of the corpus. The design's
    campaign has the setup's raters and, with a `secret` (see `random_stream.new_secret`), the hash of the design. A
    system that is identical to the reference is rejected unless `reference_rated` is set. Raises QeError if no design
    is possible.
    """
    texts = {passage.segment: passage for passage in passages}
    check_setup(campaign, setup, texts, translations, reference_rated=reference_rated)
    protocol = get_protocol(campaign.protocol)
    for segment in setup.segments:
        texts.setdefault(segment, Passage(segment))
    per_screen = outputs_per_screen(protocol, setup)
    sources = segment_groups(campaign, setup, texts)
    chance = CampaignRandom(setup.seed, secret)
    parts = plan_parts(setup, translations, sources, per_screen, chance)
    if not all(parts):
        raise QeError(
            tr("there are too few items for {n} {n:rater|raters}", "", len(setup.raters)),
            hint=tr("Select more segments, fewer raters or a larger overlap."),
        )
    others = _training_candidates(campaign, protocol, setup, texts) if setup.training else ()
    trained = training_screens(setup, translations, others, per_screen, chance)
    degrade = make_degrader(translations, chance)
    plans = []
    for number, own in enumerate(parts):
        draws = chance.draws("screens", number)
        blocks = [part.block(draws) for part in own]
        ordered = _with_extras(blocks, campaign.by_document, setup, draws, degrade)
        plans.append([*training_drafts(trained, draws), *ordered])
    made = opaque_names.name_design(campaign, setup, plans, texts, chance, tuple(sorted(others)))
    return replace(made, campaign=replace(made.campaign, design_hash=design_hash(made))) if secret else made


def outputs_per_screen(protocol: Protocol, setup: CampaignSetup) -> int:
    """Return the number of systems' outputs per screen, before identical ones are merged."""
    return min(setup.per_screen, protocol.outputs[1], len(setup.systems)) if protocol.compares else 1


def segment_groups(campaign: Campaign, setup: CampaignSetup, passages: Mapping[int, Passage]) -> list[tuple[int, ...]]:
    """Return groups that stay together: single segments, or the campaign's segments of each document.

    A segment without a document forms its own group.
    """
    if not campaign.by_document:
        return [(segment,) for segment in setup.segments]
    documents: dict[str, list[int]] = {}
    for segment in sorted(setup.segments):
        passage = passages.get(segment)
        document = passage.document if passage is not None else ""
        documents.setdefault(document or f"\n{segment}", []).append(segment)
    return [tuple(segments) for segments in documents.values()]


def _with_extras(
    blocks: list[DraftBlock], by_document: bool, setup: CampaignSetup, draws: RandomStream, degrade: Degrade
) -> list[ScreenDraft]:
    """Return one rater's drafts in order, with repeats and control items."""
    apart, later = (
        (DOCUMENT_REPEAT_DISTANCE, MIN_DOCUMENT_REPEAT_DISTANCE)
        if by_document
        else (REPEAT_DISTANCE, MIN_REPEAT_DISTANCE)
    )
    order = spaced_order([block.source for block in blocks], apart, draws)
    blocks = [blocks[place] for place in order]
    repeats = repeat_blocks(blocks, setup.repeats, draws, later)
    controls = make_control_blocks(blocks, setup.controls, draws, degrade)
    place = BlockInserter([block.source for block in blocks], apart, draws)
    return [draft for block in insert_blocks(blocks, repeats, controls, place, later) for draft in block.drafts]


def _training_candidates(
    campaign: Campaign, protocol: Protocol, setup: CampaignSetup, passages: Mapping[int, Passage]
) -> list[int]:
    """Return segments outside the campaign with complete texts for training."""
    inside = set(setup.segments)
    return [
        segment
        for segment, passage in passages.items()
        if segment not in inside and (protocol.target_only or _can_be_judged(passage, campaign.basis))
    ]


def _can_be_judged(passage: Passage, basis: EvaluationBasis) -> bool:
    source, reference = bool(passage.source.strip()), bool(passage.reference.strip())
    return (source or basis is EvaluationBasis.REFERENCE) and (reference or basis is EvaluationBasis.SOURCE)
