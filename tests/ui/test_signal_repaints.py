"""Paints between any two deliveries of a signal never meet a half-delivered change, whatever the order of actions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import Corpus, Documents, Kind, Layer, LayerKey, NumberColumn, Provenance, TextColumn, TextRole
from qe_desktop.project import Edit
from qe_desktop.project.events import EditRow, LayerRow, RemoteChanges, new_uid
from qe_desktop.project.store import Project
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from tests.small_corpora import corpus_of, tags
from tests.ui.inspect.conftest import rich_corpus
from tests.ui.projects.conftest import GOLD, ProjectWindow, small_corpus
from tests.ui.signal_repaints import repaint_during_signals

THEIRS = LayerKey(Provenance.PERSON, "Ben", Kind.WORDS)


def bare_corpus(size: int) -> Corpus:
    """A corpus without texts: gold tags and tags of two systems."""
    return corpus_of(tags(*["oob"] * size), {"a": tags(*["obb"] * size), "b": tags(*["ooo"] * size)}, words=False)


def add_texts_to(corpus: Corpus) -> Corpus:
    """Return the corpus with source, MT, documents, scores and probabilities, as from files added later."""
    size = corpus.size
    hter = LayerKey(Provenance.GOLD, "hter", Kind.SCORES)
    doubt = LayerKey(Provenance.SYSTEM, "doubt", Kind.PROBABILITIES)
    offsets = corpus.layers[GOLD].tags.offsets
    return replace(
        corpus,
        texts={
            **corpus.texts,
            TextRole.SOURCE: TextColumn.of(["one two"] * size),
            TextRole.MT: TextColumn.of(["eins zwei drei"] * size),
        },
        documents=Documents.from_names([f"d{segment % 3}" for segment in range(size)]),
        layers={
            **corpus.layers,
            hter: Layer(hter, np.linspace(0, 1, size)),
            doubt: Layer(doubt, NumberColumn(np.linspace(0, 1, int(offsets[-1]), dtype=np.float32), offsets)),
        },
    )


class Actor:
    """Actions on a window; each does nothing where it does not apply."""

    def __init__(self, window: ProjectWindow, project: Path) -> None:
        self.window = window
        self.project = project
        self.file_value: LayerRow | None = None
        self.workspace = window.workspace
        # otherwise the window would ask about unsaved edits
        window.wiring.projects.opener._may_replace = lambda *_: True

    def open_small(self, n: int) -> None:
        self.workspace.open(bare_corpus(1 + n % 4))

    def open_large(self, n: int) -> None:
        self.workspace.open(bare_corpus(150 + n))

    def open_rich(self, n: int) -> None:
        self.workspace.open(rich_corpus())

    def open_project(self, n: int) -> None:
        self.window.shell.open_paths([str(self.project)])

    def close(self, n: int) -> None:
        self.workspace.close()

    def edit(self, n: int) -> None:
        session, target = self.window.session, self.workspace.target
        if session is not None and target is not None and session.corpus.size:
            segment = n % session.corpus.size
            current = session.view.segment_tags(target, segment)
            if len(current):
                self.workspace.edit(Edit(target, segment, (n % len(current),), (1 - int(current[n % len(current)]),)))

    def undo(self, n: int) -> None:
        (self.workspace.redo if n % 3 == 0 else self.workspace.undo)()

    def edit_from_afar(self, n: int) -> None:
        session = self.window.session
        if session is not None and GOLD in session.corpus.layers:
            segment = n % session.corpus.size
            if len(session.view.segment_tags(GOLD, segment)):
                row = EditRow(new_uid(), GOLD, segment, (0,), (n % 2,), (1 - n % 2,), text="edit", person="Ben")
                session.apply_remote_changes(RemoteChanges((row,)))

    def layer_from_afar(self, n: int) -> None:
        session = self.window.session
        if session is not None and GOLD in session.corpus.layers:
            if self.file_value is not None and THEIRS in session.corpus.layers:
                row = LayerRow(THEIRS, None, False, person="Ben", closes=self.file_value.uid)
            else:
                row = self.file_value = LayerRow(THEIRS, Layer(THEIRS, session.corpus.layers[GOLD].tags), person="Ben")
            session.apply_remote_changes(RemoteChanges(layers=(row,)))

    def own_layer(self, n: int) -> None:
        self.workspace.add_own_layer(self.workspace.target if n % 2 else None)

    def close_layer(self, n: int) -> None:
        session = self.window.session
        if session is not None and session.corpus.layers:
            keys = list(session.corpus.layers)
            self.workspace.attempt(lambda: session.remove(keys[n % len(keys)]))

    def add_texts(self, n: int) -> None:
        session = self.window.session
        if session is not None and GOLD in session.corpus.layers and TextRole.MT not in session.corpus.texts:
            session.extend(add_texts_to(session.corpus))

    def move_threshold(self, n: int) -> None:
        session = self.window.session
        if session is not None:
            for layer in session.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES):
                session.set_threshold(layer.key.name, (n % 10) / 10)

    def other_kind(self, n: int) -> None:
        kinds = self.workspace.kinds()
        if kinds:
            self.workspace.set_kind(kinds[n % len(kinds)])

    def go(self, n: int) -> None:
        self.workspace.go_to(n)

    def show_area(self, n: int) -> None:
        self.window.shell.show_area(("scores", "inspect", "rate")[n % 3])

    def filter(self, n: int) -> None:
        if self.workspace.session is not None:
            area = self.window.shell.area("inspect")
            (area.filters.bad.toggle if n % 2 else area.filters.reset)()

    def side_by_side(self, n: int) -> None:
        layers = self.window.wiring.scores.layers
        if len(layers) > 1:
            level, reference = self.workspace.level, self.workspace.reference
            self.workspace.segments_requested.emit(
                layers[n % len(layers)], layers[0], ("MCC", "phr-F1-mult")[n % 2], level, reference
            )

    def compare_otherwise(self, n: int) -> None:
        service = self.window.wiring.comparison
        service.set_metric(("F1-mult", "MCC", "kappa")[n % 3])
        service.set_options(
            replace(service.options, unit=("segment", "document")[n % 2], rounds=(100, 200)[n // 2 % 2])
        )

    def let_jobs_end(self, n: int) -> None:
        self.window.wait_until(self.window.shell.jobs.is_idle)


ACTIONS = {name: action for name, action in vars(Actor).items() if not name.startswith("_")}
STEPS = st.lists(st.tuples(st.sampled_from(sorted(ACTIONS)), st.integers(0, 60)), min_size=2, max_size=14)


@pytest.fixture
def path(tmp_path):
    project_path = tmp_path / "small.qedesk"
    Project.create(project_path, small_corpus(), person="Anna").close()
    return project_path


@pytest.fixture
def window(qtbot, tmp_path):
    test_window = ProjectWindow(qtbot, "Anna", tmp_path / "settings.ini")
    test_window.shell.resize(1280, 800)
    yield test_window
    test_window.discard()
    test_window.close()


def test_repaints_between_deliveries_raise_no_error(window, path):
    actor = Actor(window, path)
    painted = 0

    @settings(max_examples=12)
    @given(STEPS)
    def any_sequence(steps):
        nonlocal painted
        actor.open_large(0)
        with repaint_during_signals() as profiler:
            for name, n in steps:
                ACTIONS[name](actor, n)
        painted += profiler.paints
        window.wait_until(window.shell.jobs.is_idle)
        window.discard()

    any_sequence()
    assert painted > 0


def test_edit_and_new_corpora_before_the_next_paint_raise_no_error(window, path):
    actor = Actor(window, path)
    actor.open_large(0)
    window.wait_until(window.shell.jobs.is_idle)
    window.workspace.go_to(120)
    with repaint_during_signals() as profiler:
        actor.edit(120)
        actor.open_small(0)
        actor.open_rich(0)
        actor.close(0)
    assert profiler.paints > 20
    window.wait_until(window.shell.jobs.is_idle)


def test_texts_and_scores_added_later_show_their_columns_and_orders(window, path):
    actor = Actor(window, path)
    actor.open_large(0)
    area = window.shell.area("inspect")
    assert area.view.isColumnHidden(SegmentColumn.SOURCE)
    assert area.model.index(0, SegmentColumn.MT).data() == ""
    area.filters.bad.click()
    window.wait_until(window.shell.jobs.is_idle)
    actor.edit(3)
    actor.add_texts(0)
    window.wait_until(window.shell.jobs.is_idle)
    assert not area.view.isColumnHidden(SegmentColumn.SOURCE)
    assert not area.view.isColumnHidden(SegmentColumn.DOCUMENT)
    assert area.model.index(0, SegmentColumn.MT).data() == "eins zwei drei"
    assert not area.filters.document.isHidden()
    assert "highest hter first" in " ".join(area.filters.order.itemText(n) for n in range(area.filters.order.count()))
    # the filter and the edit are kept
    assert area.filters.bad.isChecked()
    assert window.session.edited_tags() == 1
    assert area.reader.page.block(Kind.WORDS).layout.tokens == ("eins", "zwei", "drei")
