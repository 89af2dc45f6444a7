"""A picture with its title above and, below it, what it says in plain words and how many ratings stand behind it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from qe_desktop.ui.campaigns.results.pictures.contents import Content, table_of
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, column_of
from qe_desktop.ui.parts.plot_place import Plot, PlotPlace
from qe_desktop.ui.workspace import Workspace

LEAST_LINES = 10


class Figure(QWidget):
    """Shows one `Content` at a time; `show_content` brings another, of the same kind or not.

    A figure that is not `titled` stands where something else says its title, such as a tab.
    """

    def __init__(self, workspace: Workspace, title: str, parent: QWidget | None = None, *, titled: bool = True) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self._name = title
        self.content: Content | str = ""
        self._places: dict[type, PlotPlace] = {}
        self.title = Label(title, bold=True)
        self.title.setVisible(titled)
        self._words = Label(token="muted", wraps=True, selectable=True)
        self._words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.caption = Label(token="muted", narrow=True, selectable=True)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._words)
        column_of(self.title, Placed(self._stack, 1), self.caption, on=self, gap=4)

    def minimumSizeHint(self) -> QSize:
        """Room for a few rows; a longer caption does not make the window larger."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance("0") * 24, metrics.height() * LEAST_LINES)

    def hasHeightForWidth(self) -> bool:
        """The picture takes what the caption leaves."""
        return False

    @property
    def place(self) -> PlotPlace | None:
        """Where it is drawn; None while words stand there."""
        return self._places.get(type(self.content))

    def show_content(self, content: Content | str, caption: str = "", title: str = "") -> None:
        """Draw something else, or say in words why there is nothing to draw."""
        self.content = content
        self.title.setText(title or self._name)
        self.caption.setText(caption)
        self.caption.setVisible(bool(caption) and not isinstance(content, str))
        if isinstance(content, str):
            self._words.setText(content)
            self._stack.setCurrentWidget(self._words)
            return
        kind = type(content)
        if kind not in self._places:
            build = partial(self._build, kind)
            self._places[kind] = PlotPlace(self._workspace, self._name, build, numbers=self._numbers)
            self._stack.addWidget(self._places[kind])
        self._stack.setCurrentWidget(self._places[kind])
        self._places[kind].refresh()

    def _build(self, kind: type) -> Plot:
        """The picture of a kind of content; the plotting library is loaded by now."""
        # imported here, because it imports the plotting library
        from qe_desktop.ui.campaigns.results.pictures.plots import DRAWN

        return DRAWN[kind](partial(self._of, kind))

    def _numbers(self) -> Callable[[], str] | None:
        """What writes the numbers of the picture that is in front."""
        content = self.content
        return None if isinstance(content, str) else lambda: table_of(content).tsv()

    def _of(self, kind: type) -> Content | str:
        return self.content if isinstance(self.content, kind) else ""
