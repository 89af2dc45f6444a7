"""What the status bar says of edits that no file has yet."""

from __future__ import annotations

from qe_desktop.project import Session
from qe_desktop.wording import tr


def unsaved_text(session: Session) -> str:
    """That edits are in no file yet; of what was reviewed in translators' files, how it gets there."""
    job = session.corpus.job
    if job is None or not session.reviewing.unsaved():
        return tr("Edits are in no file yet")
    return tr("Not in the {n:file|files} yet: Ctrl+S saves", "", len(job.files))
