"""Labels that scale with the text size of the window, and functions for fonts, tooltips, elision and announcements."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import takewhile

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFont,
    QFontMetrics,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QApplication, QLabel, QSizePolicy, QWidget

from qe_desktop.escaping import MAX_TOOLTIP_CHARS, elide, escape_html, escape_paragraphs, isolate_bidi_text
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons, theme
from qe_desktop.ui.widgets.glossary.terms import term_meaning

LINE_END = "\n"
BAND_PADDING_PX = 12
BAND_MARGIN_PX = 4
"""Minimum space above the text and below it, within the band."""


class Label(QLabel):
    """Plain text label, `scale` times as large as the window's text, in the colour of a theme token, if given.

    `wraps`: the text is wrapped. `narrow`: the text is wrapped, and the label accepts any width. `selectable`: the text
    can be copied. `is_program_text`: the text is a sentence of the program; the sentence is displayed from left to
    right even if it begins with a right-to-left name.
    """

    def __init__(
        self,
        text: str = "",
        *,
        scale: float = 1.0,
        bold: bool = False,
        token: str = "",
        wraps: bool = False,
        narrow: bool = False,
        selectable: bool = False,
        is_program_text: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(isolate_bidi_text(text) if is_program_text else escape_paragraphs(text), parent)
        self._is_program_text = is_program_text
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wraps or narrow)
        if narrow:
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        if selectable:
            self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._scale = scale
        self._bold = bold
        self._token = token
        if scale != 1.0 or bold:
            theme.themes.text_size_changed.connect(self._adopt_font)
            self._adopt_font()
        if token:
            theme.themes.theme_changed.connect(self._adopt_colour)
            self._adopt_colour()

    def setText(self, text: str) -> None:
        """Display another text; it is escaped, because it may come from a file or a server."""
        super().setText(isolate_bidi_text(text) if self._is_program_text else escape_paragraphs(text))

    def set_token(self, token: str) -> None:
        """Use the colour of another theme token; only for a label that was created with a token."""
        self._token = token
        self._adopt_colour()

    def _adopt_font(self) -> None:
        self.setFont(scaled_font(self._scale, bold=self._bold))

    def _adopt_colour(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, getattr(theme.current(), self._token))
        self.setPalette(palette)


def notes_label() -> Label:
    """Return a label for the notes on results and their signature, which its tooltip explains.

    The text is wrapped and can be copied.
    """
    label = Label(token="muted", wraps=True, selectable=True, is_program_text=True)
    label.setToolTip(plain_tooltip(tr("Signature: {meaning}", meaning=term_meaning("signature"))))
    label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
    return label


MAX_PATH_CHARS = 72
"""Maximum number of characters of a path in a `PathLabel`; longer paths are elided in the middle."""


class PathLabel(Label):
    """Label for the path of a file; the text can be copied, and the tooltip of an elided path is the whole path."""

    def __init__(self, path: str) -> None:
        super().__init__(selectable=True)
        self._path = path
        self.fit(None)

    def fit(self, width: int | None) -> None:
        """Elide the path in the middle to at most `width` pixels (None: no limit), but show at least the file name."""
        name = re.split(r"[/\\]", self._path)[-1]
        texts = [elide(self._path, chars) for chars in range(MAX_PATH_CHARS, 2 * len(name) + 2, -1)] or [self._path]
        if width is not None and len(name) < len(self._path):
            measure = self.fontMetrics().horizontalAdvance
            texts = [*(text for text in texts if measure(text) <= width), f"…{self._path[-len(name) - 1 :]}"]
        self.setText(texts[0])
        self.setToolTip("" if texts[0] == self._path else plain_tooltip(self._path))


class ElidedLabel(Label):
    """One-line label whose text is elided if it does not fit, so that it never widens the window.

    `setText` also sets the tooltip.
    """

    def sizeHint(self) -> QSize:
        """Return a size at which the text is not elided; Qt's size, based on the glyph widths, may be too small."""
        hint = super().sizeHint()
        return hint.expandedTo(QSize(self.fontMetrics().horizontalAdvance(self.text()) + 1, 0))

    def minimumSizeHint(self) -> QSize:
        """Return a size that is four digits wide."""
        return QSize(self.fontMetrics().horizontalAdvance("0") * 4, super().minimumSizeHint().height())

    def setText(self, text: str) -> None:
        """Display another text, and use it as the tooltip."""
        super().setText(text)
        self.setToolTip(plain_tooltip(text) if text else "")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, elided to the available width."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        painter.drawText(self.rect(), int(self.alignment()) | int(Qt.TextFlag.TextSingleLine), self._elided_text())
        painter.end()

    def _elided_text(self) -> str:
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())


