"""Changes from MT to target: runs that make up both texts, and moved blocks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.formats.bilingual.word_tokenization import token_spans, word_spans
from qe_desktop.project.review import target_changes
from qe_desktop.project.review.target_changes import ChangeKind, ChangeRun, compare_targets

KEPT, REMOVED, ADDED = ChangeKind.KEPT, ChangeKind.REMOVED, ChangeKind.ADDED


def changes(mt: str, target: str) -> list[ChangeRun]:
    (runs,) = compare_targets([(mt, target)], word_spans)
    return runs


def test_replaced_words_are_removed_before_others_are_added():
    assert changes("Der rote Apfel.", "Der grüne Apfel.") == [
        ChangeRun(KEPT, "Der"), ChangeRun(REMOVED, " rote"), ChangeRun(ADDED, " grüne"), ChangeRun(KEPT, " Apfel."),
    ]  # fmt: skip


def test_a_change_of_case_is_a_change():
    assert changes("Ein test", "Ein Test") == [
        ChangeRun(KEPT, "Ein"), ChangeRun(REMOVED, " test"), ChangeRun(ADDED, " Test"),
    ]  # fmt: skip


def test_a_moved_block_has_one_number_at_both_ends():
    runs = changes(
        "Am Montag kommt der neue Zug und bleibt dann dort stehen .",
        "Der Zug bleibt dann dort stehen und kommt am Montag .",
    )
    moved = [(run.kind, run.text.split(), run.move) for run in runs if run.move]
    by_number: dict[int, set[tuple[str, ...]]] = {}
    for _, words, number in moved:
        by_number.setdefault(number, set()).add(tuple(words))
    assert by_number
    assert all(len(texts) == 1 for texts in by_number.values())
    assert sorted(kind.value for kind, _, _ in moved) == ["added"] * len(by_number) + ["removed"] * len(by_number)


def test_two_blocks_that_change_places():
    runs = changes("alpha beta gamma delta , eins zwei drei", "eins zwei drei , alpha beta gamma delta")
    moved = [run.text.split() for run in runs if run.move]
    assert moved.count(["eins", "zwei", "drei"]) == 2 or moved.count(["alpha", "beta", "gamma", "delta"]) == 2


def test_a_single_short_word_is_not_a_moved_block():
    assert not any(run.move for run in changes("um so es da", "es ab um zu"))


def test_long_texts_are_not_aligned(monkeypatch):
    for module, limit in ((target_changes, "MAX_ALIGNED_WORDS"), (target_changes, "MAX_COMPARED_WORDS")):
        monkeypatch.setattr(module, limit, 3)
    runs = compare_targets([("a b c d", "a b c"), ("a b", "a c")], word_spans)
    assert runs[0] == [ChangeRun(REMOVED, "a b c d"), ChangeRun(ADDED, "a b c")]
    assert [run.kind for run in runs[1]] == [KEPT, REMOVED, ADDED]


TEXTS = st.text(alphabet="ab cdé.\u2028’😀ש", max_size=40)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5), st.sampled_from([word_spans, token_spans]))
def test_the_runs_make_up_both_texts(pairs, tokenize):
    for (mt, target), runs in zip(pairs, compare_targets(pairs, tokenize), strict=True):
        kept_and_added = "".join(run.text for run in runs if run.kind is not REMOVED)
        assert target.startswith(kept_and_added)
        assert not target[len(kept_and_added) :].strip()
        kept_and_removed = "".join(run.text for run in runs if run.kind is not ADDED)
        assert kept_and_removed.split() == mt.split() or "".join(kept_and_removed.split()) == "".join(mt.split())
        ends = [(run.move, run.kind) for run in runs if run.move]
        assert {number for number, kind in ends if kind is ADDED} == {
            number for number, kind in ends if kind is REMOVED
        }


@pytest.mark.parametrize("pair", [("", ""), ("a", ""), ("", "a"), (" ", "  ")])
def test_empty_texts(pair):
    (runs,) = compare_targets([pair], word_spans)
    assert "".join(run.text for run in runs if run.kind is REMOVED).strip() == pair[0].strip()
    assert "".join(run.text for run in runs if run.kind is ADDED).strip() == pair[1].strip()
