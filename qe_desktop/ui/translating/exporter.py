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

    def __init__(self, workspace: Workspace, window: QWidget) -> None:
        super().__init__(window)
        self.workspace = workspace
        self._window = window

    def ask(self) -> bool:
        """Ask where and as what, and write it; False where a person changes their mind."""
        # here, so that nobody waits for these formats who exports nothing
        from qe_desktop.formats.bilingual.exporting import EXPORTS

        view, settings = self.workspace.view, self.workspace.settings
        if view is None:
            return False
        filters = {f"{export.shown} (*{export.suffix})": export.name for export in EXPORTS}
        name = f"{file_name(view.corpus.name, 'job')}{EXPORTS[0].suffix}"
        proposed = Path(settings.last_folder or view.corpus.folder or Path.home()) / name
        path, chosen = QFileDialog.getSaveFileName(self._window, tr("Export as"), str(proposed), ";;".join(filters))
        if not path:
            return False
        settings.last_folder = str(Path(path).parent)
        self.export(Path(path), filters.get(chosen, EXPORTS[0].name))
        return True

    def export(self, path: Path, kind: str) -> None:
        """Write what is open as the kind that the file's name ends as; a name that tells none gets that of `kind`."""
        from qe_desktop.formats.bilingual.exporting import export_named, exported_of, fitting
        from qe_desktop.formats.writing import write_bytes

        session, view = self.workspace.session, self.workspace.view
        if session is None or view is None:
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
            if session.corpus.job is None and session.reviewing.review is review:
                session.reviewing.saved()
            title = tr(
                "{file} written: {n:,} {n:segment|segments} as {kind}", "", segments,
                file=label(path.name), kind=export.shown,
            )  # fmt: skip
            self.told.emit(Message(title, "info", label(str(path))))

        self.workspace.jobs.submit(tr("Export"), work, done, self.workspace.failed.emit, owner=self)
