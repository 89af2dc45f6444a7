"""Punctuation, spaces and separators of numbers, by language."""

from __future__ import annotations

import pytest

from qe_desktop.local_qe.qa_checks.check import SegmentPair
from qe_desktop.local_qe.qa_checks.runner import CHECK_BY_NAME


def marks_of(
    name: str, source: str, mt: str, language: str, region: str = "", source_language: str = "en"
) -> list[str]:
    pair = SegmentPair(0, source, mt, source_language=source_language, target_language=language, target_region=region)
    found_issues = [issue for _, issue in CHECK_BY_NAME[name].find([pair])]
    return [mt[slice(*issue.span)] or "|" for issue in found_issues]


@pytest.mark.parametrize(
    ("source", "mt", "language", "expected"),
    [
        ("Is it here?", "Ist es hier?", "de", []),
        ("Is it here?", "Ist es hier.", "de", ["."]),
        ("Is it here?", "ここですか。", "ja", []),
        ("Is it here?", "ここですか", "ja", []),
        ("Is it here?", "「ここですか。」", "ja", []),
        ("Is it here?", "ここです。", "ja", ["。"]),
        ("Let us go now.", "行きましょうか。", "ja", []),
        ("Is it here?", "ここですか？", "ja", []),
        ("Please wait until it is complete.", "请等待下载完成", "zh", ["|"]),
        ("Please wait until it is complete.", "请等待下载完成。", "zh", []),
        ("Please wait until it is complete.", "完了するまでお待ちください", "ja", ["|"]),
        ("Please wait until it is done.", "请等待完成", "zh", ["|"]),
        ("Not found.", "找不到", "zh", []),
        ("Is it here?", "هل هو هنا؟", "ar", []),
        ("Is it here?", "Είναι εδώ;", "el", []),
        ("Is it here?", "Είναι εδώ\u037e", "el", []),
        ("Where is it?", "Որտե՞ղ է դա։", "hy", []),
        ("Where is it?", "Որտեղ է դա։", "hy", ["։"]),
        ("Where is it? Here.", "Որտե՞ղ է դա։ Այստեղ է։", "hy", []),
        ("Come here!", "Արի՛ այստեղ։", "hy", []),
        ("It is here.", "Դա այստեղ է:", "hy", []),
        ("Name:", "Անուն՝", "hy", []),
        ("Name:", "Անուն:", "hy", []),
        ("Written by", "Հեղինակ՝", "hy", []),
        ("It is &lt;here&gt;", "Είναι &lt;εδώ&gt;", "el", []),
        ("It is here.", "यह यहाँ है।", "hi", []),
        ("It is here.", "มันอยู่ที่นี่", "th", []),
        ("It is here now.", "Es ist jetzt hier", "de", ["|"]),
        ("It is here now", "Es ist jetzt hier.", "de", ["."]),
        ("He said “go.”", "Er sagte: „Geh.“", "de", []),
        ('He asked, "Why?"', "„Warum?“, fragte er.", "de", []),
        ('"Why?" he asked.', "Er fragte: „Warum?“", "de", []),
        ('He shouted, "Stop!"', "«Стой!» — закричал он.", "ru", []),
        ('He asked, "Why?"', "„Warum?“, fragte er?", "de", ["?"]),
        ('He asked, "Why?"', "Er fragte: „Warum.“", "de", ["."]),
        ('He asked, "Why?"', "Er fragte: „Warum?“", "de", []),
        ("Is it “here”?", "Ist es hier.", "de", ["."]),
        ("Open a file…", "Datei öffnen...", "de", []),
        ("{n, selectordinal, one {#st} other {#th}}", "{n, selectordinal, other {#.}}", "de", []),
        ("Name:", "Name", "de", ["|"]),
        ("Stop now!", "Jetzt anhalten.", "de", []),
        ("and so on", "usw.", "de", []),
        ("on the first", "am 1.", "de", []),
        ("30 min", "30 мин.", "ru", []),
        ("2 hours", "2 ч.", "ru", []),
        ("5 million", "5 Mio.", "de", []),
        ("24 hours", "24 godz.", "pl", []),
        ("and so on", "osv.", "sv", []),
        ("John Smith Jr.", "John Smith Jr.", "de", []),
        ("Use it; see below", "Das ist zu verwenden. Siehe unten.", "de", []),
        ("'.' should be ':'", "„.“ sollte „:“ sein", "de", []),
        ("invalid number after '.'", "ungültige Zahl hinter „.“", "de", []),
        ("This is the same as id -un.", "Das ist dasselbe wie „id -un“.", "de", []),
    ],
)
def test_end_punctuation(source, mt, language, expected):
    assert marks_of("end-punctuation", source, mt, language) == expected


