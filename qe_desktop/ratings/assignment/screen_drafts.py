"""Drafts of screens, and opaque names of screens and outputs, which do not reveal systems or roles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

from qe_desktop.corpus import ItemRole
from qe_desktop.ratings.assignment.random_stream import CampaignRandom, RandomStream
from qe_desktop.ratings.campaign import (
    WHOLE_DOCUMENT,
    Campaign,
    CampaignDesign,
    CampaignSetup,
    EvaluationBasis,
    Output,
    OutputKey,
    Passage,
    Screen,
    ScreenKey,
)
from qe_desktop.ratings.protocols import get_protocol

Translations = Mapping[str, Sequence[str]]
"""Translations of all segments, keyed by system."""


@dataclass(frozen=True, slots=True)
class DraftOutput:
    """Translation of a segment, and the systems that produced it. If `role` is BAD, `text` is degraded."""

    segment: int
    systems: tuple[str, ...]
    text: str
    role: ItemRole = ItemRole.SYSTEM


@dataclass(slots=True, eq=False)
class ScreenDraft:
    """Unnamed screen of a rater. `repeats` is the draft that this draft repeats or degrades; None if there is none."""

    segment: int
    outputs: tuple[DraftOutput, ...]
    """Outputs in display order."""
    role: ItemRole = ItemRole.SYSTEM
    repeats: ScreenDraft | None = None


@dataclass(slots=True, eq=False)
class DraftBlock:
    """Consecutive drafts of one rater: a single draft, or the drafts of one document.

    `source` is the index of the segment or document of the drafts. `group` is the index of the system, or 0 in
    rankings; repeats and quality-control items are selected evenly from all groups. `copies` is the block that this
    block repeats or degrades.
    """

    source: int
    drafts: list[ScreenDraft]
    group: int = 0
    copies: DraftBlock | None = None

    def __len__(self) -> int:
        return len(self.drafts)


def distinct_outputs(segment: int, systems: Sequence[str], translations: Translations) -> list[DraftOutput]:
    """Return the distinct translations of a segment, each with its systems; the order is that of `systems`."""
    groups: dict[str, list[str]] = {}
    for system in systems:
        groups.setdefault(translations[system][segment].strip(), []).append(system)
    return [DraftOutput(segment, tuple(names), translations[names[0]][segment]) for names in groups.values()]


_NAME_BYTES = 10
"""Number of bytes encoded in a name. The probability of a collision among a million names is 4e-13."""


class OpaqueNames:
    """Generator of names that are derived from the owner's secret, the campaign, its settings and the named object."""

    def __init__(self, campaign: Campaign, setup: CampaignSetup, secret: bytes) -> None:
        # the prefix "Setup", a former class name, must not change: the names in existing campaigns depend on it
        setup_text = repr(setup).replace(type(setup).__name__, "Setup", 1)
        text = f"({campaign.uid!r}, {campaign.protocol!r}, {campaign.by_document!r}, {setup_text})"
        self._key = blake2b(text.encode(), key=secret, digest_size=32).digest()

    def opaque_name(self, kind: str, number: int, text: str) -> str:
        """Return the name of an object, derived from its kind, number and text."""
        return blake2b(f"{kind} {number}\n{text}".encode(), key=self._key, digest_size=_NAME_BYTES).hexdigest()


def name_design(
    campaign: Campaign,
    setup: CampaignSetup,
    plans: Sequence[Sequence[ScreenDraft]],
    passages: Mapping[int, Passage],
    random_source: CampaignRandom,
    trained_from: tuple[int, ...],
) -> CampaignDesign:
    """Return the design with named screens and outputs. Outputs are sorted by name, so their order reveals nothing."""
    names = OpaqueNames(campaign, setup, random_source.secret)
    outputs, keys, uid_by_output = _outputs(plans, names, random_source.stream("names"))
    screens: list[Screen] = []
    screen_keys: list[ScreenKey] = []
    for number, (rater, drafts) in enumerate(zip(setup.raters, plans, strict=True)):
        screen_uids = [
            names.opaque_name(f"screen {number}", index, str(draft.segment)) for index, draft in enumerate(drafts)
        ]
        uid_by_draft = {id(draft): uid for draft, uid in zip(drafts, screen_uids, strict=True)}
        for index, (draft, uid) in enumerate(zip(drafts, screen_uids, strict=True)):
            output_uids = tuple(uid_by_output[_identity(output)] for output in draft.outputs)
            training = draft.role is ItemRole.TRAINING
            screens.append(Screen(uid, rater, index, draft.segment, output_uids, training))
            screen_keys.append(ScreenKey(uid, draft.role, uid_by_draft[id(draft.repeats)] if draft.repeats else ""))
    return CampaignDesign(
        replace(campaign, raters=setup.raters), setup, _displayed_passages(campaign, screens, passages), tuple(outputs),
        tuple(screens), tuple(keys), tuple(screen_keys), random_source.secret, trained_from,
    )  # fmt: skip


def _identity(output: DraftOutput) -> tuple[int, tuple[str, ...], ItemRole]:
    return output.segment, output.systems, output.role


def _outputs(
    plans: Sequence[Sequence[ScreenDraft]], names: OpaqueNames, stream: RandomStream
) -> tuple[list[Output], list[OutputKey], dict[tuple[int, tuple[str, ...], ItemRole], str]]:
    """Return the distinct outputs and their keys, both sorted by name, and the names, keyed by `_identity`."""
    by_identity = {
        _identity(draft_output): draft_output for plan in plans for draft in plan for draft_output in draft.outputs
    }
    uid_by_output: dict[tuple[int, tuple[str, ...], ItemRole], str] = {}
    pairs: list[tuple[Output, OutputKey]] = []
    for number, (identity, draft_output) in zip(stream.permutation(len(by_identity)), by_identity.items(), strict=True):
        uid = uid_by_output[identity] = names.opaque_name("output", number, draft_output.text)
        pairs.append(
            (
                Output(uid, draft_output.segment, draft_output.text),
                OutputKey(uid, draft_output.systems, draft_output.role),
            )
        )
    pairs.sort(key=lambda pair: pair[0].uid)
    return [output for output, _ in pairs], [key for _, key in pairs], uid_by_output


def _displayed_passages(
    campaign: Campaign, screens: Sequence[Screen], passages: Mapping[int, Passage]
) -> tuple[Passage, ...]:
    """Return the passages of all screens and of the displayed context, without texts that raters do not see."""
    segments = {screen.segment for screen in screens}
    if campaign.context == WHOLE_DOCUMENT:
        documents = {passages[segment].document for segment in segments} - {""}
        visible = segments | {segment for segment, passage in passages.items() if passage.document in documents}
    else:
        steps = range(-campaign.context, campaign.context + 1)
        neighbours = ((segment, segment + step) for segment in segments for step in steps)
        visible = {
            neighbour for segment, neighbour in neighbours
            if neighbour in passages and passages[neighbour].document == passages[segment].document
        }  # fmt: skip
    source, reference = displayed_texts(campaign)
    return tuple(
        replace(
            passages[segment],
            source=passages[segment].source if source else "",
            reference=passages[segment].reference if reference else "",
        )
        for segment in sorted(visible)
    )


def displayed_texts(campaign: Campaign) -> tuple[bool, bool]:
    """Return whether raters see the source, and whether they see the reference.

    Texts that raters do not see must not be sent to them: such texts could bias raters or reveal which output is the
    reference.
    """
    if get_protocol(campaign.protocol).target_only:
        return False, False
    return campaign.basis is not EvaluationBasis.REFERENCE, campaign.basis is not EvaluationBasis.SOURCE
