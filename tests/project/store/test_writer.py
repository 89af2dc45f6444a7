from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.project.events import AuditRow, Row
from qe_desktop.project.store import spool as spool_keeper
from qe_desktop.project.store.errors import RejectedError, TransientError
from qe_desktop.project.store.spool import Spool
from qe_desktop.project.store.writer import MAX_BATCH_ROWS, BackOff, Writer
from tests.timeouts import PATIENCE, wait_until

FAST = BackOff(0.002, 2.0, 0.01)


def row(number: int) -> AuditRow:
    return AuditRow(0.0, "ann", f"row {number}", {}, f"uid {number}")


class FakeDatabase:
    """Database that can be unavailable or slow, or reject some rows."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.batches: list[int] = []
        self.tries = 0
        self.away = threading.Event()
        self.go = threading.Event()
        self.go.set()
        self.unwanted: set[str] = set()
        self.unknown = 0

    def commit(self, batch: Sequence[Row]) -> None:
        self.tries += 1
        assert self.go.wait(PATIENCE)
        if self.away.is_set():
            raise TransientError("the server is away")
        if any(item.uid in self.unwanted for item in batch):
            raise RejectedError("not this row")
        known = {item.uid for item in self.rows}
        self.rows += [item for item in batch if item.uid not in known]
        self.batches.append(len(batch))
        if self.unknown:
            self.unknown -= 1
            raise TransientError("the line broke after the commit")


@pytest.fixture
def database():
    return FakeDatabase()


@pytest.fixture
def writer(database):
    created = Writer(database.commit, back_off=FAST)
    yield created
    database.away.clear()
    database.go.set()
    created.close()


def test_rows_are_saved_and_reported_in_order(writer, database):
    reports = []
    writer.on_saved.append(lambda count, at: reports.append((count, at, len(database.rows))))
    for number in range(500):
        writer.append([row(number)])
    assert writer.flush(PATIENCE)
    assert [stored_row.uid for stored_row in database.rows] == [f"uid {number}" for number in range(500)]
    assert sum(count for count, _, _ in reports) == 500
    # rows are reported as saved only after their commit
    reported = 0
    for count, at, stored in reports:
        reported += count
        assert reported <= stored
        assert at == pytest.approx(time.time(), abs=30)
    assert writer.pending == 0


def test_waiting_rows_are_committed_together(writer, database):
    database.go.clear()
    writer.append([row(0)])
    wait_until(lambda: database.tries == 1)
    for number in range(1, 1000):
        writer.append([row(number)])
    assert writer.pending == 1000
    database.go.set()
    assert writer.flush(PATIENCE)
    assert database.batches == [1, 999]


def test_a_batch_waits_for_more_rows_unless_it_is_full_or_wanted_at_once(writer, database, monkeypatch):
    monkeypatch.setattr("qe_desktop.project.store.writer.BATCH_DELAY_SECONDS", PATIENCE)
    for number in range(10):
        writer.append([row(number)])
    assert writer.flush(PATIENCE)
    assert sum(database.batches) == 10
    database.batches.clear()
    for number in range(10, 20):
        writer.append([row(number)])
    assert not database.batches
    writer.append([row(number) for number in range(20, 20 + MAX_BATCH_ROWS)])
    # without `flush`
    wait_until(lambda: bool(database.batches))
    assert database.batches[0] == MAX_BATCH_ROWS


def test_batches_are_bounded(writer, database):
    writer.append([row(number) for number in range(2 * MAX_BATCH_ROWS + 1)])
    assert writer.flush(PATIENCE)
    assert max(database.batches) <= MAX_BATCH_ROWS
    assert len(database.rows) == 2 * MAX_BATCH_ROWS + 1


def test_appending_never_waits_for_the_database(writer, database):
    database.go.clear()
    writer.append([row(0)])
    wait_until(lambda: database.tries == 1)
    done = threading.Event()

    def type_on() -> None:
        for number in range(1, 2000):
            writer.append([row(number)])
        done.set()

    thread = threading.Thread(target=type_on)
    thread.start()
    # the database responds only after all rows were appended
    assert done.wait(PATIENCE)
    thread.join()
    database.go.set()
    assert writer.flush(PATIENCE)
    assert len(database.rows) == 2000


def test_an_error_and_its_end_are_each_reported_once(writer, database):
    troubles = []
    writer.on_error.append(troubles.append)
    database.away.set()
    writer.append([row(0)])
    wait_until(lambda: database.tries > 5)
    writer.append([row(1)])
    assert writer.error is not None
    assert not writer.flush(0.02)
    database.away.clear()
    assert writer.flush(PATIENCE)
    assert [None if error is None else error.message for error in troubles] == ["the server is away", None]
    assert [stored_row.uid for stored_row in database.rows] == ["uid 0", "uid 1"]
    assert writer.error is None


def test_the_end_of_an_error_is_reported_even_if_the_waiting_row_is_rejected(writer, database):
    troubles = []
    writer.on_error.append(troubles.append)
    database.away.set()
    database.unwanted = {"uid 0"}
    writer.append([row(0)])
    wait_until(lambda: database.tries > 1)
    database.away.clear()
    assert writer.flush(PATIENCE)
    writer.append([row(1)])
    assert writer.flush(PATIENCE)
    messages = [None if error is None else error.message for error in troubles]
    assert messages == ["the server is away", "not this row", None]


def test_a_commit_of_unknown_outcome_does_not_duplicate_rows(writer, database):
    database.unknown = 3
    for number in range(20):
        writer.append([row(number)])
    assert writer.flush(PATIENCE)
    assert [stored_row.uid for stored_row in database.rows] == [f"uid {number}" for number in range(20)]


def test_rejected_rows_do_not_block_the_others(writer, database):
    troubles = []
    writer.on_error.append(troubles.append)
    database.unwanted = {"uid 3", "uid 77"}
    writer.append([row(number) for number in range(100)])
    assert writer.flush(PATIENCE)
    assert len(database.rows) == 98
    assert [item.uid for item in database.rows] == [f"uid {n}" for n in range(100) if n not in (3, 77)]
    assert [item.uid for item, _ in writer.rejected_rows] == ["uid 3", "uid 77"]
    assert [error.message for error in troubles] == ["not this row", "not this row"]
    # rejected rows are found by bisection, not by a hundred commits
    assert database.tries < 40


def test_an_unexpected_exception_does_not_stop_the_writer(database, caplog):
    def commit(batch: Sequence[Row]) -> None:
        if any(item.uid == "uid 1" for item in batch):
            raise ZeroDivisionError("a fault")
        database.commit(batch)

    writer = Writer(commit, back_off=FAST)
    writer.append([row(number) for number in range(3)])
    assert writer.flush(PATIENCE)
    assert writer.close() == 0
    assert [item.uid for item in database.rows] == ["uid 0", "uid 2"]
    assert "a fault" in writer.rejected_rows[0][1].message
    assert "could not be written" in caplog.text


def test_a_failing_listener_does_not_stop_the_writer(writer, database, caplog):
    def fail(*values: object) -> None:
        raise RuntimeError("a listener's fault")

    writer.on_saved.append(fail)
    writer.append([row(0)])
    assert writer.flush(PATIENCE)
    writer.append([row(1)])
    assert writer.flush(PATIENCE)
    assert len(database.rows) == 2
    assert "a listener of the project failed" in caplog.text


def test_closing_returns_the_number_of_unsaved_rows(database):
    writer = Writer(database.commit, back_off=FAST)
    database.away.set()
    writer.append([row(number) for number in range(7)])
    assert writer.close(0.05) == 7
    with pytest.raises(QeError, match="closed"):
        writer.append([row(8)])


def test_closing_without_rows_returns_zero(database):
    assert Writer(database.commit).close() == 0


def test_retry_delays_grow_up_to_a_limit():
    waits = [BackOff().delay_seconds(tries) for tries in range(1, 9)]
    assert waits == [0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0]
    assert BackOff().delay_seconds(10_000) == 5.0


# --- the spool file


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool("postgresql://ann@host/db", "project", "window-1", tmp_path)


def spooled_uids(spool: Spool) -> list[str]:
    return [spooled_row.uid for spooled_row in rows_in(spool.path)]


def rows_in(path: Path) -> list[Row]:
    import json

    from qe_desktop.project.store.tables.cell_codec import row_from_json

    lines = [json.loads(line) for line in path.read_text().splitlines() if line] if path.exists() else []
    return [row_from_json(line) for line in lines if "row" in line]


def test_uncommitted_rows_are_in_the_spool_file(database, spool):
    writer = Writer(database.commit, back_off=FAST, spool=spool)
    database.away.set()
    writer.append([row(0)])
    wait_until(lambda: spooled_uids(spool) == ["uid 0"])
    writer.append([row(1), row(2)])
    wait_until(lambda: spooled_uids(spool) == ["uid 0", "uid 1", "uid 2"])
    assert spool.path.stat().st_mode & 0o777 == 0o600
    database.away.clear()
    assert writer.flush(PATIENCE)
    wait_until(lambda: not spool.path.exists())
    writer.close()


def test_writing_the_spool_file_is_retried(database, spool, monkeypatch):
    append, failures = spool.append, []

    def fail(rows: Sequence[Row]) -> None:
        if len(failures) < 3:
            failures.append(1)
            raise OSError(28, "No space left on device")
        append(rows)

    monkeypatch.setattr(spool, "append", fail)
    writer = Writer(database.commit, back_off=FAST, spool=spool)
    database.away.set()
    writer.append([row(0)])
    wait_until(lambda: spooled_uids(spool) == ["uid 0"])
    database.away.clear()
    assert writer.flush(PATIENCE)
    writer.close()


def test_rows_are_in_the_spool_file_while_the_database_hangs(database, spool):
    writer = Writer(database.commit, back_off=FAST, spool=spool)
    database.go.clear()
    writer.append([row(0)])
    writer.append([row(1)])
    wait_until(lambda: spooled_uids(spool) == ["uid 0", "uid 1"])
    database.go.set()
    assert writer.flush(PATIENCE)
    writer.close()
    assert not spool.path.exists()


def test_quick_commits_do_not_write_the_spool_file(database, spool, monkeypatch):
    # commits are within this grace period, however slow the machine is
    monkeypatch.setattr(spool_keeper, "GRACE_SECONDS", PATIENCE)
    writer = Writer(database.commit, spool=spool)
    for number in range(50):
        writer.append([row(number)])
        assert writer.flush(PATIENCE)
    writer.close()
    assert not spool.path.parent.exists()


def test_uncommitted_rows_stay_in_the_spool_file_after_closing(database, spool):
    writer = Writer(database.commit, back_off=FAST, spool=spool)
    database.away.set()
    writer.append([row(number) for number in range(4)])
    assert writer.close(0.02) == 4
    assert spooled_uids(spool) == [f"uid {number}" for number in range(4)]


def test_rejected_rows_are_stored_with_the_reason(database, spool):
    writer = Writer(database.commit, spool=spool)
    troubles = []
    writer.on_error.append(troubles.append)
    database.unwanted = {"uid 1"}
    writer.append([row(number) for number in range(3)])
    assert writer.flush(PATIENCE)
    writer.close()
    [line] = spool.path.with_suffix(".refused").read_text().split("\n")[1:-1]
    assert "not this row" in line
    assert "uid 1" in line
    assert str(spool.path.with_suffix(".refused")) in troubles[0].hint


def test_later_rows_do_not_shorten_the_grace_period_of_earlier_ones(spool, monkeypatch):
    monkeypatch.setattr(spool_keeper, "GRACE_SECONDS", PATIENCE)
    states = [spool_keeper.QueueState(0, 1, False)]
    seen_states = []

    def state() -> spool_keeper.QueueState:
        seen_states.append(states[0])
        return states[0]

    service = spool_keeper.SpoolWriter(spool, state, lambda first: ([row(first)], states[0].queued), "test")
    service.start()
    for queued in (1, 2, 3):
        states[0] = spool_keeper.QueueState(0, queued, False)
        before = len(seen_states)
        service.notify()
        wait_until(lambda before=before: len(seen_states) > before)
    assert not spool.path.exists()
    states[0] = spool_keeper.QueueState(0, 3, True)
    service.notify()
    wait_until(lambda: spooled_uids(spool) == ["uid 0"])
    service.end(PATIENCE)
