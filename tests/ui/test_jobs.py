"""The job runner: results, progress, errors, cancellation, and closing."""

import ast
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QThread
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import QeError
from qe_desktop.ui import jobs as jobs_module
from qe_desktop.ui.jobs import JobRunner
from tests.timeouts import PATIENCE

WINDOW = Path(jobs_module.__file__).parent
INTERACTIVE_JOBS = {
    ("app", "Loading"): "the areas of the window need it",
    ("campaigns.campaign_service", "Reading campaigns"): "the page of an opened project needs it",
    ("campaigns.campaign_service", "Undoing the import"): "undo",
    ("campaigns.system_choice", "Reading translations"): "opens text files for the form that is being filled in",
    ("files.bilingual.bilingual_exporter", "Exporting"): "writes a file as saving does, and closing waits for it",
    ("files.bilingual.bilingual_saver", "Saving"): "saving",
    ("files.importing.file_opener", "Opening"): "opening",
    ("files.importing.file_opener", "Reading the first segments"): "preview",
    ("files.bilingual.file_reloader", "Reloading"): "opening",
    ("files.importing.file_opener", "Saving"): "saving",
    ("files.importing.file_opener", "name"): "opening: which files there are",
    ("highlighting.preferences_pages", "self._title"): "opens a short list for a setting that is being edited",
    ("inspect.area", "Filtering"): "filtering",
    ("inspect.postedit.replace_controller", "Searching targets"): "search while the user types",
    ("inspect.postedit.replace_controller", "Replacing in targets"): (
        "has the key of the search, which would drop a replacement that waits for a computing thread"
    ),
    ("inspect.reader.check_reasons", "QA checks"): "reads short lists for the tooltip that is shown",
    ("inspect.postedit.spelling_controller", "Looking for a dictionary"): "text of a command of the open file",
    ("inspect.postedit.spelling_controller", "Opening the dictionary"): "marks in the target that is being edited",
    ("inspect.postedit.spelling_controller", "Spelling"): "marks in the target that is being edited",
    ("inspect.postedit.spelling_controller", "Spelling suggestions"): "fills the open menu",
    ("files.importing.name_matching_controller", "System names"): "fills the dialog",
    ("projects.project_opener", "name"): "opening and saving; saving and copying replace each other by one key",
    ("rate.sample_campaign", "Preparing the practice campaign"): "opens a small sample",
    ("preload", "Loading"): "the pages of the window need it",
    ("widgets.image_export", "Data"): "copies the numbers of one chart",
    ("widgets.plots.lazy_plot", "Charts"): "the chart that is shown needs the library",
}
"""Jobs that may run on the interactive threads, by module and title, with the reason; all others are `computing`."""


@pytest.fixture
def jobs(qapp):
    jobs = JobRunner()
    yield jobs
    assert jobs.close()


class Receiver(QObject):
    """Records the calls that it receives, and their threads."""

    def __init__(self):
        super().__init__()
        self.received = []
        self.threads = set()

    def record(self, *arguments):
        self.threads.add(QThread.currentThread())
        self.received.append(arguments[0] if len(arguments) == 1 else arguments)

    def stopped(self):
        self.received.append("stopped")


def until(gate):
    def work(progress):
        while not gate.wait(0.001):
            progress.check()
        return "late"

    return work


def test_results_are_delivered_on_the_gui_thread(jobs, qtbot):
    receiver = Receiver()
    jobs.submit("Sum", lambda progress: (sum(range(100)), threading.current_thread().name), receiver.record)
    qtbot.waitUntil(jobs.is_idle)
    (total, thread), *_ = receiver.received
    assert total == 4950
    assert thread.startswith("qe-desktop-job")
    assert receiver.threads == {QApplication.instance().thread()}


def test_progress_is_reported_in_order_and_throttled(jobs, qtbot):
    receiver = Receiver()

    def count(progress):
        for step in range(10_000):
            progress.report(step / 10_000, f"step {step}")

    jobs.submit("Count", count, on_progress=receiver.record)
    qtbot.waitUntil(jobs.is_idle)
    fractions = [fraction for fraction, _ in receiver.received]
    assert fractions == sorted(fractions)
    assert 0 < len(fractions) < 10_000


def test_qe_error_is_passed_to_on_failed_unchanged(jobs, qtbot):
    receiver = Receiver()
    error = QeError("too few tags", hint="Add some.")

    def fail(progress):
        raise error

    jobs.submit("Read", fail, receiver.record, receiver.record)
    qtbot.waitUntil(jobs.is_idle)
    assert receiver.received == [error]


