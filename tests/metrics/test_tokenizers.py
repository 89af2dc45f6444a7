"""Tokens are sacreBLEU's, whatever the line; what is not installed is said in words."""

from __future__ import annotations

import json
import subprocess
import sys
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU, _get_tokenizer

from qe_desktop.corpus import QeError
from qe_desktop.metrics.text import tokenizers
from qe_desktop.metrics.text.tokenizers import LINES_PER_BATCH, TOKENIZERS, Tokenizer
from tests.metrics.drawn_texts import lines

HERE = ("13a", "none", "char", "intl", "zh")
NEEDED = {
    "ja-mecab": ("MeCab", "qe-desktop[ja]"),
    "ko-mecab": ("mecab_ko", "qe-desktop[ko]"),
    "spm": ("sentencepiece", "sentencepiece"),
    "flores101": ("sentencepiece", "sentencepiece"),
    "flores200": ("sentencepiece", "sentencepiece"),
    "spBLEU-1K": ("sentencepiece", "sentencepiece"),
}


def theirs(name: str, text: list[str], lowercase: bool) -> list[list[str]]:
    bleu = BLEU(tokenize=name, lowercase=lowercase)
    return [bleu._preprocess_segment(line).split() for line in text]


@pytest.mark.parametrize("name", HERE)
@given(st.lists(lines, max_size=6), st.booleans())
def test_tokens_are_sacrebleus(name, text, lowercase):
    assert Tokenizer(name, lowercase)(text) == theirs(name, text, lowercase)


@given(st.text(), st.booleans())
def test_any_line_is_cut_as_sacrebleu_cuts_it(line, lowercase):
    for name in ("13a", "none", "char"):
        assert Tokenizer(name, lowercase)([line, "a", line]) == theirs(name, [line, "a", line], lowercase)


@given(
    st.lists(st.sampled_from(["a-\n", "\n", "b", " ", "-", "5.", "<skipped>", "<SKIPPED>"])).map("".join), st.booleans()
)
def test_lines_that_hold_line_feeds_are_cut_as_sacrebleu_cuts_them(line, lowercase):
    assert Tokenizer("13a", lowercase)(["x.", line, "x."]) == theirs("13a", ["x.", line, "x."], lowercase)


@given(st.text(alphabet="5a., ", max_size=12))
def test_runs_of_full_stops_and_commas_are_cut_rule_by_rule(line):
    assert Tokenizer()([line]) == theirs("13a", [line], False)


@pytest.mark.published
def test_tokens_of_the_oracle(data_folder):
    cases = json.loads((data_folder.parent / "oracles/translations/surface_small_sentence.json").read_text())["cases"]
    assert len(cases) == 30
    assert [" ".join(tokens) for tokens in Tokenizer()([case["hyp"] for case in cases])] == [
        case["tok13a"] for case in cases
    ]


def test_mteval_lowers_a_to_z_alone_and_after_entities_are_read():
    line = "ÄB &QUOT;C&quot; İ É"
    assert Tokenizer("mteval", lowercase=True)([line]) == [["Äb", "&", "quot", ";", "c", '"', "İ", "É"]]
    assert Tokenizer("13a", lowercase=True)([line]) == [["äb", '"', "c", '"', "i̇", "é"]]
    assert Tokenizer("mteval")([line]) == Tokenizer("13a")([line])
    assert Tokenizer("mteval", lowercase=True)(["A.B\ud800"]) == [["a", ".", "b\ud800"]]


def test_long_texts_are_cut_in_blocks():
    text = [f"{number}, {number}. a..{number}" for number in range(3 * LINES_PER_BATCH + 1)]
    assert Tokenizer()(text) == theirs("13a", text, False)


def test_no_lines_and_empty_lines():
    for name in HERE:
        assert Tokenizer(name)([]) == []
        assert Tokenizer(name)(["", " ", ""]) == [[], [], []]


def test_a_cut_is_a_value():
    assert Tokenizer() == Tokenizer("13a", False, None)
    assert len({Tokenizer(), Tokenizer("13a"), Tokenizer("none")}) == 2


def test_an_unknown_tokenizer_names_those_there_are():
    with pytest.raises(QeError) as raised:
        Tokenizer("14a")(["a"])
    assert raised.value.message == "no tokenizer “14a”"
    assert all(name in raised.value.hint for name in TOKENIZERS)


