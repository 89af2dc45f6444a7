"""Lists of terms and forbidden words: their files, and what is marked."""

from __future__ import annotations

import time

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.local_qe.qa_checks.check import SegmentPair
from qe_desktop.local_qe.qa_checks.runner import CHECK_BY_NAME, CHECKS, configure_checks
from qe_desktop.local_qe.qa_checks.word_lists import (
    PhraseIndex,
    Term,
    WordLists,
    read_forbidden_words,
    read_terms,
)

TERMS = (
    Term("file", "Datei"),
    Term("access key", "Zugriffstaste"),
    Term("file", "Akte"),
    Term("設定", "Einstellungen"),
)


def reasons(name: str, source: str, mt: str) -> list[str]:
    (check,) = configure_checks([CHECK_BY_NAME[name]], WordLists(TERMS, ("Kram", "blöd sein")))
    pair = SegmentPair(0, source, mt)
    rows = [(issue.is_in_source, str(issue.reason)) for _, issue in check.find([pair])]
    assert rows == [(issue.is_in_source, str(issue.reason)) for issue in check.find_in_segment(pair, None)]
    return [reason for of_source, reason in rows if not of_source]


@pytest.mark.parametrize(
    ("source", "mt", "expected"),
    [
        ("The file is here.", "Die Datei ist hier.", []),
        ("The files are here.", "Die Dateien sind hier.", []),
        ("The FILE is here.", "Das File ist hier.", ["the term “file” should be translated as: Datei, Akte"]),
        ("The file is here.", "Die Akte ist hier.", []),
        ("Access keys", "Tasten", ["the term “access key” should be translated as: Zugriffstaste"]),
        ("Profile", "Profil", []),
        ("システムの設定です", "Das ist das System", ["the term “設定” should be translated as: Einstellungen"]),
    ],
)
def test_terms(source, mt, expected):
    assert reasons("terms", source, mt) == expected


def test_a_term_listed_twice_is_named_once():
    (check,) = configure_checks([CHECK_BY_NAME["terms"]], WordLists((*TERMS, *TERMS)))
    (reason,) = {str(issue.reason) for _, issue in check.find([SegmentPair(0, "The file is here.", "Hier.")])}
    assert reason == "the term “file” should be translated as: Datei, Akte"


@pytest.mark.parametrize(
    ("target", "mt", "has_term"),
    [
        ("künstliche Intelligenz", "mit der künstlichen Intelligenz", True),
        ("künstliche Intelligenz", "künstliche Anlagen und Intelligenz", False),
        ("książka", "Czytam książkę.", True),
        ("książka", "Czytam książki o książętach.", True),
        ("sztuczna inteligencja", "bez sztucznej inteligencji", True),
        ("Apfel", "zwei Äpfel", True),
        ("Apfel", "zwei Birnen", False),
        ("Haus", "in den Häusern", True),
        ("Haus", "Haustiere", True),
        ("настройка", "без настройки", True),
        ("UI", "die UIs", True),
        ("ei", "ein Ort", True),
        ("ёлка", "Без елки", True),
        ("配置", "这是配置", True),
        ("配置", "这是设置", False),
        ("파일", "파일을", True),
        ("किताब", "किताबें", True),
        ("café crème", "deux cafés crèmes", True),
        ("Rat", "nach der Beratung", False),
        ("Rat", "im Stadtrat", True),
        ("Rat", "die Ratssitzung", True),
        ("Größe", "die Gro\u0308ße", True),
        ("l'État", "de l’État", True),
        ("ספר", "והספרים", True),
    ],
)
def test_inflected_target_terms(target, mt, has_term):
    (check,) = configure_checks([CHECK_BY_NAME["terms"]], WordLists((Term("thing", target),)))
    assert (not list(check.find([SegmentPair(0, "thing", mt)]))) is has_term


def test_source_terms_are_found_in_any_composition_and_with_any_apostrophe():
    index = PhraseIndex(["Größe", "l'état", "Äpfel"])
    texts = {"die Gro\u0308ße": [(4, 10)], "de l’état": [(3, 9)], "A\u0308pfel": [(0, 6)]}
    assert {text: [match.span for match in index.find(text)] for text in texts} == texts


