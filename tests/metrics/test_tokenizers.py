"""Tokens equal sacreBLEU's for any line; missing packages and models are readable errors."""

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
from tests.metrics.text_strategies import lines

BUILT_IN = ("13a", "none", "char", "intl", "zh")
PACKAGES = {
    "ja-mecab": ("MeCab", "qe-desktop[ja]"),
    "ko-mecab": ("mecab_ko", "qe-desktop[ko]"),
    "spm": ("sentencepiece", "sentencepiece"),
    "flores101": ("sentencepiece", "sentencepiece"),
    "flores200": ("sentencepiece", "sentencepiece"),
    "spBLEU-1K": ("sentencepiece", "sentencepiece"),
}


def sacrebleu_tokens(name: str, text: list[str], lowercase: bool) -> list[list[str]]:
    bleu = BLEU(tokenize=name, lowercase=lowercase)
    return [bleu._preprocess_segment(line).split() for line in text]


@pytest.mark.parametrize("name", BUILT_IN)
@given(st.lists(lines, max_size=6), st.booleans())
def test_tokens_equal_sacrebleu(name, text, lowercase):
    assert Tokenizer(name, lowercase)(text) == sacrebleu_tokens(name, text, lowercase)


@given(st.text(), st.booleans())
def test_any_line_is_tokenized_as_by_sacrebleu(line, lowercase):
    for name in ("13a", "none", "char"):
        assert Tokenizer(name, lowercase)([line, "a", line]) == sacrebleu_tokens(name, [line, "a", line], lowercase)


@given(
    st.lists(st.sampled_from(["a-\n", "\n", "b", " ", "-", "5.", "<skipped>", "<SKIPPED>"])).map("".join), st.booleans()
)
def test_lines_with_line_feeds_are_tokenized_as_by_sacrebleu(line, lowercase):
    assert Tokenizer("13a", lowercase)(["x.", line, "x."]) == sacrebleu_tokens("13a", ["x.", line, "x."], lowercase)


@given(st.text(alphabet="5a., ", max_size=12))
def test_runs_of_full_stops_and_commas_are_tokenized_as_by_sacrebleu(line):
    assert Tokenizer()([line]) == sacrebleu_tokens("13a", [line], False)


@pytest.mark.published
def test_tokens_equal_the_oracle(data_folder):
    cases = json.loads((data_folder.parent / "oracles/translations/surface_small_sentence.json").read_text())["cases"]
    assert len(cases) == 30
    assert [" ".join(tokens) for tokens in Tokenizer()([case["hyp"] for case in cases])] == [
        case["tok13a"] for case in cases
    ]


def test_mteval_lowercases_ascii_only_and_after_decoding_entities():
    line = "ÄB &QUOT;C&quot; İ É"
    assert Tokenizer("mteval", lowercase=True)([line]) == [["Äb", "&", "quot", ";", "c", '"', "İ", "É"]]
    assert Tokenizer("13a", lowercase=True)([line]) == [["äb", '"', "c", '"', "i̇", "é"]]
    assert Tokenizer("mteval")([line]) == Tokenizer("13a")([line])
    assert Tokenizer("mteval", lowercase=True)(["A.B\ud800"]) == [["a", ".", "b\ud800"]]


def test_long_texts_are_tokenized_in_batches():
    text = [f"{number}, {number}. a..{number}" for number in range(3 * LINES_PER_BATCH + 1)]
    assert Tokenizer()(text) == sacrebleu_tokens("13a", text, False)


def test_no_lines_and_empty_lines_have_no_tokens():
    for name in BUILT_IN:
        assert Tokenizer(name)([]) == []
        assert Tokenizer(name)(["", " ", ""]) == [[], [], []]


def test_equal_tokenizers_compare_and_hash_equal():
    assert Tokenizer() == Tokenizer("13a", False, None)
    assert len({Tokenizer(), Tokenizer("13a"), Tokenizer("none")}) == 2


def test_unknown_tokenizer_error_lists_the_known_ones():
    with pytest.raises(QeError) as raised:
        Tokenizer("14a")(["a"])
    assert raised.value.message == "no tokenizer “14a”"
    assert all(name in raised.value.hint for name in TOKENIZERS)


