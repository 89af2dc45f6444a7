"""Several windows on one project agree, whatever their clocks show and in whatever order they receive changes."""

from __future__ import annotations

import itertools
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Provenance
from qe_desktop.project import Edit, Session, session, tag_edits
from qe_desktop.project.events import RemoteChanges, Row
from qe_desktop.project.session_restore import restore_session
from qe_desktop.project.store import Project
from tests.small_corpora import corpus_of, tags
from tests.timeouts import PATIENCE

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
SHAPES = ("oob", "boob", "o")
NAMES = ("Anna", "Ben", "Anna")
"""User of each window; a user may have two."""


def layer_of(name: str) -> LayerKey:
    return LayerKey(Provenance.PERSON, name, Kind.WORDS)


ANNAS = layer_of("Anna")
LAYERS = (GOLD, ANNAS, layer_of("Ben"))


class Window:
    """Session of a window on a project; it stores its rows and receives changes when a test requests it."""

    def __init__(self, path: Path, person: str) -> None:
        self.project = Project.open(path, person=person)
        session = restore_session(self.project, {})
        assert session is not None
        self.session: Session = session
        self.waiting: list[Row] = []
        self.session.set_storage(self.waiting.extend, person, self.project.window)

    def save(self, count: int | None = None) -> None:
        rows, self.waiting[:] = self.waiting[:count], [] if count is None else self.waiting[count:]
        self.project.append(rows)
        assert self.project.flush(PATIENCE)
        assert self.project.writer.rejected_rows == ()

    def hear(self) -> None:
        self.session.apply_remote_changes(self.project.new_changes())

    def state(self) -> dict[LayerKey, list[int]]:
        layers = (key for key in self.session.corpus.layers if key.kind.is_tags)
        return {key: self.session.view.tags(key).values.tolist() for key in layers}

    def close(self) -> None:
        self.project.close()


class Clock:
    """Clock of all windows, set by tests."""

    def __init__(self) -> None:
        self.now = 1.7e9

    def time(self) -> float:
        return self.now


def small_corpus() -> Corpus:
    return corpus_of(tags(*SHAPES), {"a": tags("ooo", "oooo", "o")})


WHO = st.integers(0, len(NAMES) - 1)


