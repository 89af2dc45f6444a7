"""In how many rounds intervals are drawn: chosen, said, and bounded."""

from __future__ import annotations

import json

import pytest

from tests.cli.shared_tasks import both_pairs, shared_task
from tests.commands import answer, refused, run


@pytest.fixture
def task(tmp_path):
    return shared_task(tmp_path / "task")


def commands(task):
    pair = task / "en-de"
    inputs = ("words", "--gold", pair / "test.tags", "--system", pair / "systems", "--metric", "MCC")
    return (
        ("score", *inputs, "--intervals"),
        ("compare", *inputs, "--rounds", 50, "--intervals"),
        ("findings", pair, "--metric", "MCC", "--rounds", 50),
    )


def drawn(found):
    if "intervals" in found:
        return found["intervals"]
    return {name: {"MCC": one["MCC"]["interval"]} for name, one in found["pairs"]["en-de"]["systems"].items()}


def test_rounds_are_chosen_and_said(capsys, task):
    by_command = []
    for command in commands(task):
        usual, same, fewer = (
            answer(capsys, *command, *more) for more in ((), ("--interval-rounds", 1000), ("--interval-rounds", 40))
        )
        assert usual == same
        assert "|interval-rounds:1000" in usual["signature"]
        assert "|interval-rounds:40" in fewer["signature"]
        assert drawn(fewer) != drawn(usual)
        by_command.append(drawn(fewer))
        code, out, _ = run(capsys, *command, "--interval-rounds", 40)
        assert code == 0
        assert "|interval-rounds:40" in out
    assert by_command[0] == by_command[1] == by_command[2]


def test_other_seeds_draw_others(capsys, task):
    for command in commands(task):
        one, other = (answer(capsys, *command, "--interval-rounds", 60, "--seed", seed) for seed in (1, 2))
        assert drawn(one) != drawn(other)
        assert "seed:2" in other["signature"]


@pytest.mark.parametrize("rounds", ["0", "39", "10001", "-1", "many", "1e3", "99999999999999999999"])
def test_rounds_are_bounded(capsys, task, rounds):
    for command in commands(task):
        error = refused(capsys, *command, f"--interval-rounds={rounds}")
        assert "--interval-rounds: must be a whole number from 40 to 10,000" in error


def test_rounds_of_no_intervals_are_refused(capsys, task):
    for command in commands(task)[:2]:
        error = refused(capsys, *command[:-1], "--interval-rounds", 100)
        assert "--interval-rounds needs --intervals. Specify --intervals as well." in error


def test_where_nothing_is_drawn_no_rounds_are_said(capsys, tmp_path):
    for name, values in {"gold": (0.1, 0.5, 0.2, 0.9, 0.4, 0.3), "a": (0.2, 0.4, 0.3, 0.8, 0.5, 0.1)}.items():
        (tmp_path / f"{name}.hter").write_text("".join(f"{value}\n" for value in values))
    inputs = ("sentences", "--gold", tmp_path / "gold.hter", "--system", tmp_path / "a.hter", "--intervals", "fisher")
    closed = answer(capsys, "score", *inputs, "--metric", "Pearson", "--interval-rounds", 50)
    assert "intervals:fisher|unit" in closed["signature"]
    both = answer(capsys, "score", *inputs, "--metric", "Pearson", "MAE", "--interval-rounds", 50)
    assert "intervals:fisher|interval-rounds:50|" in both["signature"]
    assert both["intervals"]["a"]["Pearson"] == closed["intervals"]["a"]["Pearson"]


def test_rounds_of_several_pairs(capsys, task):
    found = answer(capsys, "score", *both_pairs(task), "--metric", "MCC", "--intervals", "--interval-rounds", 50)
    assert all("|interval-rounds:50|" in one["signature"] for one in found["pairs"].values())
    whole = answer(capsys, "findings", task, "--metric", "MCC", "--rounds", 50, "--interval-rounds", 50)
    assert "|interval-rounds:50" in whole["signature"]
    for pair, held in whole["pairs"].items():
        for name, one in held["systems"].items():
            assert one["MCC"]["interval"] == found["pairs"][pair]["intervals"][name]["MCC"]
    assert json.dumps(whole)
