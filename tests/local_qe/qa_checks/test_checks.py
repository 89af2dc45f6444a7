"""Marks of each QA check, and correct texts that it does not mark."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import Corpus, QeError
from qe_desktop.local_qe.qa_checks.check import SegmentPair, parse_languages
from qe_desktop.local_qe.qa_checks.runner import CHECK_BY_NAME, CHECKS, get_checks
from tests.local_qe.qa_checks.marks import marks_of


@pytest.mark.parametrize(
    ("mt", "languages", "expected"),
    [
        ("Das ist ist gut", "en-de", ["ist"]),
        ("Sub Sub Sub", "en-de", ["Sub", "Sub"]),
        ("die, die kommen", "en-de", []),
        ("Männer, die die Welt sehen", "en-de", []),
        ("nous nous voyons", "en-fr", []),
        ("धीरे धीरे", "en-hi", []),
        ("yavaş yavaş", "en-tr", []),
        ("人人有责", "en-zh", []),
        ("いろいろな 10 10", "en-ja", []),
        ("לאט לאט", "en-he", []),
        ("Sub-Sub Sub", "en-de", []),
    ],
)
def test_doubled_words_are_marked(mt, languages, expected):
    assert marks_of("doubled", ("something else", mt), languages=languages) == expected


def test_words_that_the_source_repeats_are_not_marked():
    assert marks_of("doubled", ("very very good", "sehr sehr gut")) == []


@pytest.mark.parametrize(
    ("source", "mt", "expected"),
    [
        ("Use 'man man'.", "Utilisez « man man ».", []),
        ("Read the manual of it.", "Lisez 'man man'.", []),
        ("Read the manual of it.", "Lisez le manuel “man man” ici.", []),
        ("Read the manual of it.", "Lisez “le manuel manuel”.", ["manuel"]),
        ("Read the manual of it.", "Lisez le le manuel.", ["le"]),
    ],
)
def test_quoted_commands_are_not_repeated_words(source, mt, expected):
    assert marks_of("doubled", (source, mt), languages="en-fr") == expected


@pytest.mark.parametrize(
    ("mt", "language", "marked"),
    [
        ("janv.", "fr", []), ("pommes, poires, etc.", "fr", []), ("p. ex.", "fr", []), ("Paris et env.", "fr", []),
        ("Montant total approx.", "fr", []), ("manzanas y pan, aprox.", "es", []),
        ("Estados Unidos: EE. UU.", "es", []),
        ("von der Hauptstr.", "de", []), ("Äpfel und Birnen z. B.", "de", []), ("und dgl.", "de", []),
        ("Alle Rechte der Hrsg.", "de", []), ("Sichern.", "de", ["."]), ("Das ist der Baum.", "de", ["."]),
        ("Le chat dort ici.", "fr", ["."]), ("Guardar.", "es", ["."]),
    ],
)  # fmt: skip
def test_full_stops_of_abbreviations_are_not_marked(mt, language, marked):
    assert marks_of("end-punctuation", ("A label", mt), languages=f"en-{language}") == marked


@pytest.mark.parametrize(
    ("source", "mt", "expected"),
    [
        ("(a) b", "(a b", ["("]),
        ("a (b) c", "a b c", [" b c|", "S (", "S )"]),
        ("A b c.", "A (b) c.", ["(", ")"]),
        ("a label", "eine (lange) Bezeichnung", []),
        ("files", "Datei(en)", []),
        ("file(s) found", "Dateien gefunden", []),
        ("size (in bytes)", "Größe", ["röße|", "S (", "S )"]),
        ("see cut(1): fields", "siehe cut(1): Felder", []),
        ("(a) b", "（a）b", []),
        ("1) first", "1) erstens", []),
        ("a) first", "Erstens", []),
        ("good :-)", "gut :-)", []),
        ("good", "gut ;-)", []),
        ("(note that version 8)", "(Hinweis: Version 8)", []),
        ("(note that x)", "(Hinweis: x)", []),
        ("read it (see ibs=)", "es lesen (siehe ibs=)", []),
        ("half (open", "halb (offen", []),
        ("([a)]", "(a)", []),
        ('he said "yes"', "er sagte „ja“", []),
        ('he said "yes"', "он сказал «да»", []),
        ('he said "yes"', "他说“是”", []),
        ('he said "yes"', "彼は「はい」と言った", []),
        ('he said "yes"', 'er sagte "ja', ['"']),
        ('he said "yes"', "er sagte ja", ["e ja|", 'S "', 'S "']),
        ("he said 'yes'", "er sagte „ja“", []),
        ('he said "yes"', "er sagte ‚ja‘", []),
        ("the IDF came", 'צה"ל בא', []),
        ('he said "yes"', "彼は「はいと言った", ["「"]),
        ('the "A" (b)', "『A』（b）", []),
        ('he said "yes"', "er sagte „ja", ["„"]),
        ('he said "yes"', "er sagte »ja«", []),
        ('he said "yes"', "il a dit « oui »", []),
        ('he said "yes"', "il a dit « oui", ["«"]),
        ('he said "yes"', "han sade ”ja”", []),
        ('he said "yes"', "הוא אמר ״כן״", []),
        ('he said "yes"', 'הוא אמר "כן', ['"']),
        ('read the "text"', 'קרא את ה"טקסט"', []),
        ("(the IDF)", "צה״ל)", [")"]),
        ("Hope Island is small", "ホープ島(Hope Island)は小さい", []),
        ("Hope Island is small.", "ホープ島(小さい)です。", ["(", ")"]),
        ("the ČSSD said so", "die Partei (ČSSD) sagte das", []),
        ("The party said so.", "Die Partei (CDU) sagte das.", ["(", ")"]),
        ('a 5" pipe', "ein Rohr von 5 Zoll", []),
        ("“Chapter 5”", '"Kapitel 5"', []),
        ("the “5-inch pipe”", 'das "5" Rohr"', []),
        ('"Chapter 5"', "„Kapitel 5“", []),
        ('"Chapter 5"', "Kapitel 5", ["el 5|", 'S "', 'S "']),
        ('"Chapter 5', "„Kapitel 5", []),
        ('a 5" pipe and a 6" pipe', 'ein 5"- und ein 6"-Rohr', []),
        ("''Chapter 5''", "„Kapitel 5“", []),
        ("click File", "klicken Sie auf „Datei“", []),
    ],
)
def test_wrong_brackets_and_quotation_marks_are_marked(source, mt, expected):
    assert marks_of("brackets", (source, mt)) == expected


@pytest.mark.parametrize(
    ("mt", "languages", "expected"),
    [
        ("zwei  Blanks", "en-de", ["zwei|"]),
        ("gut , sehr gut", "en-de", [","]),
        ("gut !", "en-de", ["!"]),
        ("bien !", "en-fr", []),
        ("bien\u202f: très bien\u00a0?", "en-fr", []),
        ("« bien »", "en-fr", []),
        ("bien , oui", "en-fr", [","]),
        ("gut ?", "", []),
        ("gut , ja", "", [","]),
        ("in .NET und .5 und ... hier", "en-de", []),
        ("und so weiter ...", "en-de", []),
        ("gut :) sehr", "en-de", []),
        ("良い 。", "en-ja", ["。"]),
        ("良い。　次", "en-ja", []),
        ("טוב מאוד, כן.", "en-he", []),
        ("טוב , כן", "en-he", [","]),
        (" vorn", "en-de", ["|"]),
        ("hinten ", "en-de", ["ten |"]),
    ],
)
def test_wrong_spaces_are_marked(mt, languages, expected):
    assert marks_of("spaces", ("something else", mt), languages=languages) == expected


def test_spaces_of_the_source_and_between_tokens_are_not_marked():
    assert marks_of("spaces", (" a  b , c ! ", " a  b , c ! ")) == []
    assert marks_of("spaces", ("Name: ", "名称："), languages="en-zh") == []
    assert marks_of("spaces", (" \u2028x", "\u2028x")) == []


def test_missing_spaces_at_the_ends_are_marked():
    assert marks_of("spaces", ("Hello world ", "Hallo Welt")) == ["Welt|"]
    assert marks_of("spaces", (" (backup)", "(Sicherung)")) == ["|"]
    assert marks_of("spaces", ("a b", "zwei  Blanks , hier !"), written=False) == []


def code_findings(source: str, mt: str, text: str) -> list[tuple[int, str]]:
    pair = SegmentPair(0, "", text, source_line=source, mt_line=mt)
    return [(finding.span[0], finding.reason) for _, finding in CHECK_BY_NAME["codes"].find([pair])]


def test_wrong_inline_codes_are_reported():
    assert code_findings("a ⟨1⟩b⟨/1⟩ c⟨2/⟩", "⟨2/⟩x ⟨1⟩y⟨/1⟩", "x y") == []
    assert code_findings("a ⟨⟨1⟩", "b", "b") == []
    assert code_findings("a ⟨1⟩b⟨/1⟩", "x y", "x y") == [
        (3, "the code ⟨1⟩ is missing from the target"),
        (3, "the code ⟨/1⟩ is missing from the target"),
    ]
    assert code_findings("a", "x ⟨⟨y⟨3/⟩", "x ⟨y") == [
        (4, "the code ⟨3/⟩ is not in the source, or occurs there less often")
    ]
    assert code_findings("⟨1⟩a⟨/1⟩", "⟨/1⟩a⟨1⟩", "a") == [(0, "the closing code ⟨/1⟩ does not close an open code")]
    crossed = code_findings("⟨1⟩a⟨/1⟩⟨2⟩b⟨/2⟩", "⟨1⟩a⟨2⟩b⟨/1⟩⟨/2⟩", "ab")
    assert crossed == [(2, "the code ⟨/1⟩ overlaps another code")]


def test_surplus_pairs_of_codes_are_reported():
    assert [reason for _, reason in code_findings("a", "⟨1⟩x⟨/1⟩", "x")] == [
        "the code ⟨1⟩ is not in the source, or occurs there less often",
        "the code ⟨/1⟩ is not in the source, or occurs there less often",
    ]


def test_different_translations_of_one_source_are_marked():
    same = ("Press Stop", "Drücken Sie Stopp")
    assert marks_of("consistency", same, ("Press Stop", "Drücken Sie Halt"), same) == ["Halt"]
    assert marks_of("consistency", same, ("Press  Stop", "Drücken  Sie  Stopp"), same) == []
    assert marks_of("consistency", same, ("Press Stop", "Drücken Stopp"), same) == ["ken |"]
    assert marks_of("consistency", ("12", "12"), ("12", "13")) == []
    assert marks_of("consistency", same, ("Press Start", "Drücken Sie Start")) == []


def test_all_checks_have_a_name_a_title_and_a_rule():
    assert len({check.name for check in CHECKS}) == len(CHECKS) == len(CHECK_BY_NAME)
    assert all(check.title and check.description.endswith(".") for check in CHECKS)


def test_an_unknown_check_is_rejected_with_a_list_of_checks():
    assert [check.name for check in get_checks(["codes", "numbers"])] == ["numbers", "codes"]
    with pytest.raises(QeError, match="empty, numbers, separators"):
        get_checks(["nmbers"])


def test_languages_are_parsed_from_language_pairs():
    pairs = ("en-de", "en-US-de-DE", "en-pt-BR", "zh-Hans-en", "en_US-de", "", "many")
    languages = [parse_languages(*Corpus("made", 0, language_pair=pair).source_and_target())[:2] for pair in pairs]
    assert languages == [("en", "de"), ("en", "de"), ("en", "pt"), ("zh", "en"), ("en", "de"), ("", ""), ("", "")]
    exact = Corpus("made", 0, language_pair="zh-Hant-TW-pt-BR", languages=("zh-Hant-TW", "pt-BR"))
    assert parse_languages(*exact.source_and_target()) == ("zh", "pt", "BR")
