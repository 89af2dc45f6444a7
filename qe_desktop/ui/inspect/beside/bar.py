"""The bar above translations side by side: how they are marked, against what, and whether all are shown."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QToolButton, QWidget

from qe_desktop.levels.translations.markings import MARKINGS
from qe_desktop.levels.translations.side_by_side import Asked, bases_of, shown_name
from qe_desktop.outgoing import label
from qe_desktop.ui.inspect.beside.choices import FOLLOWS, Choices, kept, usual_of
from qe_desktop.ui.parts.choices import choose, offer
from qe_desktop.ui.parts.layouts import Stretch, row_of
from qe_desktop.wording import tr


class BesideBar(QWidget):
    """Two choices and a button; it shows what was chosen, and says what a person chooses."""

    marking_chosen = Signal(str)
    """The name of a marking, or `FOLLOWS`."""
    base_chosen = Signal(str)
    """The key of a text as `kept`, or `FOLLOWS`."""
    every_chosen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.marking, self.base, self.every = QComboBox(), QComboBox(), QToolButton()
        self.marking.setAccessibleName(tr("Marks in the translations"))
        self.base.setAccessibleName(tr("Marked against"))
        self.base.setToolTip(tr("The text that each translation is marked against"))
        for box in (self.marking, self.base):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        letter = self.fontMetrics().horizontalAdvance("0")
        for box, usual, least in ((self.marking, 34, 18), (self.base, 22, 27)):
            box.setMinimumContentsLength(usual)
            # in a wide font or a long language the boxes leave the button its room
            box.setMinimumWidth(letter * least)
        self.every.setCheckable(True)
        marks, against = QLabel(tr("&Marks")), QLabel(tr("a&gainst", "translations are marked against"))
        marks.setBuddy(self.marking)
        against.setBuddy(self.base)
        row_of(marks, self.marking, against, self.base, self.every, Stretch(), on=self, gap=6, margins=(8, 2, 8, 2))
        self.marking.activated.connect(lambda: self.marking_chosen.emit(self.marking.currentData()))
        self.base.activated.connect(lambda: self.base_chosen.emit(self.base.currentData()))
        self.every.toggled.connect(self.every_chosen)

    def show_choices(self, asked: Asked, choices: Choices, offered: int) -> None:
        """Show what is chosen among what there is; `offered` texts could be shown."""
        marking, base = usual_of(asked)
        metric = "" if asked.scored is None else label(asked.scored.metric)
        usual = tr("as for {metric}: {marking}", metric=metric, marking=marking.title) if metric else marking.title
        offer(self.marking, [(usual, FOLLOWS), *((one.title, one.name) for one in MARKINGS.values())])
        choose(self.marking, choices.marking if choices.marking in MARKINGS else FOLLOWS)
        self.marking.setToolTip(asked.marking.about)
        first = tr("usual: {text}", text=label(shown_name(base)))
        bases = [(label(shown_name(key)), kept(key)) for key in bases_of(asked.texts)]
        offer(self.base, [(first, FOLLOWS), *bases])
        known = any(value == choices.base for _, value in bases)
        choose(self.base, choices.base if known else FOLLOWS)
        with QSignalBlocker(self.every):
            self.every.setChecked(choices.every)
        hidden = offered - len(asked.shown)
        self.every.setText(
            tr("Show the first few") if choices.every else tr("Show all {n:,} {n:text|texts}", "", offered)
        )
        self.every.setVisible(choices.every or hidden > 0)
