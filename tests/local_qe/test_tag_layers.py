"""Conversion of BAD spans to tags of tokens, gaps and source words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Corpus, Kind, QeError, TextColumn, TextRole
from qe_desktop.local_qe.qa_checks.runner import run_checks
from qe_desktop.local_qe.tag_layers import BadSpan, SideText, layers_from_spans, tokens_in_span
from tests.small_corpora import corpus_of, tags


def make_corpus(source: list[str], mt: list[str], written: list[str] | None = None, **more) -> Corpus:
    texts = {TextRole.SOURCE: TextColumn.of(source), TextRole.MT: TextColumn.of(mt)}
    if written is not None:
        texts[TextRole.RAW_MT] = TextColumn.of(written)
    return Corpus("made", len(mt), texts, **more)


def test_tokens_are_located_in_the_raw_text():
    corpus = make_corpus(
        ["a"] * 3, ["Er sagte &quot; ja &quot; , A @-@ B .", "ganz anders", "x y"], ['Er sagte "ja", A-B.', "zz", ""]
    )
    side = SideText.of(corpus, TextRole.MT)
    assert side.is_raw == [True, False, False]
    assert side.lines == ['Er sagte "ja", A-B.', "ganz anders", "x y"]
    line = side.lines[0]
    assert [line[start:stop] for start, stop in side.token_spans(0)] == [
        "Er",
        "sagte",
        '"',
        "ja",
        '"',
        ",",
        "A",
        "-",
        "B",
        ".",
    ]
    assert side.token_spans(1) == [(0, 4), (5, 11)]


def test_eos_is_an_empty_span_at_the_end_of_the_line():
    side = SideText.of(make_corpus(["a"], ["gut so <EOS>"], ["gut so"]), TextRole.MT)
    assert side.token_spans(0) == [(0, 3), (4, 6), (6, 6)]
    assert side.locate_tokens(0, (6, 6)) == (Kind.GAPS, range(2, 3))


PLACES = [(0, 3), (4, 9), (9, 10)]


@pytest.mark.parametrize(
    ("span", "kind", "places"),
    [
        ((0, 3), Kind.WORDS, range(0, 1)),
        ((3, 9), Kind.WORDS, range(1, 2)),
        ((1, 5), Kind.WORDS, range(0, 2)),
        ((3, 4), Kind.GAPS, range(1, 2)),
        ((4, 4), Kind.GAPS, range(1, 2)),
        ((0, 0), Kind.GAPS, range(0, 1)),
        ((9, 9), Kind.GAPS, range(2, 3)),
        ((10, 10), Kind.GAPS, range(3, 4)),
        ((6, 6), Kind.GAPS, range(1, 2)),
    ],
)
def test_a_span_is_mapped_to_tokens_or_to_a_gap(span, kind, places):
    """Spaces at the ends, which spans of xCOMET have, are ignored; an empty span is a gap."""
    assert tokens_in_span(PLACES, "Die Katze.", span) == (kind, places)


@given(st.lists(st.text("abc.", min_size=1, max_size=4), min_size=1, max_size=6), st.data())
def test_each_token_is_located_at_its_position(words, data):
    glue = data.draw(st.lists(st.sampled_from(["", " ", "  "]), min_size=len(words), max_size=len(words)))
    line = "".join(gap + word for gap, word in zip(glue, words, strict=True))
    side = SideText.of(make_corpus(["a"], [" ".join(words)], [line]), TextRole.MT)
    assert [line[start:stop] for start, stop in side.token_spans(0)] == words
    for token, span in enumerate(side.token_spans(0)):
        assert side.locate_tokens(0, span) == (Kind.WORDS, range(token, token + 1))


def test_bad_spans_become_layers_with_reasons():
    corpus = make_corpus(["one two", "one"], ["eins zwei .", "eins"])
    mt, source = SideText.of(corpus, TextRole.MT), SideText.of(corpus, TextRole.SOURCE)
    marks = [
        BadSpan(0, (5, 9), "odd"),
        BadSpan(0, (5, 9), "odd"),
        BadSpan(1, (4, 4), "end"),
        BadSpan(0, (0, 3), "source", True),
    ]
    words, gaps, of_source = layers_from_spans(corpus, marks, "mine", mt, source)
    assert (words.key.kind, gaps.key.kind, of_source.key.kind) == (Kind.WORDS, Kind.GAPS, Kind.SOURCE)
    assert [layer.tags for layer in (words, gaps, of_source)] == [
        tags("obo", "o"), tags("oooo", "ob"), tags("bo", "o"),
    ]  # fmt: skip
    assert words.reasons.at(0, 1) == ["odd"]
    assert words.reasons.at(0, 0) == words.reasons.at(1, 0) == []
    assert gaps.reasons.at(1, 1) == ["end"]


def test_missing_text_at_the_end_is_tagged_on_eos():
    corpus = make_corpus(["in 1945 it began"], ["es begann"], eos=True)
    words, gaps, source = run_checks(corpus)
    assert (words.tags, gaps.tags, source.tags) == (tags("oob"), tags("oob"), tags("oboo"))
    assert words.reasons.at(0, 2) == ["1945 is missing from the target"]


def test_only_the_check_of_empty_targets_marks_segments_without_mt_and_missing_texts_are_rejected():
    words, gaps = run_checks(make_corpus(["in 1945 (so)", "a"], ["", "b"]))
    assert gaps.tags == tags("b", "oo")
    assert words.tags == tags("", "o")
    with pytest.raises(QeError, match="a source and a tokenized MT"):
        run_checks(corpus_of(tags("ob"), {}, words=False))


def test_progress_is_reported_and_can_stop_the_checks():
    shares: list[float] = []
    run_checks(make_corpus(["a"] * 5000, ["b"] * 5000), report=lambda share, text: shares.append(share))
    assert shares == sorted(shares)
    assert len(set(shares)) > 5

    def stop(share: float, text: str) -> None:
        if share > 0.4:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        run_checks(make_corpus(["a"], ["b"]), report=stop)
