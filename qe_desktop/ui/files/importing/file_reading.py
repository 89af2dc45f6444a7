"""Files read in a background job, before they are opened in the window."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from qe_desktop.corpus import Corpus, View
from qe_desktop.formats import CorpusPlan, build_corpus
from qe_desktop.levels import levels_of
from qe_desktop.project import Session
from qe_desktop.ui.files.importing.detection_jobs import progress_reporter
from qe_desktop.ui.jobs import Progress

if TYPE_CHECKING:
    from qe_desktop.project.journal.file_journal import FileJournal, JournalReport


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
