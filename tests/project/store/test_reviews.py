from __future__ import annotations

import json
import threading
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.corpus.text_spans import DisplayedHighlights, HighlightSpan
from qe_desktop.project.events import EditAction, ReviewField, ReviewRow, ReviewValue, VisitRow, new_uid
from qe_desktop.project.review.visits import KeyKind, TypedChange, Visit
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables.cell_codec import (
    CorruptRowError,
    decode_visit,
    encode_visit,
    row_from_json,
    row_to_json,
)
from qe_desktop.project.store.tables.review_table import are_valid_reviews, validate_review
from tests.project.store.review_rows import NOTE, STATUS, TARGET, VISIT, make_review_row, make_visit_row
from tests.project.store.small_projects import full_corpus, tags_project
from tests.timeouts import PATIENCE

words = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)
VALUES: dict[ReviewField, st.SearchStrategy[ReviewValue]] = {
    TARGET: st.one_of(st.none(), words, st.just("\u2028⟨1⟩⟨⟨\t")),
    STATUS: st.one_of(st.none(), st.integers(0, 3)),
    NOTE: st.one_of(st.none(), words, st.just("in\ntwo lines")),
}
seconds = st.floats(0, 1e9)
stretches = st.lists(st.integers(0, 99), max_size=6).map(
    lambda ends: tuple(HighlightSpan(first, second, first % 2 == 0) for first, second in pairwise(sorted(ends)))
)
highlighted = st.builds(
    DisplayedHighlights, st.lists(words).map(tuple), st.sampled_from(["", "any", "all"]), st.none() | stretches
)
visits = st.builds(
    Visit, seconds, seconds, seconds, seconds, seconds, seconds, st.integers(0, 99), st.integers(0, 99),
    st.dictionaries(st.sampled_from(KeyKind), st.integers(0, 9)).map(lambda keys: tuple(keys.items())),
    st.lists(st.builds(TypedChange, seconds, st.integers(0, 99), words, words), max_size=4).map(tuple), highlighted,
    words, words,
)  # fmt: skip


@st.composite
def review_rows(draw: st.DrawFn) -> ReviewRow:
    fields = tuple(draw(st.lists(st.sampled_from(ReviewField), unique=True, min_size=1)))
    values, befores = (tuple(draw(VALUES[field]) for field in fields) for _ in range(2))
    action = draw(st.sampled_from(EditAction))
    refers = "" if action is EditAction.EDIT else "another"
    uid = new_uid()
    return ReviewRow(
        uid, draw(st.integers(0, 199)), fields, values, befores, action, refers, draw(st.sampled_from(["", "g"])),
        draw(words), draw(st.floats(0, 4e9)), "ann", "w",
    )  # fmt: skip


@given(row=st.one_of(review_rows(), st.builds(VisitRow, st.integers(0, 9), visits, seconds, words, words)))
def test_rows_are_read_back_from_json(row):
    assert row_from_json(json.loads(json.dumps(row_to_json(row), ensure_ascii=True))) == row


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    with tags_project(tmp_path_factory.mktemp("reviews") / "a.qedesk") as created:
        yield created


@given(rows=st.lists(st.one_of(review_rows(), st.builds(VisitRow, st.integers(0, 9), visits, seconds)), max_size=8))
@settings(max_examples=25)
def test_rows_are_stored_unchanged_and_in_order(project, rows):
    counts = [len(stored) for stored in project.review()]
    project.append(rows)
    assert project.flush(PATIENCE)
    assert project.writer.rejected_rows == ()
    added = [stored[before:] for stored, before in zip(project.review(), counts, strict=True)]
    for kind, stored in zip((ReviewRow, VisitRow), added, strict=True):
        assert [without_seq(row) for row in stored] == [row for row in rows if isinstance(row, kind)]
        assert [row.seq for row in stored] == sorted(row.seq for row in stored)


def without_seq(row: ReviewRow | VisitRow) -> ReviewRow | VisitRow:
    return row._replace(seq=0) if isinstance(row, ReviewRow) else replace(row, seq=0)


def test_rows_are_read_back_unchanged_by_another_window(location):
    project = location.create(full_corpus(), person="ann")
    row = make_review_row(project, 3, "das ⟨1⟩ Haus\u2028ü𝄞⟨/1⟩", group="g")
    undo_row = make_review_row(project, 3)._replace(
        values=(None,), befores=row.values, action=EditAction.UNDO, refers=row.uid
    )
    empty_undo = undo_row._replace(uid="n", fields=(), values=(), befores=())
    several = make_review_row(
        project, 1, fields=(STATUS, NOTE), values=(int(ReviewStatus.REJECTED), "why\n?"), befores=(None, "a")
    )
    visit = make_visit_row(project, 2)
    project.append([row, undo_row, visit, empty_undo, several])
    assert project.flush(PATIENCE)
    stored, recorded = location.open("bob").review()
    assert [without_seq(stored) for stored in stored] == [row, undo_row, empty_undo, several]
    assert [replace(stored, seq=0) for stored in recorded] == [visit]


