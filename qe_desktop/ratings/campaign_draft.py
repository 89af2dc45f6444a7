"""Draft of a campaign: values of the setup form, their validation, the workload, and creation of the campaign."""

from __future__ import annotations

import enum
import time
import uuid
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import CAMPAIGN_JOINER
from qe_desktop.corpus.progress import OnStep
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.assignment.design import design_campaign, outputs_per_screen
from qe_desktop.ratings.assignment.quality_control import share_count
from qe_desktop.ratings.assignment.random_stream import new_secret
from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, Campaign, CampaignDesign, CampaignSetup, EvaluationBasis
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.ratings.protocols import PROTOCOLS, Protocol, get_protocol

MAX_TRAINING_SEGMENTS = 200
"""Maximum number of segments outside the campaign that are candidates for training screens."""


class SegmentScope(enum.Enum):
    """Segments to rate: all segments, a range, or a random sample."""

    ALL = "all"
    RANGE = "range"
    DRAWN = "drawn"


ONE_RATER_NOTE = tr("One rater is not enough for inter-annotator agreement. Enter one name per line.")


@dataclass(frozen=True, slots=True)
class DraftNote:
    """Note below a field of the setup form; a note with `is_error` prevents the creation of the campaign."""

    text: str
    is_error: bool = True


@dataclass(frozen=True, slots=True)
class CampaignDraft:
    """Values of the setup form. Shares are percentages; `first` and `last` are 1-based segment numbers.

    `raters` is the text as typed, with one name per line. `instructions` is the owner's text, which follows the
    instructions of the protocol.
    """

    name: str = ""
    protocol: str = "adequacy-fluency"
    basis: EvaluationBasis = EvaluationBasis.SOURCE
    source_language: str = ""
    target_language: str = ""
    source_original: bool | None = None
    context: int = 1
    by_document: bool = False
    systems: tuple[str, ...] = ()
    reference_rated: bool = False
    raters: str = ""
    extent: SegmentScope = SegmentScope.ALL
    first: int = 1
    last: int = 1
    count: int = 100
    overlap: int = 100
    repeats: int = 10
    controls: int = 0
    training: int = 3
    per_screen: int = 5
    seed: int = 1
    instructions: str = ""

    @property
    def selected_protocol(self) -> Protocol:
        """Protocol whose id is `protocol`."""
        return PROTOCOLS[self.protocol]

    @property
    def displayed_context(self) -> int:
        """Value of `Campaign.context`: 0 if raters see only the target, otherwise `context`."""
        return 0 if self.selected_protocol.target_only else self.context

    def rater_names(self) -> tuple[str, ...]:
        """Return the names listed in `raters`, without empty lines; duplicates are kept."""
        return tuple(name for line in self.raters.splitlines() if (name := " ".join(line.split())))

    def systems_on_screen(self) -> int:
        """Return the number of systems per screen, limited by the protocol and by the number of systems."""
        minimum, maximum = self.selected_protocol.outputs
        return max(minimum, min(self.per_screen, maximum, len(self.systems)))

    def segments(self, texts: CampaignTexts) -> tuple[int, ...]:
        """Return the 0-based indices of the segments to rate, in order; the same seed gives the same random sample.

        With `by_document`, a random sample consists of whole documents with at least `count` segments in total.
        """
        if self.extent is SegmentScope.ALL:
            return tuple(range(texts.size))
        if self.extent is SegmentScope.RANGE:
            return tuple(range(max(0, self.first - 1), min(self.last, texts.size)))
        generator = np.random.default_rng(self.seed)
        count = min(self.count, texts.size)
        if not (self.by_document and texts.documents is not None):
            return tuple(sorted(int(index) for index in generator.choice(texts.size, count, replace=False)))
        of_segment = texts.documents.of_segment
        order = generator.permutation(len(texts.documents.names))
        sizes = np.bincount(of_segment, minlength=len(order))[order]
        needed = int(np.searchsorted(np.cumsum(sizes), count)) + 1
        return tuple(int(index) for index in np.flatnonzero(np.isin(of_segment, order[:needed])))

    def setup(self, texts: CampaignTexts) -> CampaignSetup:
        """Return the settings from which the campaign is designed."""
        return CampaignSetup(
            self.systems,
            self.segments(texts),
            self.rater_names(),
            overlap=self.overlap / 100,
            repeats=self.repeats / 100,
            controls=self.controls / 100,
            training=self.training,
            per_screen=self.systems_on_screen(),
            seed=self.seed,
        )

    def campaign(self, *, uid: str = "", created: float = 0.0, created_by: str = "") -> Campaign:
        """Return the public data of the campaign."""
        return Campaign(
            uid,
            self.name.strip(),
            self.protocol,
            self.basis,
            self.source_language,
            self.target_language,
            self.displayed_context,
            self.by_document,
            self.source_original,
            self.instructions,
            self.rater_names(),
            created=created,
            created_by=created_by,
        )

    def notes(self, texts: CampaignTexts | None, used_names: Collection[str] = ()) -> dict[str, DraftNote]:
        """Return the most severe note on each field of the form that has notes, keyed by the name of the field.

        `texts` is None if no corpus is open; `used_names` are the names of other campaigns.
        """
        notes: dict[str, DraftNote] = {}
        for name, note in self._notes(texts, used_names):
            # the first note of a field is the most severe
            notes.setdefault(name, note)
        return notes

    def _notes(self, texts: CampaignTexts | None, used_names: Collection[str]) -> Iterator[tuple[str, DraftNote]]:
        if not self.name.strip():
            yield "name", DraftNote(tr("Enter a name; raters see it."))
        elif self.name.strip() in used_names:
            yield "name", DraftNote(tr("This name is already in use. Enter another name."))
        yield from self._rater_notes()
        if texts is None:
            yield "systems", DraftNote(tr("No corpus is open. Open one with the source and the systems' translations."))
            return
        yield from self._system_notes(texts)
        yield from self._text_notes(texts)
        yield from self._extent_notes(texts)

    def reference_copies(self, texts: CampaignTexts) -> list[str]:
        """Return the systems whose translations seem to be identical to the reference."""
        return [name for name in self.systems if texts.is_reference(name)]

    def _rater_notes(self) -> Iterator[tuple[str, DraftNote]]:
        names = self.rater_names()
        repeated = next((name for index, name in enumerate(names) if name in names[:index]), None)
        # a comma may also separate a surname from a first name
        several_names = next((name for name in names if "," in name or ";" in name), None)
        if not names:
            yield "raters", DraftNote(tr("Enter at least one rater, one name per line."))
        elif repeated is not None:
            yield (
                "raters",
                DraftNote(tr("“{name}” is listed twice. Use a different name for every rater.", name=repeated)),
            )
        elif several_names is not None:
            yield (
                "raters",
                DraftNote(
                    tr("“{name}” counts as one rater. Enter one name per line.", name=several_names), is_error=False
                ),
            )
        elif len(names) == 1:
            yield "raters", DraftNote(ONE_RATER_NOTE, is_error=False)
        elif self.overlap == 0:
            yield (
                "overlap",
                DraftNote(tr("Without overlap, inter-annotator agreement cannot be measured."), is_error=False),
            )

    def _system_notes(self, texts: CampaignTexts) -> Iterator[tuple[str, DraftNote]]:
        minimum, maximum = self.selected_protocol.outputs
        missing = next((name for name in self.systems if name not in texts.outputs()), None)
        name_with_joiner = next(
            (name for name in self.systems if self.selected_protocol.compares and CAMPAIGN_JOINER in name), None
        )
        if not texts.outputs():
            yield "systems", DraftNote(tr("The corpus has no translation. Add one text file per system."))
        elif name_with_joiner is not None:
            message = tr(
                "The system name “{name}” contains “{sign}”, which rankings do not allow. Rename the file.",
                sign=CAMPAIGN_JOINER,
                name=name_with_joiner,
            )
            yield "systems", DraftNote(message)
        elif missing is not None:
            yield (
                "systems",
                DraftNote(tr("The translation by {name} is no longer available. Add it again.", name=missing)),
            )
        elif len(self.systems) < minimum:
            several = tr("Select at least {n} systems to compare.", "", minimum)
            yield "systems", DraftNote(tr("Select at least one system.") if minimum == 1 else several)
        reference_systems = self.reference_copies(texts)
        is_reference_hidden = self.selected_protocol.target_only or self.basis is EvaluationBasis.SOURCE
        if reference_systems and is_reference_hidden and not self.reference_rated:
            message = tr(
                "“{name}” seems to be the reference. Deselect it, or select “Rate as a system”.",
                name=reference_systems[0],
            )
            yield "reference", DraftNote(message)
        if maximum > 1 and minimum <= len(self.systems) < min(self.per_screen, maximum):
            message = tr("Only {n} systems are selected, so each item shows all of them.", "", len(self.systems))
            yield "per_screen", DraftNote(message, is_error=False)

    def _text_notes(self, texts: CampaignTexts) -> Iterator[tuple[str, DraftNote]]:
        if self.selected_protocol.target_only:
            pass  # never displayed
        elif texts.source is None and texts.reference is None:
            message = tr("The corpus has neither a source nor a reference. Open a corpus with one of them.")
            yield "basis", DraftNote(message)
        elif self.basis is not EvaluationBasis.REFERENCE and texts.source is None:
            yield "basis", DraftNote(tr("The corpus has no source. Open a corpus with a source, or use the reference."))
        elif self.basis is not EvaluationBasis.SOURCE and texts.reference is None:
            yield (
                "basis",
                DraftNote(tr("The corpus has no reference. Open a corpus with a reference, or use the source.")),
            )
        elif self.basis is not EvaluationBasis.SOURCE and (reference_systems := self.reference_copies(texts)):
            message = tr(
                "“{name}” seems to be the reference, so it would be compared with itself. Deselect it.",
                name=reference_systems[0],
            )
            yield "basis", DraftNote(message)
        if texts.documents is None and (self.by_document or self.displayed_context == WHOLE_DOCUMENT):
            message = tr("The corpus has no document information. Open it with its documents, or change the context.")
            yield "context", DraftNote(message)

    def _extent_notes(self, texts: CampaignTexts) -> Iterator[tuple[str, DraftNote]]:
        if self.extent is SegmentScope.RANGE and self.first > self.last:
            yield "segments", DraftNote(tr("The range ends before it starts."))
        required = {SegmentScope.ALL: 1, SegmentScope.RANGE: self.last, SegmentScope.DRAWN: self.count}[self.extent]
        if required > texts.size:
            message = tr("There {n:is|are} only {n:,} {n:segment|segments}.", "", texts.size)
            yield "segments", DraftNote(message if texts.size else tr("There are no segments."))


