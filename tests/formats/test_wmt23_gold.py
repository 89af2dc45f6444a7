"""The WMT23 word gold: one row per segment, with the MT, its tokens and their tags."""

from __future__ import annotations

import json

import numpy as np
import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance, QeError, TagColumn, TextColumn, TextRole
from qe_desktop.formats import CorpusPlan, Role, build_corpus, plan_imports, read_tags
from qe_desktop.formats.files import never_cancelled
from qe_desktop.formats.importing.corpus_split import CorpusTexts
from tests.command_line import error_line, run_command

HEADER = "lp\tgold\tsid\tmt\tmttok\ttags\n"
ROWS = (
    "en-de\tgold\t0\tDas Rad.\tDas Rad . <EOS>\tOK BAD OK OK\n"
    'en-de\tgold\t1\t"Er sagt ""so""."\t"Er sagt "" so "" . <EOS>"\tOK OK OK BAD OK OK OK\n'
)
LEFT_OUT_ROW = "en-de\tgold\t2\thallucination\thallucination\thallucination\n"
LAST_ROW = "en-de\tgold\t3\tNein\tNein <EOS>\tBAD OK\n"
TAGS = [[0, 1, 0, 0], [0, 0, 0, 1, 0, 0, 0]]


def submission(*words: str, pair: str = "en-de") -> str:
    rows = [
        f"{pair}\tS\tMT\t{segment}\t{index}\t{word}\tOK\n"
        for segment, line in enumerate(words)
        for index, word in enumerate(line.split(" "))
    ]
    return "1\n2\n3\n" + "".join(rows)


@pytest.mark.parametrize("header", ["", HEADER])
def test_gold_rows_contain_the_mt(write, header):
    read = read_tags(write("g.tsv", header + ROWS), Kind.WORDS)
    assert read.columns[Kind.WORDS] == TagColumn.of(TAGS)
    assert list(read.mt.lines()) == ["Das Rad . <EOS>", 'Er sagt " so " . <EOS>']
    assert list(read.raw_mt.lines()) == ["Das Rad.", 'Er sagt "so".']
    assert read.form == "WMT23 gold"
    assert not read.eos


def test_quotation_marks_that_are_not_csv_are_kept(write):
    rows = 'en-de\tgold\t0\t"Ja" sagt er\t" Ja " sagt er <EOS>\tOK OK OK OK OK OK\n'
    assert list(read_tags(write("g.tsv", rows), Kind.WORDS).mt.lines()) == ['" Ja " sagt er <EOS>']


def test_tagged_empty_token_is_represented_by_a_symbol(write):
    read = read_tags(write("g.tsv", "en-de\tgold\t0\ta b\t a  b <EOS>\tBAD OK BAD OK OK\n"), Kind.WORDS)
    assert read.mt.tokens(0) == ["␣", "a", "␣", "b", "<EOS>"]
    assert any("line 1: " in note for note in read.notes)
    # without a tag for it, consecutive spaces are one separator
    read = read_tags(write("h.tsv", "en-de\tgold\t0\ta b\ta  b <EOS>\tOK BAD OK\n"), Kind.WORDS)
    assert read.mt.tokens(0) == ["a", "b", "<EOS>"]


def test_gold_is_checked_against_the_given_mt(write):
    path = write("g.tsv", ROWS)
    without_eos = TextColumn.of(["Das Rad .", 'Er sagt " so " .'])
    assert read_tags(path, Kind.WORDS, mt=without_eos).eos
    with pytest.raises(QeError, match='"Rad", but "Haus" in the MT') as caught:
        read_tags(path, Kind.WORDS, mt=TextColumn.of(["Das Haus .", 'Er sagt " so " .']))
    assert caught.value.place.line == 1
    with pytest.raises(QeError, match=r"segment 0 has 4 tags, but the MT has 2 tokens"):
        read_tags(path, Kind.WORDS, mt=TextColumn.of(["Das Rad.", 'Er sagt " so " . <EOS>']))


def test_left_out_segment_beyond_the_mt_is_named_with_its_line(write):
    path = write("g.tsv", ROWS + LEFT_OUT_ROW.replace("\t2\t", "\t9\t") + LEFT_OUT_ROW)
    with pytest.raises(QeError, match="segment 9 does not exist: 3 segments are expected") as caught:
        read_tags(path, Kind.WORDS, mt=TextColumn.of(["Das Rad .", 'Er sagt " so " .', "x"]))
    assert caught.value.place.line == 3


