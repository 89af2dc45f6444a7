"""The bundled sample corpora keep what their README promises."""

from __future__ import annotations

import importlib.util
import math
import re
import shutil
import sys
import unicodedata
from pathlib import Path
from types import ModuleType

import pytest

import qe_desktop
from qe_desktop.corpus import Kind, LayerKey, Provenance, TextRole, View
from qe_desktop.formats import assemble, plan
from qe_desktop.levels import levels_of
from qe_desktop.levels.sentences import SENTENCES

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "resources" / "samples"
PAIRS = ("en-de", "en-he", "en-ja")
SYSTEMS = ("strong", "cautious", "eager", "weak")
WITH_PROBABILITIES = ("strong", "weak")
MCC_RANGES = {
    "strong": (0.55, 0.65),
    "cautious": (0.40, 0.50),
    "eager": (0.30, 0.40),
    "weak": (0.10, 0.20),
}
CORPUS_FILES = (
    "sample.src",
    "sample.mt",
    "sample.pe",
    "sample.docs",
    "sample.tags",
    "sample.source_tags",
    "sample.src-mt.alignments",
    "sample.hter",
)
FURTHER_FILES = (
    "translations.tsv",
    "translations/fluent.txt",
    "translations/literal.txt",
    "sample.ratings.jsonl",
)
SYSTEM_FILES = tuple(f"systems/{name}.{ending}" for name in SYSTEMS for ending in ("tags", "hter")) + tuple(
    f"systems/{name}.probabilities" for name in WITH_PROBABILITIES
)


@pytest.fixture(scope="module")
def maker() -> ModuleType:
    # as when the script is run, its own folder comes first
    sys.path.insert(0, str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("make_samples", ROOT / "tools" / "make_samples.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_samples"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(params=PAIRS)
def pair(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def lines(pair: str, name: str) -> list[str]:
    text = (SAMPLES / pair / name).read_bytes().decode("utf-8")
    assert text.endswith("\n")
    assert "\r" not in text
    return text[:-1].split("\n")


def tokens(pair: str, name: str) -> list[list[str]]:
    return [line.split(" ") for line in lines(pair, name)]


def bad(row: list[str]) -> list[bool]:
    assert set(row) <= {"OK", "BAD"}
    return [tag == "BAD" for tag in row]


def words(pair: str, name: str) -> list[bool]:
    return [flag for row in tokens(pair, name) for flag in bad(row)[1::2]]


def gaps(pair: str, name: str) -> list[bool]:
    return [flag for row in tokens(pair, name) for flag in bad(row)[0::2]]


def counts(gold: list[bool], system: list[bool]) -> tuple[int, int, int, int]:
    pairs = list(zip(gold, system, strict=True))
    tp, fp = pairs.count((True, True)), pairs.count((False, True))
    return tp, fp, pairs.count((True, False)), pairs.count((False, False))


def mcc(gold: list[bool], system: list[bool]) -> float:
    tp, fp, fn, tn = counts(gold, system)
    return (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))


def distance(left: list[str], right: list[str]) -> int:
    """Return the Levenshtein distance, by a road of its own: one row at a time, without a back-trace."""
    row = list(range(len(right) + 1))
    for i, word in enumerate(left, start=1):
        above, row = row, [i] + [0] * len(right)
        for j, other in enumerate(right, start=1):
            row[j] = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (word != other))
    return row[-1]


# --- the files ------------------------------------------------------------------------------------------------------


def test_names_have_room_in_a_narrow_matrix() -> None:
    """A column of the matrix showed “simul…trong”."""
    translations = (SAMPLES / "en-de/translations").iterdir()
    names = [*SYSTEMS, *(path.stem for path in translations)]
    assert max(map(len, names)) <= len("cautious")


def test_every_file_is_there_with_one_line_a_segment(pair: str) -> None:
    authored = lines(pair, "authored.tsv")
    assert authored[0] == "document\tsource\tMT\tpost-edit"
    for name in (*CORPUS_FILES, *SYSTEM_FILES):
        assert len(lines(pair, name)) == len(authored) - 1, name


def test_nothing_else_lies_in_the_folder(pair: str) -> None:
    folder = SAMPLES / pair
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}
    further = FURTHER_FILES if pair == "en-de" else ()
    assert found == {*CORPUS_FILES, *SYSTEM_FILES, *further, "authored.tsv", "lexicon.tsv"}


