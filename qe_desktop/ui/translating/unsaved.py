"""What the status bar says of edits that no file has yet."""

from __future__ import annotations

from qe_desktop.project import Session
from qe_desktop.wording import tr


def unsaved_text(session: Session, *, waits: bool) -> str:
    """That edits are in no file yet; of what was reviewed in translators' files, how it gets there, where anything
    `waits` for them, and not where they have no place for what is left.
    """
    job = session.corpus.job
    if job is None or not session.reviewing.unsaved():
        return tr("Edits are in no file yet")
    if not waits:
        return tr("Edits are in no file yet") if session.unsaved() else tr("Notes or statuses are in no file")
    return tr("Not in the {n:file|files} yet: Ctrl+S saves", "", len(job.files))
