"""Header of the item page: position, campaign, guidance on the first items, and buttons that show shortcuts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeySequence, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.shell import shortcut_hints
from qe_desktop.ui.shell.appearance import scaled_pixels
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.buttons import LinkButton, ThemedButton
from qe_desktop.ui.widgets.labels import BandLabel, ElidedLabel, Label, plain_tooltip, tooltip_of_lines
from qe_desktop.ui.widgets.layouts import Stretched, hbox
from qe_desktop.ui.widgets.themed_widget import ArrangedMixin

HEIGHT_PX, GAP_PX = 40, 8
GUIDE_MARGIN_PX = 2
"""Minimum space above and below the guidance."""
MAX_NAME_CHARS = 40
"""Maximum length in characters of the campaign name on the button."""


class ItemHeader(ArrangedMixin, QWidget):
    """Row with the position of the item and facts about it, or with guidance instead of the facts."""

    campaigns_requested = Signal()
    """Emitted when the user wants to select another campaign."""

    def __init__(self, instructions: ShortcutButton) -> None:
        super().__init__()
        self.position_label = Label(bold=True)
        self.campaigns = LinkButton()
        self.campaigns.setToolTip(plain_tooltip(tr("Select another campaign or rater")))
        self.campaigns.clicked.connect(self.campaigns_requested)
        self.campaigns.hide()
        self.description = ElidedLabel(token="muted")
        self.description.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.guide = BandLabel("info_fill")
        self.guide.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.guide.hide()
        self._instructions = instructions
        self._measured = BandLabel("info_fill")
        """Hidden label that measures the height of a guidance text before it is shown."""
        self._measured.setParent(self)
        self._measured.hide()
        self._guidance_texts: set[str] = set()
        self._positions: tuple[str, ...] = ()
        hbox(
            self.position_label,
            self.campaigns,
            Stretched(self.description, 1),
            Stretched(self.guide, 1),
            instructions,
            on=self,
            gap=GAP_PX,
        )
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._arrange()

    def show_facts(self, where: str, campaign: str, facts: str, explained: str) -> None:
        """Show the position `where` and the facts; `explained` is the tooltip of the facts, with one fact per line.

        `campaign` is the text of the button for selecting another campaign; if it is empty, the button is hidden.
        """
        self.position_label.setText(where)
        name = campaign if len(campaign) <= MAX_NAME_CHARS else f"{campaign[: MAX_NAME_CHARS - 1]}…"
        self.campaigns.setText(f"{escape_label(name)} ▾" if name else "")
        # an ampersand in a name does not mark a shortcut
        self.campaigns.setShortcut(QKeySequence())
        self.campaigns.setVisible(bool(name))
        self.description.setText(facts)
        self.description.setToolTip(tooltip_of_lines(explained))

    def reserve(self, guides: Iterable[str], positions: Iterable[str]) -> None:
        """Reserve height for the tallest of `guides` next to the widest of `positions`, so that nothing below moves."""
        self._guidance_texts.update(guides)
        self._positions = tuple(positions)
        self._arrange()

    def show_guide(self, text: str) -> None:
        """Show guidance instead of the facts; an empty text shows the facts again."""
        self._guidance_texts.add(text)
        self.guide.setText(text)
        self.guide.setVisible(bool(text))
        self.description.setVisible(not text)
        self._arrange()

    def _arrange(self) -> None:
        """Set the height to the normal height, or more if a guidance text needs it."""
        metrics = self.position_label.fontMetrics()
        where = max(metrics.horizontalAdvance(text) for text in (self.position_label.text(), *self._positions))
        other_widths = [where, self._instructions.sizeHint().width()]
        other_widths += [] if self.campaigns.isHidden() else [self.campaigns.sizeHint().width()]
        available_width = max(1, self.width() - sum(other_widths) - GAP_PX * len(other_widths))
        self.setFixedHeight(
            max([scaled_pixels(HEIGHT_PX), *(self._height(text, available_width) for text in self._guidance_texts)])
        )
        if (layout := self.layout()) is not None:
            # a height set while the header is being shown sends no resize event
            layout.setGeometry(self.rect())

    def _height(self, guide: str, width: int) -> int:
        self._measured.setText(guide)
        return self._measured.heightForWidth(width) + 2 * GUIDE_MARGIN_PX if guide else 0


class ShortcutButton(ThemedButton):
    """Button with a text and a shortcut. A click does not move the focus."""

    def __init__(self, text: str, pressed: Callable[[], object]) -> None:
        super().__init__()
        self.setText(text)
        self._key = ""
        self.clicked.connect(pressed)

    def set_key(self, key: str) -> None:
        """Set the shortcut to show; empty for none."""
        self._key = key
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of the text and the shortcut, with padding."""
        metrics = self.fontMetrics()
        key = shortcut_hints.keys_width([self._key], self.font()) + 8 if self._key else 0
        return QSize(metrics.horizontalAdvance(self.text()) + key + 20, round(metrics.height() * 1.8))

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the text and the shortcut."""
        self.draw_ground(painter, self.rect().toRectF().adjusted(1, 1, -1, -1))
        colour = QColor(colours.text)
        if not self.isEnabled():
            colour.setAlphaF(0.45)
            painter.setOpacity(0.6)
        inner = self.rect().adjusted(10, 0, -10, 0)
        width = self.fontMetrics().horizontalAdvance(self.text())
        painter.setPen(colour)
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading), self.text())
        if self._key:
            mirrored = self.isRightToLeft()
            left = inner.left() if mirrored else inner.left() + width + 8
            rect = QRect(left, 0, shortcut_hints.keys_width([self._key], self.font()) + 1, self.height())
            shortcut_hints.paint_keys(painter, [self._key], rect, self.font(), right=False)