def test_further_mt_systems_translate_every_segment() -> None:
    corpus = assemble(plan([SAMPLES / "en-de"])[0])
    assert list(corpus.translations) == ["fluent", "literal"]
    mt = corpus.text(TextRole.MT)
    assert mt is not None
    for column in corpus.translations.values():
        assert len(column) == corpus.size
        same = sum(column[segment] == mt[segment] for segment in range(corpus.size))
        # some outputs are the same, so that a ranking shows them once
        assert 0 < same < corpus.size / 4


@pytest.mark.parametrize(("pair_", "segments", "documents"), [("en-de", 120, 10), ("en-he", 20, 2), ("en-ja", 20, 2)])
def test_size(pair_: str, segments: int, documents: int) -> None:
    names = lines(pair_, "sample.docs")
    assert len(names) >= segments
    assert documents <= len(set(names)) <= documents + 2
    pieces = [name for name, before in zip(names, ["", *names], strict=False) if name != before]
    assert len(pieces) == len(set(pieces)), "a document lies in several pieces"
    assert min(names.count(name) for name in pieces) >= 5


@pytest.mark.parametrize("name", ["sample.src", "sample.mt", "sample.pe"])
def test_text_is_tokenised(pair: str, name: str) -> None:
    for row in tokens(pair, name):
        for token in row:
            assert token
            assert not re.search(r"\s", token), row
            assert token == unicodedata.normalize("NFC", token)
            assert not re.fullmatch(r".*\w[,;:!?“”。、]", token), f"punctuation sticks to {token!r}"
            assert not re.fullmatch(r"\w*[^\W\d_]{3}\.", token), f"the full stop sticks to {token!r}"


def test_segment_lengths_vary() -> None:
    lengths = sorted(len(row) for row in tokens("en-de", "sample.src"))
    assert lengths[0] <= 3
    assert 80 <= lengths[-1] <= 100
    assert 35 <= lengths[-2] <= 60
    assert len(set(lengths)) >= 20


def test_target_scripts() -> None:
    hebrew = re.compile("[\u05d0-\u05ea]")
    kana = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
    for name in ("sample.mt", "sample.pe"):
        assert all(hebrew.search(line) for line in lines("en-he", name))
        with_kana = sum(bool(kana.search(line)) for line in lines("en-ja", name))
        assert with_kana >= len(lines("en-ja", name)) - 1, "at most a title may do without kana"
        assert any(character in line for line in lines("en-de", name) for character in "äöüß")
    for other in ("en-de", "en-ja"):
        assert not any(hebrew.search(line) for line in lines(other, "sample.mt"))


# --- the gold -------------------------------------------------------------------------------------------------------


def test_tag_counts(pair: str) -> None:
    for name in ("sample.tags", *(f"systems/{system}.tags" for system in SYSTEMS)):
        for row, mt in zip(tokens(pair, name), tokens(pair, "sample.mt"), strict=True):
            assert len(bad(row)) == 2 * len(mt) + 1, name


def test_source_tag_counts(pair: str) -> None:
    for row, source in zip(tokens(pair, "sample.source_tags"), tokens(pair, "sample.src"), strict=True):
        assert len(bad(row)) == len(source)


def test_share_of_bad_words(pair: str) -> None:
    gold = words(pair, "sample.tags")
    assert 0.08 <= sum(gold) / len(gold) <= 0.25