class FormattedLabel(ElidedLabel):
    """Elided label in which each part of the text can have its own format."""

    def __init__(self, token: str) -> None:
        super().__init__(token=token)
        self._formats: list[QTextLayout.FormatRange] = []
        self._right_to_left = False

    def set_right_to_left(self, right_to_left: bool) -> None:
        """Set the direction of the text; right-to-left text is aligned with the right edge."""
        self._right_to_left = right_to_left
        self.update()

    def set_parts(self, parts: Sequence[tuple[str, QTextCharFormat | None]]) -> None:
        """Display a text that consists of `parts`, pairs of text and format (None for plain text).

        White space at the beginning of a part is not formatted.
        """
        self._formats, start = [], 0
        for part, char_format in parts:
            text = escape_paragraphs(part)
            if char_format is not None:
                formatted = QTextLayout.FormatRange()
                formatted.length = _utf16_length(text.lstrip())
                formatted.start = start + _utf16_length(text) - formatted.length
                formatted.format = char_format
                self._formats.append(formatted)
            start += _utf16_length(text)
        self.setText("".join(part for part, _ in parts))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text, elided to the available width."""
        layout = QTextLayout(self._elided_text(), self.font())
        flags, directions = Qt.AlignmentFlag, Qt.LayoutDirection
        option = QTextOption((flags.AlignRight if self._right_to_left else flags.AlignLeft) | flags.AlignAbsolute)
        option.setTextDirection(directions.RightToLeft if self._right_to_left else directions.LeftToRight)
        option.setWrapMode(QTextOption.WrapMode.NoWrap)
        layout.setTextOption(option)
        layout.setFormats(self._formats)
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(self.width())
        layout.endLayout()
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        layout.draw(painter, QPointF(0, (self.height() - line.height()) / 2))
        painter.end()


def _utf16_length(text: str) -> int:
    """Return the length in UTF-16 code units, Qt's unit for positions in a text."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


