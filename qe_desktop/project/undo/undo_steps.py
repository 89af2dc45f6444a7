"""Edits of tags as steps that can be taken back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from qe_desktop.corpus import Kind, Layer, LayerKey, QeError, TagColumn, View
from qe_desktop.i18n.messages import tr
from qe_desktop.project.edits import Edit, SessionChange
from qe_desktop.project.events import EditRow
from qe_desktop.project.review.review_service import ReviewService
from qe_desktop.project.tag_edits import TagEditLog
from qe_desktop.project.undo.undo_manager import NO_STEP, StepCounter, StepOrder


class TagSteps:
    """What one did to tags, the last first (`taking_back.Undoable`); `tell` keeps a row and says a text."""

    def __init__(self, tagging: TagEditLog, tell: Callable[[EditRow, str], SessionChange]) -> None:
        self._tagging = tagging
        self._tell = tell

    @property
    def undo_order(self) -> StepOrder:
        """Where what undo would take back stands among all steps."""
        return self._tagging.undo_order

    @property
    def redo_order(self) -> StepOrder:
        """The same of the taking back of what redo would make again."""
        return self._tagging.redo_order

    @property
    def undo_text(self) -> str:
        """What undo would take back, or nothing."""
        return self._tagging.undo_text

    @property
    def redo_text(self) -> str:
        """What redo would make again, or nothing."""
        return self._tagging.redo_text

    def undo(self, done: str, left: str) -> SessionChange | None:
        """Take the last edit back where it still holds."""
        return self._stepped(self._tagging.undo(), done, left)

    def redo(self, done: str, left: str) -> SessionChange | None:
        """Make it again."""
        return self._stepped(self._tagging.redo(), done, left)

    def _stepped(self, row: EditRow | None, done: str, left: str) -> SessionChange | None:
        return None if row is None else self._tell(row, done if row.places else left)

    def forget_undone(self) -> None:
        """What was taken back cannot be made again."""
        self._tagging.forget_undone()


def undone_after_last_edit(tagging: TagEditLog, reviewing: ReviewService) -> None:
    """Of what a project says was taken back, only what was so after the last edit of either kind can be made again."""
    if reviewing.last_edit != NO_STEP:
        if reviewing.redo_order != NO_STEP:
            reviewing.forget_undone_before(tagging.last_edit_order())
        tagging.forget_undone_before(reviewing.last_edit)


@dataclass(frozen=True, slots=True, eq=False)
class LayerStep:
    """Layers that `came`, or went, as a numbered step, with the edits that were on them, and how that is called."""

    layers: tuple[Layer, ...]
    came: bool
    edits: tuple[Edit, ...] = ()
    step: int = 0

    @property
    def key(self) -> LayerKey:
        """The layer that it was about."""
        return self.layers[0].key

    @property
    def text(self) -> str:
        """The step in words."""
        return tr("{layer} added", layer=self.key) if self.came else tr("{layer} closed", layer=self.key)


class LayerStepsHost(Protocol):
    """The session whose layers they are."""

    def bring(self, layers: Sequence[Layer], edits: Sequence[Edit], text: str) -> SessionChange:
        """Add layers, with edits on them, and tell it."""
        ...

    def close_layers(self, layers: Sequence[Layer], text: str) -> SessionChange:
        """Take layers away, and tell it."""
        ...

    def edits_on(self, layers: Sequence[Layer]) -> tuple[Edit, ...]:
        """What makes the tags of layers of those loaded."""
        ...


class LayerSteps:
    """Steps that can be taken back, and those that were."""

    def __init__(self, host: LayerStepsHost, steps: StepCounter) -> None:
        self._host, self._steps = host, steps
        self._done: list[LayerStep] = []
        self._undone: list[LayerStep] = []

    def make(self, layers: Sequence[Layer], *, came: bool, text: str) -> SessionChange:
        """Add layers, or close them with their edits."""
        edits = () if came else self._host.edits_on(layers)
        self._done.append(LayerStep(tuple(layers), came, edits, self._steps.next()))
        self._undone.clear()
        return self._host.bring(layers, (), text) if came else self._host.close_layers(layers, text)

    @property
    def undo_order(self) -> StepOrder:
        """Where what undo would take back stands among all steps."""
        return (self._done[-1].step, 0.0) if self._done else NO_STEP

    @property
    def redo_order(self) -> StepOrder:
        """The same of the taking back of what redo would make again."""
        return (self._undone[-1].step, 0.0) if self._undone else NO_STEP

    @property
    def undo_text(self) -> str:
        """What undo would take back, in words."""
        return self._done[-1].text if self._done else ""

    @property
    def redo_text(self) -> str:
        """What redo would make again, in words."""
        return self._undone[-1].text if self._undone else ""

    def undo(self, done: str, left: str) -> SessionChange | None:
        """Take the last step back; layers that come again have the edits that were on them."""
        return self._move(self._done, self._undone, done, back=True)

    def redo(self, done: str, left: str) -> SessionChange | None:
        """Make it again."""
        return self._move(self._undone, self._done, done, back=False)

    def _move(self, taken: list[LayerStep], put: list[LayerStep], text: str, *, back: bool) -> SessionChange | None:
        step = taken.pop()
        comes = step.came is not back
        edits = step.edits if comes else self._host.edits_on(step.layers)
        change = self._host.bring(step.layers, edits, text) if comes else self._host.close_layers(step.layers, text)
        put.append(replace(step, edits=edits, step=self._steps.next()))
        return change

    def forget_undone(self) -> None:
        """Something else was done: what was taken back cannot be made again."""
        self._undone.clear()


def initial_tags(view: View, kind: Kind, copy_of: LayerKey | None) -> TagColumn:
    """The tags that a layer of one's own begins with: a copy of another layer's as edited, or all OK.

    QeError where there is nothing to put tags of this kind on.
    """
    if copy_of is not None:
        column = view.tags(copy_of)
        return TagColumn(column.values.copy(), column.offsets)
    like = next(iter(view.tracks(kind)), None)
    offsets = view.tags(like).offsets if like else view.corpus.offsets(kind)
    if offsets is None:
        nothing = {
            Kind.WORDS: tr("there is nothing to put words tags on"),
            Kind.GAPS: tr("there is nothing to put gaps tags on"),
            Kind.SOURCE: tr("there is nothing to put source tags on"),
        }
        raise QeError(nothing[kind], hint=tr("Open the text that they belong to."))
    return TagColumn(np.zeros(int(offsets[-1]), np.uint8), offsets)
