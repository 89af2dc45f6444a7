"""Words that are copied from the source: those that the check marks, and names, codes and cognates that it does not."""

from __future__ import annotations

import pytest

from tests.local_qe.qa_checks.marks import marks_of


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
    "en-de": [
        ("The tea in the orange cup is bitter.", "Der Tee in der orange Tasse ist bitter."),
        ("Use separate rooms.", "Nutzen Sie separate Räume."),
    ],
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


def test_a_target_that_copies_the_whole_source_has_one_result():
    copied = "Keep the cables clear of the paper path."
    assert marks_of("empty", (copied, copied)) == [copied]
    assert marks_of("untranslated", (copied, copied)) == []
    mixed = marks_of("untranslated", (copied, "Halten Sie the cables clear vom Papierweg fern."))
    assert mixed == ["cables", "clear"]


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
