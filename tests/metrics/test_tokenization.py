"""Tokenizer selection: by language pair, else by script; the choice and the tokens equal sacreBLEU's."""

from __future__ import annotations

import pytest
import sacrebleu
from sacrebleu.metrics.bleu import BLEU

from qe_desktop.corpus import Corpus, QeError, TextColumn
from qe_desktop.corpus.languages import cjk_language
from qe_desktop.metrics.text import tokenizers
from qe_desktop.metrics.text.tokenization import TOKENIZERS_BY_LANGUAGE, Tokenization, target_language
from qe_desktop.metrics.text.tokenizers import TOKENIZERS, installed_tokenizers, is_available
from qe_desktop.metrics.text.translation_metrics import TranslationMetricSettings, translation_metrics

CHINESE = ["他说这只狗在公园里跑步,天气很好。", "BLEU 的分数是 35.87,不是 1.10。", "我们明天去北京。"]
JAPANESE = ["犬が公園を走っている。", "今日は天気がいいです。", "BLEU のスコアは 35.87 です。"]
KOREAN = ["개가 공원에서 달린다.", "오늘은 날씨가 좋다.", "BLEU 점수는 35.87이다."]
ENGLISH = ["the dog runs in the park.", "the weather is fine today in Tokyo (東京)."]


def corpus(lines, pair=""):
    return Corpus("", len(lines), references={"A": TextColumn.of(lines)}, language_pair=pair)


@pytest.fixture
def set_installed(monkeypatch):
    """Function that sets which tokenizers are available."""

    def set_available(*names):
        monkeypatch.setattr("qe_desktop.metrics.text.tokenization.is_available", lambda name: name in names)

    return set_available


@pytest.mark.parametrize(
    ("lines", "language"),
    [
        (CHINESE, "zh"), (JAPANESE, "ja"), (KOREAN, "ko"), (ENGLISH, ""), ([], ""), (["", "123 ."], ""),
        # katakana only, also halfwidth; Chinese with a name in kana; English with some Chinese
        (["テレビ", "ﾃﾚﾋﾞ"], "ja"), (["我喜欢看名侦探柯南和《となり》这部电影,也喜欢听音乐和跑步。"], "zh"),
        (["the Chinese word for dog is 狗, and that for cat is 猫"], ""), (["הכלב רץ בפארק"], ""), (["ลาก่อน"], ""),
        # the threshold is a share of letters, without digits and punctuation
        (["他去 2021 - 2022 : 3,456,789 + 1"], "zh"),
    ],
)  # fmt: skip
def test_language_is_detected_from_the_script(lines, language):
    assert cjk_language(lines) == language
    assert TextColumn.of(lines).cjk_language() == language


def test_script_must_exceed_a_fifth_of_the_letters():
    assert cjk_language(["abcd狗"]) == ""
    assert cjk_language(["abc狗"]) == "zh"


def test_language_of_a_column_is_detected_once(monkeypatch):
    column = TextColumn.of([*["a b c"] * 2000, *CHINESE * 1000])
    assert column.cjk_language() == "zh"
    monkeypatch.setattr(TextColumn, "raw", lambda *arguments: pytest.fail("it was looked at again"))
    assert column.cjk_language() == "zh"


@pytest.mark.parametrize(
    ("pair", "language"),
    [
        ("en-zh", "zh"), ("en-zh-CN", "zh"), ("eng_Latn-zho_Hant", "zh"), ("en-yue", "zh"), ("en-ja", "ja"),
        ("en-jpn", "ja"), ("en-ko", "ko"), ("en-US-ko-KR", "ko"), ("zh-en", ""), ("en-de", ""),
    ],
)  # fmt: skip
def test_language_pair_takes_precedence_over_the_script(pair, language):
    for lines in (CHINESE, ENGLISH):
        assert target_language(pair, corpus(lines)) == language
        assert Tokenization().settings(corpus(lines, pair)).language == language
        assert Tokenization(language_pair=pair).settings(corpus(lines, "de-fr")).language == language


