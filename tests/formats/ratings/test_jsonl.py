import json

import numpy as np
import pytest

from qe_desktop.corpus import ItemRole, RatingFlag
from qe_desktop.formats.ratings import JournalLine, read_journal, read_ratings, write_journal


def jsonl(*lines):
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_ratings_rankings_and_comments_are_read(write):
    text = jsonl(
        {
            "rater": "Ada",
            "system": "A",
            "segment": 1,
            "scale": "adequacy",
            "value": 4,
            "at": "2024-03-24T21:55:47.693Z",
        },
        {"rater": "Ada", "segment": "1", "systems": ["A", ["B", "C"], "D"], "ranks": [1, 2, 2]},
        {"rater": "Ben", "segment": "1", "systems": ["A"], "comment": "odd", "skipped": True, "at": 1711317347},
    )
    ratings = read_ratings(write("x.jsonl", "\n" + text + "\n"))
    (score,) = ratings.scores.rows()
    assert (score.segment, score.value, score.started) == ("1", 4.0, 1711317347.693)
    pairs = [(row.first, row.second, row.first_rank, row.second_rank, row.screen) for row in ratings.pairs.rows()]
    assert pairs == [("A", "B+C", 1, 2, "3"), ("A", "D", 1, 2, "3"), ("B+C", "D", 2, 2, "3")]
    (comment,) = ratings.comments
    assert (comment.text, comment.skipped, comment.started) == ("odd", True, 1711317347)


def test_bulk_parsing_equals_parsing_line_by_line(write):
    line = {
        "rater": "Ada",
        "system": "A",
        "segment": "s",
        "scale": "score",
        "value": 0.5,
        "at": "2024-03-24T21:55:47.693Z",
    }
    second_line = {**line, "role": "bad", "flags": 2, "seconds": 3}
    plain = read_ratings(write("x", jsonl(*[line, second_line] * 9000)))
    mixed = read_ratings(write("y", jsonl(*[line, second_line] * 9000, {"format": "qe-desktop ratings"})))
    assert len(plain.scores) == 18_000
    for name in ("rater", "system", "segment", "scale", "value", "role", "started", "seconds", "flags"):
        assert np.array_equal(getattr(plain.scores, name), getattr(mixed.scores, name), equal_nan=True), name


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('{"rater": "Ada"', "not valid JSON"),
        ("[1]", "not a JSON object"),
        ("null", "not a JSON object"),
        ('{"rater": "Ada", "value": NaN}', "not valid JSON: NaN is not a number"),
        ('{"rater": "Ada", "system": "A", "value": 3}', '"segment" is missing'),
        ('{"rater": "Ada", "system": "A", "segment": "1", "value": [3]}', '"value" is not a number'),
        ('{"rater": ["Ada"], "system": "A", "segment": "1", "value": 3}', '"rater" is not a string'),
        ('{"rater": "Ada", "system": "A", "segment": "1", "value": 3, "at": "soon"}', "is not a time"),
        ('{"rater": "Ada", "system": "A", "segment": "1", "value": 3, "role": "x"}', '"x" is not a role'),
        ('{"rater": "Ada", "segment": "1", "systems": ["A"], "ranks": [1, 2]}', "1 system, but 2 ranks"),
        ('{"rater": "Ada", "segment": "1", "systems": ["A", []], "ranks": [1, 2]}', '"systems" is not a list'),
        (
            '{"rater": "Ada", "segment": "1", "systems": ["A", "B"], "ranks": [1, "x"]}',
            '"ranks" is not a list of ranks',
        ),
        ('{"rater": "Ada", "segment": "1", "systems": ["A", "B"]}', "not a rating, a ranking or a comment"),
        ('{"rater": "Ada", "segment": "1", "systems": ["A", "B"], "ranks": null}', '"ranks" is missing'),
        ('{"rater": "Ada", "segment": "1", "text": "x"}', "not a rating, a ranking or a comment"),
        ('{"rater": "Ada", "system": "A", "segment": "1", "value": 3}}', "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
    ],
)
@pytest.mark.parametrize("before", [1, 30_000])
def test_invalid_lines_are_refused_with_their_number(read_error, line, says, before):
    good = jsonl({"rater": "Ada", "system": "A", "segment": "1", "scale": "score", "value": 3})
    error = read_error(good * before + line + "\n" + good)
    assert says in error.message
    assert error.place.line == before + 1


HEADER = {"campaign": "c", "name": "Test", "protocol": "adequacy-fluency"}
ITEM = {"segment": "17", "outputs": [["A", "B"]], "role": "system", "repeats": ""}