def test_segments_without_gold_tags_are_left_out_of_systems(write, capsys):
    gold = write("g.tsv", HEADER + ROWS + LEFT_OUT_ROW + LAST_ROW)
    read = read_tags(gold, Kind.WORDS)
    assert read.columns[Kind.WORDS] == TagColumn.of([*TAGS, [], [1, 0]])
    assert read.mt[2] == ""
    assert read.excluded.tolist() == [2]
    assert any("hallucination" in note for note in read.notes)
    words = ("Das Rad . <EOS>", 'Er sagt " so " . <EOS>', "was ganz anderes <EOS>", "Nein <EOS>")
    system = write("s.txt", submission(*words))
    lines = write("t.tags", "BAD BAD OK OK\nOK OK OK BAD OK OK OK\nBAD BAD\nBAD OK\n")
    code, out, _ = run_command(capsys, "score", "words", "--gold", gold, "--system", system, lines, "--json")
    result = json.loads(out)
    assert code == 0
    assert result["items"] == 13
    assert result["systems"]["t"]["accuracy"] == pytest.approx(12 / 13)
    assert any("as in the gold" in note for note in result["notes"])
    mt = write("full.mt", "".join(f"{line}\n" for line in words))
    code, out, _ = run_command(
        capsys, "score", "words", "--gold", gold, "--system", system, lines, "--mt", mt, "--json"
    )
    assert code == 0
    assert json.loads(out)["systems"] == result["systems"]
    longer = write("longer.mt", "".join(f"{line}\n" for line in (*words, "mehr <EOS>")))
    err = error_line(capsys, "score", "words", "--gold", gold, "--system", lines, "--mt", longer)
    assert f"{gold}:" in err


@pytest.mark.parametrize(
    ("rows", "line", "says"),
    [
        (ROWS + LAST_ROW.replace("BAD OK", "BAD MAYBE"), 3, '"MAYBE" is not OK or BAD'),
        (ROWS + LAST_ROW.replace("BAD OK", "BAD"), 3, "1 tag for 2 tokens"),
        (ROWS + LAST_ROW.replace("\t3\t", "\tthree\t"), 3, '"three" is not a segment number'),
        (ROWS + LAST_ROW.replace("\tNein\t", "\t"), 3, "the row does not have 6 columns"),
        (ROWS + LEFT_OUT_ROW + LEFT_OUT_ROW, 4, "duplicate segment 2"),
        (ROWS + LEFT_OUT_ROW.replace("\t2\t", "\t1\t"), 3, "duplicate segment 1"),
        (ROWS + LAST_ROW, None, "no rows for segment 2 "),
        (HEADER, None, "no segment in this file has tags"),
        (LEFT_OUT_ROW, None, "no segment in this file has tags"),
    ],
)
def test_invalid_rows_are_refused_with_their_line(write, rows, line, says):
    with pytest.raises(QeError) as caught:
        read_tags(write("g.tsv", rows), Kind.WORDS)
    assert says in caught.value.line()
    assert caught.value.place.line == line


def single_plan(plans: list[CorpusPlan]) -> CorpusPlan:
    (plan,) = plans
    return plan


def test_gold_and_submission_form_a_corpus(write):
    gold = write("c/gold.tsv", HEADER + ROWS + LEFT_OUT_ROW + LAST_ROW)
    words = ("Das Rad . <EOS>", 'Er sagt " so " . <EOS>', "was ganz anderes <EOS>", "Nein <EOS>")
    write("c/systems/S.txt", submission(*words))
    raw = write("c/t.mt", 'Das Rad.\nEr sagt "so".\nwas ganz anderes\nNein\n')
    corpus = build_corpus(single_plan(plan_imports([gold.parent])))
    assert corpus.size == 4
    assert corpus.text(TextRole.MT)[0] == "Das Rad . <EOS>"
    assert corpus.text(TextRole.RAW_MT)[2] == "was ganz anderes"
    assert corpus.gold(Kind.WORDS).tags == TagColumn.of([*TAGS, [], [1, 0]])
    system = corpus.layers[LayerKey(Provenance.SYSTEM, "S", Kind.WORDS)]
    assert np.array_equal(system.tags.lengths(), corpus.word_counts())
    assert any("as in the gold" in note for note in system.notes)
    raw.unlink()
    later = write("T.tags", "OK OK OK OK\n" + "OK " * 7 + "\nBAD\nOK OK\n")
    grown = build_corpus(
        single_plan(plan_imports([later])), base_corpus=build_corpus(single_plan(plan_imports([gold.parent])))
    )
    assert grown.layers[LayerKey(Provenance.SYSTEM, "T", Kind.WORDS)].tags.lengths().tolist() == [4, 7, 0, 2]


