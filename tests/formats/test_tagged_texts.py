"""The word WMT23 gold: a row a segment, with the MT, its tokens and their tags."""

from __future__ import annotations

import json

import numpy as np
import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance, QeError, TagColumn, TextColumn, TextRole
from qe_desktop.formats import CorpusPlan, Role, build_corpus, plan_imports, read_tags
from qe_desktop.formats.importing.corpus_split import CorpusTexts
from qe_desktop.formats.io.files import never_cancelled
from tests.commands import refused, run

HEADER = "lp\tgold\tsid\tmt\tmttok\ttags\n"
ROWS = (
    "en-de\tgold\t0\tDas Rad.\tDas Rad . <EOS>\tOK BAD OK OK\n"
    'en-de\tgold\t1\t"Er sagt ""so""."\t"Er sagt "" so "" . <EOS>"\tOK OK OK BAD OK OK OK\n'
)
OUT = "en-de\tgold\t2\thallucination\thallucination\thallucination\n"
LAST = "en-de\tgold\t3\tNein\tNein <EOS>\tBAD OK\n"
TAGS = [[0, 1, 0, 0], [0, 0, 0, 1, 0, 0, 0]]


def submission(*words: str, pair: str = "en-de") -> str:
    rows = [
        f"{pair}\tS\tMT\t{segment}\t{place}\t{word}\tOK\n"
        for segment, line in enumerate(words)
        for place, word in enumerate(line.split(" "))
    ]
    return "1\n2\n3\n" + "".join(rows)


@pytest.mark.parametrize("header", ["", HEADER])
def test_rows_bring_their_mt(write, header):
    read = read_tags(write("g.tsv", header + ROWS), Kind.WORDS)
    assert read.columns[Kind.WORDS] == TagColumn.of(TAGS)
    assert list(read.mt.lines()) == ["Das Rad . <EOS>", 'Er sagt " so " . <EOS>']
    assert list(read.raw_mt.lines()) == ["Das Rad.", 'Er sagt "so".']
    assert read.form == "WMT23 gold"
    assert not read.eos


def test_quotation_marks_that_are_none_of_csv_stay(write):
    rows = 'en-de\tgold\t0\t"Ja" sagt er\t" Ja " sagt er <EOS>\tOK OK OK OK OK OK\n'
    assert list(read_tags(write("g.tsv", rows), Kind.WORDS).mt.lines()) == ['" Ja " sagt er <EOS>']


def test_a_token_without_letters_that_has_a_tag_is_shown(write):
    read = read_tags(write("g.tsv", "en-de\tgold\t0\ta b\t a  b <EOS>\tBAD OK BAD OK OK\n"), Kind.WORDS)
    assert read.mt.tokens(0) == ["␣", "a", "␣", "b", "<EOS>"]
    assert any("line 1: " in note for note in read.notes)
    # where it has none, spaces in a row are no more than one
    read = read_tags(write("h.tsv", "en-de\tgold\t0\ta b\ta  b <EOS>\tOK BAD OK\n"), Kind.WORDS)
    assert read.mt.tokens(0) == ["a", "b", "<EOS>"]


def test_the_mt_is_checked_where_it_is_given(write):
    path = write("g.tsv", ROWS)
    without_eos = TextColumn.of(["Das Rad .", 'Er sagt " so " .'])
    assert read_tags(path, Kind.WORDS, mt=without_eos).eos
    with pytest.raises(QeError, match='"Rad", but "Haus" in the MT') as caught:
        read_tags(path, Kind.WORDS, mt=TextColumn.of(["Das Haus .", 'Er sagt " so " .']))
    assert caught.value.place.line == 1
    with pytest.raises(QeError, match=r"segment 0 has 4 tags, but the MT has 2 tokens"):
        read_tags(path, Kind.WORDS, mt=TextColumn.of(["Das Rad.", 'Er sagt " so " . <EOS>']))


