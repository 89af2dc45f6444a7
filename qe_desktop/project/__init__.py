"""A session over a corpus: edits, changes, undo, live scores."""

from qe_desktop.project.edits import Change, Edit
from qe_desktop.project.live import LiveScores
from qe_desktop.project.session import Session

__all__ = ["Change", "Edit", "LiveScores", "Session"]
