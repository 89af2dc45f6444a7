"""Translator who opens, edits and saves files with journals in a folder."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.formats.atomic_write import write_bytes
from qe_desktop.formats.bilingual.columns import AUTO_COLUMNS, ColumnChoice
from qe_desktop.project import Session
from qe_desktop.project.events import ReviewField
from qe_desktop.project.journal.file_journal import FileJournal, JournalFolder, JournalReport
from qe_desktop.project.journal.journal_opening import JournalOpening
from qe_desktop.project.reviewed_files import WrittenFile, record_written, reviewed_files, sha256_hex
from tests.timeouts import PATIENCE

HEAD = '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en"'
TARGETS = ["Das Haus", "Der Hund", "Die Katze", "Die Maus"]
SOURCES = ["the house", "the dog", "the cat", "the mouse"]


def xliff(targets, sources=SOURCES, names="abcd") -> bytes:
    units = "".join(
        f'<trans-unit id="{name}"><source>{source}</source><target>{target}</target></trans-unit>'
        for name, source, target in zip(names, sources, targets, strict=True)
    )
    return f'{HEAD} target-language="de" datatype="plaintext"><body>{units}</body></file></xliff>'.encode()


@dataclass
class Translator:
    """Opens one file with journals in a folder, edits and saves it."""

    folder: Path
    name: str = "job.xlf"
    journals: str = "journals"

    @property
    def path(self) -> Path:
        return self.folder / self.name

    def open(self, *others: Path) -> tuple[Session, FileJournal, JournalReport]:
        opening = JournalOpening(JournalFolder(self.folder / self.journals), "Ada")
        (plan,) = plan_imports([self.path, *others])
        session, journal, report = opening.finish(build_corpus(plan, with_mt=opening.with_mt))
        assert journal is not None, report.problem
        return session, journal, report

    def open_table(self, table: Path, choice: ColumnChoice = AUTO_COLUMNS) -> tuple[Session, FileJournal]:
        """Open a table, with a choice of its columns."""
        opening = JournalOpening(JournalFolder(self.folder / self.journals), "Ada")
        (plan,) = plan_imports([table])
        plan = plan.with_choice(choice, plan.files[0].path)
        session, journal, report = opening.finish(build_corpus(plan, with_mt=opening.with_mt))
        assert journal is not None, report.problem
        return session, journal

    def save(self, session: Session, journal: FileJournal, *, add_missing: bool = False) -> None:
        (file,) = reviewed_files(session.view, session.corpus.job, session.written_files)
        data = file.rewrite(add_missing=add_missing).data
        write_bytes(self.path, data)
        record_written(session, 0, WrittenFile(str(self.path), sha256_hex(data)))
        session.reviewing.mark_saved()
        journal.record_files(session.written_files, time.time())


def set_target(session, segment, target, status=None):
    fields = {ReviewField.TARGET: target}
    session.reviewing.set({segment: fields | ({} if status is None else {ReviewField.STATUS: int(status)})})


def close(journal):
    assert journal.close(PATIENCE) == 0


def targets(session):
    return [session.view.target(segment) for segment in range(session.corpus.size)]


def kill(journal):
    """Leave a journal as the end of the program does."""
    journal.project.close(PATIENCE)
    journal.lock.release()


def review_segment(session, segment, status, note):
    session.reviewing.set({segment: {ReviewField.STATUS: int(status), ReviewField.NOTE: note}})


def open_without_journal(translator) -> JournalReport:
    opening = JournalOpening(JournalFolder(translator.folder / "journals"), "Ada")
    (plan,) = plan_imports([translator.path])
    _, journal, report = opening.finish(build_corpus(plan, with_mt=opening.with_mt))
    assert journal is None
    return report
