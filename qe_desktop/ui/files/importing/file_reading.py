"""Background jobs that detect the formats of files, preview them, and read them before the window opens them.

The functions report their progress, and raise JobCancelled when their job is cancelled.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from qe_desktop.corpus import Corpus, QeError, View
from qe_desktop.formats import CorpusPlan, PlannedFile, build_corpus, plan_imports
from qe_desktop.formats.importing.bilingual_detection import FilePreview, preview_file
from qe_desktop.formats.io.files import list_folder
from qe_desktop.levels import levels_of
from qe_desktop.project import Session
from qe_desktop.ui.jobs import Progress

if TYPE_CHECKING:
    from qe_desktop.project.journal.file_journal import FileJournal, JournalReport


def make_plans(places: list[Path], progress: Progress) -> list[CorpusPlan]:
    """Return the import plans of files and folders.

    If planning fails with a QeError, the files in the folders are planned as individual files. These plans are returned
    if one of them has several unclear files, which the user can then assign; otherwise, the QeError is raised.
    """
    report = progress_reporter(progress)
    try:
        return plan_imports(places, progress=report, watch=progress.check)
    except QeError:
        inside = [file for place in places if place.is_dir() for file in list_folder(place)[0]]
        plans = plan_imports(inside, progress=report, watch=progress.check) if inside else []
        if not any(len(plan.unclear()) > 1 for plan in plans):
            raise
        return plans


def make_preview(file: PlannedFile, progress: Progress) -> FilePreview:
    """Return the first segments of a file. Raises QeError as `preview_file` does."""
    return preview_file(file, progress.check)


def progress_reporter(progress: Progress) -> Callable[[str, float], None]:
    """Return a function that reports reading progress to a job, and raises JobCancelled if the job was cancelled."""
    return lambda name, share: progress.report(share, name)


class ReadFiles(NamedTuple):
    """Files that were read, with their session if a journal determines it."""

    corpus: Corpus
    session: Session | None = None
    journal: FileJournal | None = None
    report: JournalReport | None = None


def prepare_corpus(corpus: Corpus) -> ReadFiles:
    """Return a corpus as `ReadFiles`, after filling the caches of its texts and levels.

    On first use in the window, filling them would block it.
    """
    corpus.look_up()
    levels_of(View(corpus))
    return ReadFiles(corpus)


def read_with_journal(chosen: CorpusPlan, person: str, progress: Progress) -> ReadFiles:
    """Read bilingual files in a background job, and restore their session from their journal, if there is one.

    Raises QeError if a file cannot be read, and JobCancelled if the job was cancelled.
    """
    from qe_desktop.project.journal.journal_folder import JournalFolder
    from qe_desktop.project.journal.journal_opening import JournalOpening

    opening = JournalOpening(JournalFolder(), person, progress.check)
    try:
        corpus = build_corpus(
            chosen, progress=progress_reporter(progress), watch=progress.check, with_mt=opening.with_mt
        )
        session, journal, report = opening.finish(corpus)
        session.corpus.look_up()
        levels_of(session.view)
        return ReadFiles(session.corpus, session, journal, report)
    except BaseException:
        opening.cancel()
        raise


def discard_read(read: ReadFiles) -> None:
    """Close the journal of files that are not opened after all."""
    if read.journal is not None:
        read.journal.close(0)