@pytest.mark.parametrize(
    ("raised", "message"),
    [
        (ZeroDivisionError("oops"), "ZeroDivisionError"),
        (MemoryError(), "out of memory"),
        (PermissionError(13, "Permission denied", "/x"), "Permission denied"),
    ],
)
def test_unexpected_exception_is_logged_and_reported(jobs, qtbot, caplog, raised, message):
    def fail(progress):
        raise raised

    with qtbot.waitSignal(jobs.failed) as blocker:
        jobs.submit("Read", fail)
    name, error = blocker.args
    assert name == "Read"
    assert isinstance(error, QeError)
    assert message in error.line()
    assert "Read went wrong" in caplog.text


def test_later_job_of_the_same_key_replaces_the_earlier(jobs, qtbot):
    receiver, gate = Receiver(), threading.Event()
    jobs.submit("Find", until(gate), receiver.record, latest="find", on_cancelled=receiver.stopped)
    jobs.submit("Find", lambda progress: "inserted", receiver.record, latest="find")
    assert [job.name for job in jobs.running_jobs()] == ["Find"]
    qtbot.waitUntil(jobs.is_idle)
    assert receiver.received == ["inserted"]


def test_queued_jobs_can_be_replaced(jobs, qtbot):
    receiver, gate = Receiver(), threading.Event()
    for _ in range(jobs_module.INTERACTIVE_THREADS):
        jobs.submit("Hold", until(gate))
    for number in range(50):
        jobs.submit("Find", lambda progress, number=number: number, receiver.record, latest="find")
    assert len(jobs.running_jobs()) == jobs_module.INTERACTIVE_THREADS + 1
    gate.set()
    qtbot.waitUntil(jobs.is_idle)
    assert receiver.received == [49]


def test_cancelling_a_job_calls_on_cancelled(jobs, qtbot):
    receiver, gate = Receiver(), threading.Event()
    job = jobs.submit("Long", until(gate), receiver.record, receiver.record, on_cancelled=receiver.stopped)
    jobs.cancel(job)
    assert jobs.running_jobs() == []
    qtbot.waitUntil(jobs.is_idle)
    assert receiver.received == ["stopped"]


def test_job_may_cancel_itself(jobs, qtbot):
    from qe_desktop.ui.jobs import JobCancelled

    receiver = Receiver()

    def give_up(progress):
        raise JobCancelled

    jobs.submit("Long", give_up, receiver.record, receiver.record, on_cancelled=receiver.stopped)
    qtbot.waitUntil(jobs.is_idle)
    assert receiver.received == ["stopped"]


def test_results_are_not_delivered_after_the_owner_is_destroyed(jobs, qtbot):
    received, gate, owner = [], threading.Event(), QObject()
    jobs.submit("Long", until(gate), received.append, owner=owner)
    owner.deleteLater()
    qtbot.waitSignal(owner.destroyed).wait()
    gate.set()
    qtbot.waitUntil(jobs.is_idle)
    assert received == []


def test_cancelled_job_does_not_keep_its_callbacks_alive(jobs, qtbot):
    import weakref

    gate = threading.Event()
    receiver = Receiver()
    reference = weakref.ref(receiver)
    job = jobs.submit("Long", until(gate), receiver.record)
    jobs.cancel(job)
    del receiver
    assert reference() is None
    qtbot.waitUntil(jobs.is_idle)


def test_close_cancels_jobs_without_callbacks(qtbot):
    receiver, gate, jobs = Receiver(), threading.Event(), JobRunner()
    for _ in range(5):
        jobs.submit("Long", until(gate), receiver.record, receiver.record, on_cancelled=receiver.stopped)
    assert jobs.close()
    assert jobs.is_idle()
    assert jobs.submit("More", until(gate), receiver.record).cancelled
    assert jobs.is_idle()
    QApplication.processEvents()
    assert receiver.received == []


def test_job_starts_after_the_event_loop_iteration_that_submitted_it(jobs, qtbot, monkeypatch):
    monkeypatch.setattr(jobs_module, "MAX_ITERATION_WAIT_S", PATIENCE)
    receiver, order = Receiver(), []
    jobs.submit("Begins", lambda progress: order.append("job"), receiver.record)
    # an idle thread is available
    jobs._pool.submit(order.append, "other").result(PATIENCE)
    order.append("painted")
    qtbot.waitUntil(lambda: bool(receiver.received), timeout=PATIENCE * 1000)
    assert order == ["other", "painted", "job"]


