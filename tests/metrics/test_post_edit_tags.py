"""Tags and HTER from post-edits, compared with WMT18, MLQE-PE, tercom and a direct implementation."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import AlignmentColumn, QeError, TagColumn, TextColumn
from qe_desktop.metrics.tags.post_edit_tags import (
    NO_LINK,
    SEGMENTS_PER_BLOCK,
    compare_post_edits,
    segment_hter,
    source_tags,
)
from qe_desktop.metrics.ter.ter_edits import align_edits
from tests.metrics.ter.sequences import short_pairs

WMT18 = "shared_tasks/wmt18_en-de_nmt_train_dev_test"
# share of source tokens whose tag equals the file's, if only alignments to the MT are available
PUBLISHED = {
    "wmt18_en-de_nmt_dev/dev": 0.928,
    "openkiwi_toy_wmt18/dev": 0.912,
    f"{WMT18}/dev": 0.915,
    f"{WMT18}/train": 0.917,
    "mlqe_pe/en-de-test20/test20": 0.947,
    "mlqe_pe/ro-en-test20/test20": 0.908,
}


def column(path):
    return TextColumn.from_bytes(path.read_bytes())


def tags(path):
    return [[int(tag == "BAD") for tag in line.split()] for line in path.read_text(encoding="utf-8").splitlines()]


def compare_lines(mt, post_edit):
    return compare_post_edits(TextColumn.of(mt), TextColumn.of(post_edit))


@pytest.mark.published
@pytest.mark.parametrize("name", PUBLISHED)
def test_tags_and_hter_equal_the_published_files(data_folder, name):
    folder, stem = (data_folder / name).parent, (data_folder / name).name
    mt, post_edit, source = (column(folder / f"{stem}.{end}") for end in ("mt", "pe", "src"))
    comparison = compare_post_edits(mt, post_edit)
    gold = tags(folder / f"{stem}.tags")
    assert comparison.words == TagColumn.of([line[1::2] for line in gold])
    assert comparison.gaps == TagColumn.of([line[0::2] for line in gold])
    if (folder / f"{stem}.hter").exists():
        # the files have six decimals
        assert segment_hter(mt, post_edit) == pytest.approx(np.loadtxt(folder / f"{stem}.hter"), abs=6e-7)
    links = (folder / f"{stem}.src-mt.alignments").read_text().splitlines()
    pairs = [
        [(int(first), int(second)) for first, second in (link.split("-") for link in line.split())] for line in links
    ]
    predicted = source_tags(comparison, source, AlignmentColumn.of(pairs))
    [path] = folder.glob(f"{stem}.s*_tags")
    agreed = np.mean(predicted.values == TagColumn.of(tags(path)).values)
    assert agreed == pytest.approx(PUBLISHED[name], abs=1e-3)


@pytest.mark.published
def test_tags_and_hter_equal_tercom(data_folder):
    cases = json.loads((data_folder.parent / "oracles/translations/ter_tercom.json").read_text())["cases"]
    mt, post_edit = [case["hyp"] for case in cases], [case["ref"] for case in cases]
    comparison = compare_lines(mt, post_edit)
    for segment, case in enumerate(cases):
        if not case["ref"].split():
            continue
        assert comparison.words[segment].tolist() == [int(tag == "BAD") for tag in case["wmt18_word_tags"]], case
        assert comparison.gaps[segment].tolist() == [int(tag == "BAD") for tag in case["wmt18_gap_tags"]], case
    rates = segment_hter(TextColumn.of(mt), TextColumn.of(post_edit), capped=False)
    known = [(rate, case["hter_default"]) for rate, case in zip(rates, cases, strict=True) if case["ref"].split()]
    assert len(known) > 140
    assert [rate for rate, _ in known] == pytest.approx([rate for _, rate in known], abs=1e-12)


def test_tags_of_a_few_segments():
    comparison = compare_lines(["a b c e", "a B", "", "x", "a b"], ["a c e d", "a b", "a", "", "a b"])
    assert comparison.words == TagColumn.of([[0, 1, 0, 0], [0, 1], [], [1], [0, 0]])
    assert comparison.gaps == TagColumn.of([[0, 0, 0, 0, 1], [0, 0, 0], [1], [0, 0], [0, 0, 0]])
    assert comparison.pairs[0].tolist() == [[0, 0], [1, NO_LINK], [2, 1], [3, 2], [NO_LINK, 3]]
    assert comparison.pairs[3].tolist() == [[0, NO_LINK]]
    nothing = compare_lines([], [])
    assert (len(nothing.words), len(nothing.gaps), len(nothing.pairs)) == (0, 0, 0)


def test_hter_of_empty_texts_and_of_rates_above_one():
    mt, post_edit = TextColumn.of(["", "a", "", "a b c", "B a"]), TextColumn.of(["", "", "a", "d", "a b"])
    assert segment_hter(mt, post_edit).tolist() == [0, 1, 1, 1, 0.5]
    assert segment_hter(mt, post_edit, capped=False).tolist() == [0, 1, 1, 3, 0.5]
    assert segment_hter(TextColumn.of([]), TextColumn.of([])).tolist() == []


@given(st.lists(short_pairs, max_size=6))
def test_tags_and_pairs_follow_the_alignment(segments):
    comparison = compare_lines([" ".join(mt) for mt, _ in segments], [" ".join(post_edit) for _, post_edit in segments])
    for segment, (mt, post_edit) in enumerate(segments):
        steps = align_edits(mt, post_edit, shifts=False).steps
        words = [int(step.operation != "match") for step in steps if step.mt is not None]
        gaps, position = [0] * (len(mt) + 1), 0
        for step in steps:
            if step.mt is None:
                gaps[position] = 1
            else:
                position += 1
        assert comparison.words[segment].tolist() == words
        assert comparison.gaps[segment].tolist() == gaps
        places = [(NO_LINK if step.mt is None else step.mt, step.post_edit) for step in steps]
        assert comparison.pairs[segment].tolist() == [
            [first, NO_LINK if second is None else second] for first, second in places
        ]


def expected_source_tags(mt, post_edit, links, source):
    """Return source tags by WMT18's rule, word by word; `links` are pairs of source and post-edit positions."""
    result = [0] * source
    for step in align_edits(mt, post_edit, shifts=False).steps:
        if step.operation in ("insertion", "substitution"):
            for first, second in links:
                if second == step.post_edit:
                    result[first] = 1
    return result


