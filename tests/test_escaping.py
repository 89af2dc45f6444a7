"""Text escaped for each destination: terminal, CSV, JSON, LaTeX, HTML, labels and file names."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop import escaping
from qe_desktop.escaping import (
    dumps_json,
    elide,
    escape_csv_cell,
    escape_invisible,
    escape_label,
    escape_latex,
    escape_terminal,
    isolate_bidi,
    replace_surrogates,
    safe_file_name,
    unescape_csv_cell,
)

CLEAR_SCREEN = "\x1b[2J\x1b]0;owned\x07"
BIDI_NAME = "abc\u202etxt.exe\u2066x"
# any characters that a name may contain, including lone surrogates, with dangerous ones more often
anything = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cs"]),
        st.sampled_from("\x00\x07\x1b\x7f\x9b\n\r\t\u2028\u202e\u2066\u2069\u200b\u200d\u200f\ufeff=+-@'\"|"),
    ),
    max_size=30,
)
CONTROL_CATEGORIES = {"Cc", "Cs", "Zl", "Zp"}


@given(anything)
def test_terminal_text_is_one_line_without_control_characters(text):
    shown = escape_terminal(text)
    assert not {unicodedata.category(character) for character in shown} & CONTROL_CATEGORIES
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u061c\ufeff]", shown)
    assert shown == text or not text.isprintable()


def test_invisible_characters_are_escaped():
    assert escape_invisible(CLEAR_SCREEN) == r"\x1b[2J\x1b]0;owned\x07"
    assert escape_invisible("a\nb\tc\rd\x9be\ud800") == r"a\nb\tc\rd\x9be\ud800"
    assert escape_invisible(BIDI_NAME) == r"abc\u202etxt.exe\u2066x"
    assert escape_invisible("pa\u200dpago\u200b") == r"pa\u200dpago\u200b"


@pytest.mark.parametrize("name", ["été", "模型\u3000一", "می‌خواهم", "👩‍🚀 1", "❤️‍🔥", "क्‍ष", "a\u00a0b"])
def test_ordinary_names_are_unchanged(name):
    assert escape_invisible(name) == name


@given(anything, st.integers(2, 40))
def test_elided_text_keeps_its_end_and_the_maximum_length(text, max_length):
    short = elide(text, max_length)
    assert len(short) <= max_length
    assert short == text or (len(short) == max_length and text.endswith(short[-1]) and "…" in short)
    assert len(escape_terminal(text, max_length)) <= max_length


def test_right_to_left_name_is_isolated():
    assert isolate_bidi("מודל") == "\u2068מודל\u2069"
    assert isolate_bidi("model") == escape_label("model") == "model"
    assert len(escape_label("x" * 100_000)) == escaping.MAX_LABEL_CHARS


@given(anything)
def test_escaped_csv_cell_round_trips(text):
    assert unescape_csv_cell(escape_csv_cell(text)) == text


@given(anything)
def test_no_escaped_cell_starts_like_a_formula(text):
    shown = escape_csv_cell(text)
    assert not re.match("[=+\\-@\t\r\n＝＋－＠]", shown) or re.fullmatch(r"[-+][\d.eE+-]*%?", shown, re.ASCII)


@pytest.mark.parametrize("formula", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1", "'=1"])
def test_formula_is_prefixed_as_text(formula):
    assert escape_csv_cell(formula) == f"'{formula}"


@pytest.mark.parametrize("number", ["-0.12", "+3", "-1e-05", "-.5", "-", "-12 %".replace(" ", ""), "0", "'tis", "a=b"])
def test_number_is_not_escaped(number):
    assert escape_csv_cell(number) == number
    assert unescape_csv_cell(number) == number


@given(st.lists(st.lists(anything.map(lambda text: text.replace("\0", "")), min_size=2, max_size=4), max_size=3))
def test_cells_round_trip_through_csv(rows):
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(
        [escape_csv_cell(cell) for cell in row] for row in rows
    )
    out.seek(0)
    assert [
        [unescape_csv_cell(cell) for cell in row] for row in csv.reader(io.StringIO(out.getvalue(), newline=""))
    ] == rows


@given(st.dictionaries(anything, st.one_of(anything, st.floats(allow_nan=False, allow_infinity=False))))
def test_json_round_trips_without_control_characters(value):
    for indent in (None, 2):
        text = dumps_json(value, indent)
        assert json.loads(text) == {
            replace_surrogates(key): replace_surrogates(item) if isinstance(item, str) else item
            for key, item in value.items()
        }
        text.encode()
        assert not {unicodedata.category(character) for character in text.replace("\n", "")} & CONTROL_CATEGORIES
    assert "\u202e" not in dumps_json(BIDI_NAME)


def test_json_rejects_nan():
    with pytest.raises(ValueError, match="JSON"):
        dumps_json(float("nan"))


def test_latex_special_characters_are_escaped():
    assert escape_latex("a_b%\\input{x}") == r"a\_b\%\textbackslash{}input\{x\}"
    # after the end of a row, LaTeX would read a bracket as the distance to the next row
    assert escape_latex("[2pt]") == "{[}2pt{]}"
    assert "\n" not in escape_latex("a\n% b")


@given(anything)
def test_html_shows_the_text_unchanged(text):
    shown = escaping.escape_html(text)
    assert "<" not in shown
    assert html.unescape(shown) == escape_invisible(text) or "&" in text


@given(anything)
def test_safe_file_name_stays_within_its_folder(text):
    name = safe_file_name(text, "ratings")
    assert name
    assert not set(name) & set('/\\:*?"<>|\0\n\x1b')
    assert name.strip(" .") == name
    assert len(name.encode()) <= 130


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../../etc/passwd", "-..-etc-passwd"),
        ("con", "-con"),
        ("NUL.txt", "-NUL.txt"),
        ("", "ratings"),
        ("..", "ratings"),
        ("/", "ratings"),
        ("é" * 200, "é" * 60),
        ("my system", "my system"),
        ("a\u202eb", "a-b"),
    ],
)
def test_file_names_made_from_system_names(name, expected):
    assert safe_file_name(name, "ratings") == expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("papago, en-de: MCC .319", "papago, en-de: MCC .319"),
        ("מערכת להערכת 2022, en-cs: MCC .612", "\u2068מערכת להערכת 2022\u2069, en-cs: MCC .612"),
        ("one of A and אב has\nאב has (אב)", "one of A and \u2068אב\u2069 has\n\u2068אב\u2069 has (\u2068אב\u2069)"),
        ("\u202eאב", "\\u202e\u2068אב\u2069"),
    ],
)
def test_right_to_left_names_in_a_sentence_are_isolated(text, shown):
    assert escaping.isolate_bidi_text(text) == shown
