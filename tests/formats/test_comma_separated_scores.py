"""Score tables separated by commas are read only if they are unambiguous."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import QeError, TextRole
from qe_desktop.formats import Role, build_corpus, plan_imports, read_scores
from qe_desktop.formats.tsv import csv_head_to_tsv

TABLE = "seg,gold,A\n0,0.5,0.25\n1,-1,2.5e-1\n"


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_comma_separated_table_is_read(write, ends, mark):
    path = write("t.csv", mark + TABLE.replace("\n", ends))
    table = read_scores(path)
    assert {name: scores.tolist() for name, scores in table.golds.items()} == {"gold": [0.5, -1]}
    assert {name: scores.tolist() for name, scores in table.systems.items()} == {"A": [0.25, 0.25]}
    (file,) = plan_imports([path])[0].files
    assert (file.role, file.golds, file.systems) == (Role.GOLD, ("gold",), ("A",))


def test_method_rows_and_quoted_texts_are_read(write):
    rows = "".join(f'"en-de","{name}",{segment},0.{segment}5\n' for name in ("gold", "A") for segment in range(2))
    table = read_scores(write("rows.csv", "lp,method,sid,score\n" + rows), language_pair="en-de")
    assert ([*table.golds], [*table.systems]) == (["gold"], ["A"])
    texts = 'seg,source,mt,gold\n0,"Press ""Stop"", then","„Stopp“ drücken",0.5\n1,plain,"a, b",0.7\n'
    corpus = build_corpus(plan_imports([write("texts.csv", texts)])[0])
    assert list(corpus.text(TextRole.SOURCE).lines()) == ['Press "Stop", then', "plain"]
    mt = corpus.text(TextRole.MT) or corpus.text(TextRole.RAW_MT)
    assert list(mt.lines()) == ["„Stopp“ drücken", "a, b"]


@pytest.mark.parametrize(
    "table",
    [
        "seg,gold,A\n0,0,5,0,25\n1,0,3,0,4\n",  # decimal commas
        "seg,gold,A\n0,0.5\n",
        'seg,gold,note\n0,0.5,"a\nb"\n',
        "seg,gold\tA\n0,0.5\t0.5\n",
        "seg;gold;A\n0;0.5;0.25\n",
        "Ja, das Rad ist id, neu.\nNein, es ist, alt, .\n",
    ],
)
def test_ambiguous_tables_are_refused(write, table):
    with pytest.raises(QeError, match="separated by tabs") as caught:
        read_scores(write("t.csv", table))
    assert caught.value.place.line == 1


def test_quoted_decimal_commas_are_refused(write):
    with pytest.raises(QeError, match='"0,5" is not a score') as caught:
        read_scores(write("t.csv", 'seg,gold,A\n0,"0,5",0.5\n1,0.5,0.5\n'))
    assert caught.value.place.line == 2


def test_wrong_column_count_far_into_the_file_is_reported(write):
    rows = "".join(f"{segment},0.5,0.125\n" for segment in range(6000))
    with pytest.raises(QeError, match="does not have 3 columns") as caught:
        read_scores(write("t.csv", "seg,gold,A\n" + rows + "6000,0,5\n".replace("0,5", "0,5,1")))
    assert caught.value.place.line == 6002


@given(st.lists(st.lists(st.text('ab ",', max_size=5), min_size=3, max_size=3), min_size=1, max_size=6))
def test_csv_head_is_converted_to_tsv(rows):
    rows = [["x", *row] for row in rows]
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    tsv = csv_head_to_tsv(buffer.getvalue().encode())
    assert tsv is not None
    assert list(csv.reader(io.StringIO(tsv.decode()), delimiter="\t")) == rows