class BandLabel(Label):
    """Label on a band in the colour of a theme token, such as "info_fill".

    If the label is taller than its text requires, margins of up to 8 pixels are left above and below the band. `icon`
    is the name of an icon before the text and of the theme token for its colour; if `icon` is empty, none is shown.
    """

    def __init__(self, fill: str, icon: str = "", *, selectable: bool = False) -> None:
        super().__init__(wraps=True, selectable=selectable)
        self._fill, self._icon = fill, icon
        self._adopt_margins()

    def setText(self, text: str) -> None:
        """Set the text, and repaint the whole band, whose height depends on the text; Qt repaints only the text."""
        super().setText(text)
        self.update()

    def one_line_width(self) -> int:
        """Return the width of the band at which the text does not wrap."""
        margins = self.contentsMargins()
        return self.fontMetrics().horizontalAdvance(self.text()) + margins.left() + margins.right() + 1

    def set_meaning(self, meaning: str) -> None:
        """Use the icon and the band colour of a meaning, which is one of `MEANINGS`, such as "error"."""
        self._fill, self._icon = f"{meaning}_fill", meaning
        self._adopt_margins()
        self.update()

    def _adopt_margins(self) -> None:
        lead = BAND_PADDING_PX + (self.fontMetrics().height() + 6 if self._icon else 0)
        mirrored = self.isRightToLeft()
        above = BAND_MARGIN_PX
        sides = (BAND_PADDING_PX, above, lead, above) if mirrored else (lead, above, BAND_PADDING_PX, above)
        self.setContentsMargins(*sides)

    def changeEvent(self, event: QEvent) -> None:
        """Adapt the margins when the text size or the layout direction changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.LayoutDirectionChange):
            self._adopt_margins()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the band, the icon and the text."""
        margin = max(0, min(8, (self.height() - self.heightForWidth(self.width())) // 2))
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(getattr(theme.current(), self._fill))
        painter.drawRoundedRect(self.rect().adjusted(0, margin, 0, -margin), 5, 5)
        if self._icon:
            side = self.fontMetrics().height()
            left = self.width() - BAND_PADDING_PX - side if self.isRightToLeft() else BAND_PADDING_PX
            box = QRect(left, 0, side, self.height())
            icons.paint_icon(painter, self._icon, box, getattr(theme.current(), self._icon))
        painter.end()
        super().paintEvent(event)


def scaled_font(scale: float, *, bold: bool = False) -> QFont:
    """Return the application's font, `scale` times as large, and bold if `bold`."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * scale)
    font.setBold(bold)
    return font


def plain_tooltip(text: str) -> str:
    """Return a tooltip for a plain text: markup is escaped, line breaks become spaces, and a long text is shortened."""
    return f"<span>{escape_html(text.replace(LINE_END, ' '), MAX_TOOLTIP_CHARS)}</span>"


def tooltip_of_lines(text: str) -> str:
    """Return a tooltip like `plain_tooltip`, but keep the line breaks of the text."""
    return f"<span>{'<br>'.join(escape_html(line, MAX_TOOLTIP_CHARS) for line in text.splitlines())}</span>"


def elide_names(names: Sequence[str], metrics: QFontMetrics, width: int) -> dict[str, str]:
    """Elide names to a width in pixels; return a mapping from each name to the elided text.

    Names are elided in the middle. Different names whose elided texts would then be equal are elided in their common
    beginning and end instead, so that their texts differ if the width allows it.
    """
    by_elided: defaultdict[str, list[str]] = defaultdict(list)
    for name in dict.fromkeys(names):
        by_elided[metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, width)].append(name)
    texts_by_name = {names_with_text[0]: text for text, names_with_text in by_elided.items()}
    for names_with_text in by_elided.values():
        if len(names_with_text) > 1:
            texts_by_name |= _elide_common_parts(names_with_text, metrics, width)
    return texts_by_name


def _elide_common_parts(names: Sequence[str], metrics: QFontMetrics, width: int) -> dict[str, str]:
    """Map names to texts in which parts of their common beginning and end are elided, so that the differences fit."""
    begin = _common_length(names)
    end = min(_common_length([name[::-1] for name in names]), min(map(len, names)) - begin)
    texts_by_name = {}
    for name in names:
        different, after = name[begin : len(name) - end], name[len(name) - end :]
        texts = [f"{name[:size]}…{different}{after}" for size in range(begin - 1, -1, -1)]
        texts += [f"…{different}{after[:size]}…" for size in range(end - 1, -1, -1)]
        # the beginning of the differing part, if all of it is too wide
        elided = metrics.elidedText(f"…{different}", Qt.TextElideMode.ElideRight, width)
        texts_by_name[name] = next((text for text in texts if metrics.horizontalAdvance(text) <= width), elided)
    return texts_by_name


def _common_length(names: Sequence[str]) -> int:
    """Return the length of the longest common prefix of the names."""
    return sum(1 for _ in takewhile(lambda characters: len(set(characters)) == 1, zip(*names, strict=False)))


MEANINGS = ("error", "warning", "info", "ok")


class IconLabel(QWidget):
    """Icon that is `lines` text lines tall; if `is_muted`, all icons except the error icon have the muted colour."""

    def __init__(self, name: str, lines: float = 1.0, *, is_muted: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._lines = name, lines
        self._coloured = MEANINGS[:1] if is_muted else MEANINGS
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.themes.theme_changed.connect(self.update)

    def show_icon(self, name: str) -> None:
        """Display another icon, or none if `name` is empty."""
        self._name = name
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of the icon: a square whose side is `lines` times the line height."""
        side = round(self.fontMetrics().height() * self._lines)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the icon."""
        painter = QPainter(self)
        token = self._name if self._name in self._coloured else "muted"
        if self._name:
            icons.paint_icon(painter, self._name, self.rect(), getattr(theme.current(), token))
        painter.end()


def announce(widget: QWidget, text: str) -> None:
    """Have the screen reader, if one is active, announce a text about a widget."""
    if text and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))