def test_share_of_perfect_segments() -> None:
    rows = tokens("en-de", "sample.tags")
    assert 0.30 <= sum("BAD" not in row for row in rows) / len(rows) <= 0.40


def test_gold_tags_follow_from_the_post_edit(pair: str) -> None:
    rows = zip(
        *(tokens(pair, name) for name in ("sample.mt", "sample.pe", "sample.tags")),
        lines(pair, "sample.hter"),
        strict=True,
    )
    for mt, pe, tags, hter in rows:
        edits = distance(mt, pe)
        assert ("BAD" in tags) == (mt != pe)
        assert hter == f"{edits / len(pe):.6f}"
        # what is kept of the MT must be found in the post-edit in its order, with words between only at BAD gaps
        pattern = []
        for place, tag in enumerate(tags):
            if place % 2 == 0:
                pattern.append("(?:[^ ]+ )+" if tag == "BAD" else "")
            else:
                pattern.append("(?:[^ ]+ )?" if tag == "BAD" else re.escape(mt[place // 2]) + " ")
        assert re.fullmatch("".join(pattern), " ".join(pe) + " "), " ".join(mt)
        # each BAD word costs one edit and each BAD gap at least one
        assert tags.count("BAD") <= edits


def test_alignments_are_in_range_and_cover_most_words(pair: str) -> None:
    linked = total = 0
    for line, source, mt in zip(
        lines(pair, "sample.src-mt.alignments"), tokens(pair, "sample.src"), tokens(pair, "sample.mt"), strict=True
    ):
        links = [tuple(map(int, link.split("-"))) for link in line.split(" ")]
        assert links == sorted(set(links))
        assert all(0 <= i < len(source) and 0 <= j < len(mt) for i, j in links)
        linked += len({i for i, _ in links})
        total += len(source)
    assert linked / total >= (0.85 if pair == "en-de" else 0.5)


def test_source_words_linked_to_bad_words_are_bad(pair: str) -> None:
    seen = 0
    for line, source_tags, tags in zip(
        lines(pair, "sample.src-mt.alignments"),
        tokens(pair, "sample.source_tags"),
        tokens(pair, "sample.tags"),
        strict=True,
    ):
        for i, j in (map(int, link.split("-")) for link in line.split(" ")):
            if tags[2 * j + 1] == "BAD":
                assert source_tags[i] == "BAD"
                seen += 1
    assert seen >= 10


def test_an_omitted_phrase_is_bad_on_the_source_side() -> None:
    place = next(k for k, line in enumerate(lines("en-de", "sample.src")) if line.startswith("Pull the plug"))
    source, tags = tokens("en-de", "sample.src")[place], tokens("en-de", "sample.source_tags")[place]
    flagged = {word for word, tag in zip(source, tags, strict=True) if tag == "BAD"}
    assert {"cool", "machine", "completely"} <= flagged
    assert not {"plug", "socket", "clean"} & flagged
    assert tokens("en-de", "sample.tags")[place].count("BAD") == 1


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (
            "Nobody was able",
            {("Nobody", "Niemand"), ("Wednesday", "Mittwoch"), ("fire", "Feuer"), ("caught", "gefangen")},
        ),
        ("The motion was", {("motion", "Antrag"), ("rejected", "abgelehnt"), ("14", "14"), ("9", "9")}),
    ],
)
def test_alignments_look_right(start: str, expected: set[tuple[str, str]]) -> None:
    place = next(k for k, line in enumerate(lines("en-de", "sample.src")) if line.startswith(start))
    source, mt = tokens("en-de", "sample.src")[place], tokens("en-de", "sample.mt")[place]
    links = [link.split("-") for link in lines("en-de", "sample.src-mt.alignments")[place].split(" ")]
    found = {(source[int(i)], mt[int(j)]) for i, j in links}
    assert expected <= found
    content = {word for word, _ in expected}
    assert {(left, right) for left, right in found if left in content} == expected


# --- the simulated systems ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", WITH_PROBABILITIES)
def test_probabilities_at_one_half_are_the_word_tags(pair: str, system: str) -> None:
    values = tokens(pair, f"systems/{system}.probabilities")
    for row, mt in zip(values, tokens(pair, "sample.mt"), strict=True):
        assert len(row) == len(mt)
        assert all(re.fullmatch(r"0\.\d{4}|1\.0000", value) for value in row)
    chances = [float(value) for row in values for value in row]
    assert 0.5 not in chances
    assert [chance >= 0.5 for chance in chances] == words(pair, f"systems/{system}.tags")
    assert len(set(chances)) > len(chances) / 3


def test_systems_are_as_good_as_their_names(pair: str) -> None:
    gold = words(pair, "sample.tags")
    found = [mcc(gold, words(pair, f"systems/{system}.tags")) for system in SYSTEMS]
    assert found == sorted(found, reverse=True)
    for system, value in zip(SYSTEMS, found, strict=True):
        low, high = MCC_RANGES[system]
        assert low <= value <= high, system


def test_systems_differ_in_precision_and_recall(pair: str) -> None:
    gold = words(pair, "sample.tags")
    profile = {}
    for system in SYSTEMS:
        tp, fp, fn, _ = counts(gold, words(pair, f"systems/{system}.tags"))
        profile[system] = tp / (tp + fp), tp / (tp + fn)
    assert profile["cautious"][0] > profile["strong"][0] > profile["eager"][0]
    assert profile["eager"][1] > profile["strong"][1] > profile["cautious"][1]
    assert profile["cautious"][0] >= 0.75
    assert profile["eager"][1] >= 0.65


def test_sentence_scores_agree_with_the_gold_more_or_less(pair: str) -> None:
    """Correlations as shared tasks know them, and of the large sample some that are apart and some that are not."""
    gold = [float(line) for line in lines(pair, "sample.hter")]
    scores = {system: [float(line) for line in lines(pair, f"systems/{system}.hter")] for system in SYSTEMS}
    assert all(min(column) > 0 and max(column) < 1.5 for column in scores.values())
    found = qe_desktop.compare("sentences", gold, scores).json()
    pearson = found["metrics"]["Pearson"]
    assert found["test"] == "williams"
    assert all(0.1 < value < 0.8 for value in pearson["scores"].values())
    assert len({round(value, 2) for value in pearson["scores"].values()}) == len(SYSTEMS)
    assert found["systems"][-1] == "weak"
    if pair == "en-de":
        assert found["systems"] == list(SYSTEMS)
        assert pearson["significant"] == {
            "strong": ["eager", "weak"], "cautious": ["weak"], "eager": [], "weak": [],
        }  # fmt: skip


def test_sentence_scores_are_opened_beside_the_tags(pair: str) -> None:
    corpus = assemble(plan([SAMPLES / pair])[0])
    view = View(corpus)
    assert SENTENCES.reference(view) == LayerKey(Provenance.GOLD, "hter", Kind.SCORES)
    assert [key.name for key in SENTENCES.subjects(view, SENTENCES.references(view)[0])] == sorted(SYSTEMS)
    assert [level.name for level in levels_of(view)] == ["words", "gaps", "source", "sentences"]


def test_sentence_scores_are_what_the_probabilities_add_up_to(maker: ModuleType) -> None:
    assert maker.predicted_hter([[0.5, 0.25], [1.0]], [[0.0, 0.25, 0.0], [0.5, 0.5]]) == [0.5, 2.0]


def test_gap_tags_follow_the_gold_too(pair: str) -> None:
    gold = gaps(pair, "sample.tags")
    value = {system: mcc(gold, gaps(pair, f"systems/{system}.tags")) for system in SYSTEMS}
    assert min(value.values()) > 0.0
    assert max(value, key=lambda system: value[system]) == "strong"
    assert min(value, key=lambda system: value[system]) == "weak"


# --- the script -----------------------------------------------------------------------------------------------------


def test_the_files_are_what_the_script_writes(maker: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert maker.PAIRS == PAIRS
    assert maker.main(["--check"]) == 0
    assert capsys.readouterr().err == ""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(SAMPLES, tmp_path / "samples")
    return tmp_path / "samples"


def test_check_notices_a_changed_a_missing_and_a_foreign_file(maker: ModuleType, copy: Path) -> None:
    folder = copy / "en-he"
    assert maker.differences(folder) == []
    with (folder / "sample.tags").open("a", encoding="utf-8") as file:
        file.write("OK\n")
    (folder / "systems" / "weak.probabilities").unlink()
    (folder / "sample.old").write_text("", encoding="utf-8")
    assert maker.differences(folder) == ["sample.old", "sample.tags", "systems/weak.probabilities"]


def test_check_exits_with_one_and_writes_nothing(maker: ModuleType, copy: Path) -> None:
    path = copy / "en-ja" / "sample.hter"
    path.write_text("changed\n", encoding="utf-8")
    assert maker.main(["--check", "--samples", str(copy)]) == 1
    assert path.read_text(encoding="utf-8") == "changed\n"
    assert maker.main(["--samples", str(copy)]) == 0
    assert path.read_bytes() == (SAMPLES / "en-ja" / "sample.hter").read_bytes()


@pytest.mark.parametrize(
    ("mt", "pe", "tags"),
    [
        ("a b c", "a b c", "OK OK OK OK OK OK OK"),
        ("a x c", "a b c", "OK OK OK BAD OK OK OK"),
        ("a b b c", "a b c", None),
        ("a c", "a b c", "OK OK BAD OK OK"),
        ("b c", "a b c", "BAD OK OK OK OK"),
        ("a b", "a b c d", "OK OK OK OK BAD"),
        ("A b", "a b", "OK BAD OK OK OK"),
        ("x b a", "x a b", None),
        # two edits either way: to keep the word wins over two substitutions
        ("a b", "b a", None),
        ("Haus rot", "neues Häuser rot", "BAD BAD OK OK OK"),
    ],
)
def test_edit_alignment(maker: ModuleType, mt: str, pe: str, tags: str | None) -> None:
    edits = sys.modules["sampling.gold"].align_edits(mt.split(), pe.split())
    assert edits.count == distance(mt.split(), pe.split())
    got = " ".join("BAD" if flag else "OK" for flag in edits.interleaved())
    if tags is not None:
        assert got == tags
    assert all(mt.split()[i] == pe.split()[j] for i, j in edits.kept)


def test_edit_alignment_keeps_words_rather_than_substituting(maker: ModuleType) -> None:
    edits = sys.modules["sampling.gold"].align_edits(["a", "b"], ["b", "a"])
    assert edits.count == 2
    assert len(edits.kept) == 1
    assert edits.word_bad.count(True) == 1
    assert edits.gap_bad.count(True) == 1


@pytest.mark.parametrize(
    "text",
    [
        "news\ta\tb\n",
        "news\ta\tb \tb\n",
        "news\ta\tb\t\n",
        "news\ta\tb\tb\nmail\ta\tb\tb\nnews\ta\tb\tb\n",
        "news\ta\tb\tb",
    ],
    ids=["too few columns", "white space", "empty text", "document in pieces", "no last line end"],
)
def test_a_bad_authored_file_is_refused(maker: ModuleType, tmp_path: Path, text: str) -> None:
    path = tmp_path / "authored.tsv"
    path.write_text(f"{sys.modules['sampling.authored'].HEADER}\n{text}", encoding="utf-8")
    with pytest.raises(sys.modules["sampling.authored"].SampleError, match=r"authored\.tsv"):
        sys.modules["sampling.authored"].read_authored(path)
