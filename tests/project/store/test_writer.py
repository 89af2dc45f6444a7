from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.project.events import AuditRow, Row
from qe_desktop.project.store.errors import RejectedError, TransientError
from qe_desktop.project.store.write_queue import spool as spool_keeper
from qe_desktop.project.store.write_queue.spool import Spool
from qe_desktop.project.store.write_queue.writer import MAX_BATCH_ROWS, BackOff, Writer
from tests.patience import PATIENCE, wait_until

FAST = BackOff(0.002, 2.0, 0.01)


def row(number: int) -> AuditRow:
    return AuditRow(0.0, "ann", f"row {number}", {}, f"uid {number}")


class Base:
    """A database that can be away, slow, or refuse some rows."""

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
        if any(one.uid in self.unwanted for one in batch):
            raise RejectedError("not this row")
        known = {one.uid for one in self.rows}
        self.rows += [one for one in batch if one.uid not in known]
        self.batches.append(len(batch))
        if self.unknown:
            self.unknown -= 1
            raise TransientError("the line broke after the commit")


@pytest.fixture
def base():
    return Base()


@pytest.fixture
def writer(base):
    made = Writer(base.commit, back_off=FAST)
    yield made
    base.away.clear()
    base.go.set()
    made.close()


def test_rows_are_saved_in_order_and_said_to_be(writer, base):
    told = []
    writer.on_saved.append(lambda count, at: told.append((count, at, len(base.rows))))
    for number in range(500):
        writer.append([row(number)])
    assert writer.flush(PATIENCE)
    assert [one.uid for one in base.rows] == [f"uid {number}" for number in range(500)]
    assert sum(count for count, _, _ in told) == 500
    # nothing is said to be saved before it is
    said = 0
    for count, at, there in told:
        said += count
        assert said <= there
        assert at == pytest.approx(time.time(), abs=30)
    assert writer.pending == 0


def test_what_waits_is_committed_at_once(writer, base):
    base.go.clear()
    writer.append([row(0)])
    wait_until(lambda: base.tries == 1)
    for number in range(1, 1000):
        writer.append([row(number)])
    assert writer.pending == 1000
    base.go.set()
    assert writer.flush(PATIENCE)
    assert base.batches == [1, 999]


def test_batches_are_bounded(writer, base):
    writer.append([row(number) for number in range(2 * MAX_BATCH_ROWS + 1)])
    assert writer.flush(PATIENCE)
    assert max(base.batches) <= MAX_BATCH_ROWS
    assert len(base.rows) == 2 * MAX_BATCH_ROWS + 1


def test_appending_never_waits_for_the_database(writer, base):
    base.go.clear()
    writer.append([row(0)])
    wait_until(lambda: base.tries == 1)
    done = threading.Event()

    def type_on() -> None:
        for number in range(1, 2000):
            writer.append([row(number)])
        done.set()

    thread = threading.Thread(target=type_on)
    thread.start()
    # the database answers only after all was appended
    assert done.wait(PATIENCE)
    thread.join()
    base.go.set()
    assert writer.flush(PATIENCE)
    assert len(base.rows) == 2000


def test_trouble_is_told_once_and_its_end_too(writer, base):
    told = []
    writer.on_trouble.append(told.append)
    base.away.set()
    writer.append([row(0)])
    wait_until(lambda: base.tries > 5)
    writer.append([row(1)])
    assert writer.trouble is not None
    assert not writer.flush(0.02)
    base.away.clear()
    assert writer.flush(PATIENCE)
    assert [None if error is None else error.message for error in told] == ["the server is away", None]
    assert [one.uid for one in base.rows] == ["uid 0", "uid 1"]
    assert writer.trouble is None


def test_a_commit_of_unknown_end_gives_no_row_twice(writer, base):
    base.unknown = 3
    for number in range(20):
        writer.append([row(number)])
    assert writer.flush(PATIENCE)
    assert [one.uid for one in base.rows] == [f"uid {number}" for number in range(20)]


def test_rows_that_are_not_taken_do_not_hold_up_the_others(writer, base):
    told = []
    writer.on_trouble.append(told.append)
    base.unwanted = {"uid 3", "uid 77"}
    writer.append([row(number) for number in range(100)])
    assert writer.flush(PATIENCE)
    assert len(base.rows) == 98
    assert [one.uid for one in base.rows] == [f"uid {n}" for n in range(100) if n not in (3, 77)]
    assert [one.uid for one, _ in writer.refused] == ["uid 3", "uid 77"]
    assert [error.message for error in told] == ["not this row", "not this row"]
    # a row of a hundred is found by halves, not by a hundred commits
    assert base.tries < 40


def test_a_fault_of_the_program_is_no_end_of_saving(base, caplog):
    def commit(batch: Sequence[Row]) -> None:
        if any(one.uid == "uid 1" for one in batch):
            raise ZeroDivisionError("a fault")
        base.commit(batch)

    writer = Writer(commit, back_off=FAST)
    writer.append([row(number) for number in range(3)])
    assert writer.flush(PATIENCE)
    assert writer.close() == 0
    assert [one.uid for one in base.rows] == ["uid 0", "uid 2"]
    assert "a fault" in writer.refused[0][1].message
    assert "could not be written" in caplog.text


