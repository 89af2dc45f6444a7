"""Layers that a person added or closed, as steps that can be taken back; and the tags that a new layer begins with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from qe_desktop.corpus import Kind, Layer, LayerKey, QeError, TagColumn, View
from qe_desktop.project.edits import Change, Edit
from qe_desktop.project.step_counter import NEVER, Order, StepCounter
from qe_desktop.wording import tr


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


class Host(Protocol):
    """The session whose layers they are."""

    def bring(self, layers: Sequence[Layer], edits: Sequence[Edit], text: str) -> Change:
        """Add layers, with edits on them, and tell it."""
        ...

    def close_layers(self, layers: Sequence[Layer], text: str) -> Change:
        """Take layers away, and tell it."""
        ...

    def edits_on(self, layers: Sequence[Layer]) -> tuple[Edit, ...]:
        """What makes the tags of layers of those loaded."""
        ...


class LayerSteps:
    """Steps that can be taken back, and those that were."""

    def __init__(self, host: Host, steps: StepCounter) -> None:
        self._host, self._steps = host, steps
        self._done: list[LayerStep] = []
        self._undone: list[LayerStep] = []

    def make(self, layers: Sequence[Layer], *, came: bool, text: str) -> Change:
        """Add layers, or close them with their edits."""
        edits = () if came else self._host.edits_on(layers)
        self._done.append(LayerStep(tuple(layers), came, edits, self._steps.next()))
        self._undone.clear()
        return self._host.bring(layers, (), text) if came else self._host.close_layers(layers, text)

    @property
    def undo_order(self) -> Order:
        """Where what undo would take back stands among all steps."""
        return (self._done[-1].step, 0.0) if self._done else NEVER

    @property
    def redo_order(self) -> Order:
        """The same of the taking back of what redo would make again."""
        return (self._undone[-1].step, 0.0) if self._undone else NEVER

    @property
    def undo_text(self) -> str:
        """What undo would take back, in words."""
        return self._done[-1].text if self._done else ""

    @property
    def redo_text(self) -> str:
        """What redo would make again, in words."""
        return self._undone[-1].text if self._undone else ""

    def undo(self, done: str, left: str) -> Change | None:
        """Take the last step back; layers that come again have the edits that were on them."""
        return self._move(self._done, self._undone, done, back=True)

    def redo(self, done: str, left: str) -> Change | None:
        """Make it again."""
        return self._move(self._undone, self._done, done, back=False)

    def _move(self, taken: list[LayerStep], put: list[LayerStep], text: str, *, back: bool) -> Change | None:
        step = taken.pop()
        comes = step.came is not back
        edits = step.edits if comes else self._host.edits_on(step.layers)
        change = self._host.bring(step.layers, edits, text) if comes else self._host.close_layers(step.layers, text)
        put.append(replace(step, edits=edits, step=self._steps.next()))
        return change

    def forget_undone(self) -> None:
        """Something else was done: what was taken back cannot be made again."""
        self._undone.clear()


def begun_tags(view: View, kind: Kind, copy_of: LayerKey | None) -> TagColumn:
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
