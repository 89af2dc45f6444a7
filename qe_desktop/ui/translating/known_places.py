"""Which translators' files a project may write without a question: those that this computer opened or wrote for it.

A project names paths, and somebody else may have made it. What is kept are digests: neither names nor addresses.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from qe_desktop.ui.settings import Settings

MOST = 1000
"""Places that are kept; of those beyond, a person is asked once more."""


class KnownPlaces:
    """The paths that projects may write to, as the settings of this computer remember them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def knows(self, project: str, path: str) -> bool:
        """Whether a path was opened or written here for the project at a place."""
        return _digest(project, path) in self._settings.job_places

    def learn(self, project: str, paths: Iterable[str]) -> None:
        """Remember that these paths were."""
        new = list(dict.fromkeys(_digest(project, path) for path in paths))
        before = self._settings.job_places
        if not set(new) <= set(before):
            self._settings.job_places = list(dict.fromkeys([*new, *before]))[:MOST]


def _digest(project: str, path: str) -> str:
    return hashlib.sha256(f"{project}\0{path}".encode("utf-8", "surrogatepass")).hexdigest()[:32]
