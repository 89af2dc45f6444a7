"""Caches of the post-editing study: the same figures as without a cache, and one comparison per edit."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import (
    Corpus,
    JobFile,
    Kind,
    Layer,
    LayerKey,
    NumberColumn,
    Provenance,
    QeError,
    ReviewStatus,
    TagColumn,
    TextColumn,
    TextRole,
    TranslationJob,
)
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.review.review_log import recorded_visits
from qe_desktop.project.review.visits import KeyKind, Visit
from qe_desktop.significance import BootstrapWeights, bootstrap_weights
from qe_desktop.significance import bootstrap as bootstrap_module
from qe_desktop.studies.post_editing import reviewed_segments as edited_module
from qe_desktop.studies.post_editing import reviewed_segments as known_module
from qe_desktop.studies.post_editing.post_editing_study import study_post_editing
from qe_desktop.studies.post_editing.reviewed_segments import (
    Pair,
    RecentCache,
    SegmentEdits,
    TextCache,
    count_reviewed_edits,
    select_reviewed,
)
from tests.small_corpora import tags
from tests.studies.post_editing.reviewed_corpus import MT, POST_EDIT, SOURCE, make_corpus, make_session

TARGETS = (*MT, *POST_EDIT, "drücken Sie, bitte: Stopp!", "Auf  wiedersehen", "⟨⟨x⟩", "a\u2028b")


def tokenized_corpus() -> Corpus:
    """Return a corpus whose tokens differ from the words of the raw text; one segment does not match it at all."""
    written = ("die Pumpe startet.", "drücken Sie „Stopp“", "ganz anders", "öffnen - nie", "")
    tokens = ("die Pumpe startet .", 'drücken Sie &quot; Stopp "', "die Dichtung muss sitzen", "öffnen @-@ nie", "")
    texts = {TextRole.SOURCE: SOURCE, TextRole.MT: tokens, TextRole.RAW_MT: written}
    layer = Layer(LayerKey(Provenance.SYSTEM, "qe", Kind.WORDS), tags("oobo", "oobbo", "obob", "bob", ""))
    return Corpus("raw", 5, {role: TextColumn.of(lines) for role, lines in texts.items()}, {layer.key: layer})


def job_corpus() -> Corpus:
    """Return a corpus of a bilingual file with inline codes, P(BAD) per word, and scores of a system."""
    lines = ("⟨1⟩die⟨/1⟩ Pumpe startet", "drücken Sie ⟨1/⟩", "die Dichtung\u2028muss sitzen", "öffnen nie", "ok")
    plain = ("die Pumpe startet", "drücken Sie", "die Dichtung muss sitzen", "öffnen nie", "ok")
    column, text = TextColumn.of(lines), TextColumn.of(plain)
    statuses = np.array([0, ReviewStatus.CONFIRMED, 0, 0, ReviewStatus.LOCKED], np.uint8)
    translation_job = TranslationJob(
        (JobFile("a.xlf", "/a.xlf", "xliff", b"", 0, 5),), column, column, statuses, np.zeros(5, bool)
    )
    numbers = NumberColumn(
        np.linspace(0, 1, 12, dtype=np.float32), TagColumn.of([[0] * 3, [0] * 2, [0] * 4, [0] * 2, [0]]).offsets
    )
    layers = [
        Layer(LayerKey(Provenance.SYSTEM, "p", Kind.PROBABILITIES), numbers),
        Layer(LayerKey(Provenance.SYSTEM, "s", Kind.SCORES), np.array([0.1, np.nan, 0.5, 0.9, 0.2])),
    ]
    texts = {TextRole.SOURCE: text, TextRole.MT: text, TextRole.RAW_MT: text}
    return Corpus("job", 5, texts, {layer.key: layer for layer in layers}, job=translation_job)


def plain_value(value):
    """Return a comparable value: arrays and columns as lists, NaN as a string."""
    if isinstance(value, TextColumn):
        return list(value.lines())
    if isinstance(value, TagColumn):
        return value.values.tolist(), value.offsets.tolist()
    if isinstance(value, np.ndarray):
        return value.dtype.str, plain_value(value.tolist())
    if isinstance(value, float):
        return "NaN" if value != value else value
    if dataclasses.is_dataclass(value):
        return {field.name: plain_value(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {key: plain_value(item) for key, item in value.items()}
    return [plain_value(item) for item in value] if isinstance(value, list | tuple) else value


_segment = st.integers(0, 4)
_steps = st.lists(
    st.one_of(
        st.tuples(st.just("target"), _segment, st.sampled_from(TARGETS)),
        st.tuples(
            st.just("status"),
            _segment,
            st.sampled_from((ReviewStatus.CONFIRMED, ReviewStatus.REJECTED, ReviewStatus.OPEN)),
        ),
        st.tuples(st.just("threshold"), st.floats(0, 1)),
        st.tuples(st.just("visit"), _segment, st.floats(0, 99)),
        st.tuples(st.just("system"), st.integers(0, 2**12 - 1)),
        st.tuples(st.sampled_from(("undo", "redo", "again"))),
    ),
    min_size=1,
    max_size=8,
)


def apply_step(review_session: Session, step) -> None:
    match step:
        case ("target", segment, text):
            set_if_allowed(review_session, segment, ReviewField.TARGET, text)
        case ("status", segment, status):
            set_if_allowed(review_session, segment, ReviewField.STATUS, int(status))
        case ("threshold", value):
            review_session.set_threshold("p", value)
        case ("visit", segment, seconds):
            review_session.reviewing.add_visit(segment, Visit(1e9, 1e9 + 100, seconds, keys=((KeyKind.LETTER, 3),)))
        case ("system", bits):
            key, offsets = LayerKey(Provenance.SYSTEM, "new", Kind.WORDS), review_session.corpus.offsets(Kind.WORDS)
            values = (np.uint64(bits) >> np.arange(offsets[-1], dtype=np.uint64)) & np.uint64(1)
            review_session.extend(
                review_session.corpus.with_layer(Layer(key, TagColumn(values.astype(np.uint8), offsets), form="n"))
            )
        case ("undo",):
            review_session.undo()
        case ("redo",):
            review_session.redo()


def set_if_allowed(review_session: Session, segment: int, field: ReviewField, value) -> None:
    if review_session.view.status(segment) is not ReviewStatus.LOCKED:
        review_session.reviewing.set({segment: {field: value}})


@settings(max_examples=80)
@given(st.sampled_from((make_corpus, tokenized_corpus, job_corpus)), _steps)
def test_cached_study_equals_a_fresh_study_after_any_edits(opened, steps):
    review_session = Session(opened(), person="ann")
    texts, edits = TextCache(), RecentCache[Pair, SegmentEdits]()
    for step in steps:
        apply_step(review_session, step)
        view, works = review_session.view, recorded_visits(review_session.reviewing.visits())
        try:
            fresh = study_post_editing(select_reviewed(view), works, rounds=40)
        except QeError as error:
            with pytest.raises(QeError, match=str(error).split(".")[0]):
                select_reviewed(view, cache=texts)
            continue
        cached = study_post_editing(select_reviewed(view, cache=texts), works, rounds=40, cache=edits)
        assert plain_value(cached) == plain_value(fresh)


def test_one_edit_compares_only_its_segment(monkeypatch):
    compared: list[list[Pair]] = []
    real = edited_module._compare_pairs
    monkeypatch.setattr(edited_module, "_compare_pairs", lambda pairs: compared.append(list(pairs)) or real(pairs))
    review_session, texts, edits = make_session(), TextCache(), RecentCache[Pair, SegmentEdits]()
    count_reviewed_edits(select_reviewed(review_session.view, cache=texts), cache=edits)
    assert [len(pairs) for pairs in compared] == [4]
    review_session.reviewing.set({2: {ReviewField.TARGET: "die Dichtung sitzt"}})
    count_reviewed_edits(select_reviewed(review_session.view, cache=texts), cache=edits)
    assert compared[1:] == [[(MT[2], "die Dichtung sitzt")]]
    count_reviewed_edits(select_reviewed(review_session.view, cache=texts), cache=edits)
    assert len(compared) == 2


def test_carriage_returns_do_not_change_the_token_counts():
    review_session = make_session()
    reviewed = dataclasses.replace(
        select_reviewed(review_session.view),
        mt=TextColumn.of(["a b\r", "\r"] * 2),
        post_edit=TextColumn.of(["a b", "\r "] * 2),
    )
    assert count_reviewed_edits(reviewed).words.lengths().tolist() == reviewed.mt.token_counts().tolist()


def test_cache_keeps_only_the_latest_keys_up_to_its_maximum():
    requested: list[list[int]] = []

    def count(keys: list[int]) -> list[int]:
        requested.append(keys)
        return [key * key for key in keys]

    known = RecentCache[int, int](max_values=3)
    assert known.get_values([1, 2, 2, 3], count) == [1, 4, 4, 9]
    assert known.get_values([3, 4], count) == [9, 16]
    assert known.get_values([1, 3, 4], count) == [1, 9, 16]
    assert requested == [[1, 2, 3], [4], [1]]
    assert known.get_values([5, 6, 7, 8, 9], count) == [25, 36, 49, 64, 81]
    assert len(known._values) == 3
    assert known.get_values([], count) == []


def test_stopped_work_resumes_after_the_completed_blocks(monkeypatch):
    monkeypatch.setattr(known_module, "SEGMENTS_PER_BLOCK", 2)
    requested: list[list[int]] = []
    known = RecentCache[int, int]()

    def count(keys: list[int]) -> list[int]:
        requested.append(keys)
        return keys

    def stop(share: float) -> None:
        if share > 0.5:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        known.get_values(range(6), count, stop)
    assert known.get_values(range(6), count) == list(range(6))
    assert requested == [[0, 1], [2, 3], [4, 5]]


@given(st.integers(40, 300), st.integers(0, 9), st.integers(1, 50), st.sampled_from((0, 1 << 20)))
def test_cached_bootstrap_weights_equal_those_drawn_directly(rounds, seed, units, max_cached):
    before = bootstrap_module.MAX_CACHED_WEIGHTS
    bootstrap_module.MAX_CACHED_WEIGHTS = max_cached
    try:
        draws = BootstrapWeights(rounds, seed)
        for _ in range(2):
            direct = bootstrap_weights(rounds, seed, units)
            for (index, weights), (expected_index, expected) in zip(draws.weight_blocks(units), direct, strict=True):
                assert index == expected_index
                assert weights.tolist() == expected.tolist()
    finally:
        bootstrap_module.MAX_CACHED_WEIGHTS = before