@pytest.mark.parametrize("pair", ["", "en", "my-task_3-x", "test-set", "en-1234"])
def test_pair_that_names_no_languages_falls_back_to_the_script(pair):
    assert target_language(pair, corpus(CHINESE)) == "zh"
    assert target_language(pair, corpus(ENGLISH)) == ""


def test_language_is_detected_from_translations_if_there_are_no_references():
    texts = Corpus("", 3, translations={"a": TextColumn.of(JAPANESE)})
    assert target_language("", texts) == "ja"
    assert target_language("", Corpus("", 3)) == ""


def test_tokenizers_by_language_equal_sacrebleu():
    assert TOKENIZERS_BY_LANGUAGE == BLEU._TOKENIZER_MAP
    assert BLEU.TOKENIZER_DEFAULT == TranslationMetricSettings().tokenizer == "13a"


def test_other_languages_have_default_settings():
    assert Tokenization().settings(corpus(ENGLISH)) == TranslationMetricSettings()
    assert Tokenization().settings(corpus(CHINESE, "zh-en")) == TranslationMetricSettings(script="zh")
    assert Tokenization().remarks(TranslationMetricSettings()) == []


def test_language_determines_tokenizer_and_ter_options(set_installed):
    set_installed("zh", "ja-mecab", "ko-mecab")
    result = {name: Tokenization().settings(corpus(lines)) for name, lines in
             {"zh": CHINESE, "ja": JAPANESE, "ko": KOREAN}.items()}  # fmt: skip
    assert {name: tokenization.tokenizer for name, tokenization in result.items()} == {
        "zh": "zh",
        "ja": "ja-mecab",
        "ko": "ko-mecab",
    }
    # Korean separates words by spaces, so TER needs no options
    assert {name: (tokenization.ter_normalized, tokenization.ter_asian) for name, tokenization in result.items()} == {
        "zh": (True, True), "ja": (True, True), "ko": (False, False),
    }  # fmt: skip
    assert [Tokenization().remarks(tokenization) for tokenization in result.values()] == [[], [], []]


@pytest.mark.parametrize(("lines", "name", "extra"), [(JAPANESE, "ja-mecab", "ja"), (KOREAN, "ko-mecab", "ko")])
def test_language_without_its_tokenizer_is_tokenized_by_characters(set_installed, lines, name, extra):
    set_installed("zh")
    settings = Tokenization().settings(corpus(lines))
    assert settings.tokenizer == "char"
    (remark,) = Tokenization().remarks(settings)
    assert "tokenizer char" in remark
    assert name in remark
    assert f'pip install "qe-desktop[{extra}]"' in remark


def test_explicit_options_take_precedence_over_the_language(set_installed):
    set_installed("zh")
    chosen = Tokenization("13a", ter_asian=False, ter_normalized=False)
    settings = chosen.settings(corpus(CHINESE))
    assert (settings.tokenizer, settings.ter_asian, settings.ter_normalized) == ("13a", False, False)
    (remark,) = chosen.remarks(settings)
    assert "use tokenizer zh instead of 13a" in remark
    # no remark: WMT21 tokenized Japanese by characters
    assert Tokenization("char").remarks(Tokenization("char").settings(corpus(JAPANESE))) == []
    assert Tokenization("char").settings(corpus(ENGLISH)) == TranslationMetricSettings("char")


def test_metric_signatures_state_the_tokenizer_of_the_language():
    metrics = translation_metrics(TranslationMetricSettings("zh", language="zh", ter_asian=True, ter_normalized=True))
    signatures = {name: metric.signature for name, metric in metrics.items()}
    words = [name for name in signatures if not name.startswith(("chrF", "TER"))]
    assert all("tok:zh" in signatures[name] for name in words), "NIST as well"
    assert signatures["TER"].endswith("tok:tercom|norm:yes|punct:yes|asian:yes")
    assert "tok" not in signatures["chrF"]
    # a tokenizer selected for another language leaves NIST with mteval's
    assert "tok:mteval" in translation_metrics(TranslationMetricSettings("char"))["NIST"].signature
    assert "tok:mteval" in translation_metrics(TranslationMetricSettings("13a", language="zh"))["NIST"].signature


