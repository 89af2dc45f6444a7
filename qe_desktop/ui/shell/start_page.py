"""Start page: purpose of the program, samples, recent files, and ways to open files."""

from __future__ import annotations

import os

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QScrollArea, QSizePolicy, QSpacerItem, QVBoxLayout, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons, theme
from qe_desktop.ui.project_paths import (
    PROJECT_SUFFIX,
    display_entry,
    display_practice,
    display_project_name,
    display_server,
    is_address,
    is_practice,
    split_paths,
)
from qe_desktop.ui.shell.link_list import LinkList
from qe_desktop.ui.shell.shortcut_hints import ShortcutHints
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.labels import Label, scaled_font
from qe_desktop.ui.widgets.layouts import FixedSpace, FlowLayout, Stretched, StretchSpace, hbox, vbox, wrap_layout
from qe_desktop.ui.widgets.tag_painter import TagOutcome, TagPainter

EXAMPLE_WORDS = (
    ("Der", TagOutcome.OK),
    ("Hund", TagOutcome.OK),
    ("bellte", TagOutcome.HIT),
    ("gestern", TagOutcome.MISS),
    ("die", TagOutcome.OK),
    ("Katze", TagOutcome.FALSE_ALARM),
)
LEGEND = {
    TagOutcome.HIT: tr("error found"),
    TagOutcome.MISS: tr("error missed"),
    TagOutcome.FALSE_ALARM: tr("false alarm"),
}


class ExampleSentence(QWidget):
    """Example sentence with marked words, above a legend of the marks."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        spoken = ", ".join(f"{word}: {LEGEND[outcome]}" for word, outcome in EXAMPLE_WORDS if outcome in LEGEND)
        self.setAccessibleName(tr("An example of marked words. {words}", words=spoken))

    def sizeHint(self) -> QSize:
        """Return the size of the sentence on one line and the legend below it."""
        line = self.fontMetrics().height()
        return QSize(line * 22, round(line * 1.4 * 1.6) + line + 16)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the words with their marks, then the legend."""
        colours = theme.current()
        painter, tag_painter = QPainter(self), TagPainter(colours, 2.5, margin=0, line_offset=0)
        font = scaled_font(1.4)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        x, height = 0.0, metrics.height()
        for word, outcome in EXAMPLE_WORDS:
            width = metrics.horizontalAdvance(word)
            box = QRectF(x, 2, width + 6, height)
            if outcome is not TagOutcome.OK:
                tag_painter.paint_word(painter, box, outcome)
            painter.setPen(colours.text)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, word)
            x += box.width() + metrics.horizontalAdvance(" ") * 1.2
        painter.setFont(self.font())
        small = QFontMetricsF(self.font())
        x, top = 0.0, height + 16
        for outcome, text in LEGEND.items():
            tag_painter.paint_word(painter, QRectF(x, top + 2, 20, small.height() - 5), outcome)
            painter.setPen(colours.muted)
            width = small.horizontalAdvance(text)
            painter.drawText(QRectF(x + 28, top, width + 2, small.height()), Qt.AlignmentFlag.AlignVCenter, text)
            x += 28 + width + 20
        painter.end()


SAMPLES = (
    ("en-de", tr("English–German"), tr("Start here: inspect, compare and rate")),
    ("en-he", tr("English–Hebrew"), tr("Right-to-left script")),
    ("en-ja", tr("English–Japanese"), tr("Translation without spaces between words")),
    ("job", tr("Review MT: try a bilingual file"), tr("A copy of a bilingual file, to edit and save")),
)
PRACTICE = ("file.rate-sample", tr("Rate the sample"), tr("Practice for raters, English–German"))
"""Entry below the samples: the command that it runs, its name and its description."""
MAX_RECENT_SHOWN = 6
MIN_RECENT_SHOWN = 1
"""Number of recent files that are shown even if the page must be scrolled."""


