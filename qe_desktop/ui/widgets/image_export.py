"""A widget as a picture: on the clipboard, and in files as PNG, SVG and PDF; and its numbers as TSV.

What shows a picture adds `add_picture_actions` to its menu, and all of them offer the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPoint, QRect, QSizeF
from PySide6.QtGui import QPageLayout, QPageSize, QPaintDevice, QPainter, QPdfWriter, QPixmap
from PySide6.QtWidgets import QGraphicsView, QMenu, QWidget

from qe_desktop.outgoing import file_name
from qe_desktop.ui import theme
from qe_desktop.ui.jobs import Jobs, Progress
from qe_desktop.ui.parts.copying import copy_picture, copy_text
from qe_desktop.ui.parts.file_dialog import FileDialog
from qe_desktop.wording import tr

INCH = 96
"""Pixels of the screen in an inch of paper, as CSS has it."""
DOTS = 1200
"""Dots of a PDF in an inch, so that no line is moved far from where it is on screen."""


class Surroundings(Protocol):
    """What a picture needs around it: somebody who works beside the window, and one who says what failed."""

    jobs: Jobs

    def attempt(self, action: Callable[[], None], /) -> bool:
        """Do something; where it fails, say so."""
        ...


@dataclass(frozen=True, slots=True)
class Exported:
    """What is exported: a picture's name, the widget that shows it, and what makes its numbers, where it has any.

    The widget is that of the moment, and None before there is one; the numbers are made beside the window.
    """

    name: str
    widget: Callable[[], QWidget | None]
    numbers: Callable[[], Callable[[], str] | None] = lambda: None


def add_picture_actions(menu: QMenu, of: Exported, around: Surroundings, parent: QWidget) -> None:
    """Add what can be done with a picture to a menu."""
    tsv = menu.addAction(tr("Copy the plot's numbers as &TSV"), partial(copy_numbers, of, around, parent))
    tsv.setVisible(of.numbers() is not None)
    shown = of.widget() is not None
    menu.addAction(tr("&Copy the plot as a picture"), partial(copy, of)).setEnabled(shown)
    add_saving(menu, tr("&Save the plot"), of, around, parent).setEnabled(shown)


def add_saving(menu: QMenu, title: str, of: Exported, around: Surroundings, parent: QWidget) -> QMenu:
    """Add a menu of the kinds of files that a picture can be saved as."""
    forms = menu.addMenu(title)
    for form, text in (("png", tr("As &PNG…")), ("svg", tr("As &SVG…")), ("pdf", tr("As P&DF…"))):
        forms.addAction(text, partial(ask_and_save, of, form, around, parent))
    return forms


def copy(of: Exported) -> None:
    """Put the picture on the clipboard."""
    widget = of.widget()
    if widget is not None:
        copy_picture(_pixels(widget))


def copy_numbers(of: Exported, around: Surroundings, owner: QWidget) -> None:
    """Put the numbers on the clipboard; many are written beside the window."""
    made = of.numbers()
    if made is not None:
        write: Callable[[], str] = made

        def work(progress: Progress) -> str:
            return write()

        around.jobs.submit(tr("Numbers"), work, copy_text, latest="numbers", owner=owner)


def save(widget: QWidget, path: str) -> None:
    """Write a picture to a file, as SVG or PDF where its name ends so, else as PNG; QeError where it cannot be."""
    from qe_desktop.formats.writing import write_bytes

    write_bytes(Path(path), WRITERS.get(path.lower().rpartition(".")[2], png)(widget))


def ask_and_save(of: Exported, form: str, around: Surroundings, parent: QWidget) -> None:
    """Ask for a file, and save the picture in it."""
    name = f"{file_name(of.name.lower().replace(' ', '-'), 'plot')}.{form}"
    path, _ = FileDialog.getSaveFileName(parent, tr("Save the plot"), name, f"{form.upper()} (*.{form})")
    widget = of.widget()
    if path and widget is not None:
        around.attempt(lambda: save(widget, path))


def _pixels(widget: QWidget) -> QPixmap:
    """The widget on the ground of its pictures, whatever it stands on."""
    ratio = widget.devicePixelRatioF()
    picture = QPixmap(widget.size() * ratio)
    picture.setDevicePixelRatio(ratio)
    _paint(widget, picture, 1.0)
    return picture


def _paint(widget: QWidget, on: QPaintDevice, scale: float) -> None:
    with _exporting(widget):
        _paint_now(widget, on, scale)


@contextmanager
def _exporting(widget: QWidget) -> Iterator[None]:
    """Have plots draw all that they draw: on screen they put pixels in store, which would be pixels in every file."""
    plots = [one for one in (widget, *widget.findChildren(QGraphicsView)) if isinstance(one, QGraphicsView)]
    modes = [plot.cacheMode() for plot in plots]
    # items of the plotting library; what else may stand in a plot has no such mode
    items = [item for plot in plots for item in plot.scene().items() if hasattr(item, "setExportMode")]
    for plot in plots:
        plot.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)
    for item in items:
        item.setExportMode(True, {"antialias": True})
    try:
        yield
    finally:
        for item in items:
            item.setExportMode(False)
        for plot, mode in zip(plots, modes, strict=True):
            plot.setCacheMode(mode)


def _paint_now(widget: QWidget, on: QPaintDevice, scale: float) -> None:
    painter = QPainter(on)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(scale, scale)
    painter.fillRect(QRect(QPoint(0, 0), widget.size()), theme.current().surface)
    # a plot that is no part of anything has a way of its own to be drawn, which takes other things
    QWidget.render(widget, painter, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
    painter.end()


def png(widget: QWidget) -> bytes:
    """The picture as it is on screen."""
    content = _opened()
    _pixels(widget).save(content, "PNG")
    return bytes(content.data().data())


def svg(widget: QWidget) -> bytes:
    """The picture in lines and letters."""
    # a library of Qt that nothing else needs
    from PySide6.QtSvg import QSvgGenerator

    content = _opened()
    generator = QSvgGenerator()
    generator.setOutputDevice(content)
    generator.setSize(widget.size())
    generator.setViewBox(QRect(QPoint(0, 0), widget.size()))
    generator.setTitle(widget.accessibleName())
    _paint(widget, generator, 1.0)
    return bytes(content.data().data())


def pdf(widget: QWidget) -> bytes:
    """The picture in lines and letters, on a page of its size."""
    content = _opened()
    writer = QPdfWriter(content)
    writer.setTitle(widget.accessibleName())
    writer.setResolution(DOTS)
    size = QSizeF(widget.width() / INCH, widget.height() / INCH)
    page = QPageSize(size, QPageSize.Unit.Inch, "", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    _paint(widget, writer, DOTS / INCH)
    del writer
    return bytes(content.data().data())


WRITERS: Mapping[str, Callable[[QWidget], bytes]] = {"png": png, "svg": svg, "pdf": pdf}
"""By the ending of a file's name."""


def _opened() -> QBuffer:
    content = QBuffer()
    content.open(QIODevice.OpenModeFlag.WriteOnly)
    return content