@pytest.mark.parametrize(
    ("source", "mt", "languages", "expected"),
    [
        ("続行します。", "Continue?", ("ja", "en"), "the source ends with “。”, the target with “?”"),
        ("Is it done?", "Έγινε.", ("en", "el"), "the source ends with “?”, the target with “.”"),
        ("It is done.", "Έγινε;", ("en", "el"), "the source ends with “.”, the target with “;”"),
        ("So it goes on...", "Wer weiß?", ("en", "de"), "the source ends with “...”, the target with “?”"),
        ("ready？", "Das ist fertig", ("zh", "de"), "the source ends with “？”, the target without a punctuation mark"),
    ],
)
def test_the_reason_shows_end_marks_as_written(source, mt, languages, expected):
    pair = SegmentPair(0, source, mt, source_language=languages[0], target_language=languages[1])
    assert [issue.reason for _, issue in CHECK_BY_NAME["end-punctuation"].find([pair])] == [expected]


def test_questions_of_a_japanese_source_need_no_question_mark():
    assert marks_of("end-punctuation", "続行しますか。", "Continue?", "en", source_language="ja") == []
    assert marks_of("end-punctuation", "続行します。", "Continue?", "en", source_language="ja") == ["?"]


def test_end_marks_that_many_targets_have_are_a_convention_of_the_file():
    pairs = [SegmentPair(number, "it failed", "Das ging schief.", target_language="de") for number in range(6)]
    check = CHECK_BY_NAME["end-punctuation"]
    assert list(check.find(pairs)) == []
    others = [SegmentPair(number, "it failed", "Fehler dabei", target_language="de") for number in range(6, 100)]
    assert [segment for segment, _ in check.find([*pairs, *others])] == [0, 1, 2, 3, 4, 5]
    assert len(list(check.find([pairs[0]]))) == 1


@pytest.mark.parametrize(
    ("mt", "language", "region", "expected"),
    [
        ("Comment ça va?", "fr", "", ["?"]),
        ("Comment ça va\u202f?", "fr", "", []),
        ("Comment ça va ?", "fr", "", []),
        ("Comment ça va?", "fr", "CA", []),
        ("à 12:30 voir http://a.org/b?c=1", "fr", "", []),
        ("%s: %s", "fr", "", []),
        ("Un &lt; deux et &hellip; trois", "fr", "", []),
        ("Un; deux", "fr", "", [";"]),
        ("Il a dit «oui».", "fr", "", ["«", "»"]),
        ("Il a dit « oui ».", "fr", "", []),
        ("Il a dit «oui».", "fr", "CH", []),
        ("Êtes-vous là (maintenant)?", "fr", "", ["?"]),
        ("Êtes-vous là (maintenant) ?", "fr", "", []),
        ("fichier(s): un", "fr", "", []),
        ("¡Hola", "es", "", ["¡"]),
        ("¡Hola! ¿Qué", "es", "", ["¿"]),
        ("¡Hola! ¿Qué?", "es", "", []),
        ("Πού είναι (τώρα)?", "el", "", ["?"]),
        ("Πού είναι τα Windows?", "el", "", ["?"]),
        ("Δείτε a.org/b?c=1", "el", "", []),
        ("Είναι «What is it?»", "el", "", []),
        ("أين Windows?", "ar", "", ["?"]),
        ("使用 Windows.", "zh", "", ["."]),
        ("请见(附录).", "zh", "", ["."]),
        ("由 Foo Inc.", "zh", "", []),
        ("¿Está aquí?", "es", "", []),
        ("Está aquí?", "es", "", ["?"]),
        ("Ven aquí!", "es", "", ["!"]),
        ("ver a.org/b?c=1 ahora", "es", "", []),
        ("Είναι εδώ?", "el", "", ["?"]),
        ("Είναι εδώ;", "el", "", []),
        ("هل هو هنا?", "ar", "", ["?"]),
        ("هنا, هناك", "fa", "", [","]),
        ("هنا، هناك؟", "ar", "", []),
        ("这里?", "zh", "", ["?"]),
        ("这里，那里。", "zh", "", []),
        ("これは foo.bar です。", "ja", "", []),
        ("版本1.5.", "zh", "", []),
        ("„so“", "de", "", []),
        ("„so”", "de", "", ["”"]),
        ("“so”", "de", "", ["“"]),
        ('"so"', "de", "", []),
        ("»so«", "de", "", []),
        ("“so”", "en", "", []),
    ],
)
def test_punctuation_of_the_language(mt, language, region, expected):
    assert marks_of("punctuation", "something", mt, language, region) == expected


def test_marks_that_many_targets_have_are_a_convention_of_the_file():
    check = CHECK_BY_NAME["punctuation"]

    def segments(texts: list[str], language: str) -> list[int]:
        pairs = [SegmentPair(number, "Name: x", mt, target_language=language) for number, mt in enumerate(texts)]
        return [segment for segment, _ in check.find(pairs)]

    assert segments(["名前:"] * 5 + ["ここ?"], "ja") == [5]
    assert segments(["名前:"] * 4 + ["ここ?"], "ja") == [0, 1, 2, 3, 4]
    assert segments(["名前:"] * 5 + ["名前："] * 60, "ja") == [0, 1, 2, 3, 4]
    assert segments(["Vraiment?"] * 6, "fr") == [0, 1, 2, 3, 4, 5]


