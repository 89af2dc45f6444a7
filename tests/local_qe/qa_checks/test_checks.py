"""Marks of each QA check, and correct texts that it does not mark."""

from __future__ import annotations

import time

import pytest

from qe_desktop.corpus import Corpus, QeError
from qe_desktop.local_qe.qa_checks.check import SegmentPair
from qe_desktop.local_qe.qa_checks.pair_facts import parse_languages
from qe_desktop.local_qe.qa_checks.runner import CHECK_BY_NAME, CHECKS, get_checks


def marks_of(name: str, *pairs: tuple[str, str], languages: str = "en-de", written: bool = True) -> list[str]:
    """Marks of a check: words of the MT, `|` for a gap after the preceding characters, and source words with an S."""
    source_language, language, _ = parse_languages(*Corpus("made", 0, language_pair=languages).source_and_target())
    rows = [
        SegmentPair(number, source, mt, written, written, source_language=source_language, language=language)
        for number, (source, mt) in enumerate(pairs)
    ]
    marked_texts = []
    for segment, (span, reason, of_source) in CHECK_BY_NAME[name].find(rows):
        assert reason
        text = rows[segment].source if of_source else rows[segment].mt
        start, stop = span
        assert 0 <= start <= stop <= len(text)
        marked_texts.append(("S " if of_source else "") + (text[start:stop] or f"{text[max(0, start - 4) : start]}|"))
    return marked_texts


@pytest.mark.parametrize(
    ("source", "mt", "languages", "expected"),
    [
        ("with 340 passengers", "mit 430 Passagieren", "en-de", ["430", "S 340"]),
        ("It costs 1,234.50 in all", "Es kostet 1.234,50", "en-de", []),
        ("10,000 people", "10 000 personnes", "en-fr", []),
        ("10,000 people", "10\u202f000 personnes", "en-fr", []),
        ("1.5 metres", "1,5 Meter", "en-de", []),
        ("1.5 metres", "15 Meter", "en-de", ["15", "S 1.5"]),
        ("on 12/05/2020", "am 12.05.2020", "en-de", []),
        ("at 3:30 pm", "um 15:30 Uhr", "en-de", []),
        ("2.5 million", "2.500.000", "en-de", []),
        ("2.5 million people", "250万人", "en-zh", []),
        ("in the '90s", "in den 1990ern", "en-de", []),
        ("the A320 and 5kg", "der A320 und 5 kg", "en-de", []),
        ("500 EUR", "EUR500", "en-de", []),
        ("the 19th century", "le XIXe siècle et XIX", "en-fr", []),
        ("the 21st century", "le XXIe siècle", "en-fr", []),
        ("Francis 1st", "François Ier", "en-fr", []),
        ("three ships, 7 men", "3 Schiffe, sieben Mann", "en-de", ["3", "S 7"]),
        ("three ships", "3 Schiffe", "en-de", []),
        ("in 1945 it began", "dann begann es", "en-de", ["n es|", "S 1945"]),
        ("it began", "es begann 1945", "en-de", ["1945"]),
        ("twenty-five men", "二十五人", "en-zh", []),
        ("25 men", "二十五人", "en-zh", []),
        ("٢٥ رجلا", "25 Männer", "ar-de", []),
        ("５個", "5 pieces", "ja-en", []),
        ("5 km away", "5 cm entfernt", "en-de", ["cm"]),
        ("5 km away", "5 км отсюда", "en-ru", []),
        ("$5 each", "5 € pro Stück", "en-de", ["€"]),
        ("$5 each", "5 $ pro Stück", "en-de", []),
        ("5% more", "5 % mehr", "en-de", []),
        ("5% more", "5 Prozent mehr", "en-de", []),
        ("1" * 400, "1" * 400, "en-de", []),
        ("no 1,2,3,4", "keine 1, 2, 3, 4", "en-de", []),
        ("1,000.5 m", "1.000,5 m", "en-de", []),
        ("1,000.5 m", "1\u202f000,5 m", "en-fr", []),
        ("1,000.5 m", "１，０００．５ m", "en-ja", []),
        ("1,000.5", "١٬٠٠٠٫٥", "en-ar", []),
        ("25 men", "٢٦ رجلا", "en-ar", ["٢٦", "S 25"]),
        ("1,00,000 rupees", "100.000 Rupien", "en-de", []),
        ("12,500 yen", "1万2500円", "en-ja", []),
        ("12,500 yen", "1万2,600円", "en-ja", ["1万2,600", "S 12,500"]),
        ("May 4, 2020", "令和2年5月4日", "en-ja", []),
        ("12 am", "0 Uhr", "en-de", []),
        ("twenty-five men", "25 Männer", "en-de", []),
        ("25 men of 40", "fünfundzwanzig von vierzig Männern", "en-de", []),
        ("25 men", "vierzig Männer", "en-de", ["nner|", "S 25"]),
        ("one hundred and five", "105", "en-de", []),
        ("105 men", "der Mann", "en-de", ["Mann|", "S 105"]),
        ("in 1945, 50 percent", "50 Prozent", "en-de", ["zent|", "S 1945"]),
        ("two dozen eggs", "24 Eier", "en-de", []),
        ("two dozen eggs", "25 Eier", "en-de", ["25"]),
        ("šestadvacetiletý", "the 26-year-old", "cs-en", []),
        ("5 kg", "5 g", "en-de", ["g"]),
        ("5 m", "5 km", "en-de", ["km"]),
        ("5 km", "5㎝", "en-ja", ["㎝"]),
        ("5 km", "5㎞", "en-ja", []),
        ("20%", "20٪", "en-ar", []),
        ("¥500", "500 ￥", "en-ja", []),
    ],
)
def test_wrong_numbers_and_units_are_marked(source, mt, languages, expected):
    assert marks_of("numbers", (source, mt), languages=languages) == expected


