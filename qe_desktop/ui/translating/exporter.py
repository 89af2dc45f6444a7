"""Exports what was reviewed to other kinds of files, beside the window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from qe_desktop.corpus import Kind, LayerKey, View
from qe_desktop.outgoing import file_name, label
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.shell.notices import Message
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import tr


def layers_of(view: View) -> list[LayerKey]:
    """The layers whose tags of words and scores are written, where a kind has room for them."""
    scores = [key for key in view.corpus.layers if key.kind is Kind.SCORES]
    return [*view.tracks(Kind.WORDS), *scores]


class Exporter(QObject):
    """One command: it asks where and as what, and writes what is open as it is then."""

    told = Signal(object)
    """A `Message`."""
    written = Signal(object, object, object)
    """A file was written: the session, its review as it is there, and the fields of reviews that such a file holds."""
    ended = Signal(bool)
    """An export came to its end; whether the file was written."""

    def __init__(self, workspace: Workspace, window: QWidget) -> None:
        super().__init__(window)
        self.workspace = workspace
        self._window = window

    def ask(self) -> None:
        """Ask where and as what, and write it."""
        asked = self.asked()
        if asked is not None:
            self.export(*asked)

    def asked(self) -> tuple[Path, str] | None:
        """Where a person wants it written, and the name of a kind; None where they change their mind."""
        # here, so that nobody waits for these formats who exports nothing
        from qe_desktop.formats.bilingual.exporting import EXPORTS

        view, settings = self.workspace.view, self.workspace.settings
        if view is None:
            return None
        filters = {f"{export.shown} (*{export.suffix})": export.name for export in EXPORTS}
        name = f"{file_name(view.corpus.name, 'job')}{EXPORTS[0].suffix}"
        proposed = Path(settings.last_folder or view.corpus.folder or Path.home()) / name
        path, chosen = QFileDialog.getSaveFileName(self._window, tr("Export as"), str(proposed), ";;".join(filters))
        if not path:
            return None
        settings.last_folder = str(Path(path).parent)
        return Path(path), filters.get(chosen, EXPORTS[0].name)

    def export(self, path: Path, kind: str) -> None:
        """Write what is open as the kind that the file's name ends as; a name that tells none gets that of `kind`."""
        from qe_desktop.formats.bilingual.exporting import export_named, exported_of, fitting
        from qe_desktop.formats.writing import write_bytes

        session, view = self.workspace.session, self.workspace.view
        if session is None or view is None:
            self.ended.emit(False)
            return
        named = export_named(kind)
        found = named if path.suffix.lower() == named.suffix else fitting(path)
        if found is None:
            found, path = named, path.with_name(f"{path.name}{named.suffix}")
        export, review = found, view.review

        def work(progress: Progress) -> int:
            exported = exported_of(view, layers_of(view))
            progress.report(0.5, path.name)
            data = export.write(exported)
            progress.check()
            write_bytes(path, data)
            return len(exported.pairs)

        def done(segments: int) -> None:
            self.written.emit(session, review, export.holds)
            title = tr(
                "{file} written: {n:,} {n:segment|segments} as {kind}", "", segments,
                file=label(path.name), kind=export.shown,
            )  # fmt: skip
            self.told.emit(Message(title, "info", label(str(path))))
            self.ended.emit(True)

        def fail(error: object) -> None:
            self.workspace.failed.emit(error)
            self.ended.emit(False)

        self.workspace.jobs.submit(
            tr("Export"), work, done, fail, on_cancelled=lambda: self.ended.emit(False), owner=self
        )