def test_duplicate_rows_are_stored_once(location):
    project = location.create(full_corpus())
    row, visit = make_review_row(project), make_visit_row(project)
    project.append([row, row, visit, visit])
    project.append([visit, row])
    assert project.flush(PATIENCE)
    assert [len(stored) for stored in project.review()] == [1, 1]


def test_new_changes_contain_rows_of_others_and_the_order_of_own_rows(location):
    own_project, other_project = location.create(full_corpus(), person="ann"), location.open("bob")
    for project in (own_project, other_project):
        project.history(), project.review()
        assert not project.new_changes()
    rows = [make_review_row(own_project, 0), make_review_row(own_project, 2)]
    own_project.append([*rows, make_visit_row(own_project, 1)])
    assert own_project.flush(PATIENCE)
    changes = other_project.new_changes()
    assert [(row.uid, row.person, row.window) for row in changes.reviews] == [
        (row.uid, "ann", own_project.window) for row in rows
    ]
    assert [(row.segment, row.visit) for row in changes.visits] == [(1, VISIT)]
    assert not other_project.new_changes()
    mine = own_project.new_changes()
    assert mine.reviews == changes.reviews
    assert all(row.seq for row in mine.reviews)
    assert mine.visits == ()
    assert not own_project.new_changes()


def test_rows_read_and_later_changes_together_are_complete(location):
    own_project, other_project = location.create(full_corpus()), location.open("bob")
    other_project.history()
    own_project.append([make_review_row(own_project, 0), make_visit_row(own_project)])
    assert own_project.flush(PATIENCE)
    assert [len(stored) for stored in other_project.review()] == [1, 1]
    own_project.append([make_review_row(own_project, 1), make_visit_row(own_project)])
    assert own_project.flush(PATIENCE)
    changes = other_project.new_changes()
    assert (len(changes.reviews), len(changes.visits)) == (1, 1)