def test_very_long_numbers_cause_no_overflow():
    long = "9" * 5000
    assert marks_of("numbers", (f"the {long} here", "das hier")) == ["hier|", f"S {long}"]


@pytest.mark.parametrize(
    ("source", "mt", "expected"),
    [
        ("at -5 °C", "bei 5 °C", ["5"]),
        ("−40 degrees", "40 Grad", ["40"]),
        ("40 degrees", "-40 Grad", ["-40"]),
        ("at -5 °C", "bei –5 °C", []),
        ("at -5 °C", "bei − 5 °C", []),
        ("at -5 °C", "bei minus 5 °C", []),
        ("5-10 items", "5 bis 10 Elemente", []),
        ("5 -10 items", "5 bis 10 Elemente", []),
        ("at -5 °C", "‎5-°C", []),
        ("a-5", "a 5", []),
        ("from -5 to 5", "von 5 bis -5", []),
    ],
)
def test_lost_minus_signs_are_marked(source, mt, expected):
    assert marks_of("numbers", (source, mt)) == expected


def test_a_column_of_numbers_is_not_one_infinite_number():
    column = " ".join(str(100 + number) for number in range(120))
    assert marks_of("numbers", (column, column.replace("150", "350"))) == ["350", "S 150"]
    missing = marks_of("numbers", (column, "keine"))
    # 100 and 200 are round and may be spelled
    assert missing[1::2] == [f"S {number}" for number in range(100, 220) if number % 100]
    # a number that is finite may be infinite with the word after it
    assert marks_of("numbers", (f"{'9' * 300} billion", "keine")) == ["eine|", f"S {'9' * 300}"]


def test_thousands_of_numbers_take_linear_time():
    source = " and ".join(str(2000 + 7 * number) for number in range(1500))
    mt = " und ".join(str(20_000 + 13 * number) for number in range(1500))
    started = time.process_time()
    assert len(marks_of("numbers", (source, mt))) > 2900
    # about 0.2 s; some 8 s if each number is looked up in all others
    assert time.process_time() - started < 2


def test_thousands_of_equal_numbers_take_linear_time():
    started = time.process_time()
    assert marks_of("numbers", ("1 % " * 30_000, "1 % " * 30_000)) == []
    # about 0.6 s; some 10 s if each number is looked up in all others
    assert time.process_time() - started < 4


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


def test_untranslated_words_are_marked_except_names_and_codes():
    first = ("The wicket fell while it rained.", "Das wicket fiel, während es regnete.")
    assert marks_of("untranslated", first) == ["wicket"]
    # another segment has the word without its source, so it is a word of the target language
    assert marks_of("untranslated", first, ("The gate", "Das wicket")) == []
    # names, abbreviations, codes and short words are not marked
    for source, mt in (
        ("Anna drove to Boston", "Anna fuhr nach Boston"),
        ("the NATO was in an inn", "die NATO was in an inn"),
        ("Calosoma sycophanta is a beetle", "Calosoma sycophanta ist ein Käfer"),
        ("open config.yaml and my_file", "öffne config.yaml und my_file"),
        ("see www.example.org/path now", "siehe www.example.org/path jetzt"),
        ("write to anna@mail.example", "schreibe an anna@mail.example"),
        ("The mount command failed.", "Der Befehl mount schlug fehl."),
        ("Use the sort utility.", "Nutzen Sie das Werkzeug sort."),
        ("Type exit to leave.", "Geben Sie exit ein, um zu gehen."),
        ("An `extends` tag, but `origin` as well.", "Ein `extends`-Tag, aber auch `origin`."),
        ("The `extends` tag needs `origin` here.", "Der Tag `extends` braucht hier `origin`."),
    ):
        assert marks_of("untranslated", (source, mt)) == [], source
    assert marks_of("untranslated", ("The wicket fell.", "打开wicket门。"), languages="en-zh") == ["wicket"]
    assert marks_of("untranslated", ("Открой дверь.", "Отвори дверь."), languages="ru-bg") == ["дверь"]
    assert marks_of("untranslated", ("הבית", "הבית"), languages="he-yi") == []


