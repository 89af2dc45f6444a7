"""Meaning of token numbers, P(BAD) or P(OK): asked if the file is ambiguous, otherwise assumed and noted."""

from __future__ import annotations

import math

import numpy as np
import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance, QeError, TextColumn
from qe_desktop.formats import ProbabilityOf, QuestionAnswers, build_corpus, plan_imports, read_probabilities
from qe_desktop.project.corpus_settings import threshold_tags

MT = TextColumn.of(["a b", "c d e"])
BINARY = "1 0\n1 1 0\n"
BAD, OK = QuestionAnswers(probability_of=ProbabilityOf.BAD), QuestionAnswers(probability_of=ProbabilityOf.OK)


@pytest.mark.parametrize(
    "content", [BINARY, "1 1\n1 1 1\n", "0 0\n0 0 0\n", "1.0 0.0\n1e0 -0 0\n", "1.0000001 0\n1 1 0\n"]
)
def test_numbers_that_are_all_0_or_1_need_an_answer(write, content):
    """A wrong assumption would reverse the results."""
    path = write("x.probs", content)
    with pytest.raises(QeError, match="whether 1 means BAD or OK") as caught:
        read_probabilities(path, mt=MT)
    assert caught.value.place.file == str(path)
    assert "--numbers OK" in caught.value.command_hint
    bad, ok = (read_probabilities(path, mt=MT, answers=answers) for answers in (BAD, OK))
    assert np.array_equal(bad.column.values, 1 - ok.column.values)
    assert "1 is read as BAD and 0 as OK" in bad.notes
    assert "1 is read as OK and 0 as BAD" in ok.notes


def test_numbers_are_p_bad_by_default_and_can_be_set_to_p_ok(write):
    path = write("x.probs", "1 0\n0.25 1 0\n")
    default, answered = read_probabilities(path, mt=MT), read_probabilities(path, mt=MT, answers=OK)
    assert default.column[1].tolist() == [0.25, 1, 0]
    assert answered.column[1].tolist() == [0.75, 0, 1]
    assert "the numbers are read as P(BAD)" in default.notes
    assert "the numbers are read as P(OK)" in answered.notes


def test_logarithms_are_of_p_ok_by_default_and_can_be_set_to_p_bad(write):
    path = write("x.probs", "-1 0\n-2 -3 -1\n")
    default, answered = read_probabilities(path, mt=MT), read_probabilities(path, mt=MT, answers=BAD)
    assert default.column[0] == pytest.approx([1 - math.exp(-1), 0])
    assert answered.column[0] == pytest.approx([math.exp(-1), 1])
    assert any("log P(OK)" in note for note in default.notes)
    assert any("log P(BAD)" in note for note in answered.notes)


@pytest.fixture
def folder(write):
    write("c/t.mt", "a b\nc d e\n")
    write("c/t.tags", "OK BAD\nOK OK BAD\n")
    return write("c/x.probs", BINARY).parent


def test_plan_needs_and_applies_the_answer(folder):
    (plan,) = plan_imports([folder])
    assert [file.path.name for file in plan.files_with_questions()] == ["x.probs"]
    with pytest.raises(QeError, match="BAD or OK"):
        build_corpus(plan)
    key = LayerKey(Provenance.SYSTEM, "x", Kind.PROBABILITIES)
    for answer, right in ((ProbabilityOf.BAD, 0), (ProbabilityOf.OK, 5)):
        answered = plan.with_answer(answer)
        assert answered.files_with_questions() == []
        layer = build_corpus(answered).layers[key]
        tags = threshold_tags(layer.numbers, 0.5)
        assert int((tags.values == [0, 1, 0, 0, 1]).sum()) == right
        assert any(f"1 is read as {answer.name}" in note for note in layer.notes)


def test_fractional_numbers_need_no_answer(folder, write):
    write("c/x.probs", "0.1 0\n0.5 1 0\n")
    assert plan_imports([folder])[0].files_with_questions() == []


def test_large_files_need_an_answer(folder, write, monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.importing.file_classification.MAX_WHOLE_BYTES", 4)
    assert [file.path.name for file in plan_imports([folder])[0].files_with_questions()] == ["x.probs"]


@pytest.mark.parametrize(("sign", "warned"), [(1, False), (-1, True)])
def test_negative_correlation_with_gold_is_noted_but_not_corrected(write, sign, warned):
    rng = np.random.default_rng(1)
    tags = rng.random((60, 5)) < 0.3
    numbers = np.clip(0.5 + sign * (tags - 0.5) * 0.4 + rng.normal(0, 0.1, tags.shape), 0.01, 0.99)
    write("g/gold.tags", "".join(" ".join("BAD" if tag else "OK" for tag in row) + "\n" for row in tags))
    path = write("g/x.probs", "".join(" ".join(f"{number:.4f}" for number in row) + "\n" for row in numbers))
    layer = build_corpus(plan_imports([path.parent])[0]).layers[LayerKey(Provenance.SYSTEM, "x", Kind.PROBABILITIES)]
    assert layer.numbers.values == pytest.approx(numbers.ravel(), abs=1e-4)
    assert any("tend to be OK" in note for note in layer.notes) is warned


@pytest.mark.published
def test_published_token_numbers_need_no_answer(data):
    for folder in (data / "mlqe_pe/en-de-test21", data / "mlqe_pe/ro-en-test21"):
        (plan,) = plan_imports([folder])
        assert plan.files_with_questions() == []
        probabilities = build_corpus(plan).find(Provenance.SYSTEM, Kind.PROBABILITIES)
        assert probabilities
        assert not any("tend to be OK" in note for layer in probabilities for note in layer.notes)
