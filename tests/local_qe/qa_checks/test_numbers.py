"""Numbers, units and minus signs that the QA checks mark, and their time."""

from __future__ import annotations

import time

import pytest

from tests.local_qe.qa_checks.marks import marks_of


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
    # a finite number may overflow to infinity when multiplied by the word after it
    assert marks_of("numbers", (f"{'9' * 300} billion", "keine")) == ["eine|", f"S {'9' * 300}"]


def test_thousands_of_numbers_take_linear_time():
    source = " and ".join(str(2000 + 7 * number) for number in range(1500))
    mt = " und ".join(str(20_000 + 13 * number) for number in range(1500))
    started = time.process_time()
    assert len(marks_of("numbers", (source, mt))) > 2900
    # about 0.2 s, but about 8 s if each number is compared with all others
    assert time.process_time() - started < 2


def test_thousands_of_equal_numbers_take_linear_time():
    started = time.process_time()
    assert marks_of("numbers", ("1 % " * 30_000, "1 % " * 30_000)) == []
    # about 0.6 s, but about 10 s if each number is compared with all others
    assert time.process_time() - started < 4


@pytest.mark.parametrize(
    ("source", "mt", "languages", "expected"),
    [
        ("Allow at least 12 cm clearance.", "Lassen Sie hinten Platz.", "en-de", ["atz.|", "S 12"]),
        ("Children over 12 years", "Kinder über zwölf", "en-de", []),
        ("Each dozen costs 5 euros", "Chaque douzaine coûte cher", "en-fr", ["cher|", "S 5"]),
        ("a pack of 12", "ein Dutzend", "en-de", []),
        ("on the 3rd floor", "in der dritten Etage", "en-de", []),
        ("Wait 15 minutes", "Warten Sie eine Viertelstunde", "en-de", []),
        ("14 days", "zwei Wochen", "en-de", []),
        ("on 5/12/2020", "am 5. Dezember 2020", "en-de", []),
        ("at 3:30", "um halb vier", "en-de", []),
        # below 3, articles and plurals may stand for a number; the words of other languages are not known
        ("2 doors", "die Türen", "en-de", []),
        ("12 doors", "ovet", "en-fi", []),
        ("12 doors", "門十二扇", "en-zh", []),
    ],
)
def test_small_numbers_are_missing_if_neither_digits_nor_words_are_there(source, mt, languages, expected):
    assert marks_of("numbers", (source, mt), languages=languages) == expected
