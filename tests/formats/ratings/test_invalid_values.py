"""Invalid values in each format of ratings, and names that a table cannot store."""

from __future__ import annotations

import json

import pytest

from qe_desktop.corpus import Comment, PairwiseJudgement, QeError, Ratings, Score
from qe_desktop.formats.ratings import JournalLine, read_journal, read_ratings, write_journal, write_ratings
from tests.formats.ratings.test_jsonl import HEADER as CAMPAIGN
from tests.formats.ratings.test_jsonl import event, jsonl

GOOD = {"rater": "r", "system": "A", "segment": "1", "scale": "score", "value": 5}
RANKING = {"rater": "r", "segment": "1", "systems": ["A", "B"], "ranks": [1, 2]}


def _error_message(path, text, line):
    path.write_text(text, encoding="utf-8")
    with pytest.raises(QeError) as caught:
        read_ratings(path)
    assert caught.value.place is not None
    assert caught.value.place.line == line
    return caught.value.message


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [("flags", "1e999", "0 to 255"), ("flags", "-1", "0 to 255"), ("flags", "256", "0 to 255")],
)
def test_invalid_flags_in_json_lines_are_refused(tmp_path, alone, field, value, expected):
    # lines as this program writes them are parsed in bulk; a line of another form disables this
    prefix = "" if alone else json.dumps(RANKING) + "\n"
    invalid_line = json.dumps(GOOD | {field: "@"}).replace('"@"', value)
    message = _error_message(tmp_path / "r.jsonl", f"{prefix}{json.dumps(GOOD)}\n{invalid_line}\n", 2 if alone else 3)
    assert expected in message


ODD = [
    ("value", "1e999", "inf"),
    ("value", "1e105", "1e+105"),
    ("value", '"007"', "007"),
    ("value", "true", "true"),
    ("seconds", "1e999", "inf"),
    ("at", "1e999", "inf"),
    ("at", "1e12", "1000000000000"),
    ("at", '"33658-01-01T00:00:00Z"', "33658-01-01T00:00:00Z"),
]


@pytest.mark.parametrize(("field", "value", "message"), ODD)
@pytest.mark.parametrize("alone", [True, False])
def test_json_lines_with_invalid_values_or_times_are_left_out_and_noted(tmp_path, alone, field, value, message):
    """An invalid value must not prevent reading other ratings, or distort their means."""
    prefix = "" if alone else json.dumps(RANKING) + "\n"
    invalid_line = json.dumps(GOOD | {field: "@"}).replace('"@"', value)
    (tmp_path / "r.jsonl").write_text(f"{prefix}{json.dumps(GOOD)}\n{invalid_line}\n", encoding="utf-8")
    ratings = read_ratings(tmp_path / "r.jsonl")
    assert ratings.scores.value.tolist() == [5]
    (note,) = ratings.notes
    assert note.startswith("1 line with an invalid value or time left out: ")
    assert message in note
    assert f"(line {2 if alone else 3})" in note


@pytest.mark.parametrize("value", ["1e105", '"007"', "true"])
def test_journal_events_with_invalid_values_are_left_out_and_noted(tmp_path, value):
    events = [event("1", 1, "score", 70), event("2", 2, "score", 0), event("3", 3, "comment", "fine")]
    text = jsonl(CAMPAIGN, *events).replace('"value": 0', f'"value": {value}')
    (tmp_path / "j.jsonl").write_text(text, encoding="utf-8")
    ratings, journal = read_ratings(tmp_path / "j.jsonl"), read_journal(tmp_path / "j.jsonl")
    assert set(ratings.scores.value.tolist()) == {70}
    assert [line.uid for line in journal.lines] == ["1", "3"]
    for notes in (ratings.notes, journal.notes):
        assert [note for note in notes if "1 event with an invalid value or time left out: " in note]


def test_lone_surrogates_are_replaced_on_reading_and_writing(tmp_path):
    """Lone surrogates cannot be encoded, so they must not reach an export."""
    line = (
        json.dumps(GOOD | {"rater": "a\ud800b"})
        + "\n"
        + json.dumps({"rater": "r", "segment": "1", "comment": "\udfff"})
    )
    (tmp_path / "r.jsonl").write_text(line + "\n")
    ratings = read_ratings(tmp_path / "r.jsonl")
    assert ratings.scores.raters == ("a\ufffdb",)
    assert ratings.comments[0].text == "\ufffd"
    broken = Ratings.of([Score("a\ud800b", "A", "1", "score", 5)], (), [Comment("r", "1", "fine\ud800")])
    for form in ("long", "wide", "jsonl"):
        write_ratings(broken, tmp_path / form, form)
        assert read_ratings(tmp_path / form).scores.raters == ("a\ufffdb",)
    assert read_ratings(tmp_path / "jsonl").comments[0].text == "fine\ufffd"
    written = [JournalLine("1", "c", "s", "a", 1.0, "comment", "\ud800")]
    write_journal(tmp_path / "journal", written, {"campaign": "c", "name": "\udfff"})
    assert read_journal(tmp_path / "journal").lines[0].value == "\ufffd"