class Windows(RuleBasedStateMachine):
    """All actions of three windows on layers and tags, each with its own times of saving and receiving."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.place = Path(self.folder.name) / "a.qedesk"
        Project.create(self.place, small_corpus(), person="Anna").close()
        self.windows = [Window(self.place, name) for name in NAMES]
        self.clock = Clock()
        self.patched = pytest.MonkeyPatch()
        for module in (session, tag_edits):
            self.patched.setattr(module, "time", SimpleNamespace(time=self.clock.time))

    @rule(
        who=WHO,
        layer=st.sampled_from(LAYERS),
        segment=st.integers(0, 2),
        word=st.integers(0, 3),
        tag=st.integers(0, 1),
    )
    def edit(self, who, layer, segment, word, tag):
        window = self.windows[who].session
        if layer in window.corpus.layers and word < len(window.view.segment_tags(layer, segment)):
            window.apply(Edit(layer, segment, (word,), (tag,)))

    @rule(who=WHO, layer=st.sampled_from(LAYERS), segment=st.integers(0, 1), values=st.tuples(*[st.integers(0, 1)] * 3))
    def edit_several(self, who, layer, segment, values):
        window = self.windows[who].session
        if layer in window.corpus.layers:
            window.apply(Edit(layer, segment, (0, 1, 2), values))

    @rule(who=WHO)
    def undo(self, who):
        self.windows[who].session.undo()

    @rule(who=WHO)
    def redo(self, who):
        self.windows[who].session.redo()

    @rule(who=WHO, name=st.sampled_from(("Anna", "Ben")), copy=st.booleans())
    def add_layer(self, who, name, copy):
        window = self.windows[who].session
        window.add_person(name, Kind.WORDS, GOLD if copy and GOLD in window.corpus.layers else None)

    @rule(who=WHO, layer=st.sampled_from(LAYERS))
    def close_layer(self, who, layer):
        window = self.windows[who].session
        if layer in window.corpus.layers:
            window.remove(layer)

    @rule(who=WHO, layer=st.sampled_from(LAYERS), shapes=st.sampled_from((SHAPES, ("bbb", "bbbb", "b"))))
    def bring_layer(self, who, layer, shapes):
        """Add a layer from a file; it replaces a layer of the same name, whose edits stay."""
        window = self.windows[who].session
        window.extend(window.corpus.with_layer(Layer(layer, tags(*shapes), "file", "n")))

    @rule(who=WHO, count=st.one_of(st.none(), st.integers(1, 4)))
    def save(self, who, count):
        self.windows[who].save(count)

    @rule(who=WHO)
    def hear(self, who):
        self.windows[who].hear()

    @rule(who=WHO)
    def reopen(self, who):
        self.windows[who].save()
        self.windows[who].close()
        self.windows[who] = Window(self.place, NAMES[who])

    @rule(by=st.sampled_from((0.0, 1e-6, -1e-6, -3600.0, 86_400.0)))
    def set_clock(self, by):
        self.clock.now += by

    def agree(self):
        for window in self.windows:
            window.hear()
        fresh = Window(self.place, "Cleo")
        for window in self.windows:
            assert window.state() == fresh.state()
            assert window.session.layer_uids() == fresh.session.layer_uids()
            for layer in fresh.state():
                assert window.session.edit_authors(layer, 1) == fresh.session.edit_authors(layer, 1)
        fresh.close()

    def teardown(self):
        try:
            for window in self.windows:
                window.save()
            self.agree()
        finally:
            self.patched.undo()
            for window in self.windows:
                window.close()
            self.folder.cleanup()


TestWindows = Windows.TestCase
TestWindows.settings = settings(
    max_examples=30,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink),
)


@pytest.fixture
def two_windows(tmp_path):
    path = tmp_path / "a.qedesk"
    Project.create(path, small_corpus(), person="Anna").close()
    windows = [Window(path, name) for name in ("Anna", "Ben")]
    yield windows
    for window in windows:
        window.close()


def test_a_layer_that_is_closed_and_added_at_the_same_time_exists(two_windows, monkeypatch):
    """Changes of layers are ordered independently of time: none is lost if the clock stops or goes back."""
    anna, ben = two_windows
    moments = itertools.chain([1.7e9] * 2, itertools.count(1.7e9, -1.0))
    monkeypatch.setattr(session, "time", SimpleNamespace(time=lambda: next(moments)))
    mine = anna.session.add_person("Anna", Kind.WORDS)
    for _ in range(3):
        anna.session.remove(mine)
        anna.session.add_person("Anna", Kind.WORDS, GOLD)
    anna.save()
    ben.hear()
    assert ben.state()[mine] == [0, 0, 1, 1, 0, 0, 1, 0]


def test_edits_of_a_closed_layer_do_not_apply_to_its_successor(two_windows):
    anna, ben = two_windows
    mine = anna.session.add_person("Anna", Kind.WORDS)
    anna.save()
    ben.hear()
    # Ben edits the layer while Anna closes it
    ben.session.apply(Edit(mine, 0, (0,), (1,)))
    anna.session.remove(mine)
    anna.session.add_person("Anna", Kind.WORDS)
    anna.save()
    ben.save()
    for window in two_windows:
        window.hear()
        assert window.state()[mine] == [0] * 8
        assert window.session.edit_authors(mine, 0) == {}
    assert all(len(window.project.history()) == 0 for window in two_windows)


def test_edits_of_a_layer_that_two_windows_add_are_not_lost(two_windows):
    """The layer that was stored first remains, with the edits of both windows."""
    anna, ben = two_windows
    for window, word in ((anna, 0), (ben, 1)):
        key = window.session.add_person("all of us", Kind.WORDS)
        window.session.apply(Edit(key, 0, (word,), (1,)))
    anna.save()
    ben.hear()
    assert ben.state()[key][:3] == [1, 1, 0]
    ben.save()
    for window in two_windows:
        window.hear()
        assert window.state()[key][:3] == [1, 1, 0]


def test_a_duplicate_layer_is_closed_with_the_first(two_windows):
    """Also if the first one was added and closed before a window received changes, which then never mention it."""
    anna, ben = two_windows
    for window in two_windows:
        window.session.extend(window.session.corpus.with_layer(Layer(GOLD, tags("bbb", "bbbb", "b"), "file", "n")))
    ben.save()
    ben.session.remove(GOLD)
    anna.save()
    anna.hear()
    assert GOLD in anna.state()
    # the same, but without receiving changes in between
    for window in two_windows:
        window.session.extend(window.session.corpus.with_layer(Layer(ANNAS, tags(*SHAPES), "file", "n")))
    ben.save()
    anna.save()
    ben.session.remove(ANNAS)
    ben.save()
    for window in two_windows:
        window.hear()
    assert [sorted(window.state(), key=str) for window in two_windows] == [
        [LayerKey(Provenance.SYSTEM, "a", Kind.WORDS)]
    ] * 2


def test_edits_received_in_any_order_are_applied_in_project_order(two_windows):
    """Also in segments without earlier edits, and with rows that are received twice."""
    anna, ben = two_windows
    for window, tag in ((anna, 1), (ben, 0), (anna, 1), (ben, 0)):
        window.session.apply(Edit(GOLD, 0, (0,), (tag,)))
        window.session.apply(Edit(GOLD, 0, (0, 1), (1 - tag, tag)))
        window.save()
    rows = ben.project.new_changes().edits
    restored = restore_session(anna.project, {})
    assert restored is not None
    remote = Session(small_corpus(), person="Cleo", uids=restored.layer_uids())
    remote.apply_remote_changes(RemoteChanges((*reversed(rows), *rows)))
    assert remote.view.segment_tags(GOLD, 0).tolist() == restored.view.segment_tags(GOLD, 0).tolist()
