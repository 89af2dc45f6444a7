"""A session over a corpus: the loaded columns stay as they are, edits live in an overlay and can be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, NumberColumn, Provenance, QeError, TagColumn
from qe_desktop.project.edits import Change, Edit, Tags, describe
from qe_desktop.project.thresholds import tags_at

DEFAULT_THRESHOLD = 0.5
"""P(BAD) above which a word is called BAD until a person chooses otherwise (as OpenKiwi does)."""


@dataclass(frozen=True, slots=True)
class _Step:
    """An edit that was made: how to take it back, its name, and a number that no other edit has."""

    edit: Edit
    inverse: Edit
    text: str
    serial: int


class Session:
    """A corpus that is being worked on. Everything that changes goes through here and is told to the subscribers."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._overlay: dict[LayerKey, dict[int, Tags]] = {}
        self._thresholds: dict[str, float] = {}
        self._derived: dict[str, tuple[NumberColumn, float, TagColumn]] = {}
        self._done: list[_Step] = []
        self._undone: list[_Step] = []
        self._serial = 0
        self._serials: dict[LayerKey, list[int]] = {}
        self._in_file: dict[LayerKey, int] = {}
        self._edited: dict[LayerKey, int] = {}
        self._subscribers: list[Callable[[Change], None]] = []

    # --- who listens

    def subscribe(self, listener: Callable[[Change], None]) -> None:
        """Call `listener` with every change from now on."""
        self._subscribers.append(listener)

    def _tell(self, change: Change) -> Change:
        for listener in self._subscribers:
            listener(change)
        return change

    # --- what the tags are now

    def tags(self, key: LayerKey) -> TagColumn:
        """A layer's tags as edited; the loaded column itself where nothing was edited."""
        return self._loaded(key).with_segments(self._overlay.get(key, {}))

    def segment_tags(self, key: LayerKey, segment: int) -> Tags:
        """One segment's tags as edited."""
        edited = self._overlay.get(key, {}).get(segment)
        return self._loaded(key)[segment] if edited is None else edited

    def loaded_tags(self, key: LayerKey, segment: int) -> Tags:
        """One segment's tags as loaded."""
        return self._loaded(key)[segment]

    def edited_segments(self, key: LayerKey) -> list[int]:
        """Segments whose tags differ from those loaded, ascending."""
        column = self._loaded(key)
        overlay = self._overlay.get(key, {})
        return sorted(segment for segment, tags in overlay.items() if not np.array_equal(tags, column[segment]))

    def _loaded(self, key: LayerKey) -> TagColumn:
        if self.from_probabilities(key):
            return self._at_threshold(key.name)
        layer = self.corpus.layers.get(key)
        if layer is not None:
            return layer.tags
        raise QeError(f"there is no layer “{key}”", hint="It may have been closed.")

    def reference(self, kind: Kind) -> LayerKey | None:
        """What systems are scored against: the gold, or without gold the first person's layer."""
        for provenance in (Provenance.GOLD, Provenance.PERSON):
            layer = next(self.corpus.find(provenance, kind), None)
            if layer is not None:
                return layer.key
        return None

    def tracks(self, kind: Kind) -> list[LayerKey]:
        """All tags of a kind: gold, then persons, then systems (those with probabilities only at their threshold)."""
        keys = [
            layer.key
            for provenance in (Provenance.GOLD, Provenance.PERSON, Provenance.SYSTEM)
            for layer in self.corpus.find(provenance, kind)
        ]
        if kind is Kind.WORDS:
            for layer in self.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES):
                key = LayerKey(Provenance.SYSTEM, layer.key.name, Kind.WORDS)
                if key not in self.corpus.layers:
                    keys.append(key)
        return keys

    def scored(self, kind: Kind) -> list[LayerKey]:
        """The layers that are scored against the reference: all others of the kind."""
        reference = self.reference(kind)
        return [key for key in self.tracks(kind) if key != reference] if reference else []

    # --- probabilities and their threshold

    def from_probabilities(self, key: LayerKey) -> bool:
        """Whether a layer's tags are made from probabilities: there are no others, or a person chose a threshold."""
        return (
            key.kind is Kind.WORDS
            and key.provenance is Provenance.SYSTEM
            and (key not in self.corpus.layers or key.name in self._thresholds)
            and LayerKey(key.provenance, key.name, Kind.PROBABILITIES) in self.corpus.layers
        )

    def threshold(self, name: str) -> float:
        """The threshold of a system's probabilities."""
        return self._thresholds.get(name, DEFAULT_THRESHOLD)

    def set_threshold(self, name: str, value: float) -> Change:
        """Turn a system's probabilities into tags at another threshold."""
        self._thresholds[name] = min(1.0, max(0.0, value))
        key = LayerKey(Provenance.SYSTEM, name, Kind.WORDS)
        return self._tell(Change(key, text=f"{name}: BAD above {value:.2f}", layers=self.from_probabilities(key)))

    def clear_threshold(self, name: str) -> Change:
        """Go back to the tags that the system gave, or to the usual threshold."""
        self._thresholds.pop(name, None)
        return self._tell(Change(LayerKey(Provenance.SYSTEM, name, Kind.WORDS), text=f"{name}: as given", layers=True))

    def _at_threshold(self, name: str) -> TagColumn:
        threshold = self.threshold(name)
        numbers = self.corpus.layers[LayerKey(Provenance.SYSTEM, name, Kind.PROBABILITIES)].numbers
        held = self._derived.get(name)
        if held is None or held[0] is not numbers or held[1] != threshold:
            held = (numbers, threshold, tags_at(numbers, threshold))
            self._derived[name] = held
        return held[2]

    # --- layers that come and go

    def extend(self, corpus: Corpus) -> Change:
        """Go on with a corpus that has more layers over the same segments; edits stay."""
        self.corpus = corpus
        return self._tell(Change(None, text="layers added", layers=True))

    def add_person(self, name: str, kind: Kind, copy_of: LayerKey | None = None) -> LayerKey:
        """A layer of a person's own: a copy of another layer's tags as edited, or all OK."""
        key = LayerKey(Provenance.PERSON, name, kind)
        if key not in self.corpus.layers:
            self.corpus = self.corpus.with_layer(Layer(key, self._fresh(kind, copy_of), form="n"))
            self._tell(Change(key, text=f"layer of {name} added", layers=True))
        return key

    def _fresh(self, kind: Kind, copy_of: LayerKey | None) -> TagColumn:
        if copy_of is not None:
            column = self.tags(copy_of)
            return TagColumn(column.values.copy(), column.offsets)
        like = next(iter(self.tracks(kind)), None)
        offsets = self.tags(like).offsets if like else self.corpus.offsets(kind)
        if offsets is None:
            raise QeError(f"there is nothing to put {kind.value} tags on", hint="Open the text that they belong to.")
        return TagColumn(np.zeros(int(offsets[-1]), np.uint8), offsets)

    def remove(self, key: LayerKey) -> Change:
        """Close a layer; its edits go with it. Closing tags made from probabilities closes the probabilities."""
        made = self.from_probabilities(key)
        self.corpus = self.corpus.without_layer(key)
        if made or key.kind is Kind.PROBABILITIES:
            self.corpus = self.corpus.without_layer(LayerKey(key.provenance, key.name, Kind.PROBABILITIES))
            self._thresholds.pop(key.name, None)
            self._derived.pop(key.name, None)
        for held in (self._overlay, self._in_file, self._edited, self._serials):
            held.pop(key, None)
        self._done = [step for step in self._done if step.edit.layer != key]
        self._undone = [step for step in self._undone if step.edit.layer != key]
        return self._tell(Change(key, text=f"{key} closed", layers=True))

    # --- edits

    def apply(self, edit: Edit) -> Change:
        """Make an edit; it can be undone."""
        if edit.layer.provenance is Provenance.SYSTEM:
            raise QeError(
                f"the tags of {edit.layer.name} are what the system said and cannot be edited",
                hint="Edit the gold, or a layer of your own.",
            )
        before = self.segment_tags(edit.layer, edit.segment)
        if np.array_equal(edit.on(before), before):
            return Change(edit.layer)
        self._serial += 1
        step = _Step(edit, edit.inverse(before), describe(edit, before), self._serial)
        self._done.append(step)
        self._serials.setdefault(edit.layer, []).append(step.serial)
        self._undone.clear()
        return self._make(edit, step.text)

    def undo(self) -> Change | None:
        """Take the last edit back; None where there is none."""
        if not self._done:
            return None
        step = self._done[-1]
        self._loaded(step.edit.layer)
        self._undone.append(self._done.pop())
        self._serials[step.edit.layer].pop()
        return self._make(step.inverse, f"Undo: {step.text}")

    def redo(self) -> Change | None:
        """Make the last undone edit again; None where there is none."""
        if not self._undone:
            return None
        step = self._undone[-1]
        self._loaded(step.edit.layer)
        self._done.append(self._undone.pop())
        self._serials.setdefault(step.edit.layer, []).append(step.serial)
        return self._make(step.edit, f"Redo: {step.text}")

    def _make(self, edit: Edit, text: str) -> Change:
        loaded, before = self._loaded(edit.layer)[edit.segment], self.segment_tags(edit.layer, edit.segment)
        after = edit.on(before)
        self._overlay.setdefault(edit.layer, {})[edit.segment] = after
        moved = int(np.count_nonzero(after != loaded)) - int(np.count_nonzero(before != loaded))
        self._edited[edit.layer] = self._edited.get(edit.layer, 0) + moved
        return self._tell(Change(edit.layer, (edit.segment,), text))

    @property
    def undo_text(self) -> str:
        """What undo would take back, or nothing."""
        return self._done[-1].text if self._done else ""

    @property
    def redo_text(self) -> str:
        """What redo would make again, or nothing."""
        return self._undone[-1].text if self._undone else ""

    # --- what is not saved

    def unsaved(self) -> list[LayerKey]:
        """Layers with edits that are in no file."""
        return [
            key for key in self.corpus.layers if key.kind.is_tags and self._latest(key) != self._in_file.get(key, 0)
        ]

    def _latest(self, key: LayerKey) -> int:
        """The serial of the last edit of a layer that is not undone; 0 for a layer as loaded."""
        serials = self._serials.get(key)
        return serials[-1] if serials else 0

    def saved(self, keys: Iterable[LayerKey]) -> Change:
        """Note that these layers are in a file as they are now."""
        for key in keys:
            self._in_file[key] = self._latest(key)
        return self._tell(Change(None, text="saved"))

    def edited_tags(self) -> int:
        """How many tags differ from those loaded, over all layers."""
        return sum(self._edited.values())
