"""Opening, filtering and saving come to their end while everything that computes takes as long as it likes."""

from __future__ import annotations

import threading

import pytest

from qe_desktop.ui.jobs import COMPUTING_THREADS, JobRunner
from tests.patience import PATIENCE
from tests.ui.driving import Desk, drive
from tests.ui.program.jobs import correct, saving


@pytest.fixture
def stuck(monkeypatch):
    """Blocks all that computes in a window; whether that is so, and what ends it."""
    go_on, begun = threading.Event(), []

    def block(jobs: JobRunner) -> None:
        def work(progress) -> None:
            begun.append(True)
            assert go_on.wait(PATIENCE)

        for _ in range(COMPUTING_THREADS):
            jobs.submit("Computing", work, computing=True)

    yield block, lambda: len(begun) == COMPUTING_THREADS, go_on.set
    go_on.set()


def test_opening_filtering_and_saving(qtbot, job, sample, stuck):
    block, is_blocked, end = stuck

    def script(controller: Desk):
        block(controller.shell.jobs)
        yield is_blocked
        yield lambda: controller.workspace.session is not None
        area = controller.shell.area("inspect")
        area.filters.search.setText("zzz no such text")
        yield lambda: area.model.rowCount() == 0
        area.filters.search.setText("")
        yield lambda: area.model.rowCount() > 0
        correct(controller, 0, "Anders")
        ended, _ = saving(controller)
        yield lambda: ended
        assert ended == [True]
        controller.shell.open_paths([str(sample)])
        yield lambda: controller.wiring.opener.sheet is not None
        controller.wiring.opener.sheet.opened.emit(controller.wiring.opener.sheet.model.plan)
        yield lambda: controller.workspace.corpus.size == 141
        assert is_blocked()
        end()

    assert drive([str(job)], script) == 0