def test_marks_of_names_need_no_opening_mark():
    assert marks_of("punctuation", "Visit Yahoo! today.", "Visite Yahoo! hoy.", "es") == []
    assert marks_of("punctuation", "Visit Yahoo! today!", "Visite Yahoo! hoy!", "es") == ["!"]
    assert marks_of("punctuation", "Visit us today!", "Visite Yahoo! hoy.", "es") == ["!"]
    assert marks_of("punctuation", "Use Yahoo! Mail now.", "Use Yahoo! Mail ahora.", "es") == []
    assert marks_of("punctuation", "OK! Visit us.", "OK! Visite.", "es") == ["!"]


@pytest.mark.parametrize(
    ("source", "mt", "language", "region", "expected"),
    [
        ("1,234.50 euros", "1,234.50 Euro", "de", "", ["1,234.50"]),
        ("1,234.50 euros", "1.234,50 Euro", "de", "", []),
        ("1,048,576 bytes", "1,048,576 Byte", "de", "", ["1,048,576"]),
        ("2.5 % more", "2.5 % mehr", "de", "", ["2.5"]),
        ("2.5 % more", "2.5 % mehr", "de", "CH", []),
        ("version 2.5", "Version 2.5", "de", "", []),
        ("section 1.2.3", "Abschnitt 1.2.3", "de", "", []),
        ("at 192.168.100.100", "bei 192.168.100.100", "de", "", []),
        ("at 192.168.100.200", "192.168.100.200 です", "ja", "", []),
        ("at 192.168.100.200", "在 192.168.100.200 上", "zh", "", []),
        ("1.000.000.000 Byte", "1.000.000.000 バイト", "ja", "", ["1.000.000.000"]),
        ("1.234.567 Byte", "1.234.567 バイト", "ja", "", ["1.234.567"]),
        ("USB 3.0 A port", "USB 3.0 A-Anschluss", "de", "", []),
        ("3.0 A", "3.0 A", "de", "", ["3.0"]),
        ("2.5 GB memory", "2.5 GB-Speicher", "de", "", ["2.5"]),
        ("1.234,50 Euro", "1.234,50 euros", "en", "", ["1.234,50"]),
        ("2,5 % mehr", "2,5 % more", "en", "ZA", []),
        ("1,234.50", "1,234.50", "es", "", []),
        ("2.5 GB", "2.5 Go", "fr", "", []),
        ("2.5 GB", "2.5 GB", "it", "", ["2.5"]),
        ("10,000 people", "10,000 Leute", "de", "", []),
    ],
)
def test_separators(source, mt, language, region, expected):
    assert marks_of("separators", source, mt, language, region) == expected


@pytest.mark.parametrize(
    ("number", "language", "region", "other"),
    [
        ("1,234.50", "de", "", "1.234,50"),
        ("1,234.50", "fr", "", "1\u00a0234,50"),
        ("1,048,576", "cs", "", "1\u00a0048\u00a0576"),
        ("1.234,50", "de", "CH", "1’234.50"),
        ("1.234,50", "en", "", "1,234.50"),
    ],
)
def test_right_separators_are_those_of_the_language(number, language, region, other):
    pair = SegmentPair(
        0, f"{number} m", f"{number} m", source_language="en", target_language=language, target_region=region
    )
    ((_, issue),) = CHECK_BY_NAME["separators"].find([pair])
    assert issue.reason == f"{number} is written {other} in this language"


@pytest.mark.parametrize("name", ["end-punctuation", "punctuation", "separators", "brackets", "doubled", "spaces"])
@pytest.mark.parametrize(
    "piece", ["a ", "„", "1,111", "1.", "a?", ":)", "\u2028", "(", "a\u2028a", "。", "中.", "α", "ا ?", "՞", "¿"]
)
def test_long_texts_take_linear_time(name, piece):
    text = piece * 40_000
    for language in ("de", "fr", "es", "ja", "ar", "el", "hy"):
        marks_of(name, text, f"{text}x", language)


def test_tables_and_lists_of_programs_are_not_sentences():
    source = "  -w, --width=WIDTH   use WIDTH columns\u2028  noatime   do not update it"
    mt = "  -w, --width=BREITE  BREITE Spalten benutzen\u2028  noatime   nicht aktualisieren"
    for name in ("doubled", "untranslated", "brackets", "end-punctuation"):
        assert marks_of(name, source, mt, "de") == []
    assert marks_of("doubled", "It is so.", "Das ist\u2028ist so.", "de") == ["ist"]
    source, mt = "Use 'uniq' and --sort=name or foo_bar.", "Nutze „uniq“ und --sort=name oder foo_bar."
    assert marks_of("untranslated", source, mt, "de") == []
