"""Projects in a database: one SQLite file, or a PostgreSQL server. SQLAlchemy is imported when one is opened."""

from typing import TYPE_CHECKING

from qe_desktop.lazy_imports import lazy_attribute
from qe_desktop.project.store.location import PROJECT_SUFFIX, is_server_url

if TYPE_CHECKING:
    from qe_desktop.project.store.project import Project

__all__ = ["PROJECT_SUFFIX", "Project", "is_server_url"]


def __getattr__(name: str) -> object:
    """`Project` brings the database with it, which nothing else here needs."""
    return lazy_attribute(__name__, {"Project": ".project"}, name)
