"""Container of a plot; pyqtgraph is imported incrementally when the plot is first shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, pairwise
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QFont, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QMenu, QScrollArea, QStackedLayout, QWidget

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import theme
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.preload import ImportPlan
from qe_desktop.ui.widgets.image_export import (
    ExportContext,
    ImageSource,
    add_image_actions,
    copy_image,
    copy_image_numbers,
    save_image,
)
from qe_desktop.ui.widgets.keyboard_focus import FocusFrame
from qe_desktop.ui.widgets.labels import Label

PLOT_BASE_MODULE = "qe_desktop.ui.widgets.plots.plot_base"
SLICE_S = 0.004
"""Time in seconds after which the incremental import returns to the event loop."""


class Plot(Protocol):
    """Plot that is created once, then updated in place."""

    @property
    def widget(self) -> QWidget:
        """Widget that displays the plot."""
        ...

    def refresh(self, font: QFont) -> str:
        """Draw the current content in the current theme and return ``""``.

        If there is no content, return a text to show instead of the plot.
        """
        ...

    def finish(self) -> None:
        """Complete all drawing before the plot is exported."""
        ...


class PlotScrollArea(QScrollArea):
    """Scroll area of a plot; receives the focus if no widget in the plot does, so that a shortcut can copy the plot."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        FocusFrame(self)

    def _tab_stops(self) -> list[QWidget]:
        """Return the widgets in the plot that take the focus, such as tables and plots with points."""
        # exclude the menus of plots, which are windows, and widgets that only forward the focus
        parts = [part for part in self.viewport().findChildren(QWidget) if part.window() is self.window()]
        return [part for part in parts if part.focusPolicy() & Qt.FocusPolicy.TabFocus and part.focusProxy() is None]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Update the tab order after widgets were added, because Qt appends them to the tab order of the window."""
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            for before, after in pairwise([self, *self._tab_stops()]):
                QWidget.setTabOrder(before, after)
            if self.hasFocus():
                # the focus was moved here before the plot was drawn
                self._focus_first()
        return super().eventFilter(watched, event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Pass the focus on if a visible widget in the plot can take it.

        After Tab or Shift+Tab, the next or previous widget in the tab order receives the focus. If the program set the
        focus, the first widget in the plot receives it.
        """
        is_tab_focus = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        if is_tab_focus and any(part.isVisible() for part in self._tab_stops()):
            self.focusNextPrevChild(event.reason() == Qt.FocusReason.TabFocusReason)
        elif event.reason() != Qt.FocusReason.OtherFocusReason or not self._focus_first():
            super().focusInEvent(event)

    def _focus_first(self) -> bool:
        """Move the focus to the first visible tab stop in the plot; return False if there is none."""
        first = next((part for part in self._tab_stops() if part.isVisible()), None)
        if first is not None:
            first.setFocus()
        return first is not None


