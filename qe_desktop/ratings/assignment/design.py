"""Design of a campaign from its settings: each rater's screens in order, the blinding key, and the hash of the design.

The same campaign, settings, texts and secret always give the same design, including the names of screens and outputs.
Without the secret, what raters see does not reveal the system of an output or the role of a screen.

The hash is published before rating starts and proves afterwards that the design did not change. It is the SHA-256 of a
canonical serialization of the design and the secret of its random numbers. Without the secret, nobody can find the
design by trying designs until the hash matches. The owner cannot present another design with the same hash.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.assignment import screen_drafts
from qe_desktop.ratings.assignment.design_validation import check_setup
from qe_desktop.ratings.assignment.quality_control import (
    MIN_DOCUMENT_REPEAT_DISTANCE,
    MIN_REPEAT_DISTANCE,
    Degrade,
    insert_blocks,
    make_control_blocks,
    repeat_blocks,
)
from qe_desktop.ratings.assignment.random_stream import CampaignRandom, RandomStream
from qe_desktop.ratings.assignment.rater_plan import make_degrader, plan_parts, training_drafts, training_screens
from qe_desktop.ratings.assignment.screen_drafts import DraftBlock, ScreenDraft, Translations
from qe_desktop.ratings.assignment.screen_order import BlockInserter, spaced_order
from qe_desktop.ratings.campaign import Campaign, CampaignDesign, CampaignSetup, EvaluationBasis, Passage
from qe_desktop.ratings.protocols import Protocol, get_protocol

HASH_HEADER = "qe-desktop design 1"
"""Name of the serialization format. The format must not change without a new name."""
_CAMPAIGN_FIELDS = ("uid", "name", "protocol", "source_language", "target_language", "context", "by_document",
             "source_original", "instructions", "raters", "simulated", "created", "created_by")  # fmt: skip
_SETUP_FIELDS = ("systems", "segments", "raters", "overlap", "repeats", "controls", "training", "per_screen", "seed")
_ROW_FIELDS = {
    "passages": ("segment", "source", "reference", "document"),
    "outputs": ("uid", "segment", "text"),
    "screens": ("uid", "rater", "position", "segment", "outputs", "training"),
    "output_keys": ("output", "systems", "role"),
    "screen_keys": ("screen", "role", "repeats"),
}


def design_hash(design: CampaignDesign) -> str:
    """Return the hash of a design as 64 hexadecimal digits."""
    return hashlib.sha256(_canonical_json(design)).hexdigest()


def _canonical_json(design: CampaignDesign) -> bytes:
    content: dict[str, Any] = {
        "form": HASH_HEADER,
        "secret": design.secret.hex(),
        "basis": design.campaign.basis.value,
        "campaign": [_to_json_value(getattr(design.campaign, name)) for name in _CAMPAIGN_FIELDS],
        "setup": [_to_json_value(getattr(design.setup, name)) for name in _SETUP_FIELDS],
        "trained_from": list(design.trained_from),
    }
    for part in _ROW_FIELDS:
        content[part] = _rows(design, part)
    return json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode("ascii")


def _rows(design: CampaignDesign, part: str) -> list[list[Any]]:
    return [[_to_json_value(getattr(row, name)) for name in _ROW_FIELDS[part]] for row in getattr(design, part)]


def _to_json_value(value: Any) -> Any:
    """Convert a value for JSON; NUL and surrogates in strings are escaped, as in strings stored in a database."""
    if isinstance(value, tuple):
        return [_to_json_value(item) for item in value]
    if isinstance(value, str):
        return value.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, bool) or value is None:
        return value
    # 1 and 1.0 are equal after a JSON round trip
    return float(value) if isinstance(value, float) else int(value)


def differences(stored: CampaignDesign, recomputed: CampaignDesign) -> list[str]:
    """Describe the differences between a stored and a recomputed design; the list is empty if there are none."""
    messages = []
    for part, name in (
        ("passages", tr("sources and references")), ("outputs", tr("outputs")),
        ("output_keys", tr("outputs' systems and roles")),
        ("screens", tr("items")), ("screen_keys", tr("items' roles")),
    ):  # fmt: skip
        stored_rows, recomputed_rows = _rows(stored, part), _rows(recomputed, part)
        if len(stored_rows) != len(recomputed_rows):
            messages.append(
                tr(
                    "{part}: {kept:,} stored, {drawn:,} regenerated",
                    part=name,
                    kept=len(stored_rows),
                    drawn=len(recomputed_rows),
                )
            )
            continue
        indices = [
            index for index, pair in enumerate(zip(stored_rows, recomputed_rows, strict=True)) if pair[0] != pair[1]
        ]
        if indices:
            messages.append(
                tr(
                    "{part}: {n:,} of {all:,} {n:is|are} different; the first difference is at number {first:,}",
                    "",
                    len(indices),
                    part=name,
                    all=len(stored_rows),
                    first=indices[0] + 1,
                )
            )
    if replace(stored.campaign, design_hash="") != replace(recomputed.campaign, design_hash=""):
        messages.append(tr("the raters or settings of the campaign are different"))
    return messages


REPEAT_DISTANCE = 10
"""Minimum distance, in screens, between screens of the same segment; shorter only if necessary."""
DOCUMENT_REPEAT_DISTANCE = 2
"""Minimum distance, in blocks, between blocks of one document (one block in between); shorter only if necessary."""


def design_campaign(
    campaign: Campaign,
    setup: CampaignSetup,
    passages: Sequence[Passage],
    translations: Translations,
    *,
    secret: bytes = b"",
    reference_rated: bool = False,
) -> CampaignDesign:
    """Return the design of a campaign with the settings `setup`.

    `passages` are the texts of all segments that may be displayed: the segments of the campaign, their neighbours, and
    candidates for training. `translations` has each system's translations of all segments of the corpus. In the
    design, `campaign` has the raters of `setup` and, if a `secret` is given (see `random_stream.new_secret`), the hash
    of the design. A system whose translations seem to be the reference (see `design_validation.is_reference`) is
    rejected, unless `reference_rated` is set and raters do not see the reference. Raises QeError if no design is
    possible, and ValueError if the secret has the wrong length.
    """
    texts = {passage.segment: passage for passage in passages}
    check_setup(campaign, setup, texts, translations, reference_rated=reference_rated)
    protocol = get_protocol(campaign.protocol)
    for segment in setup.segments:
        texts.setdefault(segment, Passage(segment))
    per_screen = outputs_per_screen(protocol, setup)
    sources = segment_groups(campaign, setup, texts)
    random_source = CampaignRandom(setup.seed, secret)
    parts = plan_parts(setup, translations, sources, per_screen, random_source)
    if not all(parts):
        raise QeError(
            tr("there are too few items for {n} {n:rater|raters}", "", len(setup.raters)),
            hint=tr("Select more segments, fewer raters or a larger overlap."),
        )
    training_pool = _training_candidates(campaign, protocol, setup, texts) if setup.training else ()
    training = training_screens(setup, translations, training_pool, per_screen, random_source)
    degrade = make_degrader(translations, random_source)
    plans = []
    for number, rater_parts in enumerate(parts):
        stream = random_source.stream("screens", number)
        blocks = [part.block(stream) for part in rater_parts]
        ordered = _with_extras(blocks, campaign.by_document, setup, stream, degrade)
        plans.append([*training_drafts(training, stream), *ordered])
    design = screen_drafts.name_design(campaign, setup, plans, texts, random_source, tuple(sorted(training_pool)))
    return replace(design, campaign=replace(design.campaign, design_hash=design_hash(design))) if secret else design


def outputs_per_screen(protocol: Protocol, setup: CampaignSetup) -> int:
    """Return the number of outputs per screen; identical outputs, which are merged later, are counted separately."""
    return min(setup.per_screen, protocol.outputs[1], len(setup.systems)) if protocol.compares else 1


def segment_groups(campaign: Campaign, setup: CampaignSetup, passages: Mapping[int, Passage]) -> list[tuple[int, ...]]:
    """Return groups of segments that must stay together: single segments or, with `campaign.by_document`, documents.

    The group of a document contains only segments of the campaign. A segment without a document forms its own group.
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
    blocks: list[DraftBlock], by_document: bool, setup: CampaignSetup, stream: RandomStream, degrade: Degrade
) -> list[ScreenDraft]:
    """Return the drafts of one rater's screens in order, with repeats and quality-control items added."""
    distance, min_repeat_distance = (
        (DOCUMENT_REPEAT_DISTANCE, MIN_DOCUMENT_REPEAT_DISTANCE)
        if by_document
        else (REPEAT_DISTANCE, MIN_REPEAT_DISTANCE)
    )
    order = spaced_order([block.source for block in blocks], distance, stream)
    blocks = [blocks[index] for index in order]
    repeats = repeat_blocks(blocks, setup.repeats, stream, min_repeat_distance)
    controls = make_control_blocks(blocks, setup.controls, stream, degrade)
    inserter = BlockInserter([block.source for block in blocks], distance, stream)
    return [
        draft
        for block in insert_blocks(blocks, repeats, controls, inserter, min_repeat_distance)
        for draft in block.drafts
    ]


def _training_candidates(
    campaign: Campaign, protocol: Protocol, setup: CampaignSetup, passages: Mapping[int, Passage]
) -> list[int]:
    """Return the candidates for training: segments outside the campaign that have every text that raters need."""
    campaign_segments = set(setup.segments)
    return [
        segment
        for segment, passage in passages.items()
        if segment not in campaign_segments and (protocol.target_only or _can_be_judged(passage, campaign.basis))
    ]


def _can_be_judged(passage: Passage, basis: EvaluationBasis) -> bool:
    source, reference = bool(passage.source.strip()), bool(passage.reference.strip())
    return (source or basis is EvaluationBasis.REFERENCE) and (reference or basis is EvaluationBasis.SOURCE)
