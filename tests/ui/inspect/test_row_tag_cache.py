"""Cached row tags and the review queue equal freshly computed ones after edits, undo, redo and closed layers."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, ReviewStatus, TagColumn
from qe_desktop.corpus.tag_voting import VotingRule, segment_marks
from qe_desktop.project import Edit, ReviewField, Session, SessionChange
from qe_desktop.project.segment_filter import flagged_segments, unfinished_segments
from qe_desktop.ui.inspect.postedit.review_queue import ReviewQueue
from qe_desktop.ui.inspect.segment_list.row_tags import MAX_CACHED_ROWS, RowTagCache, bad_positions, disputed_positions
from tests.small_corpora import corpus_of, random_tags, tags
from tests.ui.inspect.conftest import GOLD, A, B, rich_corpus

OWN = LayerKey(Provenance.PERSON, "me", Kind.WORDS)
KINDS = (Kind.WORDS, Kind.SOURCE, Kind.GAPS)
TARGETS = ("Die Katze", "Hallo Welt !", "x", "שלום")
_segment = st.integers(0, 3)
_steps = st.lists(
    st.one_of(
        st.tuples(st.just("tag"), st.sampled_from((GOLD, OWN)), _segment, st.integers(0, 2), st.booleans()),
        st.tuples(st.just("target"), _segment, st.sampled_from(TARGETS)),
        st.tuples(st.just("confirm"), _segment),
        st.tuples(st.just("threshold"), st.floats(0, 1)),
        st.tuples(st.just("close"), st.sampled_from((GOLD, OWN, A, B))),
        st.tuples(st.sampled_from(("own", "undo", "redo"))),
    ),
    max_size=12,
)


def apply_step(session: Session, step) -> None:
    match step:
        case ("tag", key, segment, word, bad) if key in session.corpus.layers:
            session.apply(Edit(key, segment, (word,), (int(bad),)))
        case ("target", segment, text):
            session.reviewing.set({segment: {ReviewField.TARGET: text}})
        case ("confirm", segment):
            session.reviewing.set({segment: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
        case ("threshold", value):
            session.set_threshold("A", value)
        case ("close", key) if key in session.corpus.layers:
            session.remove(key)
        case ("own",):
            session.add_person(OWN.name, OWN.kind, next(iter(session.view.tag_layers(OWN.kind)), None))
        case ("undo",):
            session.undo()
        case ("redo",):
            session.redo()


@settings(max_examples=60)
@given(_steps, st.booleans(), st.sampled_from(VotingRule))
def test_row_tag_cache_and_review_queue_follow_every_change(steps, gold, rule):
    session = Session(rich_corpus(), person="me")
    if not gold:
        for key in [key for key in session.corpus.layers if key.name == "gold"]:
            session.remove(key)
    changes: list[SessionChange] = []
    session.subscribe(changes.append)
    rows, queue = RowTagCache(session.view, VotingRule.ANY), ReviewQueue(lambda: rule)
    for step in [None, *steps]:
        changes.clear()
        apply_step(session, step)
        for change in changes:
            # as in SegmentModel
            rows = RowTagCache(session.view, VotingRule.ANY) if change.affects_all_views else rows
            rows.update_view(session.view, change.segments)
        view = session.view
        assert (
            queue.flagged_unfinished(view).tolist()
            == (flagged_segments(view, rule) & unfinished_segments(view)).tolist()
        )
        for kind in KINDS:
            for segment in range(4):
                marks, fresh = rows.marks(kind, segment), segment_marks(view, kind, segment, VotingRule.ANY)
                assert (marks is None) == (fresh is None)
                assert marks is None or marks.tolist() == fresh.tolist()
                assert rows.bad_count(kind, segment) == len(bad_positions(view, kind, segment, VotingRule.ANY))
                assert rows.disputed_count(kind, segment) == len(disputed_positions(view, kind, segment))


def test_positions_are_disputed_where_any_two_layers_differ():
    view = Session(corpus_of(tags("obob", ""), {"a": tags("obbb", ""), "b": tags("oobb", "")})).view
    assert disputed_positions(view, Kind.WORDS, 0) == [1, 2]
    assert disputed_positions(view, Kind.WORDS, 1) == []
    single = Session(corpus_of(tags("ob"), {})).view
    assert disputed_positions(single, Kind.WORDS, 0) == []


def test_row_tag_cache_is_bounded():
    lengths = [1] * (2 * MAX_CACHED_ROWS)
    view = Session(corpus_of(random_tags(lengths, 0.5, 1), {})).view
    rows = RowTagCache(view, VotingRule.ANY)
    counts = [rows.bad_count(Kind.WORDS, segment) for segment in range(view.corpus.size)]
    assert counts == view.tags(GOLD).values.tolist()
    assert len(rows._marks) <= MAX_CACHED_ROWS


def test_review_queue_does_not_rescan_unchanged_tags(monkeypatch):
    scanned: list[TagColumn] = []
    real = TagColumn.bad_segments
    monkeypatch.setattr(TagColumn, "bad_segments", lambda column: scanned.append(column) or real(column))
    session = Session(corpus_of(None, {"a": tags("ob", "o"), "b": tags("oo", "b")}), person="me")
    rules = [VotingRule.ANY]
    queue = ReviewQueue(lambda: rules[-1])
    queue.flagged_unfinished(session.view)
    assert len(scanned) == 2
    # the first edit adds the tag and HTER layers of the post-edit
    session.reviewing.set({0: {ReviewField.TARGET: "w0 else"}})
    assert session.view.tag_layers(Kind.WORDS) != list(session.corpus.layers)
    assert queue.flagged_unfinished(session.view).tolist() == [True, True]
    assert len(scanned) == 2
    key = LayerKey(Provenance.SYSTEM, "c", Kind.WORDS)
    session.extend(session.corpus.with_layer(Layer(key, tags("oo", "o"), form="n")))
    assert queue.flagged_unfinished(session.view).tolist() == [True, True]
    # another system changes the result of the voting
    assert len(scanned) == 5
    rules.append(VotingRule.MAJORITY)
    assert queue.flagged_unfinished(session.view).tolist() == [False, False]
