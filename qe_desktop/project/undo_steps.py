"""Undo steps of tag edits and of added or removed layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, QeError, TagColumn, View
from qe_desktop.i18n.messages import tr
from qe_desktop.project.edits import Edit, SessionChange
from qe_desktop.project.events import EditRow
from qe_desktop.project.review.review_service import ReviewService
from qe_desktop.project.tag_edits import TagEditLog
from qe_desktop.project.undo_manager import NO_STEP, StepCounter, StepOrder


class TagSteps:
    """Undo stack (`Undoable`) of the user's tag edits; `notify` stores a row, and reports and returns the change."""

    def __init__(self, tagging: TagEditLog, notify: Callable[[EditRow, str], SessionChange]) -> None:
        self._tagging = tagging
        self._notify = notify

    @property
    def undo_order(self) -> StepOrder:
        """Position, among all steps, of the step that the next undo reverts; `NO_STEP` if there is none."""
        return self._tagging.undo_order

    @property
    def redo_order(self) -> StepOrder:
        """Position, among all steps, of the undo that the next redo reverts; `NO_STEP` if there is none."""
        return self._tagging.redo_order

    @property
    def undo_text(self) -> str:
        """Description of the edit that the next undo reverts; empty if there is none."""
        return self._tagging.undo_text

    @property
    def redo_text(self) -> str:
        """Description of the edit that the next redo restores; empty if there is none."""
        return self._tagging.redo_text

    def undo(self, message: str, left: str) -> SessionChange | None:
        """Undo the last edit; return the change, or None if there is nothing to undo.

        Tags that were changed after the edit, or set by another user, stay as they are. The text of the change is
        `message`, or `left` if nothing was undone.
        """
        return self._report_step(self._tagging.undo(), message, left)

    def redo(self, message: str, left: str) -> SessionChange | None:
        """Redo the last undone edit; return the change, or None if there is nothing to redo.

        The text of the change is `message`, or `left` if nothing was redone.
        """
        return self._report_step(self._tagging.redo(), message, left)

    def _report_step(self, row: EditRow | None, message: str, left: str) -> SessionChange | None:
        return None if row is None else self._notify(row, message if row.places else left)

    def forget_undone(self) -> None:
        """Clear the redo history."""
        self._tagging.forget_undone()


def limit_redo_history(tagging: TagEditLog, reviewing: ReviewService) -> None:
    """Limit the stored redo history to steps undone after both the user's last tag edit and last review edit."""
    if reviewing.last_edit != NO_STEP:
        if reviewing.redo_order != NO_STEP:
            reviewing.forget_undone_before(tagging.last_edit_order())
        tagging.forget_undone_before(reviewing.last_edit)


@dataclass(frozen=True, slots=True, eq=False)
class LayerStep:
    """Step that added layers (`is_addition` is true) or removed layers.

    `edits` are applied when the layers are added again after a removal. `step` is the step number.
    """

    layers: tuple[Layer, ...]
    is_addition: bool
    edits: tuple[Edit, ...] = ()
    step: int = 0

    @property
    def key(self) -> LayerKey:
        """Key of the first layer."""
        return self.layers[0].key

    @property
    def text(self) -> str:
        """Description of the step."""
        return tr("{layer} added", layer=self.key) if self.is_addition else tr("{layer} closed", layer=self.key)


class LayerStepsHost(Protocol):
    """Session whose layers `LayerSteps` adds and removes."""

    corpus: Corpus

    def add_layers(self, layers: Sequence[Layer], edits: Sequence[Edit], text: str) -> SessionChange:
        """Add the `layers` whose keys are not in use, with their `edits`, and notify subscribers."""

    def close_layers(self, layers: Sequence[Layer], text: str) -> SessionChange:
        """Remove the `layers` that are open, and notify subscribers."""

    def publish(self, change: SessionChange) -> SessionChange:
        """Notify subscribers of a change; return the reported change, which includes changed post-edit layers."""

    def edits_on(self, layers: Sequence[Layer]) -> tuple[Edit, ...]:
        """Return the edits that change the loaded tags of `layers` to the current tags."""


