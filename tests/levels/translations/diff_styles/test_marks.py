"""Marks of each diff style: small cases by hand, properties, and the oracles of the metrics."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.levels.translations.diff_styles import DIFF_STYLES, NO_DIFF_STYLE, MarkingInput, default_diff_style
from qe_desktop.metrics import TRANSLATION_METRICS

words = st.lists(st.sampled_from(["der", "Hund", "läuft", "im", "Park", "."]), max_size=12)


def marked_texts(name, text, *others, language="en"):
    """Return the marked pieces with the texts of their signs; a gap is the word before it and "|"."""
    marks = DIFF_STYLES[name].marks(MarkingInput(text, others, language))
    return [(text[mark.start : mark.end] or f"{text[: mark.start].split(' ')[-1]}|", mark.sign.label) for mark in marks]


def descriptions(name, text, *others, language="en"):
    marking = DIFF_STYLES[name]
    return [marking.describe(mark, ["A", "B"]) for mark in marking.marks(MarkingInput(text, others, language))]


def test_differences_from_the_nearest_text():
    text, other = "The dog runs in a park.", "The dog ran in the big park"
    assert marked_texts("differences", text, other) == [
        ("runs", "different word"), ("in|", "missing words"), ("a", "different word"), (".", "additional word"),
    ]  # fmt: skip
    assert descriptions("differences", text, other) == [
        "A has “ran” instead", "A has “the” at this position", "A has “big” instead", "no counterpart in A",
    ]  # fmt: skip
    # compared with the nearest of several texts, or the first of equally near ones
    assert descriptions("differences", "a b c", "x y z", "a b d") == ["B has “d” instead"]
    assert descriptions("differences", "a b c", "a b d", "a b e") == ["A has “d” instead"]
    assert marked_texts("differences", "x", "a b x c d") == [("|", "missing words"), ("x|", "missing words")]
    assert descriptions("differences", "x", "a b x c d") == [
        "A has “a b” at this position",
        "A has “c d” at this position",
    ]
    # case-sensitive
    assert marked_texts("differences", "The", "the") == [("The", "different word")]


def test_edits_are_those_that_ter_counts():
    # one block of two words is shifted, one word is substituted and one deleted, and one would be inserted
    text, other = "on Monday we met the old man twice", "We met the new man on Monday yesterday"
    assert marked_texts("edits", text, other) == [
        ("on", "shifted"), ("Monday", "shifted"), ("old", "substituted"), ("twice", "substituted"),
    ]  # fmt: skip
    assert descriptions("edits", text, other) == [
        "would be shifted from position 1 to match position 6 of A",
        "would be shifted from position 2 to match position 7 of A",
        "would be replaced by “new” from A",
        "would be replaced by “yesterday” from A",
    ]
    assert descriptions("edits", "a b c", "a c") == ["would be deleted: no counterpart in A"]
    assert descriptions("edits", "a c", "a b b c") == ["“b b” from A would be inserted at this position"]
    # as in the metric, case is ignored and punctuation is not separated
    assert sorted(marked_texts("edits", "A cat.", "a cat .")) == [("A|", "inserted"), ("cat.", "substituted")]
    # compared with the reference that needs the fewest edits
    assert descriptions("edits", "a b c", "x y z", "a b d") == ["would be replaced by “d” from B"]


def test_matching_ngrams_and_clipped_surplus_matches():
    text = "the cat, the cat sat on a mat."
    assert marked_texts("n-grams", text, "on a mat.") == [
        ("on", "4-gram"), ("a", "4-gram"), ("mat", "4-gram"), (".", "4-gram"),
    ]  # fmt: skip
    # 13a separates the comma; "the cat" counts once because A has it once
    marks = marked_texts("n-grams", text, "the cat slept", "on a rug")
    assert marks == [
        ("the", "2-gram"), ("cat", "2-gram"), ("the", "surplus match (clipped)"), ("cat", "surplus match (clipped)"),
        ("on", "2-gram"), ("a", "2-gram"),
    ]  # fmt: skip
    assert descriptions("n-grams", "a b x", "a b", "b x") == [
        "part of a matching 2-gram: “a b”, also in A", "part of a matching 2-gram: “a b”, also in A",
        "part of a matching 2-gram: “b x”, also in B",
    ]  # fmt: skip
    assert descriptions("n-grams", "a x", "a", "a") == ["single word, also in A and B"]
    assert descriptions("n-grams", "a a", "a")[1] == "“a” also occurs in A, but less often"


def test_unigrams_match_by_word_or_stem():
    text, other = "He runs and ran", "and he was running"
    assert marked_texts("unigrams", text, other) == [("He", "same stem"), ("runs", "same stem"), ("and", "same word")]
    assert descriptions("unigrams", text, other)[1:] == [
        "same stem as “running” at position 4 of A",
        "matches the word at position 1 of A",
    ]
    # without a stemmer, only identical words match
    assert marked_texts("unigrams", text, other, language="") == [("and", "same word")]
    # exact matches precede stem matches
    assert descriptions("unigrams", "run runs", "runs run") == [
        "matches the word at position 2 of A",
        "matches the word at position 1 of A",
    ]


def test_chunks_of_consecutive_matches():
    text, other = "on the mat sat the cat", "the cat sat on the mat"
    # METEOR-2005 minimizes crossings, not chunks
    assert len(marked_texts("chunks", text, other)) == 6
    assert marked_texts("chunks", "a b x c d", "c d a b") == [("a b", "chunk"), ("c d", "chunk")]
    assert descriptions("chunks", "a b x c", "c a b") == [
        "in a chunk of 2 words that begins at position 2 of A", "in a chunk of 1 word that begins at position 1 of A",
    ]  # fmt: skip
    # 13a separates the full stop, which is part of the chunk
    assert marked_texts("chunks", "a mat.", "a mat .") == [("a mat.", "chunk")]


def test_no_marks_without_a_diff_style_or_another_text():
    assert marked_texts("nothing", "a", "b") == []
    assert NO_DIFF_STYLE.describe(DIFF_STYLES["edits"].marks(MarkingInput("a", ("b",)))[0], ["A"]) == ""
    for name in DIFF_STYLES:
        assert marked_texts(name, "a b") == []
        assert [text for text, _ in marked_texts(name, "", "a b")] in ([], ["|"])
        assert marked_texts(name, "", "") == []


@given(words)
def test_identical_texts_have_no_differences_and_match_completely(tokens):
    text = " ".join(tokens)
    assert marked_texts("differences", text, text) == marked_texts("edits", text, text) == []
    assert [piece for piece, _ in marked_texts("unigrams", text, text)] == tokens
    assert len(marked_texts("chunks", text, text)) == bool(tokens)
    longest = min(4, len(tokens))
    assert marked_texts("n-grams", text, text) == [(token, f"{longest}-gram") for token in tokens]


@given(words, st.data())
def test_marks_cover_exactly_the_changed_words(tokens, data):
    changed = data.draw(st.sets(st.sampled_from(range(len(tokens))))) if tokens else set()
    text = " ".join(f"new{index}" if index in changed else token for index, token in enumerate(tokens))
    new = [f"new{index}" for index in sorted(changed)]
    for name, sign in (("differences", "different word"), ("edits", "substituted")):
        assert marked_texts(name, text, " ".join(tokens)) == [(word, sign) for word in new]


@given(words, words, st.sampled_from(sorted(DIFF_STYLES)))
def test_marks_are_ordered_inside_the_text_and_have_descriptions(first, second, name):
    text, reference = " ".join(first), " ".join(second)
    marks = DIFF_STYLES[name].marks(MarkingInput(text, (reference, text), "de"))
    assert [(mark.start, mark.end) for mark in marks] == sorted((mark.start, mark.end) for mark in marks)
    assert all(0 <= mark.start <= mark.end <= len(text) for mark in marks)
    assert all(DIFF_STYLES[name].describe(mark, ["A", "B"]) for mark in marks)
    assert {mark.sign for mark in marks} <= set(DIFF_STYLES[name].signs)


def test_very_long_segments_have_no_marks():
    long = "w " * 2001
    assert marked_texts("differences", long, "a") == marked_texts("edits", long, "a") == []


def test_each_metric_has_a_default_diff_style():
    usual = {name: default_diff_style(name).name for name in TRANSLATION_METRICS}
    assert {name for name, marking in usual.items() if marking == "n-grams"} >= {"BLEU", "BLEU-floor", "NIST"}
    assert {name: marking for name, marking in usual.items() if not name.startswith("BLEU-")} == {
        "BLEU": "n-grams", "NIST": "n-grams", "chrF": "differences", "chrF++": "differences", "TER": "edits",
        "WER": "edits", "PER": "edits", "unigram-P": "unigrams", "unigram-R": "unigrams", "unigram-F1": "unigrams",
        "unigram-Fmean": "unigrams", "unigram-P-macro": "unigrams", "unigram-R-macro": "unigrams",
        "unigram-F1-macro": "unigrams", "unigram-Fmean-macro": "unigrams", "METEOR-2005": "chunks",
    }  # fmt: skip
    assert default_diff_style("COMET").name == default_diff_style("").name == "differences"
    assert all(len({sign.style for sign in marking.signs}) == len(marking.signs) for marking in DIFF_STYLES.values())


@pytest.mark.published
def test_edits_equal_tercom(data_folder):
    cases = json.loads((data_folder.parent / "oracles/translations/ter_tercom.json").read_text())["cases"]
    for case in cases:
        if not case["ref"].split():
            continue
        text, other = " ".join(case["hyp"].split()), " ".join(case["ref"].split())
        marks = DIFF_STYLES["edits"].marks(MarkingInput(text, (other,)))
        letters = [operation[2] for operation in case["default"]["ops[ref,hyp,op,shift]"]]
        signs = [mark.sign.label for mark in marks]
        assert signs.count("substituted") == letters.count("S"), case
        # tercom's I is a surplus word, its D a missing one; adjacent missing words are one mark
        assert signs.count("deleted") == letters.count("I"), case
        assert sum(mark.count for mark in marks if mark.sign.label == "inserted") == letters.count("D"), case


@pytest.mark.published
def test_chunks_equal_the_oracle(data_folder):
    cases = json.loads((data_folder.parent / "oracles/translations/meteor_original.json").read_text())["cases"]
    for case in cases:
        # the oracle's tokens are separated by spaces
        text, other = case["hyp"].lower(), case["ref"].lower()
        marks = DIFF_STYLES["chunks"].marks(MarkingInput(text, (other,)))
        if all(token.isalnum() for token in (text + " " + other).split()):
            assert len(marks) == case.get("chunks_at_min_crossings", 0)
            assert sum(mark.count for mark in marks) == case["m"]