@pytest.mark.parametrize("name", PACKAGES)
def test_missing_package_is_named_with_its_install_command(name, monkeypatch):
    module, package = PACKAGES[name]
    monkeypatch.setattr(tokenizers, "find_spec", lambda requested: None if requested == module else object())
    tokenizers._sacrebleu.cache_clear()
    for ask in (lambda: Tokenizer(name)(["a"]), lambda: Tokenizer(name).signature):
        with pytest.raises(QeError) as raised:
            ask()
        assert name in raised.value.message
        assert f'pip install "{package}"' in raised.value.hint


def test_missing_model_is_not_downloaded(monkeypatch, tmp_path):
    from sacrebleu.tokenizers import tokenizer_spm

    monkeypatch.setattr(tokenizers, "find_spec", lambda arguments: object())
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    monkeypatch.setattr(tokenizer_spm, "download_file", lambda *arguments: pytest.fail("it was fetched"))
    tokenizers._sacrebleu.cache_clear()
    with pytest.raises(QeError) as raised:
        Tokenizer("flores200")(["a"])
    assert "needs a model" in raised.value.message
    assert str(tmp_path / "models" / "flores200sacrebleuspm") in raised.value.hint


def test_installed_model_is_used_by_sacrebleus_tokenizer(monkeypatch, tmp_path):
    """sacreBLEU's tokenizer is used if the library and the model in sacreBLEU's folder exist."""
    from sacrebleu.tokenizers import tokenizer_spm

    class SentencePieceProcessor:
        def Load(self, path):
            assert path == str(tmp_path / "models" / "sacrebleu_tokenizer_spm.model")

        def EncodeAsPieces(self, line):
            return [f"▁{word}" for word in line.split()]

    library = ModuleType("sentencepiece")
    library.SentencePieceProcessor = SentencePieceProcessor  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentencepiece", library)
    monkeypatch.setattr(tokenizers, "find_spec", lambda arguments: object())
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "sacrebleu_tokenizer_spm.model").write_text("")
    tokenizers._sacrebleu.cache_clear()
    for name in ("spm", "flores101"):
        assert Tokenizer(name, lowercase=True)(["A b ", ""]) == [["▁a", "▁b"], []]
        assert Tokenizer(name).signature == {"case": "mixed", "tok": "flores101"}
    tokenizers._sacrebleu.cache_clear()


def test_dictionary_that_does_not_load_is_a_readable_error(monkeypatch):
    from sacrebleu.tokenizers import tokenizer_ja_mecab

    monkeypatch.setattr(tokenizers, "find_spec", lambda arguments: object())
    monkeypatch.setattr(tokenizer_ja_mecab, "MeCab", None)
    tokenizers._sacrebleu.cache_clear()
    with pytest.raises(QeError) as raised:
        Tokenizer("ja-mecab")(["a"])
    assert "\n" not in raised.value.message
    assert 'Reinstall it with: pip install --force-reinstall "qe-desktop[ja]".' in raised.value.hint


def test_signatures_equal_sacrebleu():
    for name in BUILT_IN:
        assert Tokenizer(name, lowercase=True).signature == {"case": "lc", "tok": _get_tokenizer(name)().signature()}
    assert Tokenizer("none", stemmer="porter").signature == {"case": "mixed", "tok": "none", "stem": "porter"}


def test_tokens_are_stemmed_after_tokenizing(monkeypatch):
    calls = []

    def stem_words(words, language):
        calls.append((list(words), language))
        return [word.rstrip("s") for word in words]

    stemming = ModuleType("qe_desktop.metrics.text.stemming")
    stemming.stem_words = stem_words  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "qe_desktop.metrics.text.stemming", stemming)
    assert Tokenizer(stemmer="english")(["Cats, cats", "", "dogs, cats"]) == [
        ["Cat", ",", "cat"],
        [],
        ["dog", ",", "cat"],
    ]
    assert calls == [(["Cats", ",", "cats", "dogs"], "english")], "each word once"


@pytest.mark.process
def test_default_tokenizers_import_no_library():
    code = (
        "import sys\n"
        "from qe_desktop.metrics.text.bleu import bleu_metrics\n"
        "from qe_desktop.metrics.text.nist import nist_metrics\n"
        "from qe_desktop.metrics.text.tokenizers import Tokenizer\n"
        "bleu_metrics(), nist_metrics(), [Tokenizer(name)(['a b.']) for name in ('13a', 'none', 'char', 'mteval')]\n"
        "assert not {'sacrebleu', 'regex', 'lxml'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