def event(uid, at, name, value=None, action="rate", refers="", seconds=2.0, screen="s", rater="Ada", **about):
    return {
        "rating": uid, "campaign": "c", "screen": screen, "rater": rater, "at": f"2024-03-24T21:55:{at:06.3f}Z",
        "seconds": seconds, "field": name, "value": value, "action": action, "refers": refers, **(about or ITEM),
    }  # fmt: skip


def score_values(ratings):
    return {(row.rater, row.system, row.scale): row.value for row in ratings.scores.rows()}


def test_journal_events_become_ratings(write):
    text = jsonl(
        HEADER,
        event("1", 10, "fluency", 4),
        event("2", 12, "reveal"),
        event("3", 14, "adequacy", 2),
        event("4", 15, "adequacy", 3),
        event("5", 16, "adequacy", action="undo", refers="4"),
        event("6", 20, "comment", "two genders"),
        {"rating": "7", "campaign": "c", "screen": "", "rater": "Ada", "at": 1.7e9, "field": "profile", "value": "{}"},
    )
    ratings = read_ratings(write("x.jsonl", text))
    rows = {(row.system, row.scale): row for row in ratings.scores.rows()}
    assert {key: row.value for key, row in rows.items()} == {
        ("A", "fluency"): 4, ("A", "adequacy"): 2, ("B", "fluency"): 4, ("B", "adequacy"): 2
    }  # fmt: skip
    fluency = rows["A", "fluency"]
    assert (fluency.segment, fluency.seconds, fluency.flags) == ("17", 12.0, RatingFlag.SOURCE_NOT_SEEN)
    assert fluency.started == 1711317308.0
    assert rows["A", "adequacy"].flags == 0
    assert [(comment.text, comment.systems) for comment in ratings.comments] == [("two genders", ("A", "B"))]


@pytest.mark.parametrize(
    ("steps", "value"),
    [
        ([("a", 1)], 1),
        ([("a", 1), ("b", 2)], 2),
        ([("a", 1), ("b", 2), ("undo", "b")], 1),
        ([("a", 1), ("b", 2), ("undo", "b"), ("undo", "a")], None),
        ([("a", 1), ("b", 2), ("undo", "b"), ("redo", "b")], 2),
        ([("a", 1), ("b", 2), ("undo", "b"), ("undo", "a"), ("redo", "a")], 1),
        ([("a", 1), ("b", 2), ("undo", "b"), ("c", 3)], 3),
        ([("a", 1), ("b", 2), ("undo", "nothing")], 2),
        ([("a", 1), ("b", None)], None),
        ([("a", 1), ("b", None), ("undo", "b")], 1),
        # setting the same value again has no effect: undoing the first event removes it
        ([("a", 1), ("b", 1), ("undo", "a")], None),
    ],
)
def test_last_value_that_is_not_undone_applies(write, steps, value):
    lines = [
        event(f"u{index}", index, "adequacy", None, uid_or_action, value_or_uid) if uid_or_action in ("undo", "redo")
        else event(uid_or_action, index, "adequacy", value_or_uid)
        for index, (uid_or_action, value_or_uid) in enumerate(steps)
    ]  # fmt: skip
    ratings = read_ratings(write("x", jsonl(HEADER, *lines)))
    assert score_values(ratings) == (
        {} if value is None else {("Ada", "A", "adequacy"): value, ("Ada", "B", "adequacy"): value}
    )


def test_events_are_ordered_by_time_and_deduplicated(write):
    lines = [event("b", 20, "adequacy", 5), event("a", 10, "adequacy", 1), event("b", 20, "adequacy", 5)]
    assert score_values(read_ratings(write("x", jsonl(*lines))))["Ada", "A", "adequacy"] == 5


def test_raters_do_not_undo_each_other(write):
    lines = [event("a", 1, "adequacy", 1), event("b", 2, "adequacy", 2, rater="Ben"),
             event("c", 3, "adequacy", action="undo", refers="a", rater="Ben")]  # fmt: skip
    values = score_values(read_ratings(write("x", jsonl(*lines))))
    assert (values["Ada", "A", "adequacy"], values["Ben", "A", "adequacy"]) == (1, 2)


def test_skipped_items_have_no_scores(write):
    lines = [event("a", 1, "adequacy", 1), event("b", 2, "skip", "source is odd")]
    ratings = read_ratings(write("x", jsonl(*lines)))
    assert score_values(ratings) == {}
    assert [(comment.text, comment.skipped) for comment in ratings.comments] == [("source is odd", True)]
    unskipped = read_ratings(write("y", jsonl(*lines, event("c", 3, "skip", ""))))
    assert (score_values(unskipped)["Ada", "A", "adequacy"], unskipped.comments) == (1, ())