def test_families_of_different_tokens_have_different_names():
    """Rows are cached by family name."""
    first = translation_metrics()
    second = translation_metrics(TranslationMetricSettings("zh", language="zh", ter_asian=True, ter_normalized=True))
    same = {name for name in first if first[name].family.name == second[name].family.name}
    assert same == {"chrF", "chrF++"}


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("asian", [False, True])
def test_ter_equals_sacrebleu(normalized, asian):
    from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair

    system = ["他说狗在公园里跑,天气好。", "BLEU 分数是 35.87,不是 1.1。", "我们明天要去北京。"]
    metric = translation_metrics(
        TranslationMetricSettings("zh", language="zh", ter_asian=asian, ter_normalized=normalized)
    )["TER"]
    score = metric.score(metric.family.rows(tokenized_pair(system, [CHINESE])).sum(axis=0))
    expected = sacrebleu.corpus_ter(system, [CHINESE], normalized=normalized, asian_support=asian)
    assert score == pytest.approx(expected.score, abs=1e-9)


def test_installed_tokenizers_depend_on_available_packages(monkeypatch):
    tokenizers._is_installed.cache_clear()
    monkeypatch.setattr(tokenizers, "find_spec", lambda name: None)
    assert installed_tokenizers() == ("13a", "none", "char", "intl", "zh")
    tokenizers._is_installed.cache_clear()
    monkeypatch.setattr(tokenizers, "find_spec", lambda name: object())
    assert set(installed_tokenizers()) == set(TOKENIZERS) - {"mteval"}
    tokenizers._is_installed.cache_clear()


def test_tokenizer_that_fails_is_not_available(monkeypatch):
    def broken(name):
        raise QeError("no dictionary")

    is_available.cache_clear()
    monkeypatch.setattr(tokenizers, "_sacrebleu", broken)
    assert [is_available(name) for name in ("13a", "zh", "ja-mecab", "flores200")] == [True, True, False, False]
    is_available.cache_clear()


THAI = ["วันนี้อากาศดีมากเราไปเดินเล่นในสวน", "เขาบอกว่าเขาไม่รู้ว่าเกิดอะไรขึ้น"]


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("Thai", THAI),
        ("Lao", ["ມື້ນີ້ອາກາດດີຫຼາຍ"]),
        ("Khmer", ["ថ្ងៃនេះអាកាសធាតុល្អណាស់"]),
        ("Burmese", ["ဒီနေ့ရာသီဥတုအရမ်းကောင်းတယ်"]),
    ],
)
@pytest.mark.parametrize("pair", ["", "en-th"])
def test_scripts_without_spaces_and_tokenizer_have_a_remark(name, lines, pair):
    (remark,) = Tokenization().remarks(Tokenization().settings(corpus(lines, pair)))
    assert f"The references are in {name}, which is written without spaces" in remark
    assert "chrF" in remark
    assert Tokenization("char").remarks(Tokenization("char").settings(corpus(lines, pair))) == []
    spaced = [" ".join(line[index : index + 4] for index in range(0, len(line), 4)) for line in lines]
    assert Tokenization().remarks(Tokenization().settings(corpus(spaced, pair))) == []


@pytest.mark.parametrize(("lines", "usual"), [(CHINESE, "zh"), (JAPANESE, "ja-mecab"), (KOREAN, "ko-mecab")])
def test_pair_that_contradicts_the_script_has_a_remark(lines, usual):
    for chosen, texts in (
        (Tokenization(), corpus(lines, "zh-en")),
        (Tokenization(language_pair="zh-en"), corpus(lines)),
    ):
        settings = chosen.settings(texts)
        assert settings.tokenizer == "13a"
        (remark,) = chosen.remarks(settings)
        assert "the language pair has another target language" in remark
        assert f"use tokenizer {usual}" in remark
    assert Tokenization("zh").remarks(Tokenization("zh").settings(corpus(lines, "zh-en"))) == []
    assert Tokenization().remarks(Tokenization().settings(corpus(ENGLISH, "zh-en"))) == []
