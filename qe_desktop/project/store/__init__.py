"""Projects in a database: an SQLite file or a PostgreSQL server. SQLAlchemy is imported on first use."""

from typing import TYPE_CHECKING

from qe_desktop.lazy_imports import lazy_attribute
from qe_desktop.project.store.location import PROJECT_SUFFIX, is_server_url

if TYPE_CHECKING:
    from qe_desktop.project.store.project import Project

__all__ = ["PROJECT_SUFFIX", "Project", "is_server_url"]


def __getattr__(name: str) -> object:
    """Import `Project`, and with it SQLAlchemy, on first use."""
    return lazy_attribute(__name__, {"Project": ".project"}, name)
