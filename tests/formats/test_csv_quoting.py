"""Table fields: quotation marks of CSV are removed, others are text."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Faults, TextRole
from qe_desktop.formats import read_scores
from qe_desktop.formats.scores.mlqe_score_tables import grid_texts, read_score_grid
from qe_desktop.formats.text_files import open_file
from qe_desktop.formats.tsv import table_rows, unquote_field, unquote_file, unquote_texts


@pytest.mark.parametrize(
    ("field", "plain"),
    [
        (b'"a"', b"a"),
        (b'""', b""),
        (b'"say ""so"""', b'say "so"'),
        (b'"a" and "b"', b'"a" and "b"'),
        (b'"a"b"', b'"a"b"'),
        (b'"', b'"'),
        (b'"a', b'"a'),
        (b"a", b"a"),
    ],
)
def test_only_csv_quotes_are_removed_from_a_field(field, plain):
    assert unquote_field(field) == plain


def test_texts_are_unquoted_only_if_all_follow_csv():
    assert unquote_texts([b"a", b'"b ""c"""']) == [b"a", b'b "c"']
    for texts in ([b'"a"', b'say "so"'], [b'"Ja" sagt er', b'"b"'], [b"a", b"b"]):
        assert unquote_texts(texts) is texts


@given(st.lists(st.lists(st.text('ab ",', max_size=6), min_size=2, max_size=2), min_size=1, max_size=8))
def test_output_of_the_csv_module_is_unquoted(tmp_path_factory, rows):
    rows = [["x", *row, "x"] for row in rows]
    buffer = io.StringIO()
    csv.writer(buffer, delimiter="\t", lineterminator="\n").writerows(rows)
    path = tmp_path_factory.mktemp("t") / "t.tsv"
    path.write_text(buffer.getvalue())
    fields = [field.encode() for row in csv.reader(io.StringIO(buffer.getvalue()), delimiter="\t", quotechar=None,
              quoting=csv.QUOTE_NONE) for field in row]  # fmt: skip
    expected = [field.encode() for row in rows for field in row]
    assert list(unquote_texts(fields)) == expected
    assert unquote_file(open_file(path)).data == b"".join(b"\t".join(f.encode() for f in row) + b"\n" for row in rows)


def test_names_and_texts_of_a_table_are_unquoted(write):
    table = '"seg"\t"source"\t"mt"\t"gold"\t"A"\n' + "".join(
        f'{row}\t"say ""{word}"""\tplain\t0.{row}5\t0.1{row}\n' for row, word in enumerate("xy")
    )
    path = write("t.tsv", table)
    scores = read_scores(path)
    assert ([*scores.golds], [*scores.systems]) == (["gold"], ["A"])
    texts = grid_texts(read_score_grid(open_file(path)))
    assert list(texts[TextRole.SOURCE].lines()) == ['say "x"', 'say "y"']
    assert list(texts[TextRole.MT].lines()) == ["plain", "plain"]


def test_language_pairs_and_methods_are_unquoted_in_every_row(write):
    rows = "".join(
        f'"en-de"\t"{name}"\t{segment}\t{0.5 + segment / 8}\n' for name in ("gold", "A") for segment in range(2)
    )
    scores = read_scores(write("t.tsv", '"lp"\t"method"\t"sid"\t"score"\n' + rows), language_pair="en-de")
    assert ([*scores.golds], [*scores.systems]) == (["gold"], ["A"])
    rows_with_text = rows.replace('"gold"\t1\t0.625', '"gold"\t1\thallucination')
    scores = read_scores(write("o.tsv", '"lp"\t"method"\t"sid"\t"score"\n' + rows_with_text))
    assert np.isnan(scores.golds["gold"]).tolist() == [False, True]


def test_field_comparison_ignores_case(write):
    opened = open_file(write("t.tsv", "Aside\t1\naside\t2\nasides\t3\n\t4\nbside\taside\n"))
    (rows,) = table_rows(opened, 2, 0, Faults())
    assert rows.equal_mask(0, b"aside").tolist() == [True, True, False, False, False]
    assert rows.equal_mask(1, b"aside").tolist() == [False, False, False, False, True]
