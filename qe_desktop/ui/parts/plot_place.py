"""A place for a plot: the plotting library is loaded beside the window when the plot is first seen."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QBuffer, QIODevice, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QFont, QPainter, QShowEvent
from PySide6.QtWidgets import QFileDialog, QGraphicsView, QMenu, QScrollArea, QStackedLayout, QWidget

from qe_desktop.corpus import QeError
from qe_desktop.outgoing import file_name
from qe_desktop.ui import theme
from qe_desktop.ui.jobs import Jobs, Progress
from qe_desktop.ui.parts.copying import copy_picture
from qe_desktop.ui.parts.labels import Label
from qe_desktop.wording import tr

LIBRARY = "pyqtgraph"
SLICE = 0.008
"""Seconds that the window is kept from its work at a time while Qt's classes are made."""


class Surroundings(Protocol):
    """What a place for a plot needs around it: somebody who works beside the window, and one who says what failed."""

    jobs: Jobs

    def attempt(self, action: Callable[[], None], /) -> bool:
        """Do something; where it fails, say so."""
        ...


class Plot(Protocol):
    """What draws itself: made once, then brought up to date in place."""

    @property
    def widget(self) -> QGraphicsView:
        """The plot on screen."""
        ...

    def refresh(self, font: QFont) -> str:
        """Draw what there is now, in the theme in force; where there is nothing, say so instead."""
        ...


class PlotPlace(QWidget):
    """Shows the plot that `build` makes; a plot that is not on screen costs nothing."""

    def __init__(
        self, around: Surroundings, name: str, build: Callable[[], Plot], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._around = around
        self._name = name
        self._build = build
        self._asked = False
        self._late = True
        self._classes: Iterator[object] = iter(())
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(0)
        self._pause.timeout.connect(self._make_ready)
        self.plot: Plot | None = None
        self._stack = QStackedLayout(self)
        self._note = Label(tr("Preparing the plot…"), token="muted", wraps=True)
        self._note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack.addWidget(self._note)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._scroll.setAccessibleName(name)
        self._stack.addWidget(self._scroll)
        theme.themes.theme_changed.connect(self.refresh)

    def refresh(self) -> None:
        """Bring the plot up to date now, or when it is next seen."""
        self._late = True
        if self.plot is not None and self.isVisible():
            self._late = False
            said = self.plot.refresh(self.font())
            self._note.setText(said)
            self._stack.setCurrentWidget(self._note if said else self._scroll)

    def showEvent(self, event: QShowEvent) -> None:
        """Load the library at the first time; catch up."""
        super().showEvent(event)
        if self.plot is not None:
            if self._late:
                self.refresh()
        elif not self._asked:
            self._asked = True
            self._classes = _qt_classes()
            self._make_ready()

    def _make_ready(self) -> None:
        """Make Qt's classes in slices, then load the library beside the window.

        The library asks for every class of Qt, and PySide makes a class when it is first asked for: on another thread
        that would be while the window paints, and has ended in a segmentation fault.
        """
        until = time.perf_counter() + SLICE
        for _ in self._classes:
            if time.perf_counter() > until:
                self._pause.start()
                return
        self._around.jobs.submit(tr("Plots"), _load, self._on_loaded, self._on_failed, owner=self)

    def _on_loaded(self, loaded: bool) -> None:
        self.plot = self._build()
        self.plot.widget.setAccessibleName(self._name)
        self._scroll.setWidget(self.plot.widget)
        self.refresh()

    def _on_failed(self, error: QeError) -> None:
        self._asked = False
        self._note.setText(tr("There is no plot: {message}. {hint}", message=error.message, hint=error.hint))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copy or save the plot."""
        if self.plot is None:
            return
        menu = QMenu(self)
        menu.addAction(tr("&Copy the plot as a picture"), self.copy)
        menu.addAction(tr("Save the plot as &PNG…"), partial(self._ask_and_save, "png"))
        menu.addAction(tr("Save the plot as &SVG…"), partial(self._ask_and_save, "svg"))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def copy(self) -> None:
        """Put the plot on the clipboard."""
        if self.plot is not None:
            copy_picture(self.plot.widget.grab())

    def _ask_and_save(self, form: str) -> None:
        name = f"{file_name(self._name.lower().replace(' ', '-'), 'plot')}.{form}"
        path, _ = QFileDialog.getSaveFileName(self, tr("Save the plot"), name, f"{form.upper()} (*.{form})")
        if path:
            self._around.attempt(lambda: self.save(path))

    def save(self, path: str) -> None:
        """Write the plot to a file, as SVG where its name ends so, else as PNG."""
        if self.plot is None:
            return
        from qe_desktop.formats.writing import write_bytes

        drawn = _svg if path.lower().endswith(".svg") else _png
        write_bytes(Path(path), drawn(self.plot.widget))


def _qt_classes() -> Iterator[object]:
    """Every class that the library asks for, made if it was not yet."""
    from PySide6 import QtCore, QtGui, QtWidgets

    return (getattr(module, name) for module in (QtCore, QtGui, QtWidgets) for name in dir(module))


def _load(progress: Progress) -> bool:
    importlib.import_module(LIBRARY)
    return True


def _png(view: QGraphicsView) -> bytes:
    content = QBuffer()
    content.open(QIODevice.OpenModeFlag.WriteOnly)
    view.grab().save(content, "PNG")
    return bytes(content.data().data())


def _svg(view: QGraphicsView) -> bytes:
    from PySide6.QtSvg import QSvgGenerator

    content = QBuffer()
    content.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(content)
    generator.setSize(QSize(view.width(), view.height()))
    generator.setViewBox(QRect(QPoint(0, 0), view.size()))
    generator.setTitle(view.accessibleName())
    painter = QPainter(generator)
    painter.fillRect(QRect(QPoint(0, 0), view.size()), theme.current().surface)
    view.render(painter)
    painter.end()
    return bytes(content.data().data())
