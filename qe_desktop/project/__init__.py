"""Session on a corpus (edits, review, undo, live scores), and the projects in which the corpus and edits are stored."""

from qe_desktop.project.edits import Edit, SessionChange
from qe_desktop.project.events import ReviewField, ReviewRow
from qe_desktop.project.live_scores import LiveScores
from qe_desktop.project.review.visits import Visit
from qe_desktop.project.session import Session

__all__ = ["Edit", "LiveScores", "ReviewField", "ReviewRow", "Session", "SessionChange", "Visit"]