def make_campaign(
    draft: CampaignDraft,
    texts: CampaignTexts,
    user: str,
    on_step: OnStep = lambda share, text: None,
    *,
    secret: bytes = b"",
) -> CampaignDesign:
    """Create the design of a campaign, by default with a new secret.

    `texts` must contain the translations of all systems in the draft. Raises QeError if no design is possible.
    """

    on_step(0.0, tr("texts"))
    setup = draft.setup(texts)
    campaign = draft.campaign(uid=uuid.uuid4().hex, created=time.time(), created_by=user)
    passages = texts.passages(visible_segments(draft, texts, setup.segments))
    on_step(0.3, tr("items"))
    outputs = texts.outputs()
    return design_campaign(
        campaign,
        setup,
        passages,
        {name: outputs[name] for name in draft.systems},
        secret=secret or new_secret(),
        reference_rated=draft.reference_rated,
    )


def visible_segments(draft: CampaignDraft, texts: CampaignTexts, segments: tuple[int, ...]) -> list[int]:
    """Return all segments whose texts may be displayed: rated `segments`, their context, and training candidates."""
    is_rated = np.zeros(texts.size, bool)
    is_rated[list(segments)] = True
    is_visible = is_rated.copy()
    documents = texts.documents
    if draft.displayed_context == WHOLE_DOCUMENT and documents is not None:
        is_visible |= np.isin(documents.of_segment, np.unique(documents.of_segment[is_rated]))
    else:
        for step in range(1, draft.displayed_context + 1):
            is_visible[step:] |= is_rated[:-step]
            is_visible[:-step] |= is_rated[step:]
    if draft.training:
        outside = np.flatnonzero(~is_rated)
        generator = np.random.default_rng([draft.seed, len(outside)])
        is_visible[generator.choice(outside, min(MAX_TRAINING_SEGMENTS, len(outside)), replace=False)] = True
    return [int(segment) for segment in np.flatnonzero(is_visible)]


