"""Background jobs that detect the formats of files, and that read files before the window opens them.

Functions with a `progress` parameter report their progress, and raise JobCancelled when the job is cancelled.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from qe_desktop.corpus import Corpus, LayerKey, QeError, View
from qe_desktop.formats import CorpusPlan, build_corpus, plan_imports
from qe_desktop.formats.files import list_folder
from qe_desktop.levels import levels_of
from qe_desktop.project import Session
from qe_desktop.project.edits import Edit
from qe_desktop.project.events import ReviewRow, VisitRow
from qe_desktop.project.reviewed_files import WrittenFile
from qe_desktop.ui.jobs import Progress

if TYPE_CHECKING:
    from qe_desktop.project.journal.file_journal import FileJournal, JournalReport


def make_plans(paths: list[Path], progress: Progress) -> list[CorpusPlan]:
    """Return the import plans of files and folders.

    If planning raises a QeError, the files in the folders are planned as individual files. These plans are returned if
    one of them has several unused text files, whose use the user can then select. Otherwise, the QeError is raised.
    """
    report = progress_reporter(progress)
    try:
        return plan_imports(paths, progress=report, check_cancelled=progress.check)
    except QeError:
        inside = [file for path in paths if path.is_dir() for file in list_folder(path)[0]]
        plans = plan_imports(inside, progress=report, check_cancelled=progress.check) if inside else []
        if not any(len(plan.unused_texts()) > 1 for plan in plans):
            raise
        return plans


def progress_reporter(progress: Progress) -> Callable[[str, float], None]:
    """Return a function that reports reading progress to a job, and raises JobCancelled if the job was cancelled."""
    return lambda name, share: progress.report(share, name)


class ReadFiles(NamedTuple):
    """Corpus that was read from files, and its session; if `session` is None, a new one must be created.

    `new_segments` maps former segment indices to new ones. `faults` maps paths of bilingual files to notes on errors in
    the files.
    """

    corpus: Corpus
    session: Session | None = None
    journal: FileJournal | None = None
    report: JournalReport | None = None
    new_segments: Mapping[int, int] = {}
    faults: Mapping[Path, tuple[str, ...]] = {}


def prepare_corpus(corpus: Corpus) -> ReadFiles:
    """Fill the caches of the texts and levels of a corpus, and return the corpus as `ReadFiles`.

    Filling the caches on first use would block the window.
    """
    corpus.cache_text_properties()
    levels_of(View(corpus))
    return ReadFiles(corpus, faults=_faults(corpus))


def _faults(corpus: Corpus) -> dict[Path, tuple[str, ...]]:
    files = () if corpus.job is None else corpus.job.files
    return {Path(file.path): file.faults for file in files if file.faults}


def read_with_journal(chosen: CorpusPlan, person: str, progress: Progress) -> ReadFiles:
    """Read bilingual files in a background job, and restore their session from the journal, if there is one.

    Raises QeError if a file cannot be read, and JobCancelled if the job was cancelled.
    """
    from qe_desktop.project.journal.file_journal import JournalFolder
    from qe_desktop.project.journal.journal_opening import JournalOpening

    opening = JournalOpening(JournalFolder(), person, progress.check)
    try:
        corpus = build_corpus(
            chosen, progress=progress_reporter(progress), check_cancelled=progress.check, with_mt=opening.with_mt
        )
        session, journal, report = opening.finish(corpus)
        session.corpus.cache_text_properties()
        levels_of(session.view)
        # the corpus stored in a journal has no notes
        return ReadFiles(session.corpus, session, journal, report, opening.new_segment_numbers, _faults(corpus))
    except BaseException:
        opening.cancel()
        raise


class SessionCopy(NamedTuple):
    """Values of an open session, from which a background job can create an independent copy of the session."""

    corpus: Corpus
    person: str
    uids: dict[LayerKey, str]
    thresholds: dict[str, float]
    reviews: tuple[ReviewRow, ...]
    visits: tuple[VisitRow, ...]
    tag_edits: tuple[Edit, ...]
    places: dict[int, WrittenFile]
    bases: dict[int, bytes]

    @classmethod
    def from_session(cls, session: Session) -> SessionCopy:
        """Return the current values of a session."""
        return cls(
            session.corpus, session.person, session.layer_uids(), session.thresholds(), session.reviewing.rows(),
            session.reviewing.visits(), session.edits_on(session.corpus.layers.values()), dict(session.written_files),
            dict(session.reloaded_data),
        )  # fmt: skip

    def session(self) -> Session:
        """Return an independent copy of the session; the undo history of tag edits is not copied."""
        session = Session(
            self.corpus, person=self.person, uids=self.uids, thresholds=self.thresholds, reviews=self.reviews,
            visits=self.visits,
        )  # fmt: skip
        for edit in self.tag_edits:
            session.apply(edit)
        session.written_files, session.reloaded_data = self.places, self.bases
        return session


def read_again(chosen: CorpusPlan, session_copy: SessionCopy, progress: Progress) -> ReadFiles:
    """Read open bilingual files again in a background job, and carry over the review from `session_copy`.

    No journal is used.

    Raises QeError if a file cannot be read, and JobCancelled if the job was cancelled.
    """
    from qe_desktop.project.journal.file_reload import ReviewReload
    from qe_desktop.project.journal.former_review import FormerReview

    former = FormerReview.of_open_files(session_copy.session())
    reload = ReviewReload(former, session_copy.person, progress.check)
    corpus = build_corpus(
        chosen, progress=progress_reporter(progress), check_cancelled=progress.check, with_mt=reload.with_mt
    )
    session, report = reload.finish(corpus)
    session.corpus.cache_text_properties()
    levels_of(session.view)
    return ReadFiles(
        session.corpus, session, None, report, {old: new for new, old in former.matched.items()}, _faults(corpus)
    )


def discard_read(read: ReadFiles) -> None:
    """Close the journal of files that were read but will not be opened."""
    if read.journal is not None:
        read.journal.close(0)
