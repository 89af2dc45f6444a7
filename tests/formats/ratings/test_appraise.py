import numpy as np
import pytest

from qe_desktop.corpus import ItemRole, QeError
from qe_desktop.formats.ratings import read_ratings
from qe_desktop.formats.ratings.column_builders import NameColumn, join_name_columns

XML = """<?xml version="1.0" encoding="UTF-8"?>
<wmt16-results>
<HIT hit-id="a" source-language="deu" block-id="-1" target-language="eng">
<ranking-task id="779">
  <ranking-result duration="00:01:02.722000" user="Ada">
    <translation system="A" rank="2" />
    <translation system="B,C" rank="1" />
    <translation system="D &amp; Söhne" rank="2" />
  </ranking-result>
  <ranking-result duration="1 day, 00:00:01" user="Ben"><translation system="A,B" rank="1" /></ranking-result>
</ranking-task>
<ranking-task id="780"><ranking-result duration="00:00:05.1" user="Ada" skipped="true" /></ranking-task>
</HIT>
</wmt16-results>
"""
OTHER_PAIR_HIT = """<HIT source-language="eng" target-language="ron">
<ranking-task id="1"><ranking-result user="Cy"/></ranking-task></HIT>"""


def test_ranking_xml_is_read_as_pairs(write):
    ratings = read_ratings(write("x.xml", XML))
    rows = [(row.rater, row.segment, row.first, row.second, row.first_rank, row.second_rank, row.seconds, row.screen)
            for row in ratings.pairs.rows()]  # fmt: skip
    assert rows == [
        ("Ada", "779", "A", "B+C", 2, 1, 62.722, "1"),
        ("Ada", "779", "A", "D & Söhne", 2, 2, 62.722, "1"),
        ("Ada", "779", "B+C", "D & Söhne", 1, 2, 62.722, "1"),
        # a screen with one merged output: its systems are tied
        ("Ben", "779", "A+B", "A+B", 1, 1, 86401.0, "2"),
    ]
    assert len(ratings.pairs.expand_units()) == 2 + 1 + 2 + 1 + 1
    (skip,) = ratings.comments
    assert (skip.rater, skip.segment, skip.skipped) == ("Ada", "780", True)
    assert ratings.notes == ("1 skipped item",)


@pytest.mark.parametrize("duration", [f"{'9' * 400} days, 00:00:01", f"{'9' * 5000}:00:01", f"{'9' * 400}:00:01"])
def test_overflowing_duration_is_nan(write, duration):
    ratings = read_ratings(write("x.xml", XML.replace("1 day, 00:00:01", duration)))
    assert [row.seconds for row in ratings.pairs.rows()][:3] == [62.722] * 3
    assert np.isnan(ratings.pairs.rows()[3].seconds)


def test_xml_with_several_language_pairs_needs_a_choice(write, read_error):
    both = XML.replace("</wmt16-results>", f"{OTHER_PAIR_HIT}</wmt16-results>")
    assert "several language pairs: deu-eng, eng-ron" in read_error(both).message
    assert len(read_ratings(write("y", both), "de-en").pairs) == 4


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("<wmt16", "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><wmt16", 2, "not allowed for security"),
        ("<wmt16", '<!DOCTYPE lolz [<!ENTITY a "aaaa">]>\n<wmt16', 2, "not allowed for security"),
        ("</HIT>", "", 14, "not well-formed XML: mismatched tag"),
        ('rank="2"', 'rank="second"', 6, "\"second\" is not a rank"),
        ('system="A"', 'system=" "', 6, "no system"),
        ('<ranking-task id="779">', "<ranking-task>", 4, "no id"),
        ("Söhne", "&e;", 8, "undefined entity"),
    ],
)  # fmt: skip
def test_xml_errors_state_the_line(read_error, old, new, line, says):
    error = read_error(XML.replace(old, new, 1))
    assert says in error.message
    assert error.place.line == line


def test_other_xml_is_refused(read_error):
    assert "no ranking results" in read_error("<html><body/></html>").message


