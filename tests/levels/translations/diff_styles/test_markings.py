"""What each way of marking marks: small cases by hand, what always holds, and the oracles of the metrics."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.levels.translations.diff_styles import DIFF_STYLES, NO_DIFF_STYLE, MarkingInput, default_diff_style
from qe_desktop.metrics import TRANSLATION_METRICS

words = st.lists(st.sampled_from(["der", "Hund", "läuft", "im", "Park", "."]), max_size=12)


def marked(name, text, *others, language="en"):
    """The marked pieces with the texts of their signs; a place between two is the piece before it and a bar."""
    found = DIFF_STYLES[name].marks(MarkingInput(text, others, language))
    return [(text[mark.start : mark.end] or f"{text[: mark.start].split(' ')[-1]}|", mark.sign.text) for mark in found]


def said(name, text, *others, language="en"):
    marking = DIFF_STYLES[name]
    return [marking.say(mark, ["A", "B"]) for mark in marking.marks(MarkingInput(text, others, language))]


def test_differences():
    text, other = "The dog runs in a park.", "The dog ran in the big park"
    assert marked("differences", text, other) == [
        ("runs", "other word"), ("in|", "not here"), ("a", "other word"), (".", "only here"),
    ]  # fmt: skip
    assert said("differences", text, other) == [
        "A has “ran” instead", "A has “the” at this position", "A has “big” instead", "not in A",
    ]  # fmt: skip
    # of several texts the nearest, the first of equals
    assert said("differences", "a b c", "x y z", "a b d") == ["B has “d” instead"]
    assert said("differences", "a b c", "a b d", "a b e") == ["A has “d” instead"]
    assert marked("differences", "x", "a b x c d") == [("|", "not here"), ("x|", "not here")]
    assert said("differences", "x", "a b x c d") == ["A has “a b” at this position", "A has “c d” at this position"]
    # case counts
    assert marked("differences", "The", "the") == [("The", "other word")]


def test_edits_as_ter_counts_them():
    # one block of two words is shifted, one word is substituted and one deleted, and one would be inserted
    text, other = "on Monday we met the old man twice", "We met the new man on Monday yesterday"
    assert marked("edits", text, other) == [
        ("on", "shifted"), ("Monday", "shifted"), ("old", "substituted"), ("twice", "substituted"),
    ]  # fmt: skip
    assert said("edits", text, other) == [
        "shifted from position 1 to position 6 of A",
        "shifted from position 2 to position 7 of A",
        "substituted for “new” in A",
        "substituted for “yesterday” in A",
    ]
    assert said("edits", "a b c", "a c") == ["would be deleted: not in A"]
    assert said("edits", "a c", "a b b c") == ["“b b” of A would be inserted at this position"]
    # as the metric has it, case does not count and punctuation is not set apart
    assert sorted(marked("edits", "A cat.", "a cat .")) == [("A|", "inserted"), ("cat.", "substituted")]
    # of several references the one that takes the fewest edits
    assert said("edits", "a b c", "x y z", "a b d") == ["substituted for “d” in B"]


def test_matching_ngrams():
    text = "the cat, the cat sat on a mat."
    assert marked("n-grams", text, "on a mat.") == [
        ("on", "4-gram"), ("a", "4-gram"), ("mat", "4-gram"), (".", "4-gram"),
    ]  # fmt: skip
    # 13a sets the comma apart; "the cat" counts once, for A has it once
    found = marked("n-grams", text, "the cat slept", "on a rug")
    assert found == [
        ("the", "2-gram"), ("cat", "2-gram"), ("the", "surplus match (clipped)"), ("cat", "surplus match (clipped)"),
        ("on", "2-gram"), ("a", "2-gram"),
    ]  # fmt: skip
    assert said("n-grams", "a b x", "a b", "b x") == [
        "in a matching 2-gram, “a b” in A", "in a matching 2-gram, “a b” in A", "in a matching 2-gram, “b x” in B",
    ]  # fmt: skip
    assert said("n-grams", "a x", "a", "a") == ["single word, also in A and B"]
    assert said("n-grams", "a a", "a")[1] == "“a” also occurs in A, but less often"


def test_unigram_matches():
    text, other = "He runs and ran", "and he was running"
    assert marked("unigrams", text, other) == [("He", "same stem"), ("runs", "same stem"), ("and", "same word")]
    assert said("unigrams", text, other)[1:] == ["same stem as “running”, position 4 of A", "matches position 1 of A"]
    # without a stemmer, what is the same letter by letter
    assert marked("unigrams", text, other, language="") == [("and", "same word")]
    # what matches as it is goes before what has its stem
    assert said("unigrams", "run runs", "runs run") == ["matches position 2 of A", "matches position 1 of A"]


def test_chunks():
    text, other = "on the mat sat the cat", "the cat sat on the mat"
    # the fewest crossings, as METEOR-2005 has it, and not the fewest chunks
    assert len(marked("chunks", text, other)) == 6
    assert marked("chunks", "a b x c d", "c d a b") == [("a b", "chunk"), ("c d", "chunk")]
    assert said("chunks", "a b x c", "c a b") == [
        "in a chunk of 2 words, at position 2 of A", "in a chunk of 1 word, at position 1 of A",
    ]  # fmt: skip
    # 13a cuts off the full stop, which belongs to the chunk
    assert marked("chunks", "a mat.", "a mat .") == [("a mat.", "chunk")]


def test_nothing_and_nothing_to_mark_against():
    assert marked("nothing", "a", "b") == []
    assert NO_DIFF_STYLE.say(DIFF_STYLES["edits"].marks(MarkingInput("a", ("b",)))[0], ["A"]) == ""
    for name in DIFF_STYLES:
        assert marked(name, "a b") == []
        assert [text for text, _ in marked(name, "", "a b")] in ([], ["|"])
        assert marked(name, "", "") == []


@given(words)
def test_identical_texts_differ_nowhere_and_match_throughout(tokens):
    text = " ".join(tokens)
    assert marked("differences", text, text) == marked("edits", text, text) == []
    assert [piece for piece, _ in marked("unigrams", text, text)] == tokens
    assert len(marked("chunks", text, text)) == bool(tokens)
    longest = min(4, len(tokens))
    assert marked("n-grams", text, text) == [(token, f"{longest}-gram") for token in tokens]


@given(words, st.data())
def test_marks_cover_exactly_the_words_that_were_changed(tokens, data):
    changed = data.draw(st.sets(st.sampled_from(range(len(tokens))))) if tokens else set()
    text = " ".join(f"new{place}" if place in changed else token for place, token in enumerate(tokens))
    new = [f"new{place}" for place in sorted(changed)]
    for name, sign in (("differences", "other word"), ("edits", "substituted")):
        assert marked(name, text, " ".join(tokens)) == [(word, sign) for word in new]


@given(words, words, st.sampled_from(sorted(DIFF_STYLES)))
def test_marks_stand_in_the_text_in_order_and_can_be_said(one, other, name):
    text, beside = " ".join(one), " ".join(other)
    found = DIFF_STYLES[name].marks(MarkingInput(text, (beside, text), "de"))
    assert [(mark.start, mark.end) for mark in found] == sorted((mark.start, mark.end) for mark in found)
    assert all(0 <= mark.start <= mark.end <= len(text) for mark in found)
    assert all(DIFF_STYLES[name].say(mark, ["A", "B"]) for mark in found)
    assert {mark.sign for mark in found} <= set(DIFF_STYLES[name].signs)


def test_very_long_segments_are_left_as_they_are():
    long = "w " * 2001
    assert marked("differences", long, "a") == marked("edits", long, "a") == []


def test_each_metric_has_what_shows_it():
    usual = {name: default_diff_style(name).name for name in TRANSLATION_METRICS}
    assert {name for name, marking in usual.items() if marking == "n-grams"} >= {"BLEU", "BLEU-floor", "NIST"}
    assert {name: marking for name, marking in usual.items() if not name.startswith("BLEU-")} == {
        "BLEU": "n-grams", "NIST": "n-grams", "chrF": "differences", "chrF++": "differences", "TER": "edits",
        "WER": "edits", "PER": "edits", "unigram-P": "unigrams", "unigram-R": "unigrams", "unigram-F1": "unigrams",
        "unigram-Fmean": "unigrams", "unigram-P-macro": "unigrams", "unigram-R-macro": "unigrams",
        "unigram-F1-macro": "unigrams", "unigram-Fmean-macro": "unigrams", "METEOR-2005": "chunks",
    }  # fmt: skip
    assert default_diff_style("COMET").name == default_diff_style("").name == "differences"
    assert all(len({sign.form for sign in marking.signs}) == len(marking.signs) for marking in DIFF_STYLES.values())


@pytest.mark.published
def test_edits_are_tercoms(data_folder):
    cases = json.loads((data_folder.parent / "oracles/translations/ter_tercom.json").read_text())["cases"]
    for case in cases:
        if not case["ref"].split():
            continue
        text, other = " ".join(case["hyp"].split()), " ".join(case["ref"].split())
        found = DIFF_STYLES["edits"].marks(MarkingInput(text, (other,)))
        letters = [one[2] for one in case["default"]["ops[ref,hyp,op,shift]"]]
        signs = [mark.sign.text for mark in found]
        assert signs.count("substituted") == letters.count("S"), case
        # tercom's I is a word too much, its D one that is missing; those that are missing side by side are one mark
        assert signs.count("deleted") == letters.count("I"), case
        assert sum(mark.number for mark in found if mark.sign.text == "inserted") == letters.count("D"), case


@pytest.mark.published
def test_chunks_are_those_of_the_oracle(data_folder):
    cases = json.loads((data_folder.parent / "oracles/translations/meteor_original.json").read_text())["cases"]
    for case in cases:
        # the oracle's tokens stand between blanks
        text, other = case["hyp"].lower(), case["ref"].lower()
        found = DIFF_STYLES["chunks"].marks(MarkingInput(text, (other,)))
        if all(token.isalnum() for token in (text + " " + other).split()):
            assert len(found) == case.get("chunks_at_min_crossings", 0)
            assert sum(mark.number for mark in found) == case["m"]