class LayerSteps:
    """Undo stack of added and removed layers."""

    def __init__(self, host: LayerStepsHost, steps: StepCounter) -> None:
        self._host, self._steps = host, steps
        self._undoable: list[LayerStep] = []
        self._undone: list[LayerStep] = []

    def change_layers(self, layers: Sequence[Layer], *, is_addition: bool, text: str) -> SessionChange:
        """Add layers (if `is_addition`), or remove layers with their edits; record a step that can be undone."""
        edits = () if is_addition else self._host.edits_on(layers)
        self._undoable.append(LayerStep(tuple(layers), is_addition, edits, self._steps.next()))
        self._undone.clear()
        return self._host.add_layers(layers, (), text) if is_addition else self._host.close_layers(layers, text)

    @property
    def undo_order(self) -> StepOrder:
        """Position, among all steps, of the step that the next undo reverts; `NO_STEP` if there is none."""
        return (self._undoable[-1].step, 0.0) if self._undoable else NO_STEP

    @property
    def redo_order(self) -> StepOrder:
        """Position, among all steps, of the undo that the next redo reverts; `NO_STEP` if there is none."""
        return (self._undone[-1].step, 0.0) if self._undone else NO_STEP

    @property
    def undo_text(self) -> str:
        """Description of the step that the next undo reverts; empty if there is none."""
        return self._undoable[-1].text if self._undoable else ""

    @property
    def redo_text(self) -> str:
        """Description of the step that the next redo restores; empty if there is none."""
        return self._undone[-1].text if self._undone else ""

    def undo(self, message: str, left: str) -> SessionChange:
        """Undo the last step; there must be one. Removed layers are added again with their edits.

        The text of the returned change is `message`, or `left` if nothing was undone: all layers that the step added
        are gone, or all keys of layers that it removed are used by other layers.
        """
        return self._move(self._undoable, self._undone, message, left, undo=True)

    def redo(self, message: str, left: str) -> SessionChange:
        """Redo the last undone step; there must be one.

        The text of the returned change is `message`, or `left` if nothing was redone.
        """
        return self._move(self._undone, self._undoable, message, left, undo=False)

    def _move(
        self, source: list[LayerStep], target: list[LayerStep], text: str, left: str, *, undo: bool
    ) -> SessionChange:
        step, current = source.pop(), self._host.corpus.layers
        adds = step.is_addition is not undo
        edits = step.edits if adds else self._host.edits_on(step.layers)
        # another user may have closed the layers, or added layers with their keys
        if all(layer.key in current if adds else current.get(layer.key) is not layer for layer in step.layers):
            change = self._host.publish(SessionChange(step.key, text=left, had_no_effect=True))
        elif adds:
            change = self._host.add_layers(step.layers, edits, text)
        else:
            change = self._host.close_layers(step.layers, text)
        target.append(replace(step, edits=edits, step=self._steps.next()))
        return change

    def forget_undone(self) -> None:
        """Clear the redo history; called after a step of another kind, such as a tag edit."""
        self._undone.clear()


def initial_tags(view: View, kind: Kind, copy_of: LayerKey | None) -> TagColumn:
    """Return the tags of a new annotation layer: a copy of the current tags of `copy_of`; for None, all tags are OK.

    Raises QeError if the layer `copy_of` does not exist, or if the corpus has no text for tags of this kind.
    """
    if copy_of is not None:
        column = view.tags(copy_of)
        return TagColumn(column.values.copy(), column.offsets)
    template_layer = next(iter(view.tag_layers(kind)), None)
    offsets = view.tags(template_layer).offsets if template_layer else view.corpus.offsets(kind)
    if offsets is None:
        messages = {
            Kind.WORDS: tr("word tags need the MT, which is missing"),
            Kind.GAPS: tr("gap tags need the MT, which is missing"),
            Kind.SOURCE: tr("source tags need the source, which is missing"),
        }
        raise QeError(messages[kind], hint=tr("Open the missing text first."))
    return TagColumn(np.zeros(int(offsets[-1]), np.uint8), offsets)
