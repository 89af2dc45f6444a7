"""Export of a chart as an image (clipboard, PNG, SVG, PDF) and of the numbers in it as TSV.

Widgets that show a chart call `add_image_actions` for their menus, so that all these menus have the same actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np
from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QPoint, QRect, QSizeF
from PySide6.QtGui import QImage, QPageLayout, QPageSize, QPaintDevice, QPainter, QPdfWriter, QPixmap
from PySide6.QtWidgets import QGraphicsView, QMenu, QWidget

from qe_desktop.corpus import Corpus
from qe_desktop.escaping import MAX_TOOLTIP_CHARS, escape_label, safe_file_name
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import theme
from qe_desktop.ui.jobs import JobRunner, Progress
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.background_export import copy_pixmap, copy_text
from qe_desktop.ui.widgets.dialogs import CompletePath, FileDialog

SCREEN_DPI = 96
"""Screen pixels per inch of paper, as in CSS."""
MIN_PNG_SCALE = 2.0
"""Minimum number of pixels of a PNG file per pixel of the widget, so that the image is sharp on paper."""
MAX_EMPTY_PX, MARGIN_PX = 24, 8
"""Maximum empty space above or below a drawing, and the space to which a larger one is cut, in widget pixels."""
PDF_DPI = 1200
"""Resolution of a PDF in dots per inch; at this resolution, rounding displaces no line visibly."""


class ExportContext(Protocol):
    """Services that an export needs: background jobs, settings, the corpus, and the reporting of errors (`attempt`)."""

    jobs: JobRunner
    settings: Settings

    @property
    def corpus(self) -> Corpus | None:
        """Corpus that is currently open; None if there is none."""

    def attempt(self, action: Callable[[], None], written: str = "", path: str = "", /) -> bool:
        """Run an action and report its QeError, if any, or else show `written`; return whether the action succeeded.

        `path` is the path of the written file.
        """
        ...


def ask_and_write(
    context: ExportContext, parent: QWidget, title: str, name: str, filters: str, complete: CompletePath,
    format_name: str,
    write: Callable[[Path], None],
) -> None:  # fmt: skip
    """Ask for a file, initially in the last used folder; write the file and show its name, format and path."""
    proposed = Path(context.settings.last_folder or Path.home()) / name
    selected, _ = FileDialog.getSaveFileName(parent, title, str(proposed), filters, complete)
    if not selected:
        return
    path = Path(selected)
    context.settings.last_folder = str(path.parent)
    written = tr("{file} written as {form}", file=escape_label(path.name), form=format_name)
    context.attempt(lambda: write(path), written, escape_label(str(path), MAX_TOOLTIP_CHARS))


@dataclass(frozen=True, slots=True)
class ImageSource:
    """Source of an export: the name of a chart, and functions for its widget, its numbers and its subject.

    `widget` returns the current widget of the chart, or None if there is none yet. `numbers` returns None if the chart
    has no numbers, otherwise a function that returns them as TSV; this function is called in the background. `subject`
    returns what the chart is about, such as a metric; it is a part of proposed file names.
    """

    name: str
    widget: Callable[[], QWidget | None]
    numbers: Callable[[], Callable[[], str] | None] = lambda: None
    subject: Callable[[], str] = lambda: ""


def add_image_actions(menu: QMenu, source: ImageSource, context: ExportContext, parent: QWidget) -> None:
    """Add to a menu the actions that copy or save a chart as an image, or copy its numbers."""
    tsv = menu.addAction(tr("Copy the chart's data as &TSV"), partial(copy_image_numbers, source, context, parent))
    tsv.setVisible(source.numbers() is not None)
    enabled = source.widget() is not None
    menu.addAction(tr("&Copy the chart as an image"), partial(copy_image, source, context)).setEnabled(enabled)
    add_image_save_menu(menu, tr("&Save the chart"), source, context, parent).setEnabled(enabled)


def add_image_save_menu(menu: QMenu, title: str, source: ImageSource, context: ExportContext, parent: QWidget) -> QMenu:
    """Add a submenu that lists the file formats in which an image can be saved; return the submenu."""
    forms = menu.addMenu(title)
    for form, text in (("png", tr("As &PNG…")), ("svg", tr("As &SVG…")), ("pdf", tr("As P&DF…"))):
        forms.addAction(text, partial(ask_and_save_image, source, form, context, parent))
    return forms


def copy_image(source: ImageSource, context: ExportContext) -> None:
    """Copy the chart, if there is one, to the clipboard as an image, and state that it was copied."""
    widget = source.widget()
    if widget is not None:
        context.attempt(lambda: copy_pixmap(_grab_pixmap(widget)), tr("Copied as an image"))


def copy_image_numbers(source: ImageSource, context: ExportContext, owner: QWidget) -> None:
    """Copy the numbers of a chart, if any, to the clipboard as TSV; the TSV is computed in the background."""
    numbers = source.numbers()
    if numbers is not None:
        write: Callable[[], str] = numbers

        def work(progress: Progress) -> str:
            return write()

        def done(text: str) -> None:
            context.attempt(lambda: copy_text(text), tr("Copied as {form}", form="TSV"))

        context.jobs.submit(tr("Data"), work, done, latest="numbers", owner=owner)


def save_image(widget: QWidget, path: str) -> None:
    """Write an image of a widget to a file. Raises QeError if writing fails.

    The format is SVG or PDF if the file has that suffix, otherwise PNG.
    """
    from qe_desktop.formats.atomic_write import write_bytes

    write_bytes(Path(path), WRITERS.get(_suffix_of(path), render_png)(widget))


def ask_and_save_image(source: ImageSource, suffix: str, context: ExportContext, parent: QWidget) -> None:
    """Ask for a file and save an image of a chart to it; `context` reports errors.

    The proposed name has the names of the data and of the chart, so that the charts of other data do not replace it.
    `suffix` is appended to a path that does not end with the suffix of an image format.
    """
    data = "" if context.corpus is None else context.corpus.name
    words = (data, source.subject(), source.name.lower())
    name = f"{safe_file_name(' '.join(word for word in words if word), 'plot')}.{suffix}"

    def complete(path: str, _: str) -> str:
        return path if _suffix_of(path) in WRITERS else f"{path}.{suffix}"

    def write(path: Path) -> None:
        widget = source.widget()
        if widget is not None:
            save_image(widget, str(path))

    upper = suffix.upper()
    title = tr("Save: {what}", what=source.name)
    ask_and_write(context, parent, title, name, f"{upper} (*.{suffix})", complete, upper, write)


def _grab_pixmap(widget: QWidget, min_scale: float = 1.0) -> QPixmap:
    """Return an image of a widget on the theme's surface colour, whatever the background of its parent is.

    The device pixel ratio of the image is that of the widget, but at least `min_scale`.
    """
    ratio, area = max(widget.devicePixelRatioF(), min_scale), _drawn_area(widget)
    picture = QPixmap(area.size() * ratio)
    picture.setDevicePixelRatio(ratio)
    _paint(widget, picture, 1.0, area)
    return picture


def _drawn_area(widget: QWidget) -> QRect:
    """Return the area of a widget without large empty spaces above and below its drawing.

    Charts may have such space in the window, where their rows are aligned with those of another view.
    """
    picture = QImage(widget.size(), QImage.Format.Format_RGB32)
    if picture.isNull():
        return widget.rect()
    _paint(widget, picture, 1.0, widget.rect())
    pixels = np.frombuffer(picture.constBits(), np.uint32).reshape(picture.height(), -1)[:, : picture.width()]
    rows = np.flatnonzero((pixels != theme.current().surface.rgb()).any(axis=1))
    if not len(rows):
        return widget.rect()
    above, below = int(rows[0]), widget.height() - 1 - int(rows[-1])
    cut_above, cut_below = (empty - MARGIN_PX if empty > MAX_EMPTY_PX else 0 for empty in (above, below))
    return widget.rect().adjusted(0, cut_above, 0, -cut_below)


def _paint(widget: QWidget, on: QPaintDevice, scale: float, area: QRect) -> None:
    with _export_rendering(widget):
        _paint_now(widget, on, scale, area)


@contextmanager
def _export_rendering(widget: QWidget) -> Iterator[None]:
    """Context in which plots draw vectors; the pixmaps cached for the screen would make every file a raster image."""
    plots = [view for view in (widget, *widget.findChildren(QGraphicsView)) if isinstance(view, QGraphicsView)]
    modes = [plot.cacheMode() for plot in plots]
    # only items of the plotting library have an export mode
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


def _paint_now(widget: QWidget, on: QPaintDevice, scale: float, area: QRect) -> None:
    painter = QPainter(on)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(scale, scale)
    painter.translate(-area.topLeft())
    painter.fillRect(area, theme.current().surface)
    # a plot outside a scene has its own render method, with other arguments
    QWidget.render(widget, painter, QPoint(), renderFlags=QWidget.RenderFlag.DrawChildren)
    painter.end()


def render_png(widget: QWidget) -> bytes:
    """Return an image of a widget as PNG, with the widget's device pixel ratio, but at least `MIN_PNG_SCALE`."""
    content = _open_buffer()
    _grab_pixmap(widget, MIN_PNG_SCALE).save(content, "PNG")
    return bytes(content.data().data())