COGNATES = {
    "en-fr": [
        ("The image is visible on the page.", "L’image est visible sur la page."),
        ("Send a message to the service.", "Envoyez un message au service."),
        ("The application uses a cache.", "L’application utilise un cache."),
        ("Each section has a title and a description.", "Chaque section a un titre et une description."),
        ("This action is not possible.", "Cette action est impossible."),
        ("Select the destination address.", "Sélectionnez l’adresse de destination."),
        ("Check the version of the document.", "Vérifiez la version du document."),
        ("The restaurant serves excellent desserts.", "Le restaurant sert d’excellents desserts."),
        ("The notation of the menu is important.", "La notation du menu est importante."),
        ("The patient must avoid any contact.", "Le patient doit éviter tout contact."),
        ("Take the second tablet after the meal.", "Prenez le second comprimé après le repas."),
        ("My opinion is simple.", "Mon opinion est simple."),
        ("It was a surprise for the public.", "Ce fut une surprise pour le public."),
        ("The police confirmed the information.", "La police a confirmé l’information."),
    ],
    "en-es": [
        ("The animal is in the hospital.", "El animal está en el hospital."),
        ("The final result is normal.", "El resultado final es normal."),
        ("The local error is visible.", "El error local es visible."),
        ("The total material cost is low.", "El coste total del material es bajo."),
        ("The motor has a digital control.", "El motor tiene un control digital."),
        ("It is a real idea.", "Es una idea real."),
    ],
    "es-pt": [("La memoria es obsoleta.", "A memória é obsoleta.")],
    "da-nb": [("Det kunne være forkert.", "Det kunne vært feil.")],
}


@pytest.mark.parametrize("languages", COGNATES)
def test_cognates_are_not_marked(languages):
    assert marks_of("untranslated", *COGNATES[languages], languages=languages) == []


def test_lost_translations_between_languages_with_cognates_are_marked():
    first = ("The wicket fell while it rained.", "Le wicket est tombé sous la pluie.")
    assert marks_of("untranslated", first, languages="en-fr") == ["wicket"]
    several = ("Send the last message to the service.", "Envoyez le last message au service.")
    assert marks_of("untranslated", several, languages="en-fr") == ["last", "message"]


@pytest.mark.parametrize(
    ("source", "mt", "languages", "copied", "untranslated"),
    [
        ("请打开文件。", "请打开文件。", "zh-de", ["请打开文件。"], []),
        ("请打开文件。", "Bitte 请打开文件。", "zh-de", [], ["请打开文件"]),
        ("请打开文件。", "请打开文件。", "zh-ja", [], []),
        ("ファイル", "ファイル", "ja-en", ["ファイル"], []),
        ("הקובץ נפתח", "הקובץ נפתח", "he-en", ["הקובץ נפתח"], []),
        ("افتح الملف", "افتح the file", "ar-en", [], ["افتح"]),
        ("हाँ यह है।", "हाँ यह है।", "hi-en", ["हाँ यह है।"], []),
        ("फ़ाइल खोलें", "फ़ाइल खोलें", "hi-en", ["फ़ाइल खोलें"], []),
        ("中华人民共和国成立", "Die Volksrepublik (中华人民共和国) entstand", "zh-de", [], []),
        ("東京", "東京", "ja-en", [], []),
        ("Откройте", "Откройте", "ru-sr", [], []),
    ],
)
def test_copied_text_in_a_script_of_another_language_is_marked(source, mt, languages, copied, untranslated):
    assert marks_of("empty", (source, mt), languages=languages) == copied
    assert marks_of("untranslated", (source, mt), languages=languages) == untranslated


def test_words_of_the_syntax_of_a_command_are_not_marked():
    copies = ("Please make a copy of it.", "Bitte kopieren Sie es.")
    for syntax in ("git notes copy [<options>] <from-object> <to-object>", "git notes copy <object>"):
        assert marks_of("untranslated", *[copies] * 9, (syntax, syntax)) == []
    assert marks_of("untranslated", *[copies] * 9, ("no copy of it", "keine copy davon")) == ["copy"]


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
        (3, "the code ⟨1⟩ of the source is missing"),
        (3, "the code ⟨/1⟩ of the source is missing"),
    ]
    assert code_findings("a", "x ⟨⟨y⟨3/⟩", "x ⟨y") == [
        (4, "the code ⟨3/⟩ is not in the source, or occurs there less often")
    ]
    assert code_findings("⟨1⟩a⟨/1⟩", "⟨/1⟩a⟨1⟩", "a") == [(0, "the code ⟨/1⟩ is closed before it is opened")]
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
    assert all(check.title and check.rule.endswith(".") for check in CHECKS)


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
