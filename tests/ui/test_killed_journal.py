"""The real program, killed while a bilingual file without a project is edited: the typed text is there again."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

import pytest

from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.project.events import ReviewRow
from qe_desktop.project.journal.file_journal import JournalFolder
from qe_desktop.project.journal.journal_opening import JournalOpening
from qe_desktop.project.journal.typing_draft import read_draft
from tests.formats.bilingual.samples import parse_sample, read_sample
from tests.timeouts import KILL_COUNTS, PATIENCE, pause
from tests.ui.killed_programs import ForkServer, kill, report_lines, reported_rows, wait_for_reports

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork"),
]


MIN_MEASURED_KILLS, MAX_LOST_S = 100, 0.3
"""Minimum number of kills for a check of the lost typing, and its maximum in seconds for 99 % of the kills."""


@pytest.fixture
def fork_server(tmp_path) -> Iterator[ForkServer]:
    process = ForkServer(tmp_path)
    yield process
    process.close()


def seconds_lost(path: Path, folder: Path, rows: dict[str, object], lines: list[dict]) -> float:
    """Open the file as the next start would, check it, and return how much of the typing before the kill is missing."""
    drafts = [draft for entry in JournalFolder(folder).entries() if (draft := read_draft(entry.draft)) is not None]
    opening = JournalOpening(JournalFolder(folder), "Anna")
    (plan,) = plan_imports([path])
    session, journal, report = opening.finish(build_corpus(plan, with_mt=opening.with_mt))
    assert journal is not None, report.problem
    try:
        reviewing, view = session.reviewing, session.view
        expected = {uid for uid, row in rows.items() if isinstance(row, ReviewRow)}
        missing = expected - {row.uid for row in reviewing.rows()}
        assert not missing, f"{len(missing)} rows reported as saved are missing"
        assert session.undo_text or session.redo_text
        mt = [segment.target_line for segment in parse_sample("studio.sdlxliff").segments]
        assert [view.corpus.mt_line(segment) for segment in range(view.corpus.size)] == mt
        typed = [line for line in lines if "typed" in line]
        if not typed:
            return 0.0
        segment = typed[-1]["segment"]
        # typing since the segment was opened; before that, another segment was edited
        typed = typed[-len(list(takewhile(lambda line: line["segment"] == segment, reversed(typed)))) :]
        restored = [line["at"] for line in typed if line["typed"] == view.target(segment)]
        if not restored:
            history = reviewing.history(segment)
            last_edit = history[-1].uid if history else ""
            assert (segment, last_edit) not in {(draft.segment, draft.last_edit) for draft in drafts}
            return float(typed[-1]["at"] - typed[0]["at"])
        return float(typed[-1]["at"] - restored[-1])
    finally:
        assert journal.close(PATIENCE) == 0


@pytest.mark.parametrize("kills", KILL_COUNTS)
def test_text_typed_without_a_project_survives_every_kill(fork_server, tmp_path, kills):
    seed = int(os.environ.get("QE_DESKTOP_KILL_SEED", "1"))
    rng = random.Random(seed)
    folder, content = tmp_path / "data" / "qe-desktop" / "journals", read_sample("studio.sdlxliff")
    path, rows, lost = tmp_path / "job.sdlxliff", {}, []
    start = time.monotonic()
    for number in range(kills):
        if number % 25 == 0:
            path, rows = tmp_path / f"job{number}.sdlxliff", {}
            path.write_bytes(content)
        report = tmp_path / f"report-{number}"
        pid = fork_server.start(path, report, seed * 400_000 + number, rates=False, types=True)
        wait_for_reports(pid, report, ReviewRow, rng.randint(1, 3))
        pause(rng.uniform(0, 0.5))
        kill(pid)
        rows |= reported_rows(report)
        lost.append(seconds_lost(path, folder, rows, report_lines(report)))
        assert path.read_bytes() == content
    lost.sort()
    print(
        f"{kills} kills; typing lost: median {lost[len(lost) // 2]:.3f} s, most {lost[-1]:.3f} s; "
        f"{time.monotonic() - start:.0f} s"
    )
    # a few kills on a loaded machine say nothing about the delay
    assert kills < MIN_MEASURED_KILLS or lost[(len(lost) - 1) * 99 // 100] <= MAX_LOST_S
