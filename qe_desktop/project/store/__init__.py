"""Projects in a database: one SQLite file, or a PostgreSQL server. SQLAlchemy is imported when one is opened."""

from typing import TYPE_CHECKING

from qe_desktop.lazily import brought_in
from qe_desktop.project.store.place import SUFFIX, is_server

if TYPE_CHECKING:
    from qe_desktop.project.store.project import Project

__all__ = ["SUFFIX", "Project", "is_server"]


def __getattr__(name: str) -> object:
    """`Project` brings the database with it, which nothing else here needs."""
    return brought_in(__name__, {"Project": ".project"}, name)
