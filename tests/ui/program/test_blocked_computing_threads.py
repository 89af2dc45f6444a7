"""Opening, filtering and saving finish while all computing threads are blocked."""

from __future__ import annotations

import threading

import pytest

from qe_desktop.ui.jobs import COMPUTING_THREADS, JobRunner
from tests.timeouts import PATIENCE
from tests.ui.program.bilingual_saving import correct, saving
from tests.ui.program_driver import Desk, drive


@pytest.fixture
def stuck(monkeypatch):
    """Functions that block all computing threads of a window, check that they are blocked, and release them."""
    go_on, started = threading.Event(), []

    def block(jobs: JobRunner) -> None:
        def work(progress) -> None:
            started.append(True)
            assert go_on.wait(PATIENCE)

        for _ in range(COMPUTING_THREADS):
            jobs.submit("Computing", work, computing=True)

    yield block, lambda: len(started) == COMPUTING_THREADS, go_on.set
    go_on.set()


def test_opening_filtering_and_saving_need_no_computing_threads(qtbot, job, sample, stuck):
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
