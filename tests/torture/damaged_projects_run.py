"""Damages a project for each number of a range and uses it in every way; prints a line of JSON for each.

Called as `python -m tests.torture.damaged_projects_run PROJECT FIRST BEYOND`.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import qe_desktop
from qe_desktop.cli.main import main as command
from qe_desktop.corpus import Corpus, Kind, QeError, Ratings
from qe_desktop.levels.words import LEVELS
from qe_desktop.project import Edit, Session
from qe_desktop.project.campaign_views import ALL_RATINGS, read_campaign_selection
from qe_desktop.project.live_scores import LiveScores
from qe_desktop.project.store import Project
from qe_desktop.ratings.blinding import journal_header, journal_lines
from qe_desktop.ratings.results.result_types import RatingOptions
from qe_desktop.ui.campaigns.results.results_service import compute_results
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.projects.project_opener import _read_project
from tests.torture.project_damage import damage

assert qe_desktop
MEMORY = 1 << 30
"""Maximum memory of a process in bytes."""
OPTIONS = RatingOptions(1, 20, 20)


def use_project(path: Path, number: int) -> None:
    """Use a project as the command line and the window do; a QeError ends only the step that raised it."""
    commands(path, number)
    with contextlib.suppress(QeError):
        window(path, number)
    if number % 3 == 0:
        with contextlib.suppress(QeError), Project.open(path.with_suffix(".good"), person="cleo") as other:
            other.import_ratings(path)


def commands(path: Path, number: int) -> None:
    """Run `project info` and, in turn, one of the other commands on a project."""
    name, out = str(path), path.with_suffix(".out")
    rest = (
        ["project", "info", "--json", name],
        ["project", "verify", "--json", name],
        ["ratings", "report", "--json", "--runs", "10", "--rounds", "10", name],
        ["ratings", "report", "--campaign", "rank", "--no-trueskill", "--rounds", "10", name],
        ["ratings", "export", "--form", "jsonl", "-o", str(out), name],
        ["ratings", "export", "--form", "journal", "--campaign", "adequacy-fluency", "-o", str(out), name],
    )
    for arguments in (["project", "info", "--check", name], rest[number % len(rest)]):
        output = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
            assert command(arguments) in (0, 2)


def window(path: Path, number: int) -> None:
    """Read a project as the window does, and work on it."""
    result = _read_project(str(path), "ann", None, Progress(lambda _: None))
    with result.project as project:
        for step in steps(project, result.session, number):
            with contextlib.suppress(QeError):
                step()
        with contextlib.suppress(QeError):
            project.new_changes()
        project.flush(10)
        if number % 4 == 0:
            with contextlib.suppress(QeError):
                project.save_as(path.with_suffix(".copy.qedesk"), replace=True).close()


def steps(project: Project, session: Session | None, number: int) -> Iterator[Callable[[], Any]]:
    """Yield the steps that the window performs."""
    if session is not None:
        session.set_storage(project.append, project.person, project.window)
        yield lambda: read_all_segments(session)
        yield lambda: edit(session)
    yield project.audit
    yield project.summary
    yield lambda: read_campaign_selection(project, ALL_RATINGS, {}, lambda _: None, corpus_ratings=Ratings.of())
    yield lambda: compute_results(project.ratings(), None, OPTIONS, Progress(lambda _: None))
    campaigns = []
    with contextlib.suppress(QeError):
        campaigns = project.campaigns()
    for index, campaign in enumerate(campaigns):
        yield lambda campaign=campaign: read_campaign_selection(project, campaign.uid, {}, lambda _: None)
        if index % 2 == number % 2:
            yield lambda campaign=campaign: results(project, campaign.uid)
        for rater in campaign.raters:
            yield lambda campaign=campaign, rater=rater: rate(project, campaign.uid, rater)


def read_all_segments(session: Session) -> None:
    """Look up all tags, scores and texts of a corpus."""
    corpus = session.corpus
    for level in LEVELS:
        kind = level.tags
        scores = LiveScores(level)
        if scores.start(session.view):
            scores.finish(scores.count(), session.view)
        for key in session.view.tag_layers(kind):
            session.view.tags(key)
            session.view.edited_segments(key)
            for segment in range(corpus.size):
                session.view.segment_tags(key, segment)
                session.edit_authors(key, segment)
    for segment in range(corpus.size):
        read_segment(corpus, segment)


def read_segment(corpus: Corpus, segment: int) -> None:
    """Look up a segment's texts, document and alignments."""
    for text in (*corpus.texts.values(), *corpus.translations.values()):
        text.tokens(segment)
    for role in corpus.texts:
        corpus.tokens(role, segment)
    if corpus.documents is not None:
        corpus.documents.name(segment)
    if corpus.alignments is not None:
        corpus.alignments[segment].tolist()


def edit(session: Session) -> None:
    """Edit, then undo and redo all steps."""
    for kind in (Kind.WORDS, Kind.GAPS):
        key = session.view.reference(kind)
        if key is not None and len(session.view.segment_tags(key, 0)):
            session.apply(Edit(key, 0, (0,), (1 - int(session.view.segment_tags(key, 0)[0]),)))
    while session.undo_text and session.undo() is not None:
        pass
    while session.redo_text and session.redo() is not None:
        pass


def results(project: Project, uid: str) -> None:
    """Compute a campaign's results and journal."""
    compute_results(project.ratings(uid), None, OPTIONS, Progress(lambda _: None))
    design = project.design(uid)
    journal_header(design.campaign)
    journal_lines(design, project.events(uid))
    project.progress(uid)


def rate(project: Project, uid: str, rater: str) -> None:
    """Look up everything that a rater's window needs, and add a comment and an undo."""
    work = project.rater_session(uid, rater)
    assert work.profile is None or work.profile.text()
    for screen in work.screens:
        for output in screen.outputs:
            assert work.output(output).text is not None
        work.passage(screen.segment)
        work.missing_answers(screen.uid)
        work.status(screen.uid)
        work.values(screen.uid)
        work.was_changed_after_reveal(screen.uid)
    assert (work.undo_text, work.redo_text, work.progress(), work.first_open()) is not None
    if work.screens:
        project.rate(work.comment(work.screens[0].uid, "once more"))
    undone = work.undo()
    if undone is not None:
        project.rate(undone)


def main(template: Path, first: int, beyond: int) -> None:
    """Damage and use a project for each number, and print the results."""
    limit = 6 * MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    with tempfile.TemporaryDirectory(prefix="damaged-") as folder:
        path = Path(folder) / "damaged.qedesk"
        for number in range(first, beyond):
            for old in Path(folder).iterdir():
                old.unlink()
            shutil.copy(template, path)
            shutil.copy(template, path.with_suffix(".good"))
            what = damage(path, number)
            fault, start = "", time.process_time()
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            try:
                use_project(path, number)
            except BaseException:
                fault = traceback.format_exc()
            spent = time.process_time() - start
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
            result = {
                "number": number, "what": what, "fault": fault, "seconds": spent,
                "bytes": peak if peak > before else 0, "size": path.stat().st_size if path.exists() else 0,
            }  # fmt: skip
            print(json.dumps(result), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
