"""Note about HTER and tags of text without spaces between words."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import TextColumn
from qe_desktop.metrics.tags.post_edit_tags import untokenized_note

RAW = {
    "Chinese": ["他说：“你好。”", "今天的天气非常好，我们去公园散步。"],
    "Japanese": ["犬が公園を走る。", "今日はとても良い天気です。"],
    "Thai": ["วันนี้อากาศดีมากเราไปเดินเล่นในสวน", "เขาบอกว่าเขาไม่รู้ว่าเกิดอะไรขึ้น"],
    "Lao": ["ມື້ນີ້ອາກາດດີຫຼາຍ"],
    "Khmer": ["ថ្ងៃនេះអាកាសធាតុល្អណាស់"],
    "Burmese": ["ဒီနေ့ရာသီဥတုအရမ်းကောင်းတယ်"],
}


@pytest.mark.parametrize("language", RAW)
def test_note_names_the_language_of_raw_text_only(language: str) -> None:
    text = TextColumn.of(RAW[language])
    tokenized = TextColumn.of([" ".join(line[index : index + 3] for index in range(0, len(line), 3))
                               for line in RAW[language]])  # fmt: skip
    assert f"The {language} text is not tokenized" in untokenized_note(text)
    assert untokenized_note(tokenized, text) == untokenized_note(text)
    assert untokenized_note(tokenized) == ""


@pytest.mark.parametrize(
    "lines", [[], ["", "..."], ["word", "Donaudampfschifffahrt"], ["개가 공원에서 달린다."], ["Ein Satz über 狗."]]
)
def test_text_of_other_languages_has_no_note(lines: list[str]) -> None:
    assert untokenized_note(TextColumn.of(lines)) == ""