def test_job_starts_although_the_submitting_iteration_does_not_end(jobs):
    assert jobs.submit("Begins", lambda progress: None).future.result(PATIENCE) is None


def test_close_does_not_wait_beyond_its_timeout(qapp):
    gate, started, jobs = threading.Event(), threading.Event(), JobRunner()

    def ignore_cancellation(progress):
        started.set()
        gate.wait(PATIENCE)

    jobs.submit("Deaf", ignore_cancellation)
    assert started.wait(PATIENCE)
    assert not jobs.close(0.05)
    gate.set()
    assert jobs.close()


def test_deleting_the_runner_during_a_job_does_not_crash(qtbot):
    gate, parent = threading.Event(), QObject()
    jobs = JobRunner(parent)
    job = jobs.submit("Long", lambda progress: gate.wait(PATIENCE))
    parent.deleteLater()
    qtbot.waitSignal(parent.destroyed).wait()
    gate.set()
    job.future.result(PATIENCE)
    JobRunner.alive.discard(jobs)


def test_many_small_jobs_all_finish(jobs, qtbot):
    receiver = Receiver()
    for number in range(200):
        jobs.submit("Small", lambda progress, number=number: number, receiver.record)
    qtbot.waitUntil(jobs.is_idle)
    assert sorted(receiver.received) == list(range(200))


def test_interactive_jobs_do_not_wait_for_computations(jobs, qtbot):
    receiver, gate = Receiver(), threading.Event()
    for _ in range(3 * jobs_module.COMPUTING_THREADS):
        jobs.submit("Compute", until(gate), computing=True)
    jobs.submit("Save", lambda progress: "saved", receiver.record)
    qtbot.waitUntil(lambda: receiver.received == ["saved"])
    gate.set()
    qtbot.waitUntil(jobs.is_idle)


def test_undelivered_result_is_discarded_once(jobs, qtbot):
    receiver, discarded, started, go_on, ended = Receiver(), [], threading.Event(), threading.Event(), threading.Event()

    def finish_late(progress):
        started.set()
        assert go_on.wait(PATIENCE)
        return "late"

    def discard(result):
        discarded.append(result)
        ended.set()

    # one job ends after it was replaced, one ended before, and one is delivered
    jobs.submit("Open", finish_late, receiver.record, latest="open", discard=discard)
    assert started.wait(PATIENCE)
    early = jobs.submit("Open", lambda progress: "early", receiver.record, latest="open", discard=discard)
    early.future.result(PATIENCE)
    jobs.submit("Open", lambda progress: "taken", receiver.record, latest="open", discard=discard)
    assert discarded == ["early"]
    go_on.set()
    qtbot.waitUntil(jobs.is_idle)
    assert ended.wait(PATIENCE)
    assert sorted(discarded) == ["early", "late"]
    assert receiver.received == ["taken"]


def submitted_jobs(source: str) -> list[tuple[str, bool]]:
    """Return the titles of the jobs that a module submits, and whether they are computing jobs.

    A title that is not a literal is the expression. A value of `computing` that is not a literal does not count.
    """
    submitted = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "submit":
            runner, title = ast.unparse(node.func.value), node.args[0]
            if not runner.endswith("jobs"):
                continue
            if isinstance(title, ast.Call) and isinstance(title.args[0], ast.Constant):
                title = title.args[0]
            shown = str(title.value) if isinstance(title, ast.Constant) else ast.unparse(title)
            computing = [word.value for word in node.keywords if word.arg == "computing"]
            submitted.append((shown, [ast.unparse(value) for value in computing] == ["True"]))
    return submitted


def test_only_short_jobs_run_on_interactive_threads():
    """A job that may take seconds belongs to the computing threads, so that saving and opening never wait for it."""
    interactive, computing = set(), set()
    for path in sorted(WINDOW.rglob("*.py")):
        module = ".".join(path.relative_to(WINDOW).with_suffix("").parts)
        for title, is_computing in submitted_jobs(path.read_text(encoding="utf-8")):
            (computing if is_computing else interactive).add((module, title))
    assert interactive == INTERACTIVE_JOBS.keys()
    # the scan finds computing jobs as well
    assert ("campaigns.campaign_service", "Importing ratings") in computing
    assert ("widgets.background_export", "name") in computing


def test_scan_of_submitted_jobs_sees_every_form():
    source = """
self.workspace.jobs.submit(tr("Save", "context"), work)
jobs.submit(name, work, computing=True)
self._jobs.submit("Export", work, computing=wanted)
pool.submit(work)
"""
    assert submitted_jobs(source) == [("Save", False), ("name", True), ("Export", False)]
