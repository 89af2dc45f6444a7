"""Quality-control items degraded by the rule of WMT."""

from __future__ import annotations

from itertools import takewhile

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from qe_desktop.corpus import QeError
from qe_desktop.ratings.assignment.quality_control import degrade_segment, is_unspaced, phrase_length, phrase_units
from qe_desktop.ratings.assignment.random_stream import RandomStream
from tests.ratings.rankings import load_expected

words = st.integers(1, 40).map(lambda count: [f"w{index}" for index in range(count)])


def test_length_of_the_phrase_equals_that_of_wmt():
    for min_length, max_length, length in load_expected("quality_control")["bad_reference_lengths"]["table"]:
        for n in range(min_length, (max_length or 90) + 1):
            assert phrase_length(n) == length
            assert phrase_length(n, characters=True) == 2 * length


@given(words, st.integers(0, 99))
def test_one_phrase_is_replaced_by_one_of_another_segment(own, seed):
    other_texts = [" ".join(f"{name}{index}" for index in range(30)) for name in "xyz"]
    texts = [" ".join(own), *other_texts]
    bad = degrade_segment(texts, 0, RandomStream(seed, "x")).split()
    length = min(phrase_length(len(own)), len(own))
    assert len(bad) == len(own)
    changed = [index for index, (new, old) in enumerate(zip(bad, own, strict=True)) if new != old]
    assert changed == list(range(changed[0], changed[0] + length))
    phrase = " ".join(bad[changed[0] : changed[-1] + 1])
    assert any(f" {phrase} " in f" {text} " for text in other_texts)
    if len(own) - length > 1:
        assert changed[0] > 0
        assert changed[-1] < len(own) - 1


def common_prefix_length(first: str, second: str) -> int:
    """Return the length of the common prefix of two texts."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))


@given(st.text("日本語の文書訳者", min_size=1, max_size=60), st.integers(0, 99))
def test_phrase_without_spaces_is_counted_in_characters(own, seed):
    other = "".join(chr(0x30A1 + index) for index in range(80))
    bad = degrade_segment([own, other], 0, RandomStream(seed, "x"), characters=True)
    length = min(phrase_length(len(own), characters=True), len(own))
    assert len(bad) == len(own)
    assert sum(letter in other for letter in bad) == length
    # the text before and after the phrase is unchanged
    assert common_prefix_length(own, bad) + common_prefix_length(own[::-1], bad[::-1]) >= len(own) - length


def test_a_phrase_that_follows_the_old_one_in_a_single_text_is_used():
    texts = [*["OK"] * 600, "OK fine"]
    assert {degrade_segment(texts, 0, RandomStream(seed, "x")) for seed in range(5)} == {"fine"}
    with pytest.raises(QeError, match="no words differ from those to be replaced"):
        degrade_segment(["OK"] * 600, 0, RandomStream(1, "x"))


def test_combining_marks_stay_with_their_letters():
    assert phrase_units("กำแพง่า", characters=True) == ["ก", "ำ", "แ", "พ", "ง่", "า"]
    assert phrase_units("e\u0301a", characters=True) == ["e\u0301", "a"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("これは日本語の文です。", True),
        ("这是一个没有空格的句子，Windows 系统", True),
        ("นี่คือประโยคภาษาไทย", True),
        ("これ は 分かち 書き です 。", False),
        ("이것은 한국어 문장입니다", False),
        ("Das ist ein deutscher Satz mit einem 漢字", False),
        ("Donaudampfschifffahrtsgesellschaft", False),
        ("", False),
    ],
)
def test_texts_without_spaces_are_recognized(text, expected):
    assert is_unspaced([text] * 3) is expected


def test_shorter_phrase_is_used_if_no_text_is_long_enough():
    texts = ["a b c d e f g h i", "x", "y z"]
    bad = degrade_segment(texts, 0, RandomStream(1, "x")).split()
    assert [word for word in bad if word in "xyz"] == ["y", "z"]


def test_control_item_without_other_words_is_refused():
    for texts in (["a b c"], ["a", "a", "a"]):
        with pytest.raises(
            QeError, match=r"cannot create a quality-control item for segment 1.*Set the share of quality-control items"
        ):
            degrade_segment(texts, 0, RandomStream(1, "x"))


@given(st.lists(st.text("ab ", min_size=1, max_size=12), min_size=2, max_size=6), st.integers(0, 9))
def test_degraded_text_differs_from_the_original(texts, seed):
    assume(all(text.strip() for text in texts))
    try:
        bad = degrade_segment(texts, 0, RandomStream(seed, "x"))
    except QeError:
        return
    assert bad.split() != texts[0].split()
