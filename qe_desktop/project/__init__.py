"""A session over a corpus: edits, changes, undo, live scores."""

from qe_desktop.project.edits import Change, Edit
from qe_desktop.project.events import ReviewField, ReviewRow
from qe_desktop.project.live import LiveScores
from qe_desktop.project.session import Session
from qe_desktop.project.visits import Visit

__all__ = ["Change", "Edit", "LiveScores", "ReviewField", "ReviewRow", "Session", "Visit"]