def row(user="u1", system="S", item=7, kind="TGT", score=50, document="doc", start=1000.0, end=1010.5, **more):
    spans = more.get("spans", "[]")
    whole = more.get("whole", "False")
    return f'{user},{system},{item},{kind},eng,deu,{score},{document},{whole},"{spans}",{start},{end}\n'


SPANS = '[{""start_i"":1,""end_i"":2,""severity"":""major""}]'


def test_esa_export_is_read(write):
    text = (
        row(system="ende-tutorial1", document="ende-tutorial1", item=1000001, end=990)
        + row(score=80, spans=SPANS, end=1100)
        + row(item=8, kind="BAD", document="doc#bad", score=10, start=1150, end=1160)
        + row(system="T", item=8, document="doc", score=20, start=1200, end=1290)
        + row(score=70, document="doc#dup", start=1295, end=1300)
        + row(user="u2", score=71, document="doc#dup", start=5000, end=5000)
        + row(system="T", item=8, document="doc", score=30, start=5000, end=5001)
        + row(item="", whole="True", document="doc", score=66, start=6000, end=6010)
    )
    ratings = read_ratings(write("x", text.replace(",,TGT", ",0,TGT")))
    rows = {(row.rater, row.system, row.segment, row.scale, row.role): row for row in ratings.scores.rows()}
    system, repeat, bad = ItemRole.SYSTEM, ItemRole.REPEAT, ItemRole.BAD
    assert {key: row.value for key, row in rows.items()} == {
        ("u1", "S", "doc:7", "score", system): 80,
        ("u1", "S", "doc:8", "score", bad): 10,
        # submitted twice: the last submission counts
        ("u1", "T", "doc:8", "score", system): 30,
        # a document that fills up a task is a repeat only for a rater who rated it before
        ("u1", "S", "doc:7", "score", repeat): 70,
        ("u2", "S", "doc:7", "score", system): 71,
        ("u1", "S", "doc", "document", system): 66,
    }
    assert rows["u1", "S", "doc:7", "score", system].started == 1000
    # start and end are clicks, so the time is measured since the previous item, including the tutorial
    seconds = {key[:3] + key[4:]: row.seconds for key, row in rows.items() if key[3] == "score"}
    assert seconds["u1", "S", "doc:7", system] == 110
    assert seconds["u1", "S", "doc:8", bad] == 60
    assert np.isnan(seconds["u1", "T", "doc:8", system])
    assert np.isnan(seconds["u2", "S", "doc:7", system])
    assert ratings.notes[:2] == (
        "1 tutorial row left out",
        "1 row left out: replaced by a later submission of the same item by the same rater",
    )


def test_tutorial_rows_of_other_language_pairs_are_not_counted(write):
    tutorial = row(system="tutorial", document="tutorial", item=1)
    other = (tutorial + row()).replace(",eng,deu,", ",eng,fra,")
    ratings = read_ratings(write("x", tutorial + row() + other), language_pair="eng-deu")
    assert ratings.notes[0] == "1 tutorial row left out"


def test_submission_without_an_end_time_does_not_replace_one_with_a_time(write):
    text = row(item=8, score=30, end=1100) + row(item=8, score=99, end="")
    ratings = read_ratings(write("x", text.replace(",,TGT", ",0,TGT")))
    assert [rating.value for rating in ratings.scores.rows()] == [30]


def test_item_positions_in_tasks_become_segments_of_documents(write):
    # every task counts its items down from 100; segments are numbered within the document
    text = (
        row(user="u1", item=100, document="d1#S") + row(user="u1", item=99, document="d1#S")
        + row(user="u1", item=98, document="d2#S#bad1", kind="BAD")
        + row(user="u2", item=51, document="d1#S", system="T") + row(user="u2", item=50, document="d1#S", system="T")
        + row(user="u2", item=100, document="d2#T", system="T")
    )  # fmt: skip
    rows = [(row.rater, row.segment, row.role.name) for row in read_ratings(write("x", text)).scores.rows()]
    assert rows == [
        ("u1", "d1:2", "SYSTEM"), ("u1", "d1:1", "SYSTEM"), ("u1", "d2:1", "BAD"), ("u2", "d1:2", "SYSTEM"),
        ("u2", "d1:1", "SYSTEM"), ("u2", "d2:1", "SYSTEM"),
    ]  # fmt: skip


