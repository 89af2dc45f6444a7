"""Export of the listed QA check results as HTML or TSV, in the background."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus
from qe_desktop.escaping import escape_label, safe_file_name
from qe_desktop.formats.io.atomic_write import write_text
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check_results import QaResult
from qe_desktop.report.qa_results import qa_results_html, qa_results_tsv
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.widgets.background_export import join_notes, shown_path, submit_export
from qe_desktop.ui.widgets.dialogs import FileDialog, require_suffix
from qe_desktop.ui.workspace import Workspace

FILTERS = {"html": tr("HTML page (*.html)"), "tsv": tr("Tab-separated values (*.tsv)")}
"""Filters of the file dialog, by file suffix."""


def ask_and_export_results(
    results: Sequence[QaResult], corpus: Corpus, suffix: str, workspace: Workspace, parent: QWidget,
    unlisted_count: int = 0,
) -> None:  # fmt: skip
    """Ask for a path, and write `results` to this path in the background; `suffix` is "html" or "tsv".

    `unlisted_count` is the number of results that are not listed because of the limit `MAX_RESULTS`.
    """
    settings, title = workspace.settings, tr("QA checks of {name}", name=corpus.name)
    folder = Path(settings.last_folder or corpus.folder or Path.home())
    proposed = folder / f"{safe_file_name(Path(corpus.name).stem, 'results')}.qa.{suffix}"
    selected, _ = FileDialog.getSaveFileName(
        parent, tr("Export QA check results"), str(proposed), FILTERS[suffix], require_suffix(suffix)
    )
    if not selected:
        return
    path = Path(selected)
    settings.last_folder = str(path.parent)
    note = (
        tr("{n:,} more {n:result|results} across all checks {n:is|are} not listed.", "", unlisted_count)
        if unlisted_count
        else ""
    )

    def work(progress: Progress) -> None:
        text = qa_results_html(results, title, note, corpus) if suffix == "html" else qa_results_tsv(results)
        progress.check()
        write_text(path, text)

    def done(_: None, links: Sequence[str]) -> None:
        name = escape_label(path.name)
        written = tr("{file} written: {n:,} QA check {n:result|results}", "", len(results), file=name)
        workspace.file_written.emit(join_notes(written, [note, *links] if note else links), shown_path(path))

    submit_export(workspace.jobs, tr("Export"), work, done, workspace.failed.emit, owner=workspace)
