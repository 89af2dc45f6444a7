"""The questions of an item, one at a time: its scale as large buttons or as a slider."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.answers.scale import Scale
from qe_desktop.ratings.campaign import Basis
from qe_desktop.ui.parts.flow import FlowLayout
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Stretch, column_of
from qe_desktop.ui.rate.scales.anchors import AnchorRow
from qe_desktop.ui.rate.scales.question_tab import QuestionTab
from qe_desktop.ui.rate.scales.score_slider import ScoreSlider
from qe_desktop.ui.rate.sitting import Sitting
from qe_desktop.wording import tr

REST = 600
"""Milliseconds after the last step of a slider before its value counts."""


class ScalePanel(QObject):
    """Shows the scales of the sitting's item, and gives it what is pressed: `head` asks, `answers` can be pressed."""

    said = Signal(str)
    """What to do where a key did nothing."""

    def __init__(self, sitting: Sitting, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sitting = sitting
        self._typed = ""
        self._stepping = False
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST)
        self._rest.timeout.connect(self.settle)
        self.tabs: dict[str, QuestionTab] = {}
        self.rows: dict[str, AnchorRow] = {}
        self.sliders: dict[str, ScoreSlider] = {}
        self.head = QWidget()
        self.answers = QWidget()
        self.question = Label(scale=1.1, wraps=True)
        self._lay_out()
        sitting.changed.connect(self.refresh)
        sitting.screen_changed.connect(self._on_screen)
        self.refresh()

    def _lay_out(self) -> None:
        head = column_of(self.question, on=self.head, gap=8)
        if len(self._sitting.work.scales) > 1:
            tabs = QWidget()
            row = FlowLayout(tabs, gap=8)
            for scale in self._sitting.work.scales:
                tab = QuestionTab(scale)
                tab.clicked.connect(self._ask)
                row.addWidget(tab)
                self.tabs[scale.name] = tab
            head.insertWidget(0, tabs)
        scales = self._sitting.work.scales
        rows = [self._slider(scale) if scale.slider else self._row(scale) for scale in scales]
        column_of(*rows, Stretch(), on=self.answers)

    def _row(self, scale: Scale) -> QWidget:
        row = AnchorRow()
        # the order of the keys, whichever way the protocol lists them
        row.set_steps(sorted(scale.anchors, key=lambda anchor: anchor.value))
        row.chosen.connect(self._choose)
        row.setAccessibleName(scale.title)
        self.rows[scale.name] = row
        return row

    def _slider(self, scale: Scale) -> QWidget:
        slider = ScoreSlider()
        slider.set_scale(scale.low, scale.high, scale.anchors)
        slider.setAccessibleName(scale.title)
        slider.given.connect(self._slide)
        slider.stepped.connect(self._wait)
        self.sliders[scale.name] = slider
        return slider

    def _on_screen(self) -> None:
        self._rest.stop()
        self._stepping = False
        self._type("")
        self.refresh()

    def refresh(self) -> None:
        """Show what holds for the item in view."""
        sitting, screen, asked = self._sitting, self._sitting.screen, self._sitting.asked
        if screen is None or asked is None:
            return
        values = sitting.work.values(screen.uid)
        # what is asked comes first: the focus can only go to what is shown
        for scale in sorted(sitting.work.scales, key=lambda scale: scale.name != asked.name):
            value = values.get(scale.name)
            number = float(value) if isinstance(value, int | float) else None
            if scale.name in self.rows:
                self.rows[scale.name].set_value(number)
                if scale.name == asked.name:
                    self.rows[scale.name].show()
                    self._keep_focus(asked.name)
                else:
                    self.rows[scale.name].hide()
            else:
                # a value that is still being stepped to is not known to the sitting yet
                if not self._stepping:
                    self.sliders[scale.name].set_given(number)
                self.sliders[scale.name].setVisible(scale.name == asked.name)
            if scale.name in self.tabs:
                answer = "" if number is None else f"{number:g} {scale.label(number)}".strip()
                late = scale is sitting.work.scales[0] and sitting.work.changed_after_reveal(screen.uid)
                note = self._late_note() if late else ""
                self.tabs[scale.name].show_answer(answer, note, lit=scale.name == asked.name)
        self.question.setText(asked.question)

    def _keep_focus(self, name: str) -> None:
        """Whoever walks by Tab stays on the buttons when the question changes."""
        row = self.rows.get(name)
        for other in self.rows.values():
            place = other.focused
            if row is not None and other is not row and place is not None and place < len(row.buttons):
                row.buttons[place].setFocus(Qt.FocusReason.TabFocusReason)

    def _late_note(self) -> str:
        if self._sitting.work.campaign.basis is Basis.REFERENCE:
            return tr("changed after the reference was seen")
        return tr("changed after the source was seen")

    # --- size

    def needed(self, width: int) -> int:
        """How high question and answers are together below the text."""
        for row in self.rows.values():
            row.set_tower(0)
        rows = [row.needed(width) for row in self.rows.values()]
        sliders = [slider.sizeHint().height() for slider in self.sliders.values()]
        return self.head_height(width) + max([*rows, *sliders], default=0)

    def head_height(self, width: int) -> int:
        """How high the question is at a width."""
        layout = self.head.layout()
        wraps = layout is not None and layout.hasHeightForWidth()
        return layout.totalHeightForWidth(width) if layout is not None and wraps else self.head.sizeHint().height()

    def set_place(self, width: int, room: int) -> None:
        """Fit the answers into a place of this width: below the texts, or beside them where there is `room` for them.

        Below, all rows are as high as the highest, so that nothing moves when the question changes.
        """
        for row in self.rows.values():
            row.set_tower(room)
        most = max((row.needed(width) for row in self.rows.values()), default=0)
        for row in self.rows.values():
            row.set_least(0 if room else most)

    # --- what is pressed

    def _ask(self) -> None:
        sender = self.sender()
        if isinstance(sender, QuestionTab):
            self._sitting.ask(sender.scale.name)

    def _choose(self, value: float) -> None:
        asked = self._sitting.asked
        if asked is not None:
            self._sitting.rate(asked.name, value)

    def _wait(self) -> None:
        self._stepping = True
        self._rest.start()

    def _slide(self, value: int) -> None:
        asked = self._sitting.asked
        self._stepping = False
        self._type("")
        if asked is not None:
            self._sitting.rate(asked.name, value, goes_on=False)

    def digit(self, digit: int) -> None:
        """Give the step of this number; on a slider, write a number."""
        asked = self._sitting.asked
        if asked is None:
            return
        if asked.slider:
            typed = f"{self._typed}{digit}".lstrip("0") or "0"
            if int(typed) > asked.high:
                self.said.emit(
                    tr(
                        "{question} goes from {low} to {high}; Enter gives {number}",
                        question=asked.title,
                        low=asked.low,
                        high=asked.high,
                        number=self._typed,
                    )
                )
                return
            self._type(typed)
            self.said.emit(tr("Enter gives {number}", number=self._typed))
        elif asked.low <= digit <= asked.high:
            self._sitting.rate(asked.name, float(digit))
        else:
            self.said.emit(
                tr("{question} goes from {low} to {high}", question=asked.title, low=asked.low, high=asked.high)
            )

    def step(self, by: int) -> None:
        """Up (-1) or down (1): the question before or after; on a slider, one point more or less."""
        slider = self._asked_slider()
        if slider is None:
            self._sitting.ask_beside(by)
        else:
            self._type("")
            slider.step(-by)

    def leap(self, by: int) -> bool:
        """Ten points more or less on a slider; False where there is none."""
        slider = self._asked_slider()
        if slider is not None:
            self._type("")
            slider.step(-10 * by)
        return slider is not None

    def enter(self) -> bool:
        """Give the number that was written; False where none is."""
        asked = self._sitting.asked
        if asked is None or not self._typed:
            return False
        value = float(self._typed)
        self._type("")
        self._stepping = False
        self._sitting.rate(asked.name, value)
        return True

    def erase(self) -> bool:
        """Take back the last digit of the number that is written; False where none is."""
        if not self._typed:
            return False
        self._type(self._typed[:-1])
        return True

    def settle(self) -> None:
        """Give the value that a slider was stepped to."""
        stepped, self._stepping = self._stepping, False
        slider, asked = self._asked_slider(), self._sitting.asked
        if stepped and slider is not None and asked is not None:
            self._sitting.rate(asked.name, float(slider.value()), goes_on=False)

    def _type(self, typed: str) -> None:
        self._typed = typed
        for slider in self.sliders.values():
            slider.show_typed(typed)

    def _asked_slider(self) -> ScoreSlider | None:
        asked = self._sitting.asked
        return None if asked is None else self.sliders.get(asked.name)