def test_a_listener_that_fails_is_no_end_of_saving(writer, base, caplog):
    def fail(*values: object) -> None:
        raise RuntimeError("a listener's fault")

    writer.on_saved.append(fail)
    writer.append([row(0)])
    assert writer.flush(PATIENCE)
    writer.append([row(1)])
    assert writer.flush(PATIENCE)
    assert len(base.rows) == 2
    assert "a listener of the project failed" in caplog.text


def test_closing_says_how_many_rows_are_not_saved(base):
    writer = Writer(base.commit, back_off=FAST)
    base.away.set()
    writer.append([row(number) for number in range(7)])
    assert writer.close(0.05) == 7
    with pytest.raises(QeError, match="closed"):
        writer.append([row(8)])


def test_closing_without_rows_is_nothing(base):
    assert Writer(base.commit).close() == 0


def test_waits_grow_up_to_a_limit():
    waits = [BackOff().after(tries) for tries in range(1, 9)]
    assert waits == [0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0]
    assert BackOff().after(10_000) == 5.0


# --- the file beside


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    return Spool("postgresql://ann@host/db", "project", "window-1", tmp_path)


def kept(spool: Spool) -> list[str]:
    return [one.uid for one in rows_in(spool.path)]


def rows_in(path: Path) -> list[Row]:
    import json

    from qe_desktop.project.store.tables.json_codec import row_from_json

    lines = [json.loads(line) for line in path.read_text().splitlines() if line] if path.exists() else []
    return [row_from_json(line) for line in lines if "row" in line]


def test_what_the_database_does_not_take_is_kept_in_a_file(base, spool):
    writer = Writer(base.commit, back_off=FAST, spool=spool)
    base.away.set()
    writer.append([row(0)])
    wait_until(lambda: kept(spool) == ["uid 0"])
    writer.append([row(1), row(2)])
    wait_until(lambda: kept(spool) == ["uid 0", "uid 1", "uid 2"])
    assert spool.path.stat().st_mode & 0o777 == 0o600
    base.away.clear()
    assert writer.flush(PATIENCE)
    wait_until(lambda: not spool.path.exists())
    writer.close()


def test_a_file_that_cannot_be_written_is_tried_again(base, spool, monkeypatch):
    keep, failures = spool.keep, []

    def fail(rows: Sequence[Row]) -> None:
        if len(failures) < 3:
            failures.append(1)
            raise OSError(28, "No space left on device")
        keep(rows)

    monkeypatch.setattr(spool, "keep", fail)
    writer = Writer(base.commit, back_off=FAST, spool=spool)
    base.away.set()
    writer.append([row(0)])
    wait_until(lambda: kept(spool) == ["uid 0"])
    base.away.clear()
    assert writer.flush(PATIENCE)
    writer.close()


def test_a_database_that_hangs_is_no_danger_to_what_waits(base, spool):
    writer = Writer(base.commit, back_off=FAST, spool=spool)
    base.go.clear()
    writer.append([row(0)])
    writer.append([row(1)])
    wait_until(lambda: kept(spool) == ["uid 0", "uid 1"])
    base.go.set()
    assert writer.flush(PATIENCE)
    writer.close()
    assert not spool.path.exists()


def test_quick_commits_leave_the_file_alone(base, spool, monkeypatch):
    # however slow the machine is just now, these commits are quick beside the grace that they have
    monkeypatch.setattr(spool_keeper, "GRACE_SECONDS", PATIENCE)
    writer = Writer(base.commit, spool=spool)
    for number in range(50):
        writer.append([row(number)])
        assert writer.flush(PATIENCE)
    writer.close()
    assert not spool.path.parent.exists()


def test_what_is_left_at_closing_stays_in_the_file(base, spool):
    writer = Writer(base.commit, back_off=FAST, spool=spool)
    base.away.set()
    writer.append([row(number) for number in range(4)])
    assert writer.close(0.02) == 4
    assert kept(spool) == [f"uid {number}" for number in range(4)]


def test_refused_rows_are_kept_with_the_reason(base, spool):
    writer = Writer(base.commit, spool=spool)
    told = []
    writer.on_trouble.append(told.append)
    base.unwanted = {"uid 1"}
    writer.append([row(number) for number in range(3)])
    assert writer.flush(PATIENCE)
    writer.close()
    [line] = spool.path.with_suffix(".refused").read_text().split("\n")[1:-1]
    assert "not this row" in line
    assert "uid 1" in line
    assert str(spool.path.with_suffix(".refused")) in told[0].hint


def test_rows_that_come_later_do_not_shorten_the_grace_of_others(spool, monkeypatch):
    monkeypatch.setattr(spool_keeper, "GRACE_SECONDS", PATIENCE)
    now = [spool_keeper.QueueState(0, 1, False)]
    looks = []

    def state() -> spool_keeper.QueueState:
        looks.append(now[0])
        return now[0]

    service = spool_keeper.SpoolWriter(spool, state, lambda first: ([row(first)], now[0].queued), "test")
    service.start()
    for queued in (1, 2, 3):
        now[0] = spool_keeper.QueueState(0, queued, False)
        before = len(looks)
        service.wake()
        wait_until(lambda before=before: len(looks) > before)
    assert not spool.path.exists()
    now[0] = spool_keeper.QueueState(0, 3, True)
    service.wake()
    wait_until(lambda: kept(spool) == ["uid 0"])
    service.end(PATIENCE)