def render_svg(widget: QWidget) -> bytes:
    """Return an image of a widget as SVG; lines and text are not rasterized."""
    # imported here: a Qt library that nothing else needs
    from PySide6.QtSvg import QSvgGenerator

    content = _open_buffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(content)
    area = _drawn_area(widget)
    generator.setSize(area.size())
    generator.setViewBox(QRect(QPoint(0, 0), area.size()))
    generator.setTitle(widget.accessibleName())
    _paint(widget, generator, 1.0, area)
    return bytes(content.data().data())


def render_pdf(widget: QWidget) -> bytes:
    """Return an image of a widget as PDF, on a page of the size of its drawing; lines and text are not rasterized."""
    content = _open_buffer()
    writer = QPdfWriter(content)
    writer.setTitle(widget.accessibleName())
    writer.setResolution(PDF_DPI)
    area = _drawn_area(widget)
    size = QSizeF(area.width() / SCREEN_DPI, area.height() / SCREEN_DPI)
    page = QPageSize(size, QPageSize.Unit.Inch, "", QPageSize.SizeMatchPolicy.ExactMatch)
    writer.setPageLayout(QPageLayout(page, QPageLayout.Orientation.Portrait, QMarginsF()))
    _paint(widget, writer, PDF_DPI / SCREEN_DPI, area)
    del writer
    return bytes(content.data().data())


WRITERS: Mapping[str, Callable[[QWidget], bytes]] = {"png": render_png, "svg": render_svg, "pdf": render_pdf}
"""Functions that render a widget, by file suffix without the dot."""


def _suffix_of(path: str) -> str:
    """Return the suffix of a file in lower case and without the dot; empty if the file has no suffix."""
    return Path(path).suffix.removeprefix(".").lower()


def _open_buffer() -> QBuffer:
    content = QBuffer()
    content.open(QIODevice.OpenModeFlag.WriteOnly)
    return content
