"""Text made safe for each place that it goes to."""

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

from qe_desktop import outgoing
from qe_desktop.outgoing import (
    cell,
    cell_read,
    elided,
    file_name,
    json_text,
    label,
    latex,
    terminal,
    visible,
    whole,
    within,
)

CLEAR_SCREEN = "\x1b[2J\x1b]0;owned\x07"
TURNED = "abc\u202etxt.exe\u2066x"
# everything that a name may hold, halves of characters too, and more often what is dangerous
anything = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cs"]),
        st.sampled_from("\x00\x07\x1b\x7f\x9b\n\r\t\u2028\u202e\u2066\u2069\u200b\u200d\u200f\ufeff=+-@'\"|"),
    ),
    max_size=30,
)
STEERS = {"Cc", "Cs", "Zl", "Zp"}


@given(anything)
def test_a_terminal_gets_one_line_that_steers_nothing(text):
    shown = terminal(text)
    assert not {unicodedata.category(character) for character in shown} & STEERS
    assert not re.search("[\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f\u061c\ufeff]", shown)
    assert shown == text or not text.isprintable()


def test_what_cannot_be_seen_is_written_out():
    assert visible(CLEAR_SCREEN) == r"\x1b[2J\x1b]0;owned\x07"
    assert visible("a\nb\tc\rd\x9be\ud800") == r"a\nb\tc\rd\x9be\ud800"
    assert visible(TURNED) == r"abc\u202etxt.exe\u2066x"
    assert visible("pa\u200dpago\u200b") == r"pa\u200dpago\u200b"


@pytest.mark.parametrize("name", ["été", "模型\u3000一", "می‌خواهم", "👩‍🚀 1", "❤️‍🔥", "क्‍ष", "a\u00a0b"])
def test_what_people_write_stays_as_it_is(name):
    assert visible(name) == name


@given(anything, st.integers(2, 40))
def test_long_text_keeps_its_beginning_and_its_end(text, most):
    short = elided(text, most)
    assert len(short) <= most
    assert short == text or (len(short) == most and text.endswith(short[-1]) and "…" in short)
    assert len(terminal(text, most)) <= most


def test_a_name_that_runs_from_right_to_left_turns_nothing_beside_it():
    assert within("מודל") == "\u2068מודל\u2069"
    assert within("model") == label("model") == "model"
    assert len(label("x" * 100_000)) == outgoing.LABEL


@given(anything)
def test_a_cell_comes_back_as_it_was(text):
    assert cell_read(cell(text)) == text


@given(anything)
def test_no_cell_begins_as_a_formula_does(text):
    shown = cell(text)
    assert not re.match("[=+\\-@\t\r\n＝＋－＠]", shown) or re.fullmatch(r"[-+][\d.eE+-]*%?", shown, re.ASCII)


@pytest.mark.parametrize("formula", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1", "'=1"])
def test_a_formula_is_told_to_be_text(formula):
    assert cell(formula) == f"'{formula}"


@pytest.mark.parametrize("number", ["-0.12", "+3", "-1e-05", "-.5", "-", "-12 %".replace(" ", ""), "0", "'tis", "a=b"])
def test_a_number_stays_a_number(number):
    assert cell(number) == number
    assert cell_read(number) == number


@given(st.lists(st.lists(anything.map(lambda text: text.replace("\0", "")), min_size=2, max_size=4), max_size=3))
def test_cells_come_back_through_csv(rows):
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows([cell(one) for one in row] for row in rows)
    out.seek(0)
    assert [[cell_read(one) for one in row] for row in csv.reader(io.StringIO(out.getvalue(), newline=""))] == rows


@given(st.dictionaries(anything, st.one_of(anything, st.floats(allow_nan=False, allow_infinity=False))))
def test_json_comes_back_as_it_was_and_can_be_printed_anywhere(value):
    for indent in (None, 2):
        text = json_text(value, indent)
        assert json.loads(text) == {
            whole(key): whole(one) if isinstance(one, str) else one for key, one in value.items()
        }
        text.encode()
        assert not {unicodedata.category(character) for character in text.replace("\n", "")} & STEERS
    assert "\u202e" not in json_text(TURNED)


def test_json_has_no_infinities():
    with pytest.raises(ValueError, match="JSON"):
        json_text(float("nan"))


def test_latex_reads_nothing_of_a_name_as_its_own():
    assert latex("a_b%\\input{x}") == r"a\_b\%\textbackslash{}input\{x\}"
    # behind the end of a row a bracket would be taken for its distance to the next
    assert latex("[2pt]") == "{[}2pt{]}"
    assert "\n" not in latex("a\n% b")


@given(anything)
def test_html_shows_a_text_letter_for_letter(text):
    shown = outgoing.html_text(text)
    assert "<" not in shown
    assert html.unescape(shown) == visible(text) or "&" in text


@given(anything)
def test_a_file_name_stays_within_its_folder(text):
    name = file_name(text, "ratings")
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
def test_file_names_of_names(name, expected):
    assert file_name(name, "ratings") == expected


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("papago, en-de: MCC .319", "papago, en-de: MCC .319"),
        ("מערכת להערכת 2022, en-cs: MCC .612", "\u2068מערכת להערכת 2022\u2069, en-cs: MCC .612"),
        ("one of A and אב has\nאב has (אב)", "one of A and \u2068אב\u2069 has\n\u2068אב\u2069 has (\u2068אב\u2069)"),
        ("\u202eאב", "\\u202e\u2068אב\u2069"),
    ],
)
def test_a_name_that_runs_from_right_to_left_turns_nothing_in_a_sentence(said, shown):
    assert outgoing.sentences(said) == shown