def test_document_split_between_tasks_is_numbered_continuously(write):
    text = (
        "".join(row(user="u1", item=item, document="d#S", score=item) for item in (50, 51, 52))
        + row(user="u3", item=7, document="d#T", system="T", score=7)
        + "".join(row(user="u2", item=item, document="d#T", system="T", score=item) for item in (50, 51))
        + row(user="u2", item=52, document="e#T", system="T", score=2)
        # rated by two raters, but not split between them
        + "".join(row(user=user, item=9, document="d#U", system="U", score=9) for user in ("u1", "u2"))
    )
    rows = [(row.system, row.segment, row.value) for row in read_ratings(write("x", text)).scores.rows()]
    assert rows == [
        ("S", "d:1", 50), ("S", "d:2", 51), ("S", "d:3", 52), ("T", "d:3", 7), ("T", "d:1", 50), ("T", "d:2", 51),
        ("T", "e:1", 2), ("U", "d:1", 9), ("U", "d:1", 9),
    ]  # fmt: skip


def test_direct_assessment_without_documents_is_read(write):
    text = "u,A,17,TGT,eng,deu,55,100.5,103\nu,A,17,CHK,eng,deu,60,103,104\nu,A,18,REF,eng,deu,90,104,106.25\n"
    rows = [
        (row.segment, row.role.name, row.value, row.seconds) for row in read_ratings(write("x", text)).scores.rows()
    ]
    assert rows == [("17", "SYSTEM", 55, 2.5), ("17", "REPEAT", 60, 1.0), ("18", "REFERENCE", 90, 2.25)]


def test_csv_with_several_language_pairs_needs_a_choice(write, read_error):
    text = row() + row(user="u2").replace(",deu,", ",jpn,")
    assert "several language pairs: eng-deu, eng-jpn" in read_error(text).message
    assert read_ratings(write("y", text), "en-ja").scores.rows()[0].rater == "u2"


def test_mqm_export_without_scores_is_noted(write):
    notes = read_ratings(write("x", row(score=0) + row(item=8, score=0))).notes
    assert "error annotation (MQM)" in notes[-1]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (row(kind="XXX"), '"XXX" is not a role'),
        (row(score="high"), '"high" is not a number'),
        (row(start="soon"), '"soon" is not a time'),
        (row(whole="maybe"), '"maybe" is not True or False'),
        ("u,S,1,TGT\n", "4 cells instead of 12"),
    ],
)
def test_csv_errors_state_the_line(read_error, more, says):
    error = read_error(row() * 12 + row(spans=SPANS) + more)
    assert says in error.message
    assert error.place.line == 14


def test_joining_name_columns_accesses_each_list_of_names_once(monkeypatch):
    """Building the tuple of names for every pair would take quadratic time."""
    first, second = NameColumn(), NameColumn()
    first.add([f"l{number}" for number in range(500)])
    second.add(["deu", "jpn"] * 250)
    accessed = []
    original = NameColumn.names.fget
    monkeypatch.setattr(NameColumn, "names", property(lambda column: accessed.append(column) or original(column)))
    names, codes = join_name_columns(first, second, "-")
    assert (names[:3], codes[-1]) == (("l0-deu", "l1-jpn", "l2-deu"), 499)
    assert accessed == [first, second]


@pytest.mark.parametrize("text", ["\n\n", "rater,1,SRC\n"])
def test_tables_of_another_width_are_refused(write, text):
    with pytest.raises(QeError, match="9, 11 or 12 columns"):
        read_ratings(write("x.csv", text), form="appraise")