@dataclass(frozen=True, slots=True)
class Workload:
    """Number of screens and estimated active time in seconds by rater, and total number of judgements by system.

    Screens include training. A judgement is a rating of one output, or the rank of one output in a ranking; repeats,
    quality-control items and training are not counted as judgements.
    """

    screens: dict[str, int]
    seconds: dict[str, float]
    judgements: dict[str, float]

    @property
    def total_seconds(self) -> float:
        """Estimated active time of all raters together, in seconds."""
        return sum(self.seconds.values())


def estimate_workload(campaign: Campaign, setup: CampaignSetup) -> Workload:
    """Estimate the workload from the settings alone, without texts; fast enough to run while a form is filled in.

    The error is at most one unit of distribution: if documents stay whole, a rater may have one document more or less.
    In rankings, all outputs count as distinct. Without segments, all numbers are 0.
    """
    protocol = get_protocol(campaign.protocol)
    per_screen = outputs_per_screen(protocol, setup)
    items = len(setup.segments) * (1 if protocol.compares else len(setup.systems))
    counts = _items_per_rater(items, len(setup.raters), setup.overlap)
    screens = [
        count
        + share_count(setup.repeats, count)
        + share_count(setup.controls, count)
        + (setup.training if count else 0)
        for count in counts
    ]
    judgements_per_system = sum(counts) * per_screen / len(setup.systems) if setup.systems else 0.0
    return Workload(
        dict(zip(setup.raters, screens, strict=True)),
        {
            rater: protocol.estimated_seconds(count, per_screen)
            for rater, count in zip(setup.raters, screens, strict=True)
        },
        dict.fromkeys(setup.systems, judgements_per_system),
    )


def _items_per_rater(items: int, raters: int, overlap: float) -> Sequence[int]:
    if raters < 2:
        return [items] * raters
    common = share_count(overlap, items)
    items_each, remainder = divmod(items - common, raters)
    return [common + items_each + (rater < remainder) for rater in range(raters)]
