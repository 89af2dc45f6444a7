"""Files with one tag per line: joined into segments if the layout is certain, otherwise the user is asked."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Kind, QeError, TagColumn, TextColumn, segment_sums
from qe_desktop.formats import (
    LineUnit,
    Role,
    build_corpus,
    interleave,
    plan_imports,
    read_probabilities,
    read_scores,
    read_tags,
    read_text,
)
from qe_desktop.formats.tags.token_per_line import join_token_lines, line_unit_ambiguity
from qe_desktop.metrics.tags.sequence_correlation import match_atoms
from qe_desktop.metrics.tags.tag_overlap import TagOverlap, TagSpans
from qe_desktop.significance import SignificanceOptions
from tests.tag_comparison import compare, word_metrics

MT = TextColumn.of(["a b c", "d", "", "e f"])
TAGS = "OK\nBAD\nOK\n\nBAD\n\n\nOK\nBAD\n"
COLUMN = TagColumn.of([[0, 1, 0], [1], [], [0, 1]])


def token_per_line_text(column: TagColumn) -> str:
    """Return a column as marmot writes it: one tag per line, an empty line after each segment."""
    return "\n".join(
        "".join(f"{'BAD' if tag else 'OK'}\n" for tag in column[segment]) for segment in range(len(column))
    )


def assert_ambiguous(path, **options) -> QeError:
    with pytest.raises(QeError, match="may be a segment, or one token of a segment") as caught:
        read_tags(path, Kind.WORDS, **options)
    assert "--lines" in caught.value.command_hint
    return caught.value


def test_tags_are_joined_by_the_token_counts(write):
    read = read_tags(write("x.tags", TAGS), Kind.WORDS, mt=MT)
    assert read.columns[Kind.WORDS] == COLUMN
    assert any("one tag per line: the lines were joined into 4 segments" in note for note in read.notes)
    assert [read.line(segment) for segment in range(4)] == [1, 5, 7, 8]
    lines = TextColumn.of(["a", "b", "c", "", "d", "", "", "e", "f"])
    assert len(read_tags(write("x.tags", TAGS), Kind.WORDS, mt=lines).columns[Kind.WORDS]) == 9


def test_tags_without_tokens_are_joined_at_empty_lines(write):
    read = read_tags(write("x.tags", TAGS.replace("\n", "\r\n")), Kind.WORDS)
    assert read.columns[Kind.WORDS] == TagColumn.of([[0, 1, 0], [1], [0, 1]])
    assert any("joined into 3 segments, separated by empty lines" in note for note in read.notes)


@pytest.mark.parametrize(
    "content", ["OK\nBAD\nOK\n", "OK\n\nBAD\n\nOK\n", "OK\nBAD\n\n\n", "\n\nOK\nBAD\n", "OK\nBAD\n\n"]
)
def test_ambiguous_lines_need_an_answer(write, content):
    path = write("x.tags", content)
    assert_ambiguous(path)
    tags = content.split()
    segments = read_tags(path, Kind.WORDS, lines=LineUnit.SEGMENTS).columns[Kind.WORDS]
    tokens = read_tags(path, Kind.WORDS, lines=LineUnit.TOKENS).columns[Kind.WORDS]
    assert segments.lengths().tolist() == [len(line) > 0 for line in content.splitlines()]
    assert tokens.lengths().sum() == len(tags)
    assert (tokens.lengths() > 0).all()


@pytest.mark.parametrize("content", ["OK\n", "OK BAD\nOK\n", "OK BAD\n\nOK\n", "\n\n", "OK\nBAD OK\n\nOK\n"])
def test_several_tags_per_line_or_a_single_line_are_not_ambiguous(write, content):
    assert line_unit_ambiguity(read_tags(write("x.tags", content), Kind.WORDS).columns[Kind.WORDS].lengths()) is None


def test_tags_without_empty_lines_are_split_by_the_token_counts(write):
    path = write("x.tags", TAGS.replace("\n\n", "\n").replace("\n\n", "\n"))
    read = read_tags(path, Kind.WORDS, mt=MT)
    assert read.columns[Kind.WORDS] == COLUMN
    assert any("divided into 4 segments" in note for note in read.notes)
    assert read_tags(path, Kind.WORDS, like=COLUMN.lengths()).columns[Kind.WORDS] == COLUMN
    assert_ambiguous(path)


def test_tags_are_joined_by_the_gold_lengths(write):
    path = write("x.tags", TAGS)
    assert read_tags(path, Kind.WORDS, like=COLUMN.lengths()).columns[Kind.WORDS] == COLUMN
    ones = np.array([1, 1, 1, 0, 1, 0, 0, 1, 1])
    assert np.array_equal(read_tags(path, Kind.WORDS, like=ones).columns[Kind.WORDS].lengths(), ones)


def test_interleaved_tags_and_eos_tags_are_joined(write):
    mt = TextColumn.of(["a b", "c"])
    interleaved = interleave(TagColumn.of([[0, 1], [1]]), TagColumn.of([[0, 0, 1], [1, 0]]))
    read = read_tags(write("x.tags", token_per_line_text(interleaved)), None, mt=mt)
    assert read.columns[Kind.WORDS] == TagColumn.of([[0, 1], [1]])
    assert read.columns[Kind.GAPS] == TagColumn.of([[0, 0, 1], [1, 0]])
    eos = read_tags(write("y.tags", "OK\nBAD\nOK\n\nOK\nOK\n"), Kind.WORDS, mt=mt)
    assert eos.eos


def test_errors_state_the_line_in_the_file(write):
    with pytest.raises(QeError, match="segment 2 has 1 tag, but the MT has 2 tokens") as caught:
        read_tags(write("x.tags", "OK\nBAD\nOK\n\nBAD\n\nOK\n"), Kind.WORDS, mt=TextColumn.of(["a b c", "d e", "f"]))
    assert caught.value.place.line == 5


def test_numbers_are_joined_into_segments(write):
    path = write("x.probs", "0.5\n0.25\n\n1\n0.5\n0\n")
    read = read_probabilities(path)
    assert read.column.lengths().tolist() == [2, 3]
    assert any("one number per line: the lines were joined into 2 segments" in note for note in read.notes)
    assert read_probabilities(
        write("y", "0.5\n0.25\n1\n"), mt=TextColumn.of(["a", "b c"])
    ).column.lengths().tolist() == [1, 2]


def test_scores_with_an_empty_line_are_not_read_as_token_numbers(write):
    path = write("x.hter", "0.5\n0.25\n\n1\n0.5\n0\n")
    with pytest.raises(QeError, match="the line has no number"):
        read_scores(path)
    (plan,) = plan_imports([path, write("x.mt", "a\n")])
    assert {file.path.name: file.format for file in plan.files}["x.hter"] != "probabilities"


def test_plan_asks_only_if_no_other_file_resolves_the_ambiguity(write):
    either, unambiguous = write("a/either.tags", "OK\nBAD\nOK\n"), write("a/sure.tags", TAGS)
    mt, clear = write("a/t.mt", "a b\nc\n"), write("a/clear.tags", "OK BAD\nOK\n")
    assert [file.path for file in plan_imports([either, unambiguous])[0].files_with_questions()] == [either]
    assert plan_imports([either, mt])[0].files_with_questions() == []
    assert plan_imports([either, clear])[0].files_with_questions() == []
    for paths in ([either, mt], [either, clear], [clear, either]):
        layers = build_corpus(plan_imports(paths)[0]).layers
        assert {tuple(layer.tags.lengths()) for layer in layers.values()} == {(2, 1)}
    with pytest.raises(QeError, match="may be a segment"):
        build_corpus(plan_imports([either])[0])
    for answer, lengths in ((LineUnit.SEGMENTS, [1, 1, 1]), (LineUnit.TOKENS, [3])):
        chosen = plan_imports([either])[0].with_answer(answer)
        assert chosen.files_with_questions() == []
        (layer,) = build_corpus(chosen).layers.values()
        assert layer.tags.lengths().tolist() == lengths
        assert (layer.notes != ()) == (answer is LineUnit.TOKENS)


def test_answer_is_kept_when_the_role_changes(write):
    """The role of a file can be changed after its question was answered."""
    path = write("either.tags", "OK\nBAD\nOK\n")
    chosen = plan_imports([path])[0].with_answer(LineUnit.TOKENS, path).with_role(path, Role.GOLD)
    assert chosen.files_with_questions() == []
    assert chosen.with_role(path, Role.IGNORED).files_with_questions() == []


segment_lengths = st.lists(st.integers(0, 5), min_size=1, max_size=12).filter(lambda lengths: sum(lengths) > 0)


@given(segment_lengths, st.randoms(use_true_random=False))
def test_token_per_line_files_are_joined_into_the_original_segments(lengths, random):
    """With token counts always; without them except segments without tokens, if the user answers."""
    column = TagColumn.of([[random.randint(0, 1) for _ in range(length)] for length in lengths])
    text = token_per_line_text(column)
    flat = np.array([len(line.split()) for line in text.splitlines()], np.int64)
    lines = TagColumn(column.values, np.concatenate(([0], np.cumsum(flat))))
    by_counts = join_token_lines(lines, None, lambda: [column.lengths()], "x")
    if len(flat) > 1:
        assert by_counts.column == column
        by_answer = join_token_lines(lines, LineUnit.TOKENS, lambda: [], "x")
        assert by_answer.column.lengths().tolist() == [length for length in lengths if length]
        assert all(flat[by_answer.line(segment) - 1] == 1 for segment in range(len(by_answer.column)))


@pytest.mark.published
def test_published_systems_have_the_same_results_with_one_tag_per_line(data, write):
    """Reading each line as a segment would change the p-values of MCC and the ranking by phr-F1."""
    folder = data / "wmt22_word/en-de"
    mt = read_text(folder / "test.2022.mt_tok")
    paths = [folder / "test.2022.en-de.tags", *sorted((folder / "systems").glob("*.tags"))]
    plain = [read_tags(path, Kind.WORDS, mt=mt).columns[Kind.WORDS] for path in paths]
    joined = [
        read_tags(write(path.name, token_per_line_text(column)), Kind.WORDS)
        for path, column in zip(paths, plain, strict=True)
    ]
    metrics = word_metrics(["MCC", "phr-F1-mult", "SeqCor"])
    options = SignificanceOptions("randomisation", 1000, 1, "segment", "bonferroni", 0.05, None)
    names = [path.stem for path in paths[1:]]
    tests = []
    for gold, *systems in (plain, [read.columns[Kind.WORDS] for read in joined]):
        assert gold == plain[0]
        tests.append(compare(names, gold, systems, metrics, options))
    before, after = tests
    assert before.systems == after.systems
    for metric in metrics:
        first, second = before.of(metric.name), after.of(metric.name)
        assert np.array_equal(first.order, second.order)
        assert np.array_equal(first.p, second.p, equal_nan=True)
        assert np.array_equal(first.scores, second.scores)


@pytest.mark.published
def test_sequence_correlation_of_marmot_files_equals_marmot(data):
    """Expected values from marmot's own unit test: unweighted sequence correlation of its two segments."""
    gold, system = (read_tags(data / f"marmot_wmt14/{name}", Kind.WORDS) for name in ("ref", "hyp"))
    assert gold.columns[Kind.WORDS].lengths().tolist() == system.columns[Kind.WORDS].lengths().tolist() == [19, 10]
    overlap = TagOverlap(TagSpans(gold.columns[Kind.WORDS]), system.columns[Kind.WORDS])
    plain = segment_sums(overlap.lengths * match_atoms(overlap), overlap.offsets) / gold.columns[Kind.WORDS].lengths()
    assert plain == pytest.approx([0.31578947, 0.8], abs=1e-8)