def test_two_windows_that_write_concurrently_lose_nothing(location):
    own_project, other_project = location.create(full_corpus(), person="ann"), location.open("bob")

    def work(project: Project, segment: int) -> None:
        for number in range(100):
            project.append([make_review_row(project, segment, f"{number}"), make_visit_row(project, segment)])

    threads = [threading.Thread(target=work, args=pair) for pair in ((own_project, 0), (other_project, 3))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert own_project.flush(PATIENCE)
    assert other_project.flush(PATIENCE)
    rows, recorded = own_project.review()
    assert (len(rows), len(recorded)) == (200, 200)
    for person, segment in (("ann", 0), ("bob", 3)):
        mine = [row for row in rows if row.person == person]
        assert [(row.segment, row.values[0]) for row in mine] == [(segment, f"{number}") for number in range(100)]


LONG = "x" * 100_001
INVALID_REVIEWS = (
    {"values": (5,)}, {"values": (LONG,)}, {"values": ("a\x00b",)}, {"values": ("a\nb",)}, {"values": ("\ud800",)},
    {"befores": (LONG,)}, {"befores": ()}, {"fields": (STATUS,)}, {"fields": (STATUS,), "values": (4,)},
    {"fields": (STATUS,), "values": (True,)}, {"fields": (NOTE,), "values": (LONG,)}, {"segment": -1},
    {"fields": (TARGET, TARGET), "values": ("a", "a"), "befores": (None, None)}, {"segment": 2**31}, {"refers": "x"},
    {"action": EditAction.UNDO}, {"at": float("nan")}, {"uid": ""}, {"group": LONG}, {"fields": (), "values": ()},
)  # fmt: skip
INVALID_VISITS = (
    {"seconds": -1.0},
    {"seconds": float("nan")},
    {"pauses": float("inf")},
    {"opened": -5.0},
    {"closed": 1e11},
    {"gaps_300": -1},
    {"keys": ((KeyKind.LETTER, -1),)},
    {"keys": ((KeyKind.LETTER, 1), (KeyKind.LETTER, 2))},
    {"typed": (TypedChange(-1.0, 0, "", "a"),)},
    {"typed": (TypedChange(1.0, -1, "", "a"),)},
    {"typed": (TypedChange(0.0, 0, "", "a"),) * 100_001},
    {"before": LONG},
    {"typed": (TypedChange(1.0, 0, LONG, ""),)},
    {"shown": DisplayedHighlights((5,))},
    {"shown": DisplayedHighlights(("A",), "few")},
    {"shown": DisplayedHighlights(("A",), "", (HighlightSpan(3, 2),))},
    {"shown": DisplayedHighlights(("A",), "", (HighlightSpan(0, 4), HighlightSpan(3, 5)))},
    {"shown": DisplayedHighlights((LONG,))},
    {"typed": (TypedChange(1.0, 0, "a" * 90_000, "𝄞" * 90_000),) * 20},
)


CASES = (
    *INVALID_REVIEWS, {}, {"uid": 5}, {"text": LONG}, {"text": None}, {"values": ([],)}, {"values": ({},)},
    {"values": ("\r",)},
    {"values": ("a", "b")}, {"fields": (STATUS,), "values": (2.0,)}, {"fields": (NOTE,), "values": ("a\nb",)},
    {"at": True}, {"at": "1"}, {"at": -1.0}, {"at": 1e12}, {"segment": True}, {"segment": 200}, {"refers": None},
    {"group": b"g"},
)  # fmt: skip


def is_valid(row: ReviewRow) -> bool:
    try:
        return validate_review(row, 200) is row
    except CorruptRowError:
        return False


@given(st.lists(st.tuples(review_rows(), st.sampled_from(CASES), st.booleans()), max_size=5))
@settings(max_examples=300)
def test_validating_all_rows_together_equals_validating_each(drawn):
    rows = [row._replace(**change) if odd else row for row, change, odd in drawn]
    assert are_valid_reviews(rows, 200) == all(map(is_valid, rows))


def test_a_visit_of_an_earlier_version_has_unknown_highlighted_spans():
    fields = encode_visit(VISIT) | {"marks": "A"}
    del fields["shown"]
    assert decode_visit(fields) == replace(VISIT, shown=DisplayedHighlights(("A",), spans=None))
    assert decode_visit(fields | {"marks": ""}).shown == DisplayedHighlights()


@pytest.mark.parametrize("change", CASES, ids=map(str, range(len(CASES))))
def test_one_invalid_row_is_found_among_many(change):
    rows = [ReviewRow(new_uid(), index, (TARGET,), (f"{index}",), (None,)) for index in range(50)]
    rows[7] = rows[7]._replace(**change)
    assert are_valid_reviews(rows, 200) == is_valid(rows[7])


def test_invalid_rows_are_set_aside_and_the_rest_is_saved(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with tags_project(tmp_path / "a.qedesk") as project:
        invalid = [make_review_row(project)._replace(**change) for change in INVALID_REVIEWS if "at" not in change]
        invalid += [replace(make_visit_row(project), visit=replace(VISIT, **change)) for change in INVALID_VISITS]
        valid = [make_review_row(project), make_visit_row(project)]
        project.append([valid[0], *invalid, valid[1]])
        assert project.flush(PATIENCE)
        assert [row for row, _ in project.writer.rejected_rows] == invalid
        assert [[row.uid for row in stored] for stored in project.review()] == [[row.uid] for row in valid]


def test_rows_with_invalid_times_are_saved(tmp_path):
    with tags_project(tmp_path / "a.qedesk") as project:
        project.append([make_review_row(project)._replace(at=-5.0), replace(make_visit_row(project), at=1e12)])
        assert project.flush(PATIENCE)
        assert [stored[0].at for stored in project.review()] == [0.0, 0.0]


def test_the_summary_states_the_progress_of_the_review(location):
    project = location.create(full_corpus())
    confirmed = {"fields": (STATUS,), "values": (int(ReviewStatus.CONFIRMED),)}
    rejected = {"fields": (STATUS,), "values": (int(ReviewStatus.REJECTED),)}
    undone = {"values": (None,), "befores": ("das Haus",), "action": EditAction.UNDO, "refers": "x"}
    project.append([make_review_row(project, 0), make_review_row(project, 1), make_review_row(project, 1, **undone)])
    project.append(
        [
            make_review_row(project, 0, **confirmed),
            make_review_row(project, 2, **rejected),
            make_review_row(project, 0, **rejected),
        ]
    )
    project.append([make_review_row(project, 3, **confirmed), make_review_row(project, 3, "n", fields=(NOTE,))])
    # the note of the file was removed
    project.append([make_review_row(project, 2, "", fields=(NOTE,))])
    project.append([make_visit_row(project, 3), make_visit_row(project, 3)])
    assert project.flush(PATIENCE)
    assert project.summary()["review"] == {
        "edited": 1, "confirmed": 1, "rejected": 2, "noted": 1, "rows": 9, "visits": 2, "visited": 1, "seconds": 83.0,
    }  # fmt: skip


def test_raters_cannot_read_the_review(team):
    rater = team.open("ann")
    try:
        with pytest.raises(QeError, match="only the owner"):
            rater.review()
        assert "review" not in rater.summary()
        assert not rater.new_changes().reviews
    finally:
        rater.close()
