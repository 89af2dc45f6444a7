"""Opening, filtering and saving finish while all computing threads are blocked."""

from __future__ import annotations

import threading

import pytest

from qe_desktop.ui.jobs import COMPUTING_THREADS, JobRunner
from tests.timeouts import PATIENCE
from tests.ui.program.bilingual_saving import edit_target, start_recorded_save
from tests.ui.program_driver import ProgramDriver, run_script


@pytest.fixture
def blocked_threads(monkeypatch):
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


def test_opening_filtering_and_saving_need_no_computing_threads(qtbot, job, sample, blocked_threads):
    block, is_blocked, end = blocked_threads

    def script(driver: ProgramDriver):
        block(driver.shell.jobs)
        yield is_blocked
        yield lambda: driver.workspace.session is not None
        area = driver.shell.area("inspect")
        area.filters.search.setText("zzz no such text")
        yield lambda: area.model.rowCount() == 0
        area.filters.search.setText("")
        yield lambda: area.model.rowCount() > 0
        edit_target(driver, 0, "Anders")
        ended, _ = start_recorded_save(driver)
        yield lambda: ended
        assert ended == [True]
        driver.shell.open_paths([str(sample)])
        yield lambda: driver.wiring.opener.sheet is not None
        driver.wiring.opener.sheet.open_requested.emit(driver.wiring.opener.sheet.model.plan)
        yield lambda: driver.workspace.corpus.size == 141
        assert is_blocked()
        end()

    assert run_script([str(job)], script) == 0
