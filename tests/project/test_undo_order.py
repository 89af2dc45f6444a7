"""Undo and redo follow the order of the steps, whatever the clock shows."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from qe_desktop.corpus import Corpus, Kind, Layer, TextColumn, TextRole
from qe_desktop.project import Edit, ReviewField, Session, tag_edits
from qe_desktop.project.review import review_log
from qe_desktop.project.session_restore import restore_session
from qe_desktop.project.store import Project
from qe_desktop.project.undo_manager import MAX_STEP, StepCounter
from tests.project.small_session import GOLD
from tests.project.store.old_schemas import downgrade_schema
from tests.small_corpora import tags
from tests.timeouts import PATIENCE

MT = TextColumn.of(["a b c", "d e f g", "h"])


def corpus() -> Corpus:
    gold = Layer(GOLD, tags("oob", "boob", "o"), "g", "n")
    return Corpus("c", 3, {TextRole.MT: MT, TextRole.SOURCE: MT}, {GOLD: gold})


CLOCKS = {
    "stands": lambda: itertools.repeat(1.7e9),
    "goes back": lambda: itertools.count(1.7e9, -3600),
    "goes on": lambda: itertools.count(1.7e9),
}


@pytest.fixture(params=CLOCKS)
def clock(request, monkeypatch):
    times = CLOCKS[request.param]()
    fake_time = SimpleNamespace(time=lambda: float(next(times)))
    for module in (tag_edits, review_log):
        monkeypatch.setattr(module, "time", fake_time)
    return request.param


def steps(session: Session) -> list[Callable[[], object]]:
    def target(text: str) -> Callable[[], object]:
        return lambda: session.reviewing.set({1: {ReviewField.TARGET: text}})

    def tag(segment: int) -> Callable[[], object]:
        return lambda: session.apply(Edit(GOLD, segment, (0,), (1 - int(session.view.segment_tags(GOLD, segment)[0]),)))

    return [tag(0), target("x"), tag(1), tag(2), target("y"), target("z"), tag(0)]


def state(session: Session) -> tuple[list[int], str, bool]:
    own = any(key.kind is Kind.WORDS and key != GOLD for key in session.corpus.layers)
    return session.view.tags(GOLD).values.tolist(), session.view.target(1), own


def undo_and_redo_all(session: Session, states: list[object]) -> None:
    """Undo and redo all steps; assert the state after each."""
    for expected in reversed(states[:-1]):
        assert session.undo() is not None
        assert state(session) == expected
    assert session.undo() is None
    for expected in states[1:]:
        assert session.redo() is not None
        assert state(session) == expected
    assert session.redo() is None


def test_undo_order_in_a_session_is_independent_of_the_clock(clock):
    session = Session(corpus(), person="Anna")
    states = [state(session)]
    actions = steps(session)
    actions.insert(3, lambda: session.add_person("Anna", Kind.WORDS))
    for step in actions:
        step()
        states.append(state(session))
    undo_and_redo_all(session, states)


def open_session(path: Path) -> tuple[Project, Session]:
    project = Project.open(path, person="Anna")
    session = restore_session(project, {})
    assert session is not None
    session.set_storage(project.append, "Anna", project.window)
    return project, session


def test_undo_order_is_kept_if_a_project_is_reopened_after_each_step(clock, tmp_path):
    path = tmp_path / "a.qedesk"
    Project.create(path, corpus(), person="Anna").close()
    states = []
    for number in range(len(steps(Session(corpus())))):
        project, session = open_session(path)
        states.append(state(session))
        steps(session)[number]()
        assert project.flush(PATIENCE)
        project.close()
    project, session = open_session(path)
    undo_and_redo_all(session, [*states, state(session)])
    assert project.flush(PATIENCE)
    project.close()


def test_undone_steps_can_be_redone_after_reopening(clock, tmp_path):
    path = tmp_path / "a.qedesk"
    Project.create(path, corpus(), person="Anna").close()
    project, session = open_session(path)
    states = [state(session)]
    for step in steps(session):
        step()
        states.append(state(session))
    for _ in range(4):
        session.undo()
    assert project.flush(PATIENCE)
    project.close()
    project, session = open_session(path)
    for expected in states[-4:]:
        assert session.redo() is not None
        assert state(session) == expected
    project.close()


def test_rows_without_step_numbers_come_first_in_order_of_time(tmp_path, monkeypatch):
    times = itertools.count(1.7e9)
    for module in (tag_edits, review_log):
        monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: float(next(times))))
    path = tmp_path / "a.qedesk"
    Project.create(path, corpus(), person="Anna").close()
    project, session = open_session(path)
    states = [state(session)]
    for step in steps(session):
        step()
        states.append(state(session))
    assert project.flush(PATIENCE)
    downgrade_schema(project, 4)
    project.close()
    # the clock is set back
    times = itertools.count(1.6e9)
    project, session = open_session(path)
    for step in steps(session):
        step()
        states.append(state(session))
    assert project.flush(PATIENCE)
    undo_and_redo_all(session, states)
    project.close()


def test_new_steps_are_numbered_after_those_of_other_users():
    counter = StepCounter(7, [SimpleNamespace(step=9, at=0.0)])
    assert counter.next() == 10
    counter.record_rows([SimpleNamespace(step=3, at=0.0), SimpleNamespace(step=MAX_STEP - 1, at=0.0)])
    assert counter.next() == counter.next() == MAX_STEP - 1