def test_segments_without_tags_are_left_out_here_and_in_systems(write, capsys):
    gold = write("g.tsv", HEADER + ROWS + OUT + LAST)
    read = read_tags(gold, Kind.WORDS)
    assert read.columns[Kind.WORDS] == TagColumn.of([*TAGS, [], [1, 0]])
    assert read.mt[2] == ""
    assert read.left_out.tolist() == [2]
    assert any("hallucination" in note for note in read.notes)
    words = ("Das Rad . <EOS>", 'Er sagt " so " . <EOS>', "was ganz anderes <EOS>", "Nein <EOS>")
    system = write("s.txt", submission(*words))
    lines = write("t.tags", "BAD BAD OK OK\nOK OK OK BAD OK OK OK\nBAD BAD\nBAD OK\n")
    code, out, _ = run(capsys, "score", "words", "--gold", gold, "--system", system, lines, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["items"] == 13
    assert found["systems"]["t"]["accuracy"] == pytest.approx(12 / 13)
    assert any("as in the gold" in note for note in found["notes"])
    mt = write("full.mt", "".join(f"{line}\n" for line in words))
    code, out, _ = run(capsys, "score", "words", "--gold", gold, "--system", system, lines, "--mt", mt, "--json")
    assert code == 0
    assert json.loads(out)["systems"] == found["systems"]
    longer = write("longer.mt", "".join(f"{line}\n" for line in (*words, "mehr <EOS>")))
    err = refused(capsys, "score", "words", "--gold", gold, "--system", lines, "--mt", longer)
    assert f"{gold}:" in err


@pytest.mark.parametrize(
    ("rows", "line", "says"),
    [
        (ROWS + LAST.replace("BAD OK", "BAD MAYBE"), 3, '"MAYBE" is not OK or BAD'),
        (ROWS + LAST.replace("BAD OK", "BAD"), 3, "1 tag for 2 tokens"),
        (ROWS + LAST.replace("\t3\t", "\tthree\t"), 3, '"three" is not a segment number'),
        (ROWS + LAST.replace("\tNein\t", "\t"), 3, "the row does not have 6 columns"),
        (ROWS + OUT + OUT, 4, "duplicate segment 2"),
        (ROWS + OUT.replace("\t2\t", "\t1\t"), 3, "duplicate segment 1"),
        (ROWS + LAST, None, "no rows for segment 2 "),
        (HEADER, None, "no segment in this file has tags"),
        (OUT, None, "no segment in this file has tags"),
    ],
)
def test_faulty_rows(write, rows, line, says):
    with pytest.raises(QeError) as caught:
        read_tags(write("g.tsv", rows), Kind.WORDS)
    assert says in caught.value.line()
    assert caught.value.place.line == line


def only(found: list[CorpusPlan]) -> CorpusPlan:
    (one,) = found
    return one


def test_a_corpus_of_gold_and_a_submission(write):
    gold = write("c/gold.tsv", HEADER + ROWS + OUT + LAST)
    words = ("Das Rad . <EOS>", 'Er sagt " so " . <EOS>', "was ganz anderes <EOS>", "Nein <EOS>")
    write("c/systems/S.txt", submission(*words))
    raw = write("c/t.mt", 'Das Rad.\nEr sagt "so".\nwas ganz anderes\nNein\n')
    corpus = build_corpus(only(plan_imports([gold.parent])))
    assert corpus.size == 4
    assert corpus.text(TextRole.MT)[0] == "Das Rad . <EOS>"
    assert corpus.text(TextRole.RAW_MT)[2] == "was ganz anderes"
    assert corpus.gold(Kind.WORDS).tags == TagColumn.of([*TAGS, [], [1, 0]])
    system = corpus.layers[LayerKey(Provenance.SYSTEM, "S", Kind.WORDS)]
    assert np.array_equal(system.tags.lengths(), corpus.word_counts())
    assert any("as in the gold" in note for note in system.notes)
    raw.unlink()
    later = write("T.tags", "OK OK OK OK\n" + "OK " * 7 + "\nBAD\nOK OK\n")
    grown = build_corpus(only(plan_imports([later])), onto=build_corpus(only(plan_imports([gold.parent]))))
    assert grown.layers[LayerKey(Provenance.SYSTEM, "T", Kind.WORDS)].tags.lengths().tolist() == [4, 7, 0, 2]


@pytest.mark.parametrize("eos", [" <EOS>", ""])
def test_an_mt_beside_such_gold_has_no_tokens_where_the_gold_has_no_tags(write, capsys, eos):
    gold = write("c/gold.tsv", HEADER + ROWS + OUT + LAST)
    words = ["Das Rad .", 'Er sagt " so " .', "was ganz anderes", "Nein"]
    system = write("c/systems/S.txt", submission(*(f"{line} <EOS>" for line in words)))
    mt = write("c/t.mt", "".join(f"{line}{eos}\n" for line in words))
    corpus = build_corpus(only(plan_imports([gold.parent])))
    assert list(corpus.text(TextRole.MT).lines()) == ["Das Rad . <EOS>", 'Er sagt " so " . <EOS>', "", "Nein <EOS>"]
    assert corpus.gold(Kind.WORDS).tags == TagColumn.of([*TAGS, [], [1, 0]])
    assert corpus.layers[LayerKey(Provenance.SYSTEM, "S", Kind.WORDS)].tags.lengths().tolist() == [4, 7, 0, 2]
    scores = []
    for inputs in (("score", "words", "--gold", gold, "--system", system, "--mt", mt), ("findings", gold.parent)):
        code, out, err = run(capsys, *inputs, "--json")
        assert code == 0, err
        found = json.loads(out)
        scores.append(found["systems"]["S"] if "systems" in found else found["pairs"]["en-de"]["systems"]["S"])
        assert any("hallucination" in note for note in found["notes"])
        assert any("as in the gold" in note for note in found["notes"])
    assert scores[0]["MCC"] == scores[1]["MCC"]["score"]
    assert scores[0]["F1-OK"] == pytest.approx(scores[1]["F1-OK"]["score"])


@pytest.mark.parametrize("mt", [None, "Das Rad .", "Das Rad . <EOS>"])
def test_a_file_fits_such_gold_whatever_it_says_of_segments_left_out(write, mt):
    paths = [write("c/gold.tsv", HEADER + ROWS.splitlines(keepends=True)[0] + OUT.replace("\t2\t", "\t1\t"))]
    if mt is not None:
        paths.append(write("c/t.mt", f"{mt}\nwas ganz anderes\n"))
    part = CorpusTexts(only(plan_imports(paths)).files, "en-de", never_cancelled)
    fits = {"OK OK OK OK\nBAD BAD\n": True, "OK OK OK OK\n\n": True, "OK OK OK OK OK\nBAD BAD\n": False}
    for place, (lines, wanted) in enumerate(fits.items()):
        (file,) = only(plan_imports([write(f"{place}.tags", lines)])).files
        assert part.fits(file, 2) is wanted


def test_numbers_among_the_words_of_wmt14_are_no_segments(write):
    (file,) = only(plan_imports([write("x", "1.1\t0\t1999\tOK\tOK\tOK\n1.1\t1\t.\tOK\tOK\tBAD\n")])).files
    assert "WMT14" in file.description


def test_what_it_is_taken_for(write, capsys):
    path = write("gold.tsv", HEADER + ROWS + OUT)
    (file,) = only(plan_imports([path])).files
    assert (file.role, file.kind, file.name, file.brings_mt) == (Role.GOLD, Kind.WORDS, "gold", True)
    assert "3 segments (1 left out), 11 tags, en-de" in file.description
    assert "WMT23 gold" in run(capsys, "info", path)[1]


@pytest.mark.published
def test_the_published_gold_of_wmt23(data_folder):
    folder = data_folder / "shared_tasks/wmt23_word_gold"
    corpus = build_corpus(only(plan_imports([folder / "gold_T1w.tsv"])))
    assert (corpus.size, corpus.language_pair) == (200, "en-de")
    assert corpus.text(TextRole.MT)[33] == 'Ich nenne es " Do-it-yourself Integration " . <EOS>'
    titled = folder / "gold_T1w_header.tsv"
    same = read_tags(titled, Kind.WORDS, language_pair="en-de").columns[Kind.WORDS].take(0, 200)
    assert corpus.gold(Kind.WORDS).tags == same
    marathi = build_corpus(only(plan_imports([titled], language_pair="en-mr")))
    assert marathi.size == 200
    assert len(marathi.gold(Kind.WORDS).tags.values) == 3861
    assert int((marathi.word_counts() == 0).sum()) == 16
