"""Edits, undo and redo, and live scores that always equal a full recount."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from qe_desktop.corpus import (
    Corpus,
    Kind,
    Layer,
    LayerKey,
    NumberColumn,
    Provenance,
    QeError,
    TextColumn,
    TextRole,
    offsets_of,
)
from qe_desktop.levels.words import WORDS
from qe_desktop.metrics import WORD_METRICS
from qe_desktop.project import Edit, LiveScores, Session
from qe_desktop.project.events import EditRow, LayerRow, News
from tests.building import corpus_of, noisy, random_tags, tags

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
A, B = (LayerKey(Provenance.SYSTEM, name, Kind.WORDS) for name in "ab")


def session() -> Session:
    gold = tags("oob", "boob", "o")
    return Session(corpus_of(gold, {"a": tags("obb", "boob", "b"), "b": tags("ooo", "oooo", "o")}))


def started(one: Session) -> LiveScores:
    live = LiveScores(WORDS)
    assert live.start(one.view)
    live.finish(live.count(), one.view)
    return live


def recount(one: Session) -> dict[str, list[float]]:
    live = started(one)
    return {metric.name: live.scores(metric).tolist() for metric in WORD_METRICS.values()}


def test_edit_undo_redo_and_their_names():
    one = session()
    change = one.apply(Edit(GOLD, 1, (1,), (1,)))
    assert change.text == "word 2 OK → BAD, segment 2"
    assert change.segments == (1,)
    assert one.view.segment_tags(GOLD, 1).tolist() == [1, 1, 0, 1]
    assert one.view.loaded(GOLD)[1].tolist() == [1, 0, 0, 1]
    assert one.view.tags(GOLD)[1].tolist() == [1, 1, 0, 1]
    assert one.undo_text == "word 2 OK → BAD, segment 2"
    assert one.edited_tags() == 1
    assert one.unsaved() == [GOLD]
    assert one.undo() is not None
    assert one.view.segment_tags(GOLD, 1).tolist() == [1, 0, 0, 1]
    assert one.edited_tags() == 0
    assert one.unsaved() == []
    assert one.redo() is not None
    assert one.view.edited_segments(GOLD) == [1]
    assert one.redo() is None


def test_several_words_are_one_edit():
    one = session()
    change = one.apply(Edit(GOLD, 1, (0, 1, 2), (1, 1, 1)))
    assert change.text == "2 words → BAD, segment 2"
    one.undo()
    assert one.view.segment_tags(GOLD, 1).tolist() == [1, 0, 0, 1]


def test_what_a_system_said_cannot_be_edited():
    one = session()
    with pytest.raises(QeError, match="cannot be edited"):
        one.apply(Edit(A, 0, (0,), (1,)))
    assert one.undo_text == ""


def test_saving_and_editing_on():
    one = session()
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    one.saved([GOLD])
    assert one.unsaved() == []
    one.undo()
    assert one.unsaved() == [GOLD]


def test_an_edit_after_going_back_behind_the_saved_state_is_unsaved():
    one = session()
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    one.saved([GOLD])
    one.undo()
    one.apply(Edit(GOLD, 1, (1,), (1,)))
    assert one.unsaved() == [GOLD]
    one.undo()
    assert one.unsaved() == [GOLD]


def test_an_edit_that_changes_nothing_is_none():
    one = session()
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    one.undo()
    assert one.apply(Edit(GOLD, 0, (0,), (0,))).segments == ()
    assert one.unsaved() == []
    assert one.redo() is not None


def test_a_layer_that_comes_again_brings_its_own_probabilities():
    key, said = LayerKey(Provenance.SYSTEM, "p", Kind.PROBABILITIES), LayerKey(Provenance.SYSTEM, "p", Kind.WORDS)

    def with_numbers(corpus, *numbers):
        return corpus.with_layer(Layer(key, NumberColumn(np.array(numbers, np.float32), offsets_of([3]))))

    one = Session(with_numbers(corpus_of(tags("obo"), {}), 0.9, 0.1, 0.1))
    one.set_threshold("p", 0.05)
    assert one.view.segment_tags(said, 0).tolist() == [1, 1, 1]
    one.remove(said)
    assert one.view.tracks(Kind.WORDS) == [GOLD]
    one.extend(with_numbers(one.corpus, 0.1, 0.9, 0.9))
    assert one.view.segment_tags(said, 0).tolist() == [0, 1, 1]


def test_a_person_has_a_layer_of_their_own():
    one = session()
    mine = one.add_person("Anna", Kind.WORDS, copy_of=A)
    assert one.view.tags(mine) == one.view.tags(A)
    one.apply(Edit(mine, 0, (0,), (1,)))
    assert one.view.segment_tags(A, 0).tolist() == [0, 1, 1]
    assert one.view.scored(Kind.WORDS) == [mine, A, B]
    gaps = one.add_person("Anna", Kind.GAPS)
    assert one.view.tags(gaps).lengths().tolist() == [4, 5, 2]
    one.remove(mine)
    assert one.undo() is None
    assert one.edited_tags() == 0


def test_without_gold_a_person_is_the_reference():
    one = Session(corpus_of(None, {"a": tags("ob"), "b": tags("oo")}))
    assert one.view.reference(Kind.WORDS) is None
    assert one.view.scored(Kind.WORDS) == []
    assert not LiveScores(WORDS).start(one.view)
    mine = one.add_person("Anna", Kind.WORDS, copy_of=A)
    assert one.view.reference(Kind.WORDS) == mine
    assert recount(one)["accuracy"] == [1.0, 0.5]


def test_the_threshold_turns_probabilities_into_tags():
    gold = tags("obo")
    key = LayerKey(Provenance.SYSTEM, "p", Kind.PROBABILITIES)
    numbers = NumberColumn(np.array([0.2, 0.9, 0.6], np.float32), offsets_of([3]))
    one = Session(corpus_of(gold, {}).with_layer(Layer(key, numbers)))
    said = LayerKey(Provenance.SYSTEM, "p", Kind.WORDS)
    assert one.view.tracks(Kind.WORDS) == [GOLD, said]
    assert one.view.segment_tags(said, 0).tolist() == [0, 1, 1]
    change = one.set_threshold("p", 0.7)
    assert change.layers
    assert one.view.segment_tags(said, 0).tolist() == [0, 1, 0]
    assert one.set_threshold("p", 3.0)
    assert one.threshold("p") == 1.0


def test_source_offsets_come_from_the_source():
    corpus = Corpus("c", 1, {TextRole.SOURCE: TextColumn.of(["a b c"]), TextRole.MT: TextColumn.of(["x"])}, eos=True)
    assert [list(corpus.offsets(kind)) for kind in (Kind.SOURCE, Kind.WORDS, Kind.GAPS)] == [[0, 3], [0, 2], [0, 2]]


def test_edits_made_while_scores_are_counted_are_caught_up_with():
    one = session()
    live = LiveScores(WORDS)
    one.subscribe(lambda change: live.update(change, one.view))
    live.start(one.view)
    totals = live.count()
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    assert live.totals is None
    live.finish(totals, one.view)
    one.apply(Edit(GOLD, 2, (0,), (1,)))
    for name, values in recount(one).items():
        now = next(live.scores(metric) for metric in WORD_METRICS.values() if metric.name == name)
        assert now == pytest.approx(values, nan_ok=True), name


class Editing(RuleBasedStateMachine):
    """Any sequence of edits, undo and redo: live scores equal a recount, and tags equal a plain history."""

    @initialize(seed=st.integers(0, 1000))
    def open(self, seed):
        gold = random_tags(np.random.default_rng(seed).integers(0, 8, 6), 0.3, seed)
        self.session = Session(corpus_of(gold, {"a": noisy(gold, 0.2, 1), "b": noisy(gold, 0.5, 2)}))
        self.mine = self.session.add_person("Anna", Kind.WORDS, copy_of=GOLD)
        self.live = started(self.session)
        self.session.subscribe(lambda change: self.live.update(change, self.session.view))
        self.history = [self.state()]
        self.layers = []
        self.place = 0
        self.saved = {GOLD: 0, self.mine: 0}

    def state(self):
        return {key: self.session.view.tags(key).values.tolist() for key in (GOLD, self.mine)}

    @rule(data=st.data(), own=st.booleans())
    def edit(self, data, own):
        layer = self.mine if own else GOLD
        segment = data.draw(st.integers(0, 5))
        words = len(self.session.view.segment_tags(layer, segment))
        if not words:
            return
        places = data.draw(st.lists(st.integers(0, words - 1), min_size=1, max_size=4, unique=True))
        new = data.draw(st.lists(st.integers(0, 1), min_size=len(places), max_size=len(places)))
        change = self.session.apply(Edit(layer, segment, tuple(places), tuple(new)))
        if not change.segments:
            assert self.state() == self.history[self.place]
            return
        self.history = [*self.history[: self.place + 1], self.state()]
        self.layers = [*self.layers[: self.place], layer]
        self.place += 1
        # what is saved may lie on a branch that is gone now
        self.saved = {
            key: place if place is not None and place < self.place else None for key, place in self.saved.items()
        }

    @precondition(lambda self: self.place > 0)
    @rule()
    def undo(self):
        self.session.undo()
        self.place -= 1

    @precondition(lambda self: self.place + 1 < len(self.history))
    @rule()
    def redo(self):
        self.session.redo()
        self.place += 1

    @rule(own=st.booleans())
    def save(self, own):
        layer = self.mine if own else GOLD
        self.session.saved([layer])
        self.saved[layer] = self.place

    @invariant()
    def what_is_unsaved_is_said(self):
        """A layer is in its file where none of its edits lies between now and the state that was saved."""
        for layer, place in self.saved.items():
            if place is None:
                continue
            low, high = sorted((place, self.place))
            between = layer in self.layers[low:high]
            assert (layer in self.session.unsaved()) == between

    @invariant()
    def tags_are_those_of_the_history(self):
        assert self.state() == self.history[self.place]
        loaded = self.history[0]
        differing = sum(a != b for key, now in self.state().items() for a, b in zip(now, loaded[key], strict=True))
        assert self.session.edited_tags() == differing

    @invariant()
    def live_scores_equal_a_recount(self):
        live = {metric.name: self.live.scores(metric).tolist() for metric in WORD_METRICS.values()}
        full = recount(self.session)
        for name, values in full.items():
            assert live[name] == pytest.approx(values, abs=1e-9, nan_ok=True), name


TestEditing = Editing.TestCase
TestEditing.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)


# --- what goes into a project


def kept(one: Session) -> list:
    rows: list = []
    one.keep_in(rows.extend, "Anna", "w")
    return rows


def test_in_a_project_every_change_is_a_row_and_nothing_is_unsaved():
    one = session()
    rows = kept(one)
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    one.undo()
    mine = one.add_person("Anna", Kind.WORDS)
    one.remove(mine)
    one.set_threshold("p", 0.3)
    assert one.unsaved() == []
    assert [type(row).__name__ for row in rows] == ["EditRow", "EditRow", "LayerRow", "LayerRow", "SettingRow"]
    assert {(row.person, row.window) for row in rows} == {("Anna", "w")}
    assert [row.added for row in rows[2:4]] == [True, False]
    assert rows[2].layer.key == mine


def test_a_session_that_can_only_be_read_refuses_in_words():
    one = session()
    one.read_only = "the disk takes no changes"
    for act in (
        lambda: one.apply(Edit(GOLD, 0, (0,), (1,))), one.undo, one.redo, lambda: one.remove(A),
        lambda: one.add_person("Anna", Kind.WORDS), lambda: one.extend(one.corpus),
    ):  # fmt: skip
        with pytest.raises(QeError, match="takes no changes"):
            act()
    assert one.edited_tags() == 0


def test_a_layer_that_is_replaced_keeps_what_a_person_changed():
    one = session()
    one.apply(Edit(GOLD, 1, (1, 2), (1, 1)))
    rows = kept(one)
    other = Layer(GOLD, tags("bbb", "oooo", "o"), origin="other.tags")
    one.extend(one.corpus.with_layer(other))
    assert one.view.tags(GOLD) == tags("bbb", "obbo", "o")
    assert one.view.loaded(GOLD)[0].tolist() == [1, 1, 1]
    assert one.edited_tags() == 2
    assert [(type(row).__name__, getattr(row, "added", None)) for row in rows] == [
        ("LayerRow", False),
        ("LayerRow", True),
        ("EditRow", None),
    ]
    assert one.undo_text == "2 words → BAD, segment 2"
    one.undo()
    assert one.view.tags(GOLD) == other.tags


def test_what_others_did_is_told_as_theirs_and_unknown_layers_are_left_out():
    one = session()
    changes = []
    one.subscribe(changes.append)
    words = "word 2 OK → BAD, segment 2"
    row = EditRow("u1", GOLD, 1, (1,), (1,), (0,), text=words, person="Ben", seq=1, layer_uid=one.layer_uids()[GOLD])
    gone = LayerKey(Provenance.PERSON, "gone", Kind.WORDS)
    closed = replace(row, uid="u4", layer_uid="that of a layer that was closed")
    one.hear(
        News(
            (
                row,
                replace(row, uid="u2", layer=gone),
                replace(row, uid="u3", segment=99),
                closed,
            )
        )
    )
    assert [(change.text, change.segments, change.remote) for change in changes] == [
        ("Ben: word 2 OK → BAD, segment 2", (1,), True)
    ]
    assert one.undo() is None
    assert one.edited_tags() == 1
    one.apply(Edit(GOLD, 1, (2,), (1,)))
    one.hear(News((replace(row, uid="u5", tags=(0,), before=(1,), seq=2),)))
    assert one.view.segment_tags(GOLD, 1).tolist() == [1, 0, 1, 1]


def test_the_order_of_the_project_decides_who_was_last():
    one = session()
    rows = kept(one)
    one.apply(Edit(GOLD, 0, (0,), (1,)))
    theirs = EditRow("u1", GOLD, 0, (0,), (0,), (1,), person="Ben", seq=1, layer_uid=one.layer_uids()[GOLD])
    one.hear(News((theirs,)))
    # what the project does not have yet comes after all that it has
    assert one.view.segment_tags(GOLD, 0).tolist() == [1, 0, 1]
    changes = []
    one.subscribe(changes.append)
    one.hear(
        News(
            (
                replace(rows[0], seq=2),
                replace(theirs, uid="u2", seq=3),
            )
        )
    )
    assert one.view.segment_tags(GOLD, 0).tolist() == [0, 0, 1]
    assert [change.segments for change in changes] == [(0,)]
    one.hear(News((replace(rows[0], seq=2),)))
    assert len(changes) == 1
    assert one.edited_tags() == 0


def test_edits_come_into_their_order_where_nobody_had_edited_before():
    one = session()
    late = EditRow("u1", GOLD, 0, (0,), (0,), (1,), person="Ben", seq=2, layer_uid=one.layer_uids()[GOLD])
    one.hear(
        News(
            (
                late,
                replace(late, uid="u2", tags=(1,), seq=1),
            )
        )
    )
    assert one.view.segment_tags(GOLD, 0).tolist() == [0, 0, 1]


def test_layers_of_others_come_and_go():
    one = session()
    mine = LayerKey(Provenance.PERSON, "Ben", Kind.WORDS)
    one.hear(News(layers=(LayerRow(mine, Layer(mine, tags("ooo", "oooo", "o")), uid="first"),)))
    edit = EditRow("u1", mine, 0, (0,), (1,), (0,), person="Ben", seq=1, layer_uid="first")
    one.hear(News((edit,)))
    assert one.view.tags(mine) == tags("boo", "oooo", "o")
    one.hear(News(layers=(LayerRow(mine, None, False, closes="first"),)))
    assert mine not in one.corpus.layers
    one.hear(News(layers=(LayerRow(mine, Layer(mine, tags("ooo", "oooo", "b")), uid="second"),)))
    one.hear(News(layers=(LayerRow(mine, None, False, closes="first"),)))
    one.hear(News((replace(edit, uid="u2", seq=2),)))
    assert one.view.tags(mine) == tags("ooo", "oooo", "b")
    assert one.edited_tags() == 0
