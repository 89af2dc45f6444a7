"""Gold of the samples: tags and scores follow from the post-edit, and alignments are plausible."""

from __future__ import annotations

import re

import pytest

from tests.samples.sample_files import SYSTEMS, bad_flags, edit_distance, read_lines, read_tokens, word_flags


def test_tags_are_words_and_gaps_of_the_mt(pair: str) -> None:
    for name in ("sample.tags", *(f"systems/{system}.tags" for system in SYSTEMS)):
        for row, mt in zip(read_tokens(pair, name), read_tokens(pair, "sample.mt"), strict=True):
            assert len(bad_flags(row)) == 2 * len(mt) + 1, name


def test_source_tags_are_one_per_source_token(pair: str) -> None:
    for row, source in zip(read_tokens(pair, "sample.source_tags"), read_tokens(pair, "sample.src"), strict=True):
        assert len(bad_flags(row)) == len(source)


def test_share_of_bad_words_is_realistic(pair: str) -> None:
    gold = word_flags(pair, "sample.tags")
    assert 0.08 <= sum(gold) / len(gold) <= 0.25


def test_share_of_segments_without_errors_is_realistic() -> None:
    rows = read_tokens("en-de", "sample.tags")
    assert 0.30 <= sum("BAD" not in row for row in rows) / len(rows) <= 0.40


def test_gold_tags_follow_from_the_post_edit(pair: str) -> None:
    rows = zip(
        *(read_tokens(pair, name) for name in ("sample.mt", "sample.pe", "sample.tags")),
        read_lines(pair, "sample.hter"),
        strict=True,
    )
    for mt, pe, tags, hter in rows:
        edits = edit_distance(mt, pe)
        assert ("BAD" in tags) == (mt != pe)
        assert hter == f"{edits / len(pe):.6f}"
        # OK words of the MT occur in the post-edit in order, with additional words only at BAD gaps
        pattern = []
        for index, tag in enumerate(tags):
            if index % 2 == 0:
                pattern.append("(?:[^ ]+ )+" if tag == "BAD" else "")
            else:
                pattern.append("(?:[^ ]+ )?" if tag == "BAD" else re.escape(mt[index // 2]) + " ")
        assert re.fullmatch("".join(pattern), " ".join(pe) + " "), " ".join(mt)
        # each BAD word costs one edit and each BAD gap at least one
        assert tags.count("BAD") <= edits


def test_alignments_are_in_range_and_cover_most_words(pair: str) -> None:
    linked = total = 0
    for line, source, mt in zip(
        read_lines(pair, "sample.src-mt.alignments"),
        read_tokens(pair, "sample.src"),
        read_tokens(pair, "sample.mt"),
        strict=True,
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
        read_lines(pair, "sample.src-mt.alignments"),
        read_tokens(pair, "sample.source_tags"),
        read_tokens(pair, "sample.tags"),
        strict=True,
    ):
        for i, j in (map(int, link.split("-")) for link in line.split(" ")):
            if tags[2 * j + 1] == "BAD":
                assert source_tags[i] == "BAD"
                seen += 1
    assert seen >= 10


def test_omitted_phrase_is_bad_in_the_source_tags() -> None:
    segment = next(k for k, line in enumerate(read_lines("en-de", "sample.src")) if line.startswith("Pull the plug"))
    source, tags = read_tokens("en-de", "sample.src")[segment], read_tokens("en-de", "sample.source_tags")[segment]
    flagged = {word for word, tag in zip(source, tags, strict=True) if tag == "BAD"}
    assert {"cool", "machine", "completely"} <= flagged
    assert not {"plug", "socket", "clean"} & flagged
    assert read_tokens("en-de", "sample.tags")[segment].count("BAD") == 1


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
def test_alignments_of_two_known_segments(start: str, expected: set[tuple[str, str]]) -> None:
    segment = next(k for k, line in enumerate(read_lines("en-de", "sample.src")) if line.startswith(start))
    source, mt = read_tokens("en-de", "sample.src")[segment], read_tokens("en-de", "sample.mt")[segment]
    links = [link.split("-") for link in read_lines("en-de", "sample.src-mt.alignments")[segment].split(" ")]
    result = {(source[int(i)], mt[int(j)]) for i, j in links}
    assert expected <= result
    content = {word for word, _ in expected}
    assert {(left, right) for left, right in result if left in content} == expected