@pytest.mark.parametrize("name", NEEDED)
def test_what_is_not_installed_is_named(name, monkeypatch):
    module, package = NEEDED[name]
    monkeypatch.setattr(tokenizers, "find_spec", lambda asked: None if asked == module else object())
    tokenizers._sacrebleu.cache_clear()
    for ask in (lambda: Tokenizer(name)(["a"]), lambda: Tokenizer(name).signature):
        with pytest.raises(QeError) as raised:
            ask()
        assert name in raised.value.message
        assert f'pip install "{package}"' in raised.value.hint


def test_a_model_that_is_not_here_is_not_fetched(monkeypatch, tmp_path):
    from sacrebleu.tokenizers import tokenizer_spm

    monkeypatch.setattr(tokenizers, "find_spec", lambda asked: object())
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(tokenizer_spm, "download_file", lambda *asked: pytest.fail("it was fetched"))
    tokenizers._sacrebleu.cache_clear()
    with pytest.raises(QeError) as raised:
        Tokenizer("flores200")(["a"])
    assert "needs a model" in raised.value.message
    assert str(tmp_path / "models" / "flores200sacrebleuspm") in raised.value.hint


def test_pieces_of_a_model_that_is_here(monkeypatch, tmp_path):
    """With a library of this name and a model where sacreBLEU keeps it, its tokeniser is used as it is."""
    from sacrebleu.tokenizers import tokenizer_spm

    class SentencePieceProcessor:
        def Load(self, path):
            assert path == str(tmp_path / "models" / "sacrebleu_tokenizer_spm.model")

        def EncodeAsPieces(self, line):
            return [f"▁{word}" for word in line.split()]

    library = ModuleType("sentencepiece")
    library.SentencePieceProcessor = SentencePieceProcessor  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentencepiece", library)
    monkeypatch.setattr(tokenizers, "find_spec", lambda asked: object())
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "sacrebleu_tokenizer_spm.model").write_text("")
    tokenizers._sacrebleu.cache_clear()
    for name in ("spm", "flores101"):
        assert Tokenizer(name, lowercase=True)(["A b ", ""]) == [["▁a", "▁b"], []]
        assert Tokenizer(name).signature == {"case": "mixed", "tok": "flores101"}
    tokenizers._sacrebleu.cache_clear()


def test_a_dictionary_that_does_not_load_is_said_in_words(monkeypatch):
    from sacrebleu.tokenizers import tokenizer_ja_mecab

    monkeypatch.setattr(tokenizers, "find_spec", lambda asked: object())
    monkeypatch.setattr(tokenizer_ja_mecab, "MeCab", None)
    tokenizers._sacrebleu.cache_clear()
    with pytest.raises(QeError) as raised:
        Tokenizer("ja-mecab")(["a"])
    assert "\n" not in raised.value.message
    assert 'pip install "qe-desktop[ja]"' in raised.value.hint


def test_signatures_are_sacrebleus():
    for name in HERE:
        assert Tokenizer(name, lowercase=True).signature == {"case": "lc", "tok": _get_tokenizer(name)().signature()}
    assert Tokenizer("none", stemmer="porter").signature == {"case": "mixed", "tok": "none", "stem": "porter"}


def test_tokens_are_stemmed_after_they_are_cut(monkeypatch):
    asked = []

    def stem_words(words, language):
        asked.append((list(words), language))
        return [word.rstrip("s") for word in words]

    stemming = ModuleType("qe_desktop.metrics.text.stemming")
    stemming.stem_words = stem_words  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "qe_desktop.metrics.text.stemming", stemming)
    assert Tokenizer(stemmer="english")(["Cats, cats", "", "dogs, cats"]) == [
        ["Cat", ",", "cat"],
        [],
        ["dog", ",", "cat"],
    ]
    assert asked == [(["Cats", ",", "cats", "dogs"], "english")], "each word once"


@pytest.mark.process
def test_what_most_languages_need_imports_no_library():
    code = (
        "import sys\n"
        "from qe_desktop.metrics.text.bleu import bleu_metrics\n"
        "from qe_desktop.metrics.text.nist import nist_metrics\n"
        "from qe_desktop.metrics.text.tokenizers import Tokenizer\n"
        "bleu_metrics(), nist_metrics(), [Tokenizer(name)(['a b.']) for name in ('13a', 'none', 'char', 'mteval')]\n"
        "assert not {'sacrebleu', 'regex', 'lxml'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