@pytest.mark.parametrize(
    ("header", "count"),
    [
        ("English;German", 1), ("Englisch (US);Deutsch", 1), ("en;de", 1), ("en-US;pt_BR", 1), ("source;target", 1),
        ("file;Datei", 2), ("English;Englisch lernen", 2),
    ],
)  # fmt: skip
def test_headers_that_name_languages_are_not_terms(tmp_path, header, count):
    path = tmp_path / "terms.csv"
    path.write_text(f"{header}\ncar;Auto\n", "utf-8")
    assert len(read_terms(path)) == count


def test_entries_in_capitals_are_found_only_in_capitals():
    index = PhraseIndex(["IT", "US", "API", "US ARMY", "file"], inflected=True)
    for text in ("do it", "It is", "tell us", "its", "apis", "us army"):
        assert not list(index.find(text)), text
    texts = {"the IT staff": [0], "US law": [1], "two APIs": [2], "US ARMY": [3], "FILE": [4], "the US Army": [1]}
    assert {text: [match.entry for match in index.find(text)] for text in texts} == texts


def test_entries_within_a_longer_one_are_not_found():
    index = PhraseIndex(["source", "open source", "open", "source code", "Source"], inflected=True)
    texts = {"open source": [1], "open sources": [1], "source": [0, 4], "open source code": [1, 3], "opens": [2]}
    assert {text: [match.entry for match in index.find(text)] for text in texts} == texts
    lists = WordLists((Term("source", "Quelle"), Term("open source", "quelloffen")))
    (check,) = configure_checks([CHECK_BY_NAME["terms"]], lists)
    assert not list(check.find([SegmentPair(0, "open source", "quelloffen")]))


def test_forbidden_words():
    assert reasons("forbidden", "stuff", "kram") == ["“Kram” is a forbidden word"]
    assert reasons("forbidden", "stuff", "Krams und blöd  sein") == ["“blöd sein” is a forbidden word"]
    assert not any(list(check.find([SegmentPair(0, "file", "Kram")])) for check in CHECKS if check.configure)


def test_files(tmp_path):
    path = tmp_path / "terms.csv"
    path.write_text('Source,Target\nfile,Datei\n"a, b","c, d"\n# note\n\n', encoding="utf-8-sig")
    assert read_terms(path) == (Term("file", "Datei"), Term("a, b", "c, d"))
    path.write_text("file\tDatei\tmore\n")
    assert read_terms(path) == (Term("file", "Datei"),)
    path.write_text("# terms, with a comma; and more\n\n  \nfile\tDatei\n")
    assert read_terms(path) == (Term("file", "Datei"),)
    path.write_text("# only\n")
    assert read_terms(path) == ()
    path.write_text("# forbidden\nfoo\n\n foo \nbar baz\n")
    assert read_forbidden_words(path) == ("foo", "bar baz")


@pytest.mark.parametrize(
    ("text", "message"),
    [("a,b\nc\n", "must have both a source"), (f"a,{'b' * 300}\n", "more than 200"), ('a,b\n"c,d\n', "not valid CSV")],
)
def test_bad_files_are_refused_with_their_line(tmp_path, text, message):
    path = tmp_path / "terms.csv"
    path.write_text(text)
    with pytest.raises(QeError, match=message) as error:
        read_terms(path)
    assert error.value.place is not None
    assert error.value.place.line in (1, 2)


def test_an_index_of_many_words_searches_once():
    index = PhraseIndex([f"word{number}" for number in range(50_000)])
    assert [match.entry for match in index.find("word7 " * 20_000)] == [7] * 20_000


@pytest.mark.parametrize("inflected", [False, True])
def test_entries_with_the_same_first_words_are_found_in_linear_time(inflected):
    latin = PhraseIndex([f"word {number}x" for number in range(5_000)], inflected=inflected)
    chinese = PhraseIndex([f"設{chr(0x4E00 + number)}" for number in range(5_000)], inflected=inflected)
    long = PhraseIndex(["a " * size for size in range(1, 100)], inflected=inflected)
    started = time.process_time()
    assert [match.entry for match in latin.find("word 7x " * 2_000)] == [7] * 2_000
    assert [match.entry for match in chinese.find("設一" * 4_000)] == [0] * 4_000
    assert len(list(long.find("b a " * 2_000))) == 2_000
    # about 0.05 s, but about 20 s if each entry is compared
    assert time.process_time() - started < 2
