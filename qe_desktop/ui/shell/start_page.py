"""What a person sees first: what this is, and the ways in."""

from __future__ import annotations

import os

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGridLayout, QScrollArea, QSizePolicy, QSpacerItem, QVBoxLayout, QWidget

from qe_desktop.ui import icons, theme
from qe_desktop.ui.parts.buttons import FlatButton
from qe_desktop.ui.parts.flow import FlowLayout
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Space, Stretch, column_of, holding, row_of
from qe_desktop.ui.places import SUFFIX, is_address, paths_of, shown_entry, shown_name, shown_where
from qe_desktop.ui.shell.entries import Entries
from qe_desktop.ui.shell.keycaps import KeyHints
from qe_desktop.ui.shell.tagged_line import TaggedLine
from qe_desktop.wording import tr

SAMPLES = (
    ("en-de", tr("English–German"), tr("The first thing to try")),
    ("en-he", tr("English–Hebrew"), tr("A translation that runs from right to left")),
    ("en-ja", tr("English–Japanese"), tr("A translation without spaces between words")),
    ("job", tr("Review MT: try a job"), tr("A copy of a translator's file, to correct and save")),
)
RECENT_SHOWN = 6


class StartPage(QScrollArea):
    """Signals only: what is done about them is the shell's business."""

    open_sample = Signal(str)
    open_paths = Signal(list)
    choose_folder = Signal()
    choose_files = Signal()
    choose_project = Signal()
    forget = Signal(str)
    painted = Signal()
    """The page stands on the screen for the first time."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setAccessibleName(tr("Start page"))
        self._drop = _DropPlace()
        self._drop.add_row(self._buttons())
        self._samples = Entries(tr("Samples"))
        self._samples.fill([(key, name, about, "sample") for key, name, about in SAMPLES])
        self._samples.opened.connect(self.open_sample)
        self._recent = Entries(tr("Recent"))
        self._recent.opened.connect(self._open_recent)
        self._recent.removed.connect(self.forget)
        self._no_recent = Label(tr("What you open will be listed here."), token="muted")
        self._no_recent.setContentsMargins(12, 8, 0, 0)
        self._body = self._lay_out()
        page = _Page()
        page.painted.connect(self.painted)
        middle = column_of(Stretch(), self._body, Stretch(2))
        row_of(Stretch(), Placed(middle, 100), Stretch(), on=page, margins=32)
        self.setWidget(page)
        self._bound_width()
        self.set_recent([])

    def set_recent(self, paths: list[str]) -> None:
        """List what was opened before, the latest first."""
        rows = []
        for path in paths[:RECENT_SHOWN]:
            first, *more = paths_of(path)
            folder, name = os.path.split(first.rstrip(os.sep))
            if is_address(path):
                rows.append((path, shown_name(path), shown_where(path), "server"))
            elif path.endswith(SUFFIX):
                rows.append((path, shown_name(path), _short(folder), "project"))
            elif more:
                rows.append((path, shown_entry(path, name), _short(folder), "files"))
            else:
                rows.append((path, name or path, _short(folder), "folder" if os.path.isdir(path) else "file"))
        self._recent.fill(rows, removable=True)
        self._no_recent.setVisible(not rows)

    def light_drop(self, lit: bool) -> None:
        """Show that dragged files would be taken."""
        self._drop.light(lit)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationFontChange:
            self._bound_width()

    def _bound_width(self) -> None:
        # lines longer than this are tiring to read, and two columns drift apart
        self._body.setMaximumWidth(self.fontMetrics().horizontalAdvance("0") * 150)
        self._drop.setMaximumHeight(self.fontMetrics().height() * 24)

    def _buttons(self) -> QWidget:
        row = QWidget()
        layout = FlowLayout(row, gap=8, line_gap=8, centred=True)
        for button, handler in (
            (FlatButton(tr("Open folder…"), "folder", primary=True), self.choose_folder),
            (FlatButton(tr("Open files…"), "files"), self.choose_files),
            (FlatButton(tr("Open project…"), "project"), self.choose_project),
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
                "See which words a quality-estimation system calls BAD, how far it is right, "
                "and which systems differ significantly."
            ),
            scale=1.25,
            token="muted",
            wraps=True,
        )
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(40)
        grid.setVerticalSpacing(8)
        grid.addWidget(title, 0, 0, 1, 2)
        grid.addWidget(purpose, 1, 0, 1, 2)
        grid.setRowMinimumHeight(2, 8)
        grid.addWidget(TaggedLine(), 3, 0, 1, 2)
        grid.setRowMinimumHeight(4, 16)
        # beside a longer list it begins where that begins
        grid.addWidget(holding(column_of(Placed(self._drop, 1), Stretch(0))), 5, 0)
        grid.addLayout(self._lists(), 5, 1)
        keys = KeyHints((("Ctrl+K", tr("every command by name")), ("F1", tr("all shortcuts"))))
        grid.setRowMinimumHeight(6, 8)
        grid.addWidget(keys, 7, 0, 1, 2)
        grid.setColumnStretch(0, 3)
        grid.setColumnStretch(1, 2)
        grid.setRowStretch(5, 1)
        return body

    def _lists(self) -> QVBoxLayout:
        return column_of(
            self._heading(tr("Samples")),
            self._samples,
            Space(16),
            self._heading(tr("Recent")),
            self._recent,
            self._no_recent,
            Stretch(),
            gap=4,
        )

    def _heading(self, text: str) -> Label:
        heading = Label(text, bold=True)
        heading.setContentsMargins(12, 0, 0, 0)
        return heading

    def _open_first_sample(self) -> None:
        self.open_sample.emit(SAMPLES[0][0])

    def _open_recent(self, path: str) -> None:
        self.open_paths.emit(paths_of(path))


class _DropPlace(QWidget):
    """A dashed field with what may be dropped on it, and a row for buttons. It lights up under dragged files."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lit = False
        self._title = Label(tr("Drop a folder, files or a project here"), scale=1.25, bold=True, wraps=True)
        self._title.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._what = Label(
            tr(
                "Translators' files (XLIFF, SDLXLIFF, TMX, PO, XLSX), texts, OK/BAD tags, scores, references: "
                "each file is recognised by what is in it."
            ),
            token="muted",
            wraps=True,
        )
        self._what.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._gap = QSpacerItem(0, self._side() + 8, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        words = (self._title, self._what, Space(16), Stretch())
        self._column = column_of(Stretch(), *words, on=self, gap=8, margins=(32, 24, 32, 24))
        self._column.insertSpacerItem(1, self._gap)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def add_row(self, row: QWidget) -> None:
        """Put a widget under the text."""
        self._column.insertWidget(self._column.count() - 1, row, 0, Qt.AlignmentFlag.AlignHCenter)

    def light(self, lit: bool) -> None:
        """Show whether dragged files would be taken."""
        if lit != self._lit:
            self._lit = lit
            self.update()

    def changeEvent(self, event: QEvent) -> None:
        """Leave room for the icon when the text size changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationFontChange:
            self._gap.changeSize(0, self._side() + 8, QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
            self._column.invalidate()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the field and its icon."""
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = QColor(colours.accent if self._lit else colours.muted)
        line.setAlphaF(1.0 if self._lit else 0.6)
        pen = QPen(line, 2 if self._lit else 1.5)
        pen.setDashPattern([5, 4])
        painter.setPen(pen)
        painter.setBrush(colours.selection if self._lit else colours.surface)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 10, 10)
        top = self._title.y() - self._side() - 8
        icons.paint(painter, "drop", QRect(0, top, self.width(), self._side()), colours.accent)
        painter.end()

    def _side(self) -> int:
        return self.fontMetrics().height() * 2


class _Page(QWidget):
    """The whole page, which tells once that it stands on the screen."""

    painted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._told = False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Nothing of its own to draw."""
        if not self._told:
            self._told = True
            self.painted.emit()


def _short(folder: str) -> str:
    home = os.path.expanduser("~")
    return "~" + folder[len(home) :] if home != os.sep and folder.startswith(home) else folder
