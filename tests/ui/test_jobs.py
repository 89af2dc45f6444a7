import threading

import pytest
from PySide6.QtCore import QObject, QThread
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import QeError
from qe_desktop.ui import jobs as jobs_module
from qe_desktop.ui.jobs import JobRunner
from tests.patience import PATIENCE


@pytest.fixture
def jobs(qapp):
    jobs = JobRunner()
    yield jobs
    assert jobs.close()


class Ear(QObject):
    """Remembers what it was told, and on which thread."""

    def __init__(self):
        super().__init__()
        self.heard = []
        self.threads = set()

    def hear(self, *told):
        self.threads.add(QThread.currentThread())
        self.heard.append(told[0] if len(told) == 1 else told)

    def stopped(self):
        self.heard.append("stopped")


def until(gate):
    def work(progress):
        while not gate.wait(0.001):
            progress.check()
        return "late"

    return work


def test_results_come_back_on_the_window_s_thread(jobs, qtbot):
    ear = Ear()
    jobs.submit("Sum", lambda progress: (sum(range(100)), threading.current_thread().name), ear.hear)
    qtbot.waitUntil(jobs.idle)
    (total, thread), *_ = ear.heard
    assert total == 4950
    assert thread.startswith("qe-desktop-job")
    assert ear.threads == {QApplication.instance().thread()}


def test_progress_is_told_in_order_and_never_floods(jobs, qtbot):
    ear = Ear()

    def count(progress):
        for step in range(10_000):
            progress.report(step / 10_000, f"step {step}")

    jobs.submit("Count", count, on_progress=ear.hear)
    qtbot.waitUntil(jobs.idle)
    fractions = [fraction for fraction, _ in ear.heard]
    assert fractions == sorted(fractions)
    assert 0 < len(fractions) < 10_000


def test_bad_input_reaches_on_failed_as_it_is(jobs, qtbot):
    ear = Ear()
    error = QeError("too few tags", hint="Add some.")

    def fail(progress):
        raise error

    jobs.submit("Read", fail, ear.hear, ear.hear)
    qtbot.waitUntil(jobs.idle)
    assert ear.heard == [error]


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        (ZeroDivisionError("oops"), "ZeroDivisionError"),
        (MemoryError(), "out of memory"),
        (PermissionError(13, "Permission denied", "/x"), "Permission denied"),
    ],
)
def test_what_nobody_foresaw_is_logged_and_said(jobs, qtbot, caplog, raised, said):
    def fail(progress):
        raise raised

    with qtbot.waitSignal(jobs.failed) as told:
        jobs.submit("Read", fail)
    name, error = told.args
    assert name == "Read"
    assert isinstance(error, QeError)
    assert said in error.line()
    assert "Read went wrong" in caplog.text


def test_a_later_job_of_the_same_key_replaces_the_earlier(jobs, qtbot):
    ear, gate = Ear(), threading.Event()
    jobs.submit("Find", until(gate), ear.hear, latest="find", on_cancelled=ear.stopped)
    jobs.submit("Find", lambda progress: "inserted", ear.hear, latest="find")
    assert [job.name for job in jobs.running()] == ["Find"]
    qtbot.waitUntil(jobs.idle)
    assert ear.heard == ["inserted"]


def test_jobs_that_still_wait_can_be_replaced(jobs, qtbot):
    ear, gate = Ear(), threading.Event()
    for _ in range(jobs_module.INTERACTIVE_THREADS):
        jobs.submit("Hold", until(gate))
    for number in range(50):
        jobs.submit("Find", lambda progress, number=number: number, ear.hear, latest="find")
    assert len(jobs.running()) == jobs_module.INTERACTIVE_THREADS + 1
    gate.set()
    qtbot.waitUntil(jobs.idle)
    assert ear.heard == [49]


def test_cancelling_by_a_person_is_told(jobs, qtbot):
    ear, gate = Ear(), threading.Event()
    job = jobs.submit("Long", until(gate), ear.hear, ear.hear, on_cancelled=ear.stopped)
    jobs.cancel(job)
    assert jobs.running() == []
    qtbot.waitUntil(jobs.idle)
    assert ear.heard == ["stopped"]


def test_a_job_may_give_up_by_itself(jobs, qtbot):
    from qe_desktop.ui.jobs import JobCancelled

    ear = Ear()

    def give_up(progress):
        raise JobCancelled

    jobs.submit("Long", give_up, ear.hear, ear.hear, on_cancelled=ear.stopped)
    qtbot.waitUntil(jobs.idle)
    assert ear.heard == ["stopped"]