@given(st.lists(short_pairs, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_source_tokens_linked_to_substitutions_and_insertions_are_bad(segments, dice):
    comparison = compare_lines([" ".join(mt) for mt, _ in segments], [" ".join(post_edit) for _, post_edit in segments])
    lengths = [dice.randint(1, 5) for _ in segments]
    links = [
        [(dice.randrange(length), dice.randrange(len(post_edit))) for _ in range(3) if post_edit]
        for length, (_, post_edit) in zip(lengths, segments, strict=True)
    ]
    source = TextColumn.of([" ".join("s" * length) for length in lengths])
    tags = source_tags(comparison, source, AlignmentColumn.of(links), "post-edit")
    expected = [expected_source_tags(*pair, *rest) for pair, *rest in zip(segments, links, lengths, strict=True)]
    assert tags == TagColumn.of(expected)


def test_source_tags_by_alignments_to_the_mt():
    comparison = compare_lines(["a b c", "x"], ["a d", "x"])
    # c is replaced by d; the surplus b marks no source token
    links = AlignmentColumn.of([[(0, 0), (2, 1), (1, 2)], [(0, 0)]])
    assert source_tags(comparison, TextColumn.of(["p q r", "s t"]), links) == TagColumn.of([[0, 1, 0], [0, 0]])
    comparison = compare_lines(["a b c", "x"], ["a d c", "x y"])
    assert source_tags(comparison, TextColumn.of(["p q r", "s t"]), links) == TagColumn.of([[0, 0, 1], [0, 0]])


@pytest.mark.parametrize("link", [(3, 0), (0, 3)])
def test_alignments_to_missing_tokens_are_errors(link):
    comparison = compare_lines(["", "a b c"], ["a", "a b c"])
    with pytest.raises(QeError, match="segment 2 has a word alignment to a token that does not exist"):
        source_tags(comparison, TextColumn.of(["p", "p q r"]), AlignmentColumn.of([[], [(0, 0), link]]))


def test_texts_of_different_lengths_are_errors():
    with pytest.raises(ValueError, match="the same number of lines"):
        compare_lines(["a"], ["a", "b"])
    with pytest.raises(ValueError, match="the same number of lines"):
        segment_hter(TextColumn.of(["a"]), TextColumn.of([]))
    with pytest.raises(ValueError, match="the same number of segments"):
        source_tags(compare_lines(["a"], ["a"]), TextColumn.of(["a", "b"]), AlignmentColumn.of([[]]))


def test_comparing_a_corpus_reports_progress():
    lines = [f"a b{number % 7} c" for number in range(2 * SEGMENTS_PER_BLOCK + 5)]
    mt, post_edit = TextColumn.of(lines), TextColumn.of([line.replace("b3", "d") for line in lines])
    shares: list[float] = []
    comparison = compare_post_edits(mt, post_edit, shares.append)
    assert shares[-1] == 1.0
    assert shares == sorted(shares)
    bad = np.array([number % 7 == 3 for number in range(len(lines))])
    assert np.array_equal(comparison.words.values.reshape(-1, 3), np.stack([bad * 0, bad, bad * 0], axis=-1))
    assert segment_hter(mt, post_edit).tolist() == (bad / 3).tolist()