def test_fluency_changed_after_reveal_is_flagged(write):
    lines = [event("a", 1, "fluency", 3), event("b", 2, "reveal"), event("c", 3, "fluency", 4)]
    (row, _) = read_ratings(write("x", jsonl(*lines))).scores.rows()
    assert (row.value, row.flags) == (4, RatingFlag.CHANGED_AFTER_REVEAL)


def test_rankings_are_read_from_a_journal(write):
    item = {"segment": "3", "outputs": [["A"], ["B", "C"], ["D"]], "role": "repeat", "repeats": "r"}
    lines = [event("a", 1, "ranks", [1, 2, 0], **item), event("b", 2, "ranks", [1, 2, 2], **item)]
    pairs = read_ratings(write("x", jsonl(*lines))).pairs.rows()
    assert [(row.first, row.second, row.first_rank, row.second_rank, row.role.name, row.screen) for row in pairs] == [
        ("A", "B+C", 1, 2, "REPEAT", "s"), ("A", "D", 1, 2, "REPEAT", "s"), ("B+C", "D", 2, 2, "REPEAT", "s"),
    ]  # fmt: skip
    unfinished = read_ratings(write("y", jsonl(lines[0])))
    assert len(unfinished.pairs) == 0
    assert unfinished.notes == ("1 ranking left out: some outputs have no rank yet",)


def test_degraded_outputs_have_the_role_bad(write):
    item = {"segment": "3", "outputs": [["A"], ["B"]], "roles": ["bad", "system"], "role": "bad", "repeats": "r"}
    (pair,) = read_ratings(write("x", jsonl(event("b", 2, "ranks", [2, 1], **item)))).pairs.rows()
    assert (pair.first, pair.second, pair.first_rank, pair.second_rank, pair.role) == ("B", "A", 1, 2, ItemRole.BAD)
    item = {"segment": "3", "outputs": [["A"]], "roles": ["bad"], "role": "bad", "repeats": "r"}
    (score,) = read_ratings(write("y", jsonl(event("b", 2, "score", 20, **item)))).scores.rows()
    assert score.role is ItemRole.BAD


def test_journal_without_systems_is_refused(read_error):
    error = read_error(jsonl({**HEADER}, event("a", 1, "adequacy", 1, segment="", outputs=[])))
    assert "does not name the rated systems" in error.message


def test_journals_are_written_and_read_back(tmp_path):
    lines = (
        JournalLine("1", "c", "s", "Ada", 1711317347.6931233, "fluency", 4.0, 2.25),
        JournalLine("2", "c", "s", "Ada", 1711317347.6931243, "ranks", (1, 2, 0), segment="7",
                    outputs=(("A",), ("B", "C"), ("D",)),
                    roles=(ItemRole.SYSTEM, ItemRole.BAD, ItemRole.REFERENCE), role=ItemRole.REPEAT, repeats="r"),
        JournalLine("3", "c", "s", "Ada", 1711317348.0, "fluency", None, 0.0, "undo", "1"),
        JournalLine("4", "c", "s", "日本", 1711317349.5, "comment", "“two”\nlines"),
        JournalLine("5", "c", "", "Ada", 1711317350.0, "profile", "{}"),
    )  # fmt: skip
    for name in ("x.jsonl", "x.jsonl.gz"):
        write_journal(tmp_path / name, lines, HEADER)
        journal = read_journal(tmp_path / name)
        assert journal.lines == lines
        assert journal.campaign == HEADER


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"action": "erase"}, '"erase" is not an action'),
        ({"value": {}}, '"value" is not a number'),
        ({"value": [1, None]}, '"value" is not a list of ranks'),
        ({"outputs": ["A"], "roles": ["bad", "bad"]}, "there is 1 output, but 2 roles"),
        ({"role": "odd"}, '"odd" is not a role'),
        ({"rater": None}, '"rater" is missing'),
    ],
)
def test_invalid_journal_events_are_refused(read_error, fields, says):
    error = read_error(jsonl(HEADER, event("a", 1, "adequacy", 1), event("b", 2, "adequacy", 1) | fields))
    assert says in error.message
    assert error.place.line == 3


def test_null_fields_count_as_missing(write):
    fields = {"rater": "a", "system": "A", "segment": "1", "value": 3}
    unknown = dict.fromkeys(("scale", "at", "seconds", "role", "flags", "campaign", "rating"))
    lines = [json.dumps(fields), json.dumps(fields | unknown)]
    (first, second) = read_ratings(write("x.jsonl", "\n".join(lines) + "\n")).scores.rows()
    assert repr(first) == repr(second)