def test_nobody_is_told_after_the_owner_is_gone(jobs, qtbot):
    heard, gate, owner = [], threading.Event(), QObject()
    jobs.submit("Long", until(gate), heard.append, owner=owner)
    owner.deleteLater()
    qtbot.waitSignal(owner.destroyed).wait()
    gate.set()
    qtbot.waitUntil(jobs.idle)
    assert heard == []


def test_a_running_job_keeps_no_view_alive_once_cancelled(jobs, qtbot):
    import weakref

    gate = threading.Event()
    ear = Ear()
    gone = weakref.ref(ear)
    job = jobs.submit("Long", until(gate), ear.hear)
    jobs.cancel(job)
    del ear
    assert gone() is None
    qtbot.waitUntil(jobs.idle)


def test_closing_ends_what_runs_and_tells_nobody(qtbot):
    ear, gate, jobs = Ear(), threading.Event(), JobRunner()
    for _ in range(5):
        jobs.submit("Long", until(gate), ear.hear, ear.hear, on_cancelled=ear.stopped)
    assert jobs.close()
    assert jobs.idle()
    assert jobs.submit("More", until(gate), ear.hear).cancelled
    assert jobs.idle()
    QApplication.processEvents()
    assert ear.heard == []


def test_a_job_begins_when_the_turn_is_over_that_asked_for_it(jobs, qtbot, monkeypatch):
    monkeypatch.setattr(jobs_module, "TURN_TIMEOUT_S", PATIENCE)
    ear, order = Ear(), []
    jobs.submit("Begins", lambda progress: order.append("job"), ear.hear)
    # there is a thread that has nothing to do, and it has its turns
    jobs._pool.submit(order.append, "other").result(PATIENCE)
    order.append("painted")
    qtbot.waitUntil(lambda: bool(ear.heard), timeout=PATIENCE * 1000)
    assert order == ["other", "painted", "job"]


def test_a_job_that_was_asked_for_in_a_turn_that_does_not_end_begins_all_the_same(jobs):
    assert jobs.submit("Begins", lambda progress: None).future.result(PATIENCE) is None


def test_closing_does_not_wait_for_ever(qapp):
    gate, begun, jobs = threading.Event(), threading.Event(), JobRunner()

    def deaf(progress):
        begun.set()
        gate.wait(PATIENCE)

    jobs.submit("Deaf", deaf)
    assert begun.wait(PATIENCE)
    assert not jobs.close(0.05)
    gate.set()
    assert jobs.close()


def test_a_runner_that_is_deleted_under_a_job_brings_nothing_down(qtbot):
    gate, parent = threading.Event(), QObject()
    jobs = JobRunner(parent)
    job = jobs.submit("Long", lambda progress: gate.wait(PATIENCE))
    parent.deleteLater()
    qtbot.waitSignal(parent.destroyed).wait()
    gate.set()
    job.future.result(PATIENCE)
    JobRunner.alive.discard(jobs)


def test_many_jobs_all_end(jobs, qtbot):
    ear = Ear()
    for number in range(200):
        jobs.submit("Small", lambda progress, number=number: number, ear.hear)
    qtbot.waitUntil(jobs.idle)
    assert sorted(ear.heard) == list(range(200))


def test_what_a_person_waits_for_waits_for_no_computation(jobs, qtbot):
    ear, gate = Ear(), threading.Event()
    for _ in range(3 * jobs_module.COMPUTING_THREADS):
        jobs.submit("Compute", until(gate), computing=True)
    jobs.submit("Save", lambda progress: "saved", ear.hear)
    qtbot.waitUntil(lambda: ear.heard == ["saved"])
    gate.set()
    qtbot.waitUntil(jobs.idle)


def test_a_result_that_nobody_takes_is_discarded_once(jobs, qtbot):
    ear, discarded, begun, go_on, ended = Ear(), [], threading.Event(), threading.Event(), threading.Event()

    def late(progress):
        begun.set()
        assert go_on.wait(PATIENCE)
        return "late"

    def discard(result):
        discarded.append(result)
        ended.set()

    # one that ends after it was replaced, one that had ended before, one that is taken
    jobs.submit("Open", late, ear.hear, latest="open", discard=discard)
    assert begun.wait(PATIENCE)
    early = jobs.submit("Open", lambda progress: "early", ear.hear, latest="open", discard=discard)
    early.future.result(PATIENCE)
    jobs.submit("Open", lambda progress: "taken", ear.hear, latest="open", discard=discard)
    assert discarded == ["early"]
    go_on.set()
    qtbot.waitUntil(jobs.idle)
    assert ended.wait(PATIENCE)
    assert sorted(discarded) == ["early", "late"]
    assert ear.heard == ["taken"]