class LazyPlotWidget(QWidget):
    """Container of the plot that `build` creates; a plot that is not on screen is neither created nor updated.

    If the plot has numbers to copy, `numbers` returns a function that computes them as TSV; otherwise, it returns
    None. `subject` returns what the plot is about, such as a metric, for proposed file names. `module_name` is the
    module that `build` needs; it is imported together with pyqtgraph.
    """

    drawn = Signal()
    """Emitted after the plot has been redrawn or a text has been shown instead of the plot."""

    def __init__(
        self,
        context: ExportContext,
        name: str,
        build: Callable[[], Plot],
        parent: QWidget | None = None,
        *,
        numbers: Callable[[], Callable[[], str] | None] = lambda: None,
        subject: Callable[[], str] = lambda: "",
        module_name: str = PLOT_BASE_MODULE,
    ) -> None:
        super().__init__(parent)
        self.image_source = ImageSource(name, self._widget, numbers, subject)
        self._context = context
        self._name = name
        self._build = build
        self._module_name = module_name
        self._requested = False
        self._is_outdated = True
        self._imports: Iterator[object] = iter(())
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(0)
        self._pause.timeout.connect(self._import_incrementally)
        self.plot: Plot | None = None
        self._stack = QStackedLayout(self)
        self._note = Label(tr("Loading the chart…"), token="muted", wraps=True)
        self._note.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack.addWidget(self._note)
        self._scroll = PlotScrollArea()
        self._scroll.setAccessibleName(name)
        self._stack.addWidget(self._scroll)
        self.setFocusProxy(self._scroll)
        theme.themes.theme_changed.connect(self.refresh)

    @property
    def shows_plot(self) -> bool:
        """Whether there is a plot to copy or save; its drawing may be incomplete."""
        return self.plot is not None and self._stack.currentWidget() is not self._note

    def _widget(self) -> QWidget | None:
        if self.plot is None or not self.shows_plot:
            return None
        self.plot.finish()
        return self.plot.widget

    def refresh(self) -> None:
        """Update the plot: immediately if it is visible, otherwise when it is next shown."""
        self._is_outdated = True
        if self.plot is not None and self.isVisible():
            self._is_outdated = False
            message = self.plot.refresh(self.font())
            self._note.setText(message)
            self._stack.setCurrentWidget(self._note if message else self._scroll)
            self.drawn.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Import pyqtgraph when the widget is first shown; update the plot if it is outdated."""
        super().showEvent(event)
        if self.plot is not None:
            if self._is_outdated:
                self.refresh()
        elif not self._requested:
            self._requested = True
            load = partial(_import_below, self._module_name)
            self._context.jobs.submit(tr("Charts"), load, self._on_planned, self._on_failed, owner=self)

    def changeEvent(self, event: QEvent) -> None:
        """Redraw the plot when the text size changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.refresh()

    def _on_planned(self, plan: ImportPlan) -> None:
        # in this thread: PySide is not safe if another thread creates Qt classes while the window paints
        self._imports = chain(_qt_classes(), plan.import_window())
        self._import_incrementally()

    def _import_incrementally(self) -> None:
        """Import pyqtgraph and modules that create Qt classes, in steps on the GUI thread; then create the plot."""
        deadline = time.perf_counter() + SLICE_S
        for _ in self._imports:
            if time.perf_counter() > deadline:
                self._pause.start()
                return
        self._on_loaded()

    def _on_loaded(self) -> None:
        plot = self._build()
        plot.widget.setAccessibleName(self._name)
        # parented from the start, so that it is destroyed with the window
        plot.widget.setParent(self)
        # creation and drawing each have a separate iteration of the event loop
        QTimer.singleShot(0, self, partial(self._draw, plot))

    def _draw(self, plot: Plot) -> None:
        self.plot = plot
        self._scroll.setWidget(plot.widget)
        self.refresh()

    def _on_failed(self, error: QeError) -> None:
        self._requested = False
        self._note.setText(tr("The chart cannot be drawn: {message}. {hint}", message=error.message, hint=error.hint))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show a menu to copy or save the plot."""
        if self.plot is None:
            return
        menu = QMenu(self)
        self.add_actions(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def add_actions(self, menu: QMenu) -> None:
        """Add the export actions of the plot to a menu."""
        add_image_actions(menu, self.image_source, self._context, self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """On the standard copy shortcut, copy the numbers or, if there are none, an image of the plot."""
        if not event.matches(QKeySequence.StandardKey.Copy):
            super().keyPressEvent(event)
        elif self.image_source.numbers() is None:
            copy_image(self.image_source, self._context)
        else:
            copy_image_numbers(self.image_source, self._context, self)

    def save(self, path: str) -> None:
        """Write the plot to a file: as SVG or PDF if `path` has that suffix, otherwise as PNG.

        If no plot is shown, nothing is written. Raises QeError if the file cannot be written.
        """
        widget = self._widget()
        if widget is not None:
            save_image(widget, path)


def _qt_classes() -> Iterator[object]:
    """Return an iterator that creates the classes of the Qt modules used by pyqtgraph, one per step."""
    from PySide6 import QtCore, QtGui, QtWidgets

    return (getattr(module, name) for module in (QtCore, QtGui, QtWidgets) for name in dir(module))


def _import_below(draws: str, progress: Progress) -> ImportPlan:
    plan = ImportPlan(draws)
    plan.import_below(progress.check)
    return plan
