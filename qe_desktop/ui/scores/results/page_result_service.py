"""Base class of the services behind the pages of the Scores area."""

from __future__ import annotations

from qe_desktop.significance import SignificanceOptions
from qe_desktop.ui.scores.results.result_service import ResultService, ServiceResult
from qe_desktop.ui.scores.significance.significance_service import SignificanceService


class PageResultService(ResultService[ServiceResult]):
    """Base class of the services behind pages.

    Work starts automatically if the page is visible and `_is_automatic` returns True. Subclasses call `_request_run`
    when an input changes, and can override `_can_run` and `_is_automatic`.
    """

    def __init__(self, comparison: SignificanceService) -> None:
        super().__init__(comparison.workspace, comparison)
        self.comparison = comparison
        self._is_page_visible = False

    @property
    def options(self) -> SignificanceOptions:
        """Options of the significance tests of the Scores area, such as correction, alpha, trials, seed and unit."""
        return self.comparison.options

    def set_page_visible(self, watched: bool) -> None:
        """Set whether the page is visible. If it is, pending work that may start automatically is started."""
        self._is_page_visible = watched
        self._run_if_due()

    def _request_run(self) -> None:
        self._is_run_pending = True
        self._run_if_due()

    def _run_if_due(self) -> None:
        """If the page is visible, run pending work, or wait for the user if the work may not start automatically."""
        if not (self._is_page_visible and self._is_run_pending and self._can_run()):
            return
        if self._is_automatic():
            self.run()
        elif self.state != "working":
            self.state = self._idle_state()
            self.changed.emit()

    def _after_edits(self) -> None:
        self._run_if_due()

    def _can_run(self) -> bool:
        """Return whether a result can be computed from the open data."""
        return self.state != "empty"

    def _is_automatic(self) -> bool:
        """Return whether the work may start automatically, for example because the data are small; True by default."""
        return True
