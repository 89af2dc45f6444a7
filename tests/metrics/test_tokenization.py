"""Which tokenizer texts get: that of the language pair, else of their script; sacreBLEU's choice and its tokens."""

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
def installed(monkeypatch):
    """What is installed, as tests say it."""

    def say(*names):
        monkeypatch.setattr("qe_desktop.metrics.text.tokenization.is_available", lambda name: name in names)

    return say


@pytest.mark.parametrize(
    ("lines", "language"),
    [
        (CHINESE, "zh"), (JAPANESE, "ja"), (KOREAN, "ko"), (ENGLISH, ""), ([], ""), (["", "123 ."], ""),
        # katakana alone, halfwidth too; a name in kana within Chinese; Chinese that is mostly English
        (["テレビ", "ﾃﾚﾋﾞ"], "ja"), (["我喜欢看名侦探柯南和《となり》这部电影,也喜欢听音乐和跑步。"], "zh"),
        (["the Chinese word for dog is 狗, and that for cat is 猫"], ""), (["הכלב רץ בפארק"], ""), (["ลาก่อน"], ""),
        # the fifth of letters, not of characters: digits and signs are none
        (["他去 2021 - 2022 : 3,456,789 + 1"], "zh"),
    ],
)  # fmt: skip
def test_the_script_tells_the_language(lines, language):
    assert cjk_language(lines) == language
    assert TextColumn.of(lines).cjk_language() == language


def test_a_share_of_a_fifth_is_not_enough():
    assert cjk_language(["abcd狗"]) == ""
    assert cjk_language(["abc狗"]) == "zh"


def test_lines_all_over_a_column_are_looked_at_once(monkeypatch):
    column = TextColumn.of([*["a b c"] * 2000, *CHINESE * 1000])
    assert column.cjk_language() == "zh"
    monkeypatch.setattr(TextColumn, "raw", lambda *asked: pytest.fail("it was looked at again"))
    assert column.cjk_language() == "zh"


@pytest.mark.parametrize(
    ("pair", "language"),
    [
        ("en-zh", "zh"), ("en-zh-CN", "zh"), ("eng_Latn-zho_Hant", "zh"), ("en-yue", "zh"), ("en-ja", "ja"),
        ("en-jpn", "ja"), ("en-ko", "ko"), ("en-US-ko-KR", "ko"), ("zh-en", ""), ("en-de", ""),
    ],
)  # fmt: skip
def test_the_pair_goes_before_the_script(pair, language):
    for lines in (CHINESE, ENGLISH):
        assert target_language(pair, corpus(lines)) == language
        assert Tokenization().settings(corpus(lines, pair)).language == language
        assert Tokenization(language_pair=pair).settings(corpus(lines, "de-fr")).language == language


@pytest.mark.parametrize("pair", ["", "en", "my-task_3-x", "test-set", "en-1234"])
def test_what_names_no_languages_leaves_it_to_the_script(pair):
    assert target_language(pair, corpus(CHINESE)) == "zh"
    assert target_language(pair, corpus(ENGLISH)) == ""


def test_without_references_translations_tell():
    texts = Corpus("", 3, translations={"a": TextColumn.of(JAPANESE)})
    assert target_language("", texts) == "ja"
    assert target_language("", Corpus("", 3)) == ""


def test_the_choice_is_that_of_sacrebleu():
    assert TOKENIZERS_BY_LANGUAGE == BLEU._TOKENIZER_MAP
    assert BLEU.TOKENIZER_DEFAULT == TranslationMetricSettings().tokenizer == "13a"


def test_other_languages_keep_the_metrics_as_they_are():
    assert Tokenization().settings(corpus(ENGLISH)) == TranslationMetricSettings()
    assert Tokenization().settings(corpus(CHINESE, "zh-en")) == TranslationMetricSettings(script="zh")
    assert Tokenization().remarks(TranslationMetricSettings()) == []


def test_the_language_says_the_tokenizer(installed):
    installed("zh", "ja-mecab", "ko-mecab")
    found = {name: Tokenization().settings(corpus(lines)) for name, lines in
             {"zh": CHINESE, "ja": JAPANESE, "ko": KOREAN}.items()}  # fmt: skip
    assert {name: one.tokenizer for name, one in found.items()} == {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}
    # Korean has blanks between its words, which TER counts
    assert {name: (one.ter_normalized, one.ter_asian) for name, one in found.items()} == {
        "zh": (True, True), "ja": (True, True), "ko": (False, False),
    }  # fmt: skip
    assert [Tokenization().remarks(one) for one in found.values()] == [[], [], []]


@pytest.mark.parametrize(("lines", "name", "extra"), [(JAPANESE, "ja-mecab", "ja"), (KOREAN, "ko-mecab", "ko")])
def test_without_its_tokenizer_a_language_is_scored_by_characters(installed, lines, name, extra):
    installed("zh")
    settings = Tokenization().settings(corpus(lines))
    assert settings.tokenizer == "char"
    (remark,) = Tokenization().remarks(settings)
    assert "tokenizer char" in remark
    assert name in remark
    assert f'pip install "qe-desktop[{extra}]"' in remark


