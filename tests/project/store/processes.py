"""Projects in separate processes, killed while they write or rating concurrently; forked, so that they start fast.

    python -m tests.project.store.processes kill TIMES PLACE     edits and ratings, killed at random moments
    python -m tests.project.store.processes rate COUNT PLACE USER…  each user rates COUNT times, all concurrently

PLACE is a path or URL; passwords come from PGPASSWORD. One JSON object goes to stdout.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
from collections import deque
from collections.abc import Callable
from itertools import count

# everything that a project needs, imported once before any fork
import sqlalchemy.dialects.postgresql
import sqlalchemy.dialects.sqlite

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.project.store import Project, committer, project_copy, project_reader, writer
from qe_desktop.project.store import project_opening as opening
from qe_desktop.project.store.location import is_server_url
from tests.project.store.small_projects import make_edit_row
from tests.timeouts import PATIENCE

LOADED = (sqlalchemy, committer, opening, project_reader, project_copy, writer)


def fork_process(work: Callable[[], None]) -> int:
    """Run a function in a child process, which then ends; return its process id."""
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        work()
        status = 0
    finally:
        os._exit(status)


# --- killed writers


def write_until_killed(path_or_url: str, pipe: int, seed: int) -> None:
    """Write edits and ratings forever, and report to the pipe which of them are saved."""
    project = Project.open(path_or_url, person=f"person {seed % 3}")
    waiting: deque[str] = deque()

    def saved(number: int, at: float) -> None:
        try:
            os.write(pipe, "".join(f"{waiting.popleft()}\n" for _ in range(number)).encode())
        except BrokenPipeError:
            # the process that should kill this one has ended
            os._exit(1)

    project.writer.on_saved.append(saved)
    dice = random.Random(seed)
    campaign = project.campaigns()[0].uid
    screens = project.rater_session(campaign, "ann").screens
    for number in count():
        if dice.random() < 0.5:
            row = make_edit_row(project, dice.randrange(4) and 3, dice.randrange(3), dice.randrange(2), text="x" * 200)
            waiting.append(f"edit {row.uid}")
            project.append([row])
        else:
            event = RatingEvent(
                f"{seed}-{number}",
                campaign,
                dice.choice(screens).uid,
                "ann",
                time.time(),
                "fluency",
                dice.randint(1, 5),
            )
            waiting.append(f"rating {event.uid}")
            project.rate(event)
        if dice.random() < 0.3:
            time.sleep(dice.random() * 0.004)


def kill_one(path_or_url: str, seed: int, dice: random.Random) -> tuple[list[str], int]:
    """Start a writer and kill it at a random moment; return the rows reported as saved, and the rows waited for."""
    reads, writes = os.pipe()

    def work() -> None:
        os.close(reads)
        write_until_killed(path_or_url, writes, seed)

    child = fork_process(work)
    os.close(writes)
    output = b""
    # most are killed while they write, the others at any moment, even while they open the project
    min_rows = dice.randint(1, 20) if dice.random() < 0.8 else 0
    while output.count(b"\n") < min_rows:
        block = os.read(reads, 1 << 16)
        if not block:
            raise SystemExit("a writer ended by itself")
        output += block
    time.sleep(dice.random() * 0.05)
    os.kill(child, signal.SIGKILL)
    while block := os.read(reads, 1 << 16):
        output += block
    os.close(reads)
    os.waitpid(child, 0)
    return output.decode().split("\n")[:-1], min_rows


def kill(times: int, path_or_url: str) -> dict[str, object]:
    """Kill writers one after another, and check that everything reported as saved is in the project."""
    dice = random.Random(times)
    reported: list[str] = []
    min_total = 0
    start = time.monotonic()
    for seed in range(times):
        lines, min_rows = kill_one(path_or_url, seed, dice)
        reported += lines
        min_total += min_rows
    seconds = time.monotonic() - start
    with Project.open(path_or_url, person="judge") as project:
        stored = {f"edit {row.uid}" for row in project.edit_rows(project.history().seq.tolist())}
        stored |= {f"rating {event.uid}" for event in project.events(project.campaigns()[0].uid)}
        integrity = "ok" if is_server_url(path_or_url) else _integrity(project)
    lost = [line for line in reported if line not in stored]
    return {
        "killed": times, "asked": min_total, "saved": len(reported), "lost": lost, "there": len(stored),
        "integrity": integrity, "seconds": seconds,
    }  # fmt: skip


def _integrity(project: Project) -> str:
    with project._database.reading() as connection:
        wrong = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
        return "; ".join(row[0] for row in connection.exec_driver_sql("PRAGMA integrity_check")) + str(wrong or "")


# --- concurrent raters


def rate(times: int, path_or_url: str, users: list[str]) -> dict[str, object]:
    """Let each user rate in a separate process; return the exit statuses and the total seconds."""
    start = time.monotonic()
    children = [fork_process(lambda user=user: _rate(times, path_or_url, user)) for user in users]
    statuses = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    return {"statuses": statuses, "seconds": time.monotonic() - start}


def _rate(times: int, path_or_url: str, user: str) -> None:
    os.environ["PGPASSWORD"] = f"{user}!"
    with Project.open(path_or_url.replace("postgres@", f"{user}@", 1), person=user) as project:
        campaign = project.campaigns()[0].uid
        work = project.rater_session(campaign, user)
        for number in range(times):
            project.rate(work.rate(work.screens[number % len(work.screens)].uid, "fluency", number % 5 + 1, 1.0))
            if number % 50 == 0:
                # also read the progress of the others, as the window does
                project.new_changes()
                project.progress(campaign)
        if not project.flush(PATIENCE) or project.writer.rejected_rows:
            raise SystemExit(1)


if __name__ == "__main__":
    what, number, address, *rest = sys.argv[1:]
    result = kill(int(number), address) if what == "kill" else rate(int(number), address, rest)
    print(json.dumps(result))
