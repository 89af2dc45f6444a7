"""Tokenizers of translations in the Scores area: by language or selected, and where they are shown."""

from __future__ import annotations

from typing import Any

import pytest
import sacrebleu
from PySide6.QtCore import Qt

from qe_desktop.corpus import Corpus, TextColumn
from qe_desktop.metrics.text.tokenization import DEFAULT_TOKENIZATION
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.score_table_view import score_report
from tests.ui.scores.visible_texts import visible_texts

REFERENCE = ["他说这只狗在公园里跑步,天气很好。", "BLEU 的分数是 35.87,不是 1.10。", "我们明天去北京看朋友。"] * 4
CLOSE = ["他说这只狗在公园里跑,天气很好。", "BLEU 分数是 35.87,不是 1.10。", "我们明天要去北京看朋友。"] * 4
FAR = ["他说一只猫在屋里睡,下雨。", "BLEU 等于 35.87 分。", "我们昨天去了上海看电影。"] * 4
GERMAN = ["der Hund läuft im Park .", "das Wetter ist schön ."] * 6


def made(reference: list[str], **systems: list[str]) -> Corpus:
    columns = {name: TextColumn.of(lines) for name, lines in systems.items()}
    return Corpus("test", len(reference), references={"A": TextColumn.of(reference)}, translations=columns)


@pytest.fixture
def chinese() -> Corpus:
    return made(REFERENCE, close=CLOSE, far=FAR)


def bleu(tokenize: str) -> list[float]:
    return [sacrebleu.corpus_bleu(lines, [REFERENCE], tokenize=tokenize).score for lines in (CLOSE, FAR)]


def select_tokenizer(bar: Any, value: str) -> None:
    index = bar._tokenizer.findData(value)
    assert index >= 0
    bar._tokenizer.setCurrentIndex(index)
    bar._tokenizer.activated.emit(index)


def selected_tokenizer(bar: Any) -> str:
    return bar._tokenizer.currentText()


def test_chinese_is_scored_with_the_chinese_tokenizer(environment: Any, area: ScoresArea, chinese: Corpus) -> None:
    environment.open(chinese)
    assert environment.scores.values["BLEU"].tolist() == pytest.approx(bleu("zh"))
    bar = area.systems.options
    assert selected_tokenizer(bar) == "by language (zh)"
    assert bar._tokenizer.isVisibleTo(area)
    assert "12 segments, 1 reference, tokenizer zh" in visible_texts(area)
    model = area.systems.table.scores_model
    tip = model.headerData(model.column_of("BLEU"), Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert "tok:zh" in tip
    report = score_report(environment.scores, environment.scores.layers, model.metrics())
    assert report is not None
    assert "|tok:zh|" in report.signature
    assert report.columns()[0].header[-1] == "tokenizer"
    assert environment.comparison.result.comparison.of("BLEU").scores.tolist() == pytest.approx(bleu("zh"))


def test_another_tokenizer_can_be_selected(environment: Any, area: ScoresArea, chinese: Corpus) -> None:
    environment.open(chinese)
    bar = area.systems.options
    select_tokenizer(bar, "13a")
    # scores of the previous tokenizer are cleared at once
    assert environment.scores.values == {}
    assert environment.comparison.result is None
    environment.wait()
    assert environment.scores.values["BLEU"].tolist() == pytest.approx(bleu("13a"))
    assert environment.comparison.result.comparison.of("BLEU").scores.tolist() == pytest.approx(bleu("13a"))
    assert (selected_tokenizer(bar), environment.workspace.level.tokenizer) == ("13a", "13a")
    assert "tokenizer 13a" in visible_texts(area)
    assert "use tokenizer zh" in bar._tokenizer.toolTip(), "Chinese as tokenized by 13a"
    assert [level.tokenizer for level in environment.workspace.levels()] == ["13a"]
    select_tokenizer(bar, "")
    environment.wait()
    assert environment.scores.values["BLEU"].tolist() == pytest.approx(bleu("zh"))
    assert selected_tokenizer(bar) == "by language (zh)"


def test_selected_tokenizer_applies_only_to_the_open_corpus(
    environment: Any, area: ScoresArea, chinese: Corpus
) -> None:
    environment.open(chinese)
    select_tokenizer(area.systems.options, "char")
    environment.wait()
    environment.open(made(GERMAN, a=GERMAN, b=GERMAN[1:] + GERMAN[:1]))
    assert environment.workspace.tokenization == DEFAULT_TOKENIZATION
    assert selected_tokenizer(area.systems.options) == "by language (13a)"
    assert environment.scores.values["BLEU"][0] == pytest.approx(100)


def test_tag_levels_have_no_tokenizer_selector(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.open(corpus(3))
    assert not area.systems.options._tokenizer.isVisibleTo(area)


def test_unavailable_tokenizer_is_refused_with_an_install_hint(
    environment: Any, area: ScoresArea, chinese: Corpus, monkeypatch: Any
) -> None:
    monkeypatch.setattr("qe_desktop.ui.scores.options_bar.installed_tokenizers", lambda: ("13a", "ja-mecab"))
    monkeypatch.setattr("qe_desktop.metrics.text.tokenizers.find_spec", lambda name: None)
    environment.open(chinese)
    errors: list[Any] = []
    environment.workspace.failed.connect(errors.append)
    select_tokenizer(area.systems.options, "ja-mecab")
    assert ['pip install "qe-desktop[ja]"' in error.hint for error in errors] == [True]
    assert selected_tokenizer(area.systems.options) == "by language (zh)"
    assert environment.scores.values["BLEU"].tolist() == pytest.approx(bleu("zh"))