class StartPage(QScrollArea):
    """Start page, which emits the requests of the user as signals."""

    open_sample = Signal(str)
    practice_requested = Signal()
    open_paths = Signal(list)
    folder_requested = Signal()
    files_requested = Signal()
    project_requested = Signal()
    removal_requested = Signal(str)
    painted = Signal()
    """Emitted when the page is first painted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setAccessibleName(tr("Start page"))
        self._drop = _DropArea()
        self._drop.add_row(self._buttons())
        self._samples = LinkList(tr("Samples"))
        samples = [(key, name, description, "sample") for key, name, description in SAMPLES]
        self._samples.fill([*samples, (*PRACTICE, "rate")])
        self._samples.opened.connect(self._open_entry)
        self._recent = LinkList(tr("Recent"))
        self._recent.opened.connect(self._open_recent)
        self._recent.removed.connect(self.removal_requested)
        self._no_recent = Label(tr("Recent files appear here."), token="muted")
        self._no_recent.setContentsMargins(12, 8, 0, 0)
        self._body = self._lay_out()
        page = _Page()
        page.painted.connect(self.painted)
        middle = vbox(StretchSpace(), self._body, StretchSpace(2))
        hbox(StretchSpace(), Stretched(middle, 100), StretchSpace(), on=page, margins=(32, 16, 32, 16))
        self.setWidget(page)
        self._fitted_sizes: tuple[object, ...] = ()
        self._bound_width()
        self.set_recent([])

    def set_recent(self, paths: list[str]) -> None:
        """List up to `MAX_RECENT_SHOWN` recent files, as many as fit; `paths` must be sorted, latest first."""
        rows = []
        for path in paths[:MAX_RECENT_SHOWN]:
            first, *more = split_paths(path)
            folder, name = os.path.split(first.rstrip(os.sep))
            if is_address(path):
                rows.append((path, display_project_name(path), display_server(path), "server"))
            elif is_practice(path):
                rows.append((path, *display_practice(path), "rate"))
            elif path.endswith(PROJECT_SUFFIX):
                rows.append((path, display_project_name(path), _shorten_path(folder), "project"))
            elif more:
                rows.append((path, display_entry(path, name), _shorten_path(folder), "files"))
            else:
                rows.append((path, name or path, _shorten_path(folder), "folder" if os.path.isdir(path) else "file"))
        self._recent.fill(rows, removable=True)
        self._no_recent.setVisible(not rows)
        self._fitted_sizes = ()
        self._fit_recent()

    def set_drop_highlighted(self, is_highlighted: bool) -> None:
        """Set whether the drop area is highlighted to show that dragged files can be dropped."""
        self._drop.set_highlighted(is_highlighted)

    def changeEvent(self, event: QEvent) -> None:
        """Adapt the width to the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._bound_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the number of recent files to the height."""
        super().resizeEvent(event)
        self._fit_recent()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adapt the number of recent files when the page needs another height, for example in larger text."""
        if event.type() == QEvent.Type.LayoutRequest and watched is self.widget():
            self._fit_recent()
        return super().eventFilter(watched, event)

    def _fit_recent(self) -> None:
        """Show as many recent files as fit without scrolling, but at least `MIN_RECENT_SHOWN`."""
        entries, page, size = self._recent.entries(), self.widget(), self.maximumViewportSize()
        sizes = (size, *(entry.sizeHint().height() for entry in entries))
        if page is None or sizes == self._fitted_sizes:
            return
        self._fitted_sizes = sizes
        for count in range(len(entries), -1, -1):
            for index, entry in enumerate(entries):
                entry.setVisible(index < count)
            for widget, layout in ((self._recent, self._body.layout()), (self._body, page.layout())):
                # otherwise, the layout around the widget would use its former size until the next event
                widget.updateGeometry()
                if layout is not None:
                    layout.activate()
            if count <= MIN_RECENT_SHOWN or page.heightForWidth(size.width()) <= size.height():
                break

    def _bound_width(self) -> None:
        # longer lines are tiring to read, and the columns would be too far apart
        self._body.setMaximumWidth(self.fontMetrics().horizontalAdvance("0") * 160)
        self._drop.setMaximumHeight(self.fontMetrics().height() * 24)

    def _buttons(self) -> QWidget:
        row = QWidget()
        layout = FlowLayout(row, gap=8, line_gap=8, centred=True)
        for button, handler in (
            (FlatButton(tr("Open folder…"), "folder", primary=True), self.folder_requested),
            (FlatButton(tr("Open files…"), "files"), self.files_requested),
            (FlatButton(tr("Open project…"), "project"), self.project_requested),
            (FlatButton(tr("Open the sample"), "sample"), self._open_first_sample),
        ):
            button.clicked.connect(handler)
            layout.addWidget(button)
        return row

    def _lay_out(self) -> QWidget:
        body = QWidget()
        title = Label("QE Desktop", scale=2.2, bold=True)
        purpose = Label(
            tr(
                "Inspect words flagged by quality estimation, test differences between systems for significance, and "
                "rate translations."
            ),
            scale=1.25,
            token="muted",
            wraps=True,
        )
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(32)
        grid.setVerticalSpacing(8)
        grid.addWidget(title, 0, 0, 1, 2)
        grid.addWidget(purpose, 1, 0, 1, 2)
        grid.setRowMinimumHeight(2, 8)
        grid.addWidget(ExampleSentence(), 3, 0, 1, 2)
        grid.setRowMinimumHeight(4, 16)
        # aligned with the top of a longer list next to it
        grid.addWidget(wrap_layout(vbox(Stretched(self._drop, 1), StretchSpace(0))), 5, 0)
        grid.addLayout(self._lists(), 5, 1)
        keys = ShortcutHints((("Ctrl+K", tr("command palette")), ("F1", tr("all shortcuts"))))
        grid.setRowMinimumHeight(6, 8)
        grid.addWidget(keys, 7, 0, 1, 2)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(1, 2)
        grid.setRowStretch(5, 1)
        return body

    def _lists(self) -> QVBoxLayout:
        return vbox(
            self._heading(tr("Samples")),
            self._samples,
            FixedSpace(16),
            self._heading(tr("Recent")),
            self._recent,
            self._no_recent,
            StretchSpace(),
            gap=4,
        )

    def _heading(self, text: str) -> Label:
        heading = Label(text, bold=True)
        heading.setContentsMargins(12, 0, 0, 0)
        return heading

    def _open_first_sample(self) -> None:
        self.open_sample.emit(SAMPLES[0][0])

    def _open_entry(self, key: str) -> None:
        if key == PRACTICE[0]:
            self.practice_requested.emit()
        else:
            self.open_sample.emit(key)

    def _open_recent(self, path: str) -> None:
        self.open_paths.emit(split_paths(path))