def test_what_a_person_says_goes_before_the_language(installed):
    installed("zh")
    chosen = Tokenization("13a", ter_asian=False, ter_normalized=False)
    settings = chosen.settings(corpus(CHINESE))
    assert (settings.tokenizer, settings.ter_asian, settings.ter_normalized) == ("13a", False, False)
    (remark,) = chosen.remarks(settings)
    assert "use tokenizer zh instead of 13a" in remark
    # by characters is a usual way, which WMT21 took for Japanese
    assert Tokenization("char").remarks(Tokenization("char").settings(corpus(JAPANESE))) == []
    assert Tokenization("char").settings(corpus(ENGLISH)) == TranslationMetricSettings("char")


def test_metrics_count_tokens_of_the_language():
    metrics = translation_metrics(TranslationMetricSettings("zh", language="zh", ter_asian=True, ter_normalized=True))
    said = {name: metric.signature for name, metric in metrics.items()}
    words = [name for name in said if not name.startswith(("chrF", "TER"))]
    assert all("tok:zh" in said[name] for name in words), "NIST as well"
    assert said["TER"].endswith("tok:tercom|norm:yes|punct:yes|asian:yes")
    assert "tok" not in said["chrF"]
    # what a person names of another language leaves NIST to mteval's
    assert "tok:mteval" in translation_metrics(TranslationMetricSettings("char"))["NIST"].signature
    assert "tok:mteval" in translation_metrics(TranslationMetricSettings("13a", language="zh"))["NIST"].signature


def test_families_of_other_tokens_are_others():
    """Rows are kept by the names of families."""
    one = translation_metrics()
    other = translation_metrics(TranslationMetricSettings("zh", language="zh", ter_asian=True, ter_normalized=True))
    same = {name for name in one if one[name].family.name == other[name].family.name}
    assert same == {"chrF", "chrF++"}


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("asian", [False, True])
def test_ter_is_that_of_sacrebleu(normalized, asian):
    from qe_desktop.metrics.text.tokenized_pairs import tokenized_pair

    system = ["他说狗在公园里跑,天气好。", "BLEU 分数是 35.87,不是 1.1。", "我们明天要去北京。"]
    metric = translation_metrics(
        TranslationMetricSettings("zh", language="zh", ter_asian=asian, ter_normalized=normalized)
    )["TER"]
    found = metric.score(metric.family.rows(tokenized_pair(system, [CHINESE])).sum(axis=0))
    expected = sacrebleu.corpus_ter(system, [CHINESE], normalized=normalized, asian_support=asian)
    assert found == pytest.approx(expected.score, abs=1e-9)


def test_offered_are_those_that_are_installed(monkeypatch):
    tokenizers._is_installed.cache_clear()
    monkeypatch.setattr(tokenizers, "find_spec", lambda name: None)
    assert installed_tokenizers() == ("13a", "none", "char", "intl", "zh")
    tokenizers._is_installed.cache_clear()
    monkeypatch.setattr(tokenizers, "find_spec", lambda name: object())
    assert set(installed_tokenizers()) == set(TOKENIZERS) - {"mteval"}
    tokenizers._is_installed.cache_clear()


def test_one_that_does_not_work_is_not_available(monkeypatch):
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
def test_scripts_without_spaces_and_without_a_tokenizer_are_pointed_out(name, lines, pair):
    (remark,) = Tokenization().remarks(Tokenization().settings(corpus(lines, pair)))
    assert f"The references are {name} without spaces" in remark
    assert "chrF" in remark
    assert Tokenization("char").remarks(Tokenization("char").settings(corpus(lines, pair))) == []
    spaced = [" ".join(line[place : place + 4] for place in range(0, len(line), 4)) for line in lines]
    assert Tokenization().remarks(Tokenization().settings(corpus(spaced, pair))) == []


@pytest.mark.parametrize(("lines", "usual"), [(CHINESE, "zh"), (JAPANESE, "ja-mecab"), (KOREAN, "ko-mecab")])
def test_a_pair_that_contradicts_the_script_is_pointed_out(lines, usual):
    for chosen, texts in (
        (Tokenization(), corpus(lines, "zh-en")),
        (Tokenization(language_pair="zh-en"), corpus(lines)),
    ):
        settings = chosen.settings(texts)
        assert settings.tokenizer == "13a"
        (remark,) = chosen.remarks(settings)
        assert "The language pair names another target language" in remark
        assert f"use tokenizer {usual}" in remark
    assert Tokenization("zh").remarks(Tokenization("zh").settings(corpus(lines, "zh-en"))) == []
    assert Tokenization().remarks(Tokenization().settings(corpus(ENGLISH, "zh-en"))) == []