def test_surrogate_pair_is_read_as_one_character(tmp_path):
    (tmp_path / "r.jsonl").write_text(json.dumps(GOOD | {"rater": "😀"}) + "\n")
    assert read_ratings(tmp_path / "r.jsonl").scores.raters == ("😀",)


@pytest.mark.parametrize("change", [{"ranks": [True, 2]}, {"ranks": [1, -2]}, {"systems": ["", "B"]}])
def test_invalid_rankings_in_json_lines_are_refused(tmp_path, change):
    _error_message(tmp_path / "r.jsonl", f"{json.dumps(RANKING)}\n{json.dumps(RANKING | change)}\n", 2)


@pytest.mark.parametrize(
    ("name", "cell", "message"),
    [
        ("flags", "256", "0 to 255"),
        ("flags", "1.5", "0 to 255"),
        ("flags", "-1", "0 to 255"),
    ],
)
def test_invalid_flags_in_long_tables_are_refused(tmp_path, name, cell, message):
    cells = {"rater": "r", "segment": "1", "system": "A", "score": "5", "seconds": "", "flags": ""}
    rows = [cells, cells, cells | {name: cell}]
    text = "\n".join([",".join(cells), *(",".join(row.values()) for row in rows)])
    assert message in _error_message(tmp_path / "r.csv", text + "\n", 4)


@pytest.mark.parametrize(
    ("name", "cell"),
    [("score", "1e105"), ("score", "007"), ("score", "-1e16"), ("seconds", "1e300"), ("started", "1e12"),
     ("started", "33658-01-01")],
)  # fmt: skip
def test_invalid_ratings_and_times_in_tables_are_left_out_and_noted(tmp_path, name, cell):
    cells = {"rater": "r", "segment": "1", "system": "A", "score": "5", "seconds": "2", "started": "2024-01-01"}
    rows = [cells, cells | {name: cell}]
    (tmp_path / "r.csv").write_text("\n".join([",".join(cells), *(",".join(row.values()) for row in rows)]) + "\n")
    ratings = read_ratings(tmp_path / "r.csv")
    assert len(ratings.scores) == (1 if name == "score" else 2)
    assert [note for note in ratings.notes if f'"{cell}" (line 3)' in note], ratings.notes
    wide = f"segment,system,judge 1,judge 2\n1,A,3,{cell}\n" if name == "score" else ""
    if wide:
        (tmp_path / "w.csv").write_text(wide)
        assert read_ratings(tmp_path / "w.csv").scores.value.tolist() == [3]
        assert f'"{cell}" (line 2)' in read_ratings(tmp_path / "w.csv").notes[0]


def test_appraise_item_ids_may_be_arbitrarily_large(tmp_path):
    """Item ids beyond 64 bits must not be used as positions where documents share ids."""
    row = "u,sysA,{},TGT,eng,deu,80,{},False,1.0,2.0\n"
    items = [("18446744073709551616", "one"), ("999999999", "one"), ("3", "one"), ("3", "two")]
    (tmp_path / "a.csv").write_text("".join(row.format(*item) for item in items))
    scores = read_ratings(tmp_path / "a.csv").scores
    assert len(scores) == 4
    assert {scores.segments[index].split(":")[0] for index in scores.segment} == {"one", "two"}


@pytest.mark.parametrize("form", ["jsonl", "long", "wmt", "xml"])
def test_ranking_of_more_than_100_systems_is_refused(tmp_path, form):
    systems = [f"s{index}" for index in range(5000)]
    text = {
        "jsonl": json.dumps(RANKING | {"systems": systems, "ranks": [1] * 5000}),
        "long": f"rater,segment,systems,ranks\nr,1,{'|'.join(systems)},{'|'.join('1' * 5000)}",
        "wmt": "judgeID,srcIndex," + ",".join(f"system{index}Id,system{index}rank" for index in range(2000))
        + "\nr,1" + ",x,1" * 2000,
        "xml": "<HIT><ranking-task id='1'><ranking-result user='u'>"
        + "".join(f"<translation system='{name}' rank='1'/>" for name in systems)
        + "</ranking-result></ranking-task></HIT>",
    }[form]  # fmt: skip
    (tmp_path / "r").write_text(text + "\n")
    with pytest.raises(QeError, match="the maximum is 100"):
        read_ratings(tmp_path / "r")