class _DropArea(QWidget):
    """Drop area with a dashed border, a text and buttons; highlighted while files are dragged over the window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_highlighted = False
        self._title = Label(tr("Drop a folder, files or a project here"), scale=1.25, bold=True, wraps=True)
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._description = Label(
            tr(
                "XLIFF, SDLXLIFF, TMX, PO, Excel · text · OK/BAD tags · scores · references\n"
                "File types are detected automatically."
            ),
            token="muted",
            wraps=True,
        )
        self._description.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._gap = QSpacerItem(0, self._side() + 8, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        words = (self._title, self._description, FixedSpace(16), StretchSpace())
        self._column = vbox(StretchSpace(), *words, on=self, gap=8, margins=24)
        self._column.insertSpacerItem(1, self._gap)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def add_row(self, row: QWidget) -> None:
        """Add a widget below the text."""
        self._column.insertWidget(self._column.count() - 1, row, 0, Qt.AlignmentFlag.AlignHCenter)

    def set_highlighted(self, is_highlighted: bool) -> None:
        """Set whether the area is highlighted to show that dragged files can be dropped."""
        if is_highlighted != self._is_highlighted:
            self._is_highlighted = is_highlighted
            self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Adapt the space for the icon to the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._gap.changeSize(0, self._side() + 8, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
            self._column.invalidate()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the area and its icon."""
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QColor(colours.accent if self._is_highlighted else colours.muted)
        line.setAlphaF(1.0 if self._is_highlighted else 0.6)
        pen = QPen(line, 2 if self._is_highlighted else 1.5)
        pen.setDashPattern([5, 4])
        painter.setPen(pen)
        painter.setBrush(colours.selection if self._is_highlighted else colours.surface)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 10, 10)
        top = self._title.y() - self._side() - 8
        icons.paint_icon(painter, "drop", QRect(0, top, self.width(), self._side()), colours.accent)
        painter.end()

    def _side(self) -> int:
        return self.fontMetrics().height() * 2


class _Page(QWidget):
    """Contents of the start page; emits `painted` when first painted."""

    painted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._was_painted = False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Emit `painted` at the first paint event."""
        if not self._was_painted:
            self._was_painted = True
            self.painted.emit()


def _shorten_path(folder: str) -> str:
    """Return a folder for display: the home folder in words, and folders in it with “~” for the home folder."""
    home = os.path.expanduser("~").rstrip(os.sep)
    if home and folder == home:
        return tr("Home folder")
    return "~" + folder[len(home) :] if home and (folder + os.sep).startswith(home + os.sep) else folder
