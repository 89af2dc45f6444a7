"""Texts: placeholders, plural forms, translations and invalid translations."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator

from qe_desktop.corpus import Kind, LayerKey, Provenance, QeError, SourceLocation
from qe_desktop.i18n import messages as wording
from qe_desktop.i18n import ts_catalog
from qe_desktop.i18n.messages import (
    ENGLISH,
    Language,
    join_localized,
    join_names,
    retranslate,
    sentence_case,
    to_english,
    tr,
)
from qe_desktop.i18n.ts_catalog import InvalidTranslationError, plural_rule, read_language

LRELEASE = Path(sys.executable).with_name("pyside6-lrelease")


@pytest.fixture
def english_again():
    yield
    wording.set_language(wording.ENGLISH)


@pytest.fixture
def polish(english_again, tmp_path):
    """Polish translations of the texts in the tests below."""
    translations = {
        "nothing": "nic", "{n} {n:row was|rows were} left out: {why}": "pominięto {n}: {why}",
        "{why} ({times})": "{why} ×{times}", "the raters are simulated": "oceniający są symulowani",
    }  # fmt: skip
    texts = "".join(f"<message><source>{first}</source><translation>{second}</translation></message>"
                    for first, second in translations.items())  # fmt: skip
    wording.set_language(read_language(str(translation(tmp_path, texts))))


@pytest.mark.usefixtures("polish")
def test_text_keeps_its_english_with_filled_placeholders():
    why = join_localized(", ", [tr("{why} ({times})", why=tr("nothing"), times=2), "a <b>", tr("not translated")])
    text = tr("{n} {n:row was|rows were} left out: {why}", "", 2, why=why)
    assert text == "pominięto 2: nic ×2, a <b>, not translated"
    assert to_english(text) == "2 rows were left out: nothing (2), a <b>, not translated"
    assert type(to_english(text)) is str
    assert retranslate(to_english(tr("the raters are simulated"))) == "oceniający są symulowani"
    assert retranslate("{n} of a file's own") == "{n} of a file's own"
    assert to_english("as it was") == "as it was"


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("no score for MT of BLEU", "No score for MT of BLEU"),
        ("keine Wertung für Sätze", "Keine Wertung für Sätze"),
        ("österreichisch und Deutsch", "Österreichisch und Deutsch"),
        ("“name” is no system", "“name” is no system"),
        ("HTER", "HTER"),
        ("ქართული", "ქართული"),
        ("日本語", "日本語"),
        ("1 row", "1 row"),
        ("", ""),
    ],
)
def test_sentence_case_changes_only_the_first_letter(text, begins):
    """`str.capitalize` would change “MT” to “Mt” and lowercase German nouns."""
    assert sentence_case(text) == begins


@pytest.mark.usefixtures("english_again")
def test_text_in_sentence_case_keeps_its_english():
    wording.set_language(Language("tr", {("it is late", ""): ("iş geç",)}, ENGLISH.form))
    text = sentence_case(tr("it is late"))
    assert text == "İş geç"
    assert to_english(text) == "It is late"


def test_only_sentence_case_capitalizes_texts():
    by_hand = re.compile(r"\.capitalize\(\)|\[:1\]\.upper\(\)|\[0\]\.upper\(\)")
    folder = Path(wording.__file__).parent
    assert [path.name for path in folder.rglob("*.py") if by_hand.search(path.read_text())] == []


def translation(tmp_path: Path, messages: str, code: str = "pl") -> Path:
    path = tmp_path / f"{code}.ts"
    path.write_text(f'<TS version="2.1" language="{code}"><context><name></name>{messages}</context></TS>')
    return path


def test_placeholders_are_filled_by_name_and_values_are_not_formatted():
    assert tr("Save") == "Save"
    assert tr("{file} is no number", file="{n:a|b} & <b>") == "{n:a|b} & <b> is no number"
    assert tr("a brace { of its own") == "a brace { of its own"


@pytest.mark.parametrize(("number", "text"), [(0, "0 tags are"), (1, "1 tag is"), (20_238, "20,238 tags are")])
def test_number_selects_its_word_form(number, text):
    assert tr("{n:,} {n:tag is|tags are} missing", "", number) == f"{text} missing"
    assert tr("{all} {all:rater|raters}, {n} {n:page|pages}", "", 1, all=2) == "2 raters, 1 page"


@pytest.mark.usefixtures("english_again")
def test_language_has_its_own_plural_forms_and_falls_back_to_english(tmp_path):
    forms = "".join(f"<numerusform>{text}</numerusform>" for text in ("{n} plik", "{n} pliki", "{n} plików"))
    path = translation(
        tmp_path,
        f'<message numerus="yes"><source>{{n}} {{n:file|files}}</source><translation>{forms}</translation></message>'
        "<message><source>{a} of {b:tag|tags}</source><translation>{b:x|y|z}, {a}</translation></message>"
        "<message><source>Open</source><comment>state</comment><translation>Otwarte</translation></message>"
        '<message><source>Close</source><translation type="unfinished"></translation></message>',
    )
    wording.set_language(read_language(str(path)))
    assert [tr("{n} {n:file|files}", "", n) for n in (1, 3, 12, 22)] == ["1 plik", "3 pliki", "12 plików", "22 pliki"]
    assert tr("{a} of {b:tag|tags}", a=7, b=5) == "z, 7"
    assert tr("Open", "state") == "Otwarte"
    assert tr("Open") == "Open"
    assert tr("Close") == "Close"


@pytest.mark.usefixtures("english_again")
@pytest.mark.parametrize(("code", "number"), [("ja", 5), ("ru", 21), ("lv", 21), ("ar", 1), ("pl", 2)])
def test_untranslated_text_is_english_with_english_plurals(tmp_path, code, number):
    english = tr("{n} {n:tag|tags} of {files} {files:file|files}", "", number, files=number)
    wording.set_language(read_language(str(translation(tmp_path, "", code))))
    assert tr("{n} {n:tag|tags} of {files} {files:file|files}", "", number, files=number) == english


@pytest.mark.parametrize(
    "translated",
    [
        "50 % of {a}",
        "%(prog)s {a}",
        "{b}",
        "{a.__class__}",
        "{a!r}",
        "{a:>1000000000}",
        "{a[0]}",
        "{",
        "{a:x|{a}}",
        "{}",
    ],
)
def test_translation_with_other_placeholders_than_its_source_is_rejected(tmp_path, translated):
    path = translation(tmp_path, f"<message><source>of {{a}}</source><translation>{translated}</translation></message>")
    with pytest.raises(InvalidTranslationError, match="has a placeholder or percent sign that is not in its source"):
        read_language(str(path))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"<TS>",
        b"\xff\xfe",
        b"<svg/>",
        b"<?xml version='1.0' encoding='no-such'?><TS/>",
        b"<?xml version='1.0' encoding='utf-7'?><TS/>",
        b"<!DOCTYPE x [<!ENTITY a 'b'>]><TS>&b;</TS>",
    ],
)
def test_invalid_translation_file_is_a_readable_error(tmp_path, content):
    path = tmp_path / "x.ts"
    path.write_bytes(content)
    with pytest.raises(InvalidTranslationError, match=r"x\.ts: "):
        read_language(str(path))
    with pytest.raises(InvalidTranslationError, match=r"none\.ts"):
        read_language(str(tmp_path / "none.ts"))


def test_language_setting_is_applied_or_its_error_reported(tmp_path, monkeypatch):
    path = translation(tmp_path, "<message><source>stopped</source><translation>zatrzymano</translation></message>")
    program = (
        "import qe_desktop.__main__ as m; m.apply_language_setting();"
        "from qe_desktop.i18n.messages import tr; print(tr('stopped'))"
    )
    for value, text, complaint in ((str(path), "zatrzymano", ""), ("no such file", "stopped", "no such file: ")):
        monkeypatch.setenv("QE_DESKTOP_LANGUAGE", value)
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == text
        assert done.stderr.startswith(f"qe-desktop: {complaint}" if complaint else "")
        assert bool(done.stderr) == bool(complaint)


@pytest.mark.usefixtures("english_again")
def test_texts_and_errors_keep_their_english(tmp_path):
    path = translation(
        tmp_path,
        "<message><source>words</source><translation>słowa</translation></message>"
        "<message><source>{what}: {n:tag|tags}</source><translation>{what} – {n:x|y|z}</translation></message>",
    )
    wording.set_language(read_language(str(path)))
    words = tr("words")
    text = tr("{what}: {n:tag|tags}", "", 5, what=words)
    assert (text, to_english(text)) == ("słowa – z", "words: tags")
    assert to_english(tr("{what} by {system}", what=words, system="A")) == "words by A"
    together = join_localized("; ", ["A", text])
    assert (together, to_english(together)) == ("A; słowa – z", "A; words: tags")
    assert to_english({"notes": [text, 1, None], "of": ("A", words)}) == {
        "notes": ["words: tags", 1, None],
        "of": ["A", "words"],
    }
    key = LayerKey(Provenance.SYSTEM, "A", Kind.WORDS)
    assert to_english(tr("there is no layer “{layer}”", layer=key)) == f"there is no layer “A ({to_english(words)})”"
    error = QeError(words, hint=words, place=SourceLocation("f", 3))
    assert (error.line(), to_english(error.line())) == ("f:3: słowa. słowa", "f:3: words. words")


def test_join_names_joins_as_in_a_sentence():
    assert [join_names(["A", "B", "C"][:n]) for n in range(4)] == ["", "A", "A and B", "A, B and C"]


@pytest.mark.parametrize(("code", "known"), [("de", True), ("he", True), ("ur", False)])
def test_qt_uses_the_same_language(tmp_path, monkeypatch, code, known):
    monkeypatch.setenv("QE_DESKTOP_LANGUAGE", str(translation(tmp_path, "", code)))
    program = (
        "import qe_desktop.__main__ as m; m.apply_language_setting(); from qe_desktop.ui.app import create_application;"
        "app = create_application(); print(app.translate('QPlatformTheme', 'Cancel'))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert (done.stdout.strip() != "Cancel") == known


@pytest.mark.parametrize("code", [*ts_catalog.PLURAL_RULES, "de", "en", "es", "it", "pt_PT"])
def test_plural_rules_equal_qt_linguist(tmp_path, code):
    """Each plural form is translated as its own index, which Qt returns for every number below 250."""
    rule = plural_rule(code)
    of_number = [rule(number) for number in range(250)]
    forms = "".join(f"<numerusform>{form}</numerusform>" for form in range(max(of_number) + 1))
    path = translation(
        tmp_path, f'<message numerus="yes"><source>x</source><translation>{forms}</translation></message>', code
    )
    subprocess.run([LRELEASE, path, "-qm", path.with_suffix(".qm")], check=True, capture_output=True)
    translator = QTranslator()
    assert translator.load(str(path.with_suffix(".qm")))
    assert [int(translator.translate("", "x", "", number)) for number in range(250)] == of_number
