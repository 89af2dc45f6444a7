"""The line over the list that says how far the review is: how many segments are doubtful, open…; each a filter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from qe_desktop.corpus import Status, View
from qe_desktop.project.doubts import noted
from qe_desktop.project.segments import Query
from qe_desktop.ui.inspect.correcting.finding import ToDo
from qe_desktop.ui.inspect.correcting.statuses import NOTED, SIGNS
from qe_desktop.ui.parts.flow import FlowLayout
from qe_desktop.ui.parts.layouts import Placed, row_of
from qe_desktop.wording import tr

DOUBTFUL, WITH_NOTE, FOUND = "doubtful", "noted", "found"
_ABOUT: Mapping[str | Status, str] = {
    DOUBTFUL: tr("Only segments with a word that a system calls BAD, and that nobody has confirmed or rejected"),
    Status.OPEN: tr("Only segments that nobody has touched"),
    Status.EDITED: tr("Only segments whose target was edited and is not confirmed"),
    Status.CONFIRMED: tr("Only confirmed segments"),
    Status.REJECTED: tr("Only rejected segments"),
    Status.LOCKED: tr("Only segments that are locked in their file"),
    WITH_NOTE: tr("Only segments with a note"),
    FOUND: tr(
        "Only segments whose target is wrong by a check: edited ones as they are now, others where Edit, Plain checks "
        "marks the MT"
    ),
}
_RARE = (Status.REJECTED, Status.LOCKED, WITH_NOTE, FOUND)
"""What is shown only where there is any of it."""
Filter = str | Status


@dataclass(frozen=True, slots=True)
class Tally:
    """How many segments each filter shows."""

    counts: Mapping[Filter, int]

    @classmethod
    def of(cls, view: View, to_do: ToDo, found: int = 0) -> Tally:
        """Counted over whole columns; in so many segments checks `found` something."""
        counts: dict[Filter, int] = {DOUBTFUL: int(to_do.doubtful(view).sum())}
        held = np.bincount(view.statuses(), minlength=len(Status))
        counts |= {status: int(held[status]) for status in Status}
        counts[WITH_NOTE] = int(noted(view).sum())
        counts[FOUND] = found
        return cls(counts)


class StatusBar(QWidget):
    """Buttons that can be pressed together; what none of them leaves out is shown."""

    changed = Signal()
    """A person wants to see other segments."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Review"))
        row = QWidget()
        flow = FlowLayout(row, gap=6, line_gap=4)
        row_of(Placed(row, 1), on=self, margins=(8, 0, 8, 4))
        self.buttons: dict[Filter, QToolButton] = {}
        names: tuple[Filter, ...] = (DOUBTFUL, *Status, WITH_NOTE, FOUND)
        for name in names:
            button = self.buttons[name] = QToolButton()
            button.setCheckable(True)
            button.setToolTip(_ABOUT[name])
            button.toggled.connect(self._on_toggled)
            flow.addWidget(button)

    def show_tally(self, tally: Tally) -> None:
        """Say how many there are."""
        for name, button in self.buttons.items():
            count = tally.counts[name]
            button.setText(_text(name, count))
            button.setVisible(bool(count) or name not in _RARE or button.isChecked())

    def narrowed(self, query: Query) -> Query:
        """A query that shows only what is asked for here."""
        statuses = frozenset(
            name for name, button in self.buttons.items() if isinstance(name, Status) and button.isChecked()
        )
        return replace(
            query,
            statuses=statuses,
            only_doubtful=self.buttons[DOUBTFUL].isChecked(),
            only_noted=self.buttons[WITH_NOTE].isChecked(),
            only_found=self.buttons[FOUND].isChecked(),
        )

    def show_query(self, query: Query) -> None:
        """Show what a query asks for."""
        asked = {DOUBTFUL: query.only_doubtful, WITH_NOTE: query.only_noted, FOUND: query.only_found}
        for name, button in self.buttons.items():
            button.blockSignals(True)
            button.setChecked(asked[name] if isinstance(name, str) else name in query.statuses)
            button.blockSignals(False)

    def _on_toggled(self) -> None:
        self.changed.emit()


def _text(name: Filter, count: int) -> str:
    match name:
        case Status():
            return tr("{sign} {status} {count:,}", sign=SIGNS[name], status=name.shown, count=count)
        case "doubtful":
            return tr("doubtful {count:,}", count=count)
        case "found":
            return tr("checks {count:,}", count=count)
        case _:
            return tr("{sign} noted {count:,}", sign=NOTED, count=count)