@pytest.mark.parametrize("eos", [" <EOS>", ""])
def test_mt_has_no_tokens_where_the_gold_has_no_tags(write, capsys, eos):
    gold = write("c/gold.tsv", HEADER + ROWS + LEFT_OUT_ROW + LAST_ROW)
    words = ["Das Rad .", 'Er sagt " so " .', "was ganz anderes", "Nein"]
    system = write("c/systems/S.txt", submission(*(f"{line} <EOS>" for line in words)))
    mt = write("c/t.mt", "".join(f"{line}{eos}\n" for line in words))
    corpus = build_corpus(single_plan(plan_imports([gold.parent])))
    assert list(corpus.text(TextRole.MT).lines()) == ["Das Rad . <EOS>", 'Er sagt " so " . <EOS>', "", "Nein <EOS>"]
    assert corpus.gold(Kind.WORDS).tags == TagColumn.of([*TAGS, [], [1, 0]])
    assert corpus.layers[LayerKey(Provenance.SYSTEM, "S", Kind.WORDS)].tags.lengths().tolist() == [4, 7, 0, 2]
    scores = []
    for inputs in (("score", "words", "--gold", gold, "--system", system, "--mt", mt), ("findings", gold.parent)):
        code, out, err = run_command(capsys, *inputs, "--json")
        assert code == 0, err
        result = json.loads(out)
        scores.append(result["systems"]["S"] if "systems" in result else result["pairs"]["en-de"]["systems"]["S"])
        assert any("hallucination" in note for note in result["notes"])
        assert any("as in the gold" in note for note in result["notes"])
    assert scores[0]["MCC"] == scores[1]["MCC"]["score"]
    assert scores[0]["F1-OK"] == pytest.approx(scores[1]["F1-OK"]["score"])


@pytest.mark.parametrize("mt", [None, "Das Rad .", "Das Rad . <EOS>"])
def test_file_may_tag_segments_that_the_gold_leaves_out(write, mt):
    paths = [write("c/gold.tsv", HEADER + ROWS.splitlines(keepends=True)[0] + LEFT_OUT_ROW.replace("\t2\t", "\t1\t"))]
    if mt is not None:
        paths.append(write("c/t.mt", f"{mt}\nwas ganz anderes\n"))
    part = CorpusTexts(single_plan(plan_imports(paths)).files, "en-de", never_cancelled)
    fits = {"OK OK OK OK\nBAD BAD\n": True, "OK OK OK OK\n\n": True, "OK OK OK OK OK\nBAD BAD\n": False}
    for number, (lines, expected) in enumerate(fits.items()):
        (file,) = single_plan(plan_imports([write(f"{number}.tags", lines)])).files
        assert part.fits(file, 2) is expected


def test_number_as_word_in_wmt14_is_not_a_segment_number(write):
    (file,) = single_plan(plan_imports([write("x", "1.1\t0\t1999\tOK\tOK\tOK\n1.1\t1\t.\tOK\tOK\tBAD\n")])).files
    assert "WMT14" in file.description


def test_file_is_classified_as_gold(write, capsys):
    path = write("gold.tsv", HEADER + ROWS + LEFT_OUT_ROW)
    (file,) = single_plan(plan_imports([path])).files
    assert (file.role, file.kind, file.name, file.contains_mt) == (Role.GOLD, Kind.WORDS, "gold", True)
    assert "3 segments (1 left out), 11 tags, en-de" in file.description
    assert "WMT23 gold" in run_command(capsys, "info", path)[1]


@pytest.mark.published
def test_published_wmt23_gold_is_read(data_folder):
    folder = data_folder / "shared_tasks/wmt23_word_gold"
    corpus = build_corpus(single_plan(plan_imports([folder / "gold_T1w.tsv"])))
    assert (corpus.size, corpus.language_pair) == (200, "en-de")
    assert corpus.text(TextRole.MT)[33] == 'Ich nenne es " Do-it-yourself Integration " . <EOS>'
    titled = folder / "gold_T1w_header.tsv"
    same = read_tags(titled, Kind.WORDS, language_pair="en-de").columns[Kind.WORDS].take(0, 200)
    assert corpus.gold(Kind.WORDS).tags == same
    marathi = build_corpus(single_plan(plan_imports([titled], language_pair="en-mr")))
    assert marathi.size == 200
    assert len(marathi.gold(Kind.WORDS).tags.values) == 3861
    assert int((marathi.word_counts() == 0).sum()) == 16
