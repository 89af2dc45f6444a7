"""Live scores equal a full recount after any sequence of edits, undo and redo."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from qe_desktop.corpus import Kind
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.metrics import WORD_METRICS
from qe_desktop.project import Edit, LiveScores, Session
from tests.project.small_session import GOLD, make_session, recount, start_live_scores
from tests.small_corpora import corpus_of, noisy, random_tags


def test_edits_made_during_a_count_are_applied_to_live_scores():
    current = make_session()
    live = LiveScores(WORD_LEVEL)
    current.subscribe(lambda change: live.update(change, current.view))
    live.start(current.view)
    totals = live.count()
    current.apply(Edit(GOLD, 0, (0,), (1,)))
    assert live.totals is None
    live.finish(totals, current.view)
    current.apply(Edit(GOLD, 2, (0,), (1,)))
    for name, values in recount(current).items():
        live_values = next(live.scores(metric) for metric in WORD_METRICS.values() if metric.name == name)
        assert live_values == pytest.approx(values, nan_ok=True), name


class Editing(RuleBasedStateMachine):
    """Any sequence of edits, undo and redo: live scores equal a recount, and tags equal those of a list of states."""

    @initialize(seed=st.integers(0, 1000))
    def open(self, seed):
        gold = random_tags(np.random.default_rng(seed).integers(0, 8, 6), 0.3, seed)
        self.session = Session(corpus_of(gold, {"a": noisy(gold, 0.2, 1), "b": noisy(gold, 0.5, 2)}))
        self.mine = self.session.add_person("Anna", Kind.WORDS, copy_of=GOLD)
        self.live = start_live_scores(self.session)
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
        # the saved state may have been on the redo branch that this edit discarded
        self.saved = {
            key: position if position is not None and position < self.place else None
            for key, position in self.saved.items()
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
        self.session.mark_saved([layer])
        self.saved[layer] = self.place

    @invariant()
    def unsaved_layers_are_reported(self):
        """A layer is unsaved if one of its edits lies between the saved state and the current one."""
        for layer, position in self.saved.items():
            if position is None:
                continue
            low, high = sorted((position, self.place))
            between = layer in self.layers[low:high]
            assert (layer in self.session.unsaved_layers()) == between

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
