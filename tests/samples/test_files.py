"""Files of the samples: names, numbers of lines, tokenization and scripts."""

from __future__ import annotations

import re
import unicodedata

import pytest

from qe_desktop.corpus import TextRole, display_text
from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.ratings.campaign_texts import CampaignTexts
from tests.samples.sample_files import (
    PAIRS,
    SAMPLES,
    SYSTEMS,
    WITH_PROBABILITIES,
    read_authored_tokens,
    read_lines,
    read_tokens,
)

CORPUS_FILES = (
    "sample.src",
    "sample.mt",
    "sample.pe",
    "sample.raw.src",
    "sample.raw.mt",
    "sample.raw.pe",
    "sample.docs",
    "sample.tags",
    "sample.source_tags",
    "sample.src-mt.alignments",
    "sample.hter",
)
FURTHER_FILES = (
    "translations.tsv",
    "translations/fluent.txt",
    "translations/literal.txt",
    "sample.ratings.jsonl",
    "reference_translations.tsv",
    "references/A.txt",
    "references/B.txt",
    "metrics/simulated-metric.seg.score",
)
SYSTEM_FILES = tuple(f"systems/{name}.{ending}" for name in SYSTEMS for ending in ("tags", "hter")) + tuple(
    f"systems/{name}.probabilities" for name in WITH_PROBABILITIES
)


def test_system_names_are_short_enough_for_the_matrix() -> None:
    """Longer names would be elided in the columns of the matrix."""
    translations = (SAMPLES / "en-de/translations").iterdir()
    names = [*SYSTEMS, *(path.stem for path in translations)]
    assert max(map(len, names)) <= len("cautious")


def test_every_file_has_one_line_per_segment(pair: str) -> None:
    authored = read_lines(pair, "authored.tsv")
    assert authored[0] == "document\tsource\tMT\tpost-edit"
    for name in (*CORPUS_FILES, *SYSTEM_FILES):
        assert len(read_lines(pair, name)) == len(authored) - 1, name


def test_sample_folder_contains_no_other_files(pair: str) -> None:
    folder = SAMPLES / pair
    result = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    further = FURTHER_FILES if pair == "en-de" else ()
    assert result == {*CORPUS_FILES, *SYSTEM_FILES, *further, "authored.tsv", "lexicon.tsv"}


def test_further_mt_systems_translate_every_segment() -> None:
    corpus = build_corpus(plan_imports([SAMPLES / "en-de"])[0])
    assert list(corpus.translations) == ["fluent", "literal"]
    mt = corpus.text(TextRole.RAW_MT)
    assert mt is not None
    for column in corpus.translations.values():
        assert len(column) == corpus.size
        same = sum(column[segment] == mt[segment] for segment in range(corpus.size))
        # some outputs are identical, so that a ranking shows them once
        assert 0 < same < corpus.size / 4


@pytest.mark.parametrize(("pair_", "segments", "documents"), [("en-de", 120, 10), ("en-he", 20, 2), ("en-ja", 20, 2)])
def test_number_of_segments_and_documents(pair_: str, segments: int, documents: int) -> None:
    names = read_lines(pair_, "sample.docs")
    assert len(names) >= segments
    assert documents <= len(set(names)) <= documents + 2
    pieces = [name for name, before in zip(names, ["", *names], strict=False) if name != before]
    assert len(pieces) == len(set(pieces)), "a document lies in several pieces"
    assert min(names.count(name) for name in pieces) >= 5


@pytest.mark.parametrize(
    ("pair_", "name"),
    [
        *((pair_, name) for pair_ in PAIRS for name in ("sample.src", "sample.mt", "sample.pe")),
        ("en-de", "references/A.txt"),
        ("en-de", "references/B.txt"),
        ("en-de", "translations/fluent.txt"),
        ("en-de", "translations/literal.txt"),
    ],
)
def test_text_is_tokenized(pair_: str, name: str) -> None:
    for row in read_authored_tokens(pair_, name):
        for token in row:
            assert token
            assert not re.search(r"\s", token), row
            assert token == unicodedata.normalize("NFC", token)
            assert not re.fullmatch(r".*\w[,;:!?“”。、]", token), f"punctuation sticks to {token!r}"
            assert not re.fullmatch(r"\w*[^\W\d_]{3}\.", token), f"the full stop sticks to {token!r}"


@pytest.mark.parametrize("role", [TextRole.SOURCE, TextRole.MT, TextRole.POST_EDIT])
def test_raw_texts_consist_of_their_tokens(pair: str, role: TextRole) -> None:
    corpus = build_corpus(plan_imports([SAMPLES / pair])[0])
    unlike = 0
    for segment in range(corpus.size):
        shown = display_text(corpus, role, segment)
        assert not shown.is_unaligned
        assert shown.words == corpus.tokens(role, segment)
        assert not re.search(r"\s[,.;:?!“”。、]|[„(]\s", shown.text), shown.text
        unlike += shown.text != " ".join(shown.words)
    assert unlike > 0.8 * corpus.size


def test_no_output_can_be_recognized_by_spaces_before_punctuation() -> None:
    texts = CampaignTexts.of_corpus(build_corpus(plan_imports([SAMPLES / "en-de"])[0]))
    assert texts.source is not None
    assert texts.reference is not None
    for lines_ in (texts.source, texts.reference, *texts.outputs().values()):
        assert not any(re.search(r"\s[,.;:?!“”]", line) for line in lines_)


def test_segment_lengths_vary() -> None:
    lengths = sorted(len(row) for row in read_tokens("en-de", "sample.src"))
    assert lengths[0] <= 3
    assert 80 <= lengths[-1] <= 100
    assert 35 <= lengths[-2] <= 60
    assert len(set(lengths)) >= 20


def test_targets_are_in_the_script_of_their_language() -> None:
    hebrew = re.compile("[\u05d0-\u05ea]")
    kana = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
    for name in ("sample.mt", "sample.pe"):
        assert all(hebrew.search(line) for line in read_lines("en-he", name))
        with_kana = sum(bool(kana.search(line)) for line in read_lines("en-ja", name))
        assert with_kana >= len(read_lines("en-ja", name)) - 1, "at most a title may do without kana"
        assert any(character in line for line in read_lines("en-de", name) for character in "äöüß")
    for other_pair in ("en-de", "en-ja"):
        assert not any(hebrew.search(line) for line in read_lines(other_pair, "sample.mt"))
