"""Source and target language remain two values from the imported file through the project to the exported file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from qe_desktop.corpus import Corpus, TextColumn, TextRole, View
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.exports.registry import export_view, get_export
from qe_desktop.local_qe.qa_checks.check import parse_languages
from qe_desktop.project.store.project import Project
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.ui.inspect.reader.word_layout import text_direction, translations_direction

AUTO = SimpleNamespace(source_direction="auto", mt_direction="auto")


def make_xliff(source: str, target: str, texts: tuple[str, str]) -> str:
    return (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="x" datatype="plaintext" '
        f'source-language="{source}" target-language="{target}"><body><trans-unit id="1"><source>{texts[0]}</source>'
        f"<target>{texts[1]}</target></trans-unit></body></file></xliff>"
    )


def make_corpus(source: str, target: str, texts: tuple[str, str] = ("a", "b")) -> Corpus:
    data = make_xliff(source, target, texts)
    return corpus_from_documents([parse_document(data.encode(), "x.xlf")], "x")


@pytest.mark.parametrize("kind", ["xliff-1", "xliff-2", "tmx"])
def test_languages_are_preserved_from_import_to_export(kind, tmp_path):
    corpus = make_corpus("zh-Hant-TW", "pt-Latn-BR")
    with Project.create(tmp_path / "one.qedesk", corpus, person="me") as project:
        stored = project.corpus()
    assert stored is not None
    for current in (corpus, stored):
        assert current.source_and_target() == ("zh-Hant-TW", "pt-Latn-BR")
        assert parse_languages(*current.source_and_target())[:2] == ("zh", "pt")
        exported = export_view(View(current))
        assert (exported.source_language, exported.target_language) == ("zh-Hant-TW", "pt-Latn-BR")
        document = parse_document(get_export(kind).write(exported), "x")
        assert (document.source_language, document.target_language) == ("zh-Hant-TW", "pt-Latn-BR")


def test_languages_are_derived_from_the_language_pair_of_old_projects(tmp_path):
    path: Path = tmp_path / "one.qedesk"
    Project.create(path, make_corpus("zh-Hant-TW", "en-GB"), person="me").close()
    with closing(sqlite3.connect(path)) as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f'DROP TRIGGER "{trigger}"')
        connection.execute("UPDATE corpora SET facts = json_remove(facts, '$.languages')")
        connection.commit()
    with Project.open(path, person="me") as project:
        corpus = project.corpus()
    assert corpus is not None
    assert (corpus.languages, corpus.language_pair) == (("", ""), "zh-Hant-TW-en-GB")
    assert corpus.source_and_target() == ("zh-Hant-TW", "en-GB")


def test_files_in_several_target_languages_have_no_languages():
    arabic, german = (
        parse_document(f'msgid ""\nmsgstr "Language: {name}\\n"\n\nmsgid "a"\nmsgstr "b"\n'.encode(), f"{name}.po")
        for name in ("ar", "de")
    )
    assert corpus_from_documents([arabic], "x").source_and_target() == ("", "ar")
    corpus = corpus_from_documents([german, arabic], "x")
    assert corpus.source_and_target() == ("", "")
    assert list(map(corpus.target_language_of, range(2))) == ["de", "ar"]
    # the texts are in Latin letters
    assert [text_direction(corpus, segment, TextRole.MT, AUTO) for segment in range(2)] == ["ltr", "rtl"]
    assert [translations_direction(corpus, segment, AUTO) for segment in range(2)] == ["ltr", "rtl"]
    settings = SimpleNamespace(source_direction="auto", mt_direction="ltr")
    assert text_direction(corpus, 1, TextRole.MT, settings) == "ltr"


def test_each_segment_is_exported_with_its_language():
    documents = [
        parse_document(make_xliff("en", language, texts).encode(), f"{language}.xlf")
        for language, texts in (("de", ("Stop", "Halt")), ("ar", ("Stop", "قف")))
    ]
    exported = export_view(View(corpus_from_documents(documents, "x")))
    read = parse_document(get_export("xliff-1").write(exported), "x.xlf")
    assert [(segment.target_line, segment.rules.language) for segment in read.segments] == [
        ("Halt", "de"), ("قف", "ar"),
    ]  # fmt: skip
    units = get_export("tmx").write(exported).decode()
    assert '<tuv xml:lang="de"><seg>Halt</seg></tuv>' in units
    assert '<tuv xml:lang="ar"><seg>قف</seg></tuv>' in units
    # other languages are those of all segments
    other = export_view(View(corpus_from_documents(documents, "x")), languages=("en", "fr"))
    assert get_export("tmx").write(other).decode().count('xml:lang="fr"') == 2


def test_campaign_texts_have_both_languages():
    assert CampaignTexts.of_corpus(make_corpus("zh-Hant-TW", "pt-BR")).languages == ("zh-Hant-TW", "pt-BR")


@pytest.mark.parametrize(
    ("source", "target", "directions"),
    [
        ("en", "ar-EG", ("ltr", "rtl")),
        ("he", "en", ("rtl", "ltr")),
        ("az-Arab", "ur-Latn", ("rtl", "ltr")),
        ("", "", ("ltr", "ltr")),
    ],
)
def test_text_direction_follows_the_languages_or_the_settings(source, target, directions):
    corpus = make_corpus(source, target, ("Latin", "Latin"))
    detected = text_direction(corpus, 0, TextRole.SOURCE, AUTO), text_direction(corpus, 0, TextRole.MT, AUTO)
    assert detected == directions
    assert translations_direction(corpus, 0, AUTO) == directions[1]
    # an explicit setting takes precedence
    settings = SimpleNamespace(source_direction="rtl", mt_direction="ltr")
    assert (text_direction(corpus, 0, TextRole.SOURCE, settings), text_direction(corpus, 0, TextRole.MT, settings)) == (
        "rtl",
        "ltr",
    )


def test_text_direction_without_a_file_follows_the_text():
    texts = {TextRole.SOURCE: TextColumn.of(["abc"]), TextRole.MT: TextColumn.of(["abc"])}
    corpus = Corpus("made", 1, texts, language_pair="en-ar")
    assert text_direction(corpus, 0, TextRole.MT, AUTO) == "ltr"
