"""Small project with every kind of data, from which damaged projects are made."""

from __future__ import annotations

import time
from pathlib import Path

from qe_desktop.answers.scale import ScaleAnswer
from qe_desktop.corpus import ItemRole, Kind, LayerKey, PairwiseJudgement, Provenance, Ratings, Score
from qe_desktop.project import Edit
from qe_desktop.project.events import SettingRow
from qe_desktop.project.session_restore import restore_session
from qe_desktop.project.store import Project
from qe_desktop.ratings.campaign import CampaignDesign
from qe_desktop.ratings.protocols import PROTOCOLS
from qe_desktop.ratings.rater_progress import RaterProfile
from tests.project.store.small_projects import GOLD, full_corpus, make_design
from tests.timeouts import PATIENCE

GAPS = LayerKey(Provenance.GOLD, "gold", Kind.GAPS)
MINE = LayerKey(Provenance.PERSON, "ann", Kind.WORDS)
UNSURE = "odd \udcff name"
"""Name of the system with probabilities."""


def make_valid_project(path: Path) -> Path:
    """Write the project, whose user is ann; return its path."""
    Project.create(path, full_corpus(), person="ann", title="Everything").close()
    with Project.open(path, person="ann") as project:
        _edit(project)
        for name in PROTOCOLS:
            _campaign(project, name)
        _sets(project)
        project.log("unblinded", {"campaign": "rank"})
        assert project.flush(PATIENCE)
        assert not project.writer.rejected_rows
    return path


def _edit(project: Project) -> None:
    session = restore_session(project, {})
    assert session is not None
    session.set_storage(project.append, project.person, project.window)
    session.add_person("ann", Kind.WORDS, GOLD)
    session.apply(Edit(GOLD, 0, (0,), (1,)))
    session.apply(Edit(GOLD, 2, (0, 1), (0, 0)))
    session.apply(Edit(MINE, 3, (0, 1, 2), (0, 1, 1)))
    session.apply(Edit(GAPS, 0, (1,), (1,)))
    session.undo()
    session.undo()
    session.redo()
    session.set_threshold(UNSURE, 0.25)
    second = session.add_person("somebody else", Kind.WORDS)
    session.apply(Edit(second, 0, (1,), (1,)))
    session.remove(second)
    left = {"area": "inspect", "segment": 2, "kind": "words", "target": ["gold", "gold"]}
    project.append([SettingRow("left-off", left, "ann", time.time(), "ann", project.window)])


def _campaign(project: Project, protocol: str) -> None:
    design = make_design(protocol=protocol, uid=protocol, segments=2, training=1)
    project.add_campaign(design)
    for rater in ("ann", "bob"):
        _rate(project, design, rater)


def _rate(project: Project, design: CampaignDesign, rater: str) -> None:
    work = project.rater_session(design.campaign.uid, rater)
    protocol = work.protocol
    events = [work.set_profile(RaterProfile("good", "very good", "Esperanto", "linguist", "none"))]
    for number, screen in enumerate(work.screens):
        if number == 4:
            events.append(work.skip(screen.uid, "too long", 2.0))
            continue
        if protocol.compares:
            ranks = tuple((number + position) % len(screen.outputs) + 1 for position in range(len(screen.outputs)))
            events.append(work.rate(screen.uid, "ranks", ranks, 3.5))
        for index, field in enumerate(() if protocol.compares else protocol.fields):
            if index and not work.is_revealed(screen.uid):
                events.append(work.reveal(screen.uid))
            scale = protocol.answer(field)
            assert isinstance(scale, ScaleAnswer)
            events.append(
                work.rate(
                    screen.uid, field, float(scale.min_value + number % (scale.max_value - scale.min_value + 1)), 1.5
                )
            )
        if number == 2:
            events.append(work.comment(screen.uid, "a remark\nin two lines"))
            undone = work.undo()
            again = work.redo()
            events += [event for event in (undone, again) if event is not None]
        events.append(work.leave(screen.uid, 0.5))
    for event in events:
        project.rate(event)


def _sets(project: Project) -> None:
    scores = [
        Score(rater, system, str(segment), scale, float((segment + index) % 5 + 1), started=1.7e9, seconds=4.0)
        for rater in ("Cleo", "Dan")
        for index, system in enumerate("ABC")
        for segment in range(4)
        for scale in ("adequacy", "fluency")
    ]
    pairs = [
        PairwiseJudgement("Cleo", str(segment), "A", "B", 1, 2, f"s{segment}", ItemRole.SYSTEM, 1.7e9, 5.0)
        for segment in range(4)
    ]
    project.add_ratings(Ratings.of(scores, origin="scores.tsv"), file="scores.tsv")
    project.add_ratings(Ratings.of((), pairs, origin="pairs.csv"), file="pairs.csv")
