"""Read-only snapshot of a corpus with its edits; later edits create new snapshots."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from itertools import repeat
from operator import is_not, ne
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Ints, TagColumn
from qe_desktop.corpus.corpus import Corpus
from qe_desktop.corpus.errors import QeError
from qe_desktop.corpus.layers import Kind, LayerKey, Provenance, Scores
from qe_desktop.corpus.translation_job import (
    EMPTY_REVIEW,
    DerivedLayers,
    LiveTags,
    Review,
    ReviewStatus,
    StatusArray,
    values_of,
)
from qe_desktop.i18n.messages import tr

Tags = NDArray[np.uint8]
"""Tags of one segment, shape (positions,): 1 is BAD."""

_STATUSES = tuple(ReviewStatus)
"""Statuses by number; indexing is faster than `ReviewStatus(number)`."""
_NOT_SET = 255
"""Number that stands for a status that the user did not set."""
MAX_INCREMENTAL_SEGMENTS = 100
"""Maximum number of changed segments for which masks of reviewed segments are updated, not computed again."""


class EditedTags:
    """Current tags of a layer: `base` replaces the `loaded` column, and the tags in `segments` override `base`.

    `segments` must not be mutated. `differing` returns the segments in which `base` differs from `loaded`.
    """

    __slots__ = ("_column", "_differing", "base", "loaded", "segments")

    def __init__(
        self, loaded: TagColumn, base: TagColumn, segments: Mapping[int, Tags], differing: Callable[[], Ints]
    ) -> None:
        self.loaded = loaded
        self.base = base
        self.segments = segments
        self._differing = differing
        self._column: TagColumn | None = None

    def __getitem__(self, segment: int) -> Tags:
        edited = self.segments.get(segment)
        return self.base[segment] if edited is None else edited

    def column(self) -> TagColumn:
        """All tags as one column, cached; `base` itself if no segment overrides it."""
        if self._column is None:
            self._column = self.base.with_segments(dict(self.segments))
        return self._column

    def edited_segments(self) -> Ints:
        """Segments whose tags differ from the loaded tags, ascending, shape (k,)."""
        if not self.segments:
            return self._differing()
        overridden = np.fromiter(self.segments, np.int64, len(self.segments))
        differ = np.fromiter(
            (not np.array_equal(tags, self.loaded[segment]) for segment, tags in self.segments.items()),
            bool,
            len(overridden),
        )
        base_differing = self._differing()
        return np.sort(np.concatenate([base_differing[~np.isin(base_differing, overridden)], overridden[differ]]))


class View:
    """Immutable snapshot of the open data: the corpus, its edits, and the tags computed from probabilities.

    Readers never see a half-applied change. `computed` are tags computed by applying thresholds to the probabilities of
    systems; they replace the loaded tags. `review` contains the targets, statuses and notes that users set, and
    `derived` the layers derived from the edited targets. The BAD tags of `decisive_layers` are marked whatever other
    layers say (see `corpus.tag_voting`); only views from `with_corpus` have such layers. If `compared_names` are not
    empty, the tags of other systems are hidden; only views from `with_compared_layers` have such names.
    """

    __slots__ = (
        "_computed", "_derived", "_edited", "_reviewed_masks", "_statuses", "compared_names", "corpus",
        "decisive_layers", "review",
    )  # fmt: skip

    def __init__(
        self,
        corpus: Corpus,
        edited: Mapping[LayerKey, EditedTags] | None = None,
        computed: Mapping[LayerKey, TagColumn] | None = None,
        review: Review = EMPTY_REVIEW,
        derived: DerivedLayers | None = None,
    ) -> None:
        self.corpus = corpus
        self.decisive_layers: frozenset[LayerKey] = frozenset()
        self.compared_names: frozenset[tuple[Provenance, str]] = frozenset()
        self._derived = derived
        self._reviewed_masks: dict[LayerKey, NDArray[np.bool_] | None] = {}
        self.review = review
        self._statuses: StatusArray | None = None
        live: dict[LayerKey, LiveTags] = dict(edited or {})
        self._edited = MappingProxyType(live if derived is None else live | dict(derived.tags))
        self._computed = MappingProxyType(dict(computed or {}))

    def with_corpus(self, corpus: Corpus, decisive_layers: frozenset[LayerKey] = frozenset()) -> View:
        """Return a snapshot with `corpus`, a copy of this corpus with fewer layers.

        Edits and review are kept; derived layers are not.
        """
        edited = {
            key: tags for key, tags in self._edited.items() if key in corpus.layers and isinstance(tags, EditedTags)
        }
        view = View(corpus, edited, self._computed, self.review)
        view._statuses = self.statuses()
        view.decisive_layers = decisive_layers
        return view

    def with_compared_layers(self, layers: Sequence[LayerKey]) -> View:
        """Return a snapshot that hides the tags, of all kinds, of systems other than those to which `layers` belong."""
        view = copy(self)
        view.compared_names = frozenset((key.provenance, key.name) for key in layers)
        return view

    # --- tags

    def tags(self, key: LayerKey) -> TagColumn:
        """Current tags of a layer: edited, else initial. Raises QeError if there is no such tag layer."""
        edited = self._edited.get(key)
        return self.initial_tags(key) if edited is None else edited.column()

    def segment_tags(self, key: LayerKey, segment: int) -> Tags:
        """Current tags of a segment: edited, else initial. Raises QeError if there is no such tag layer."""
        edited = self._edited.get(key)
        return self.initial_tags(key)[segment] if edited is None else edited[segment]

    def initial_tags(self, key: LayerKey) -> TagColumn:
        """Initial tags of a layer: loaded, derived or computed from probabilities. Raises QeError if there are none."""
        computed = self._computed.get(key)
        if computed is not None:
            return computed
        if self._derived is not None and key in self._derived.tags:
            return self._edited[key].loaded
        layer = self.corpus.layers.get(key)
        if layer is None or not key.kind.is_tags:
            raise QeError(tr("no layer named “{layer}”", layer=key), hint=tr("It may have been closed."))
        return layer.tags

    def is_derived(self, key: LayerKey) -> bool:
        """Whether a layer is derived from the edited text, so that its tags are read-only."""
        return self._derived is not None and (key in self._derived.tags or key in self._derived.scores)

    def scores(self, key: LayerKey) -> Scores:
        """Scores of a layer, shape (segments,). Raises KeyError if there is no layer, TypeError if it has no scores."""
        if self._derived is not None and key in self._derived.scores:
            return self._derived.scores_of(key)
        return self.corpus.layers[key].scores

    def derived_scores(self) -> tuple[LayerKey, ...]:
        """Keys of the score layers derived from the edited text (HTER)."""
        return () if self._derived is None else self._derived.scores

    def has_computed_tags(self, key: LayerKey) -> bool:
        """Whether a layer's tags are computed from probabilities, because none are loaded or a threshold is set."""
        return key in self._computed

    def edited_positions(self, key: LayerKey, segment: int) -> Ints:
        """Positions in a segment where the tags of a layer differ from its initial tags, ascending, shape (k,)."""
        if key not in self._edited:
            return np.zeros(0, np.int64)
        return np.flatnonzero(self.segment_tags(key, segment) != self.initial_tags(key)[segment])

    def edited_segments(self, key: LayerKey) -> Ints:
        """Segments in which the tags of a layer differ from its initial tags, ascending, shape (k,)."""
        edited = self._edited.get(key)
        return np.zeros(0, np.int64) if edited is None else edited.edited_segments()

    # --- review

    def target(self, segment: int) -> str:
        """Current translation as a line with codes (see `TranslationJob`): the edited one, else the loaded one."""
        edited_target = self.review.targets.get(segment)
        return self.corpus.target_line(segment) if edited_target is None else edited_target

    def is_edited(self, segment: int) -> bool:
        """Whether the current translation (edited by the user, or as in the file) differs from the MT."""
        job = self.corpus.job
        target = self.review.targets.get(segment)
        if target is None:
            if job is None or job.loaded is None:
                return False
            target = self.corpus.target_line(segment)
        return target != self.corpus.mt_line(segment)

    def is_changed(self, segment: int) -> bool:
        """Whether the current translation differs from the loaded one (the target in the file, or else the MT)."""
        target = self.review.targets.get(segment)
        return target is not None and target != self.corpus.target_line(segment)

    def post_edited_segments(self) -> Iterator[int]:
        """Iterate over the segments whose current translation differs from the MT, in ascending order."""
        job = self.corpus.job
        candidates = self.review.targets if job is None or job.loaded is None else {*self.review.targets, *job.edited}
        return (segment for segment in sorted(candidates) if self.is_edited(segment))

    def is_locked(self, segment: int) -> bool:
        """Whether the bilingual file marks the translation of a segment as locked."""
        job = self.corpus.job
        return job is not None and int(job.statuses[segment]) == ReviewStatus.LOCKED

    def status(self, segment: int) -> ReviewStatus:
        """Status of a segment.

        Locked segments, and segments whose status and target the user did not change, have the status in the file.
        Other segments are confirmed or rejected if the user set that status, else edited if the target was changed,
        else open.
        """
        cached = self._statuses
        return _STATUSES[self._statuses_of([segment]).item() if cached is None else cached.item(segment)]

    def _statuses_of(self, segments: Sequence[int]) -> StatusArray:
        """`status` of some segments, shape (k,)."""
        job, indices = self.corpus.job, list(segments)
        loaded = np.zeros(len(indices), np.uint8) if job is None else job.statuses[indices]
        statuses = values_of(self.review.statuses, indices)
        stored = np.fromiter([_NOT_SET if status is None else status for status in statuses], np.uint8, len(indices))
        changed = self._changed_targets(indices)
        by_user = (loaded != ReviewStatus.LOCKED) & (changed | (stored != _NOT_SET))
        by_target = np.isin(stored, (_NOT_SET, ReviewStatus.OPEN, ReviewStatus.EDITED))
        edited = np.where(changed, np.uint8(ReviewStatus.EDITED), np.uint8(ReviewStatus.OPEN))
        return np.where(by_user, np.where(by_target, edited, stored), loaded)

    def _changed_targets(self, segments: Sequence[int]) -> NDArray[np.bool_]:
        """Whether the target of each segment was changed in the review, shape (k,).

        Targets in the review are compared with the loaded targets. A target in the review that equals the loaded target
        was saved before the file was opened again, so it is compared with the MT.
        """
        targets = values_of(self.review.targets, segments)
        changed: NDArray[np.bool_] = np.fromiter(
            map(ne, targets, self.corpus.target_lines(segments)), bool, len(targets)
        )
        saved = (~changed).nonzero()[0].tolist()
        mt_lines = self.corpus.mt_lines([segments[index] for index in saved])
        changed[saved] = [targets[index] != line for index, line in zip(saved, mt_lines, strict=True)]
        changed &= np.fromiter(map(is_not, targets, repeat(None)), bool, len(targets))
        return changed

    def statuses(self) -> StatusArray:
        """Status of every segment, shape (segments,); cached."""
        if self._statuses is None:
            job = self.corpus.job
            statuses = np.zeros(self.corpus.size, np.uint8) if job is None else job.statuses.copy()
            reviewed = [*{**self.review.targets, **self.review.statuses}]
            statuses[reviewed] = self._statuses_of(reviewed)
            statuses.flags.writeable = False
            self._statuses = statuses
        return self._statuses

    def reuse_results(self, previous: View, segments: Sequence[int], *, layers: bool = False) -> None:
        """Reuse cached results of the previous view, which must differ from this view only in `segments`.

        Masks of reviewed segments are not reused if more than `MAX_INCREMENTAL_SEGMENTS` segments differ, or if
        `layers` is true, that is, if layers may differ too.
        """
        if previous._statuses is not None and self._statuses is None:
            statuses = previous._statuses.copy()
            statuses[list(segments)] = self._statuses_of(segments)
            statuses.flags.writeable = False
            self._statuses = statuses
        for key, reviewed in (
            () if layers or len(segments) > MAX_INCREMENTAL_SEGMENTS else previous._reviewed_masks.items()
        ):
            self._reviewed_masks[key] = None if reviewed is None else self._update_reviewed(key, reviewed, segments)

    def _update_reviewed(
        self, key: LayerKey, previous: NDArray[np.bool_], segments: Sequence[int]
    ) -> NDArray[np.bool_]:
        reviewed = previous.copy()
        for segment in segments:
            reviewed[segment] = self.is_reviewed(key, segment)
        return reviewed

    def note(self, segment: int) -> str:
        """Note that the user set on a segment, else the reviewer's note in the file; empty if there is neither."""
        note = self.review.notes.get(segment)
        if note is not None or self.corpus.job is None:
            return note or ""
        return self.corpus.job.reviewer_notes.get(segment, "")

    # --- layers

    def reference(self, kind: Kind) -> LayerKey | None:
        """Default reference of a kind; None if there is none.

        It is the gold layer, else the first annotator's layer, else the first derived layer.
        """
        for provenance in (Provenance.GOLD, Provenance.PERSON):
            layer = next(self.corpus.find(provenance, kind), None)
            if layer is not None:
                return layer.key
        return next(iter(self.derived_tags(kind)), None)

    def derived_tags(self, kind: Kind) -> list[LayerKey]:
        """Tag layers of a kind that are derived from the edited text, one per annotator."""
        return [] if self._derived is None else [key for key in self._derived.tags if key.kind is kind]

    def reference_at(self, kind: Kind, segment: int) -> LayerKey | None:
        """Default reference of a kind; None if there is none, or if its annotator has not reviewed the segment."""
        reference = self.reference(kind)
        return reference if reference is not None and self.is_reviewed(reference, segment) else None

    def scored_segments(self, reference: LayerKey) -> NDArray[np.bool_] | None:
        """Mask of the segments that can be scored against a reference, shape (segments,); None if all can.

        For a layer that results from the user's tags or post-edits, these are the reviewed segments: segments that the
        user confirmed, tagged or post-edited. Loaded layers cover all segments.
        """
        if reference not in self._reviewed_masks:
            self._reviewed_masks[reference] = self._compute_reviewed(reference)
        return self._reviewed_masks[reference]

    def _compute_reviewed(self, key: LayerKey) -> NDArray[np.bool_] | None:
        if self.is_complete(key):
            return None
        if self._derived is not None and self.is_derived(key):
            return self._derived.reviewed_segments(key)
        reviewed = np.zeros(self.corpus.size, bool)
        reviewed[self.edited_segments(key)] = True
        statuses = self.review.statuses.items()
        reviewed[[segment for segment, status in statuses if status is ReviewStatus.CONFIRMED]] = True
        return reviewed

    def is_reviewed(self, key: LayerKey, segment: int) -> bool:
        """Whether a segment can be scored against a layer; see `scored_segments`."""
        if self.is_complete(key):
            return True
        if self._derived is not None and self.is_derived(key):
            return self._derived.is_reviewed(key, segment)
        confirmed = self.review.statuses.get(segment) is ReviewStatus.CONFIRMED
        return confirmed or bool(len(self.edited_positions(key, segment)))

    def is_complete(self, key: LayerKey) -> bool:
        """Whether all segments can be scored against a layer; false if the user creates it one segment at a time."""
        layer = self.corpus.layers.get(key)
        return key.provenance is not Provenance.PERSON or (layer is not None and bool(layer.origin))

    def tag_layers(self, kind: Kind) -> list[LayerKey]:
        """Tag layers of a kind: gold, annotators, systems with loaded tags, then systems with only computed tags.

        Synthetic layers and layers of hidden systems are excluded.
        """
        human_keys = [
            layer.key
            for provenance in (Provenance.GOLD, Provenance.PERSON)
            for layer in self.corpus.find(provenance, kind)
        ]
        systems = [layer.key for layer in self.corpus.find(Provenance.SYSTEM, kind)]
        computed = [key for key in self._computed if key.kind is kind]
        # a derived layer replaces a loaded layer of the same name
        keys = dict.fromkeys([*human_keys, *self.derived_tags(kind), *systems, *computed])
        return [key for key in keys if not self.is_hidden(key)]

    def is_hidden(self, key: LayerKey) -> bool:
        """Whether a layer belongs to a system that is hidden because other layers are compared."""
        names = self.compared_names
        return bool(names) and key.provenance is Provenance.SYSTEM and (key.provenance, key.name) not in names

    def compared_layers(self, kind: Kind) -> list[LayerKey]:
        """Tag layers of a kind that are compared; empty if fewer than two layers of this kind are."""
        keys = [key for key in self.tag_layers(kind) if (key.provenance, key.name) in self.compared_names]
        return keys if len(keys) > 1 else []

    def synthetic_layers(self, kind: Kind) -> list[LayerKey]:
        """Tag layers of a kind that are derived from the gold layer by a rule: displayed, but never scored."""
        return [layer.key for layer in self.corpus.find(Provenance.SYNTHETIC, kind)]

    def displayed_layers(self, kind: Kind) -> list[LayerKey]:
        """Displayed tag layers of a kind: gold, annotators, systems, then synthetic layers."""
        return [*self.tag_layers(kind), *self.synthetic_layers(kind)]

    def displayed_layers_at(self, kind: Kind, segment: int) -> list[LayerKey]:
        """Displayed tag layers of a kind in a segment; derived layers only if the segment was reviewed."""
        return [
            key for key in self.displayed_layers(kind) if not self.is_derived(key) or self.is_reviewed(key, segment)
        ]

    def scored_layers(self, kind: Kind) -> list[LayerKey]:
        """Tag layers of a kind to score against the reference, without synthetic layers; empty without a reference."""
        reference = self.reference(kind)
        return [key for key in self.tag_layers(kind) if key != reference] if reference else []
