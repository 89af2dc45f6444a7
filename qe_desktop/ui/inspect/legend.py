"""The legend under the reader: what each mark means, drawn by the same code that draws the marks."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.inspect.marks import Mark, Revised, draw_bar, draw_revised, draw_tick, draw_word
from qe_desktop.ui.parts.legend_line import LegendLine
from qe_desktop.ui.theme import Theme
from qe_desktop.wording import tr


class Entry(NamedTuple):
    """What a mark means; without a mark it is the word in the text, and a gap's mark is a tick."""

    text: str
    mark: Mark | Revised | None
    gap: bool = False


_GAP = Entry(tr("gap"), Mark.BAD, gap=True)
ALONE = (Entry("BAD", Mark.BAD), _GAP)
ENTRIES = (
    Entry(tr("BAD in gold"), None),
    Entry(tr("hit"), Mark.HIT),
    Entry(tr("false alarm"), Mark.FALSE_ALARM),
    Entry(tr("miss"), Mark.MISS),
    _GAP,
)
POST_EDIT = (
    Entry(tr("replaced"), Revised.REPLACED),
    Entry(tr("new"), Revised.NEW),
    Entry(tr("removed"), Revised.REMOVED),
)
LETTERS = "ab"
"""What a mark of post-edits is shown on: no word, and the same in every language."""


class Legend(LegendLine[Entry]):
    """One line: a sample of each mark and its name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._reference, self._post_edit = True, False
        self.setAccessibleDescription(
            tr(
                "BAD in gold: filled and underlined. Hit: solid bar. False alarm: dashed bar. Miss: open dotted frame. "
                "Gap: a tick between words. In a post-edit, replaced: dashed underline; new: double underline. "
                "Removed from the MT: a line through it."
            )
        )
        self.setToolTip(
            tr(
                "Hit: system and gold say BAD. False alarm: only the system does. Miss: only the gold does. "
                "A tick marks a gap: something is missing there. A blue corner marks a tag that was edited. "
                "Replaced, new and removed are words of the post-edit beside those of the MT."
            )
        )

    def show_reference(self, there: bool) -> None:
        """Without a reference, nothing is a hit or a miss."""
        self._show(there, self._post_edit)

    def show_post_edit(self, there: bool) -> None:
        """Without a post-edit, no word is replaced, new or removed."""
        self._show(self._reference, there)

    def _show(self, reference: bool, post_edit: bool) -> None:
        if (reference, post_edit) != (self._reference, self._post_edit):
            self._reference, self._post_edit = reference, post_edit
            self.updateGeometry()
            self.update()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What is explained."""
        return (ENTRIES if self._reference else ALONE) + (POST_EDIT if self._post_edit else ())

    def draw_sample(self, painter: QPainter, box: QRectF, entry: Entry, theme: Theme) -> None:
        """The mark on a word, or its bar or tick."""
        if entry.mark is None:
            draw_word(painter, box, theme)
        elif isinstance(entry.mark, Revised):
            painter.setPen(theme.text)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), LETTERS)
            draw_revised(painter, box, entry.mark, theme)
        elif entry.gap:
            tip = QPointF(box.center().x(), box.bottom() - box.height() * 0.1)
            draw_tick(painter, tip, box.height() * 0.5, entry.mark, theme)
        else:
            draw_bar(painter, box, entry.mark, theme)
