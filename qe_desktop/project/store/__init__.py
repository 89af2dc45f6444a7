"""Projects in a database: one SQLite file, or a PostgreSQL server. SQLAlchemy is imported when one is opened."""

from qe_desktop.project.store.place import SUFFIX, is_server
from qe_desktop.project.store.project import Project

__all__ = ["SUFFIX", "Project", "is_server"]