def test_ranks_below_minus_one_are_refused(tmp_path):
    _error_message(tmp_path / "r.csv", "rater,segment,systems,ranks\nr,1,A|B,1|-1\nr,2,A|B,1|-2\n", 3)


def test_unquoted_carriage_return_is_reported(tmp_path):
    message = _error_message(tmp_path / "r.csv", "rater,segment,system,score\nr,1,A\rB,5\n", 2)
    assert message == "the row cannot be read: carriage return outside of quotes"


def test_appraise_export_with_an_invalid_cell_is_still_detected(tmp_path):
    row = "u,sysA,12,TGT,eng,deu,{},doc,False,1.0,2.0\n"
    assert "not a number" in _error_message(tmp_path / "a.csv", row.format(80) + row.format("x"), 2)


def test_numbers_in_the_first_row_are_not_rater_names(tmp_path):
    (tmp_path / "r.csv").write_text("a,1.0,2.0\nb,3.0,4.0\n")
    with pytest.raises(QeError, match="not in a supported rating format"):
        read_ratings(tmp_path / "r.csv")


@pytest.mark.parametrize("form", ["long", "wmt", "wide"])
def test_carriage_returns_in_names_are_preserved(tmp_path, form):
    scores = [Score("Ada\rB", "one\rtwo", "3\r\n4", "score", 5)]
    pairs = [PairwiseJudgement("Ada\rB", "3\r4", "one\rtwo", "B", 1, 2)]
    path = tmp_path / "r.csv"
    write_ratings(Ratings.of(scores if form != "wmt" else (), pairs if form != "wide" else ()), path, form)
    ratings = read_ratings(path)
    if form != "wmt":
        assert ratings.scores.rows()[0][:5] == scores[0][:5]
    if form != "wide":
        assert ratings.pairs.rows()[0][:6] == pairs[0][:6]


@pytest.mark.parametrize("form", ["long", "wmt", "wide"])
@pytest.mark.parametrize("name", ["", " A", "A\t"])
def test_names_that_a_table_would_change_are_refused(tmp_path, form, name):
    ratings = Ratings.of([Score("r", name, "1", "score", 5)], [PairwiseJudgement("r", "1", name, "B", 1, 2)])
    with pytest.raises(QeError, match="would not be read back unchanged"):
        write_ratings(ratings, tmp_path / "r.csv", form)
    write_ratings(Ratings(ratings.scores, Ratings.of().pairs), tmp_path / "r.jsonl", "jsonl")
    assert read_ratings(tmp_path / "r.jsonl").scores.systems == (name,)


def test_carriage_return_in_the_header_is_refused_with_its_line(tmp_path):
    """Finding the line of the invalid row parses the header again, which must not raise another exception."""
    text = "WorkerId\tsys_id\ttype\tsid\tscore\rx\ty\tz\nM1\tA\tSYSTEM\t1\t0.6\nM1\tA\tSYSTEM\t1\tx\nM1\tA\tSYSTEM\t1\n"
    assert "cells" in _error_message(tmp_path / "r.csv", text, 2)


def test_merged_systems_with_empty_names_are_preserved(tmp_path):
    pairs = [PairwiseJudgement("r", "1", "A+", "B++C", 1, 2)]
    write_ratings(Ratings.of((), pairs), tmp_path / "r", "jsonl")
    assert read_ratings(tmp_path / "r").pairs.rows()[0][2:4] == ("A+", "B++C")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("long.csv", "rater,system,segment,value,seconds\nr,A,1,5,2e9\n"),
        ("wide.csv", "segment,system,judge 1,judge 1 seconds,judge 2\n1,A,5,2e9,4\n"),
    ],
)
def test_seconds_that_are_too_large_are_invalid_times(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    ratings = read_ratings(tmp_path / name)
    assert any(note.startswith('1 invalid time left out: "2e9" (line 2)') for note in ratings.notes)
    assert not any("invalid rating" in note for note in ratings.notes)
