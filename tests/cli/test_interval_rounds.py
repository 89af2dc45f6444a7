"""The number of bootstrap rounds of intervals: option, signature and limits."""

from __future__ import annotations

import json

import pytest

from tests.cli.shared_tasks import options_of_both_pairs, write_shared_task
from tests.command_line import error_line, json_output, run_command


@pytest.fixture
def task(tmp_path):
    return write_shared_task(tmp_path / "task")


def commands(task):
    pair = task / "en-de"
    inputs = ("words", "--gold", pair / "test.tags", "--system", pair / "systems", "--metric", "MCC")
    return (
        ("score", *inputs, "--intervals"),
        ("compare", *inputs, "--rounds", 50, "--intervals"),
        ("findings", pair, "--metric", "MCC", "--rounds", 50),
    )


def intervals_of(result):
    if "intervals" in result:
        return result["intervals"]
    return {name: {"MCC": entry["MCC"]["interval"]} for name, entry in result["pairs"]["en-de"]["systems"].items()}


def test_interval_rounds_option_is_applied_and_in_the_signature(capsys, task):
    by_command = []
    for command in commands(task):
        default, same, fewer = (
            json_output(capsys, *command, *more)
            for more in ((), ("--interval-rounds", 1000), ("--interval-rounds", 40))
        )
        assert default == same
        assert "|interval-rounds:1000" in default["signature"]
        assert "|interval-rounds:40" in fewer["signature"]
        assert intervals_of(fewer) != intervals_of(default)
        by_command.append(intervals_of(fewer))
        code, out, _ = run_command(capsys, *command, "--interval-rounds", 40)
        assert code == 0
        assert "|interval-rounds:40" in out
    assert by_command[0] == by_command[1] == by_command[2]


def test_different_seeds_give_different_intervals(capsys, task):
    for command in commands(task):
        first, second = (json_output(capsys, *command, "--interval-rounds", 60, "--seed", seed) for seed in (1, 2))
        assert intervals_of(first) != intervals_of(second)
        assert "seed:2" in second["signature"]


@pytest.mark.parametrize("rounds", ["0", "39", "10001", "-1", "many", "1e3", "99999999999999999999"])
def test_interval_rounds_out_of_range_are_refused(capsys, task, rounds):
    for command in commands(task):
        error = error_line(capsys, *command, f"--interval-rounds={rounds}")
        assert "--interval-rounds: must be a whole number from 40 to 10,000" in error


def test_interval_rounds_without_intervals_are_refused(capsys, task):
    for command in commands(task)[:2]:
        error = error_line(capsys, *command[:-1], "--interval-rounds", 100)
        assert "--interval-rounds needs --intervals. Specify --intervals as well." in error


def test_signature_has_no_rounds_without_resampling(capsys, tmp_path):
    for name, values in {"gold": (0.1, 0.5, 0.2, 0.9, 0.4, 0.3), "a": (0.2, 0.4, 0.3, 0.8, 0.5, 0.1)}.items():
        (tmp_path / f"{name}.hter").write_text("".join(f"{value}\n" for value in values))
    inputs = ("sentences", "--gold", tmp_path / "gold.hter", "--system", tmp_path / "a.hter", "--intervals", "fisher")
    closed = json_output(capsys, "score", *inputs, "--metric", "Pearson", "--interval-rounds", 50)
    assert "intervals:fisher|unit" in closed["signature"]
    both = json_output(capsys, "score", *inputs, "--metric", "Pearson", "MAE", "--interval-rounds", 50)
    assert "intervals:fisher|interval-rounds:50|" in both["signature"]
    assert both["intervals"]["a"]["Pearson"] == closed["intervals"]["a"]["Pearson"]


def test_interval_rounds_apply_to_every_language_pair(capsys, task):
    result = json_output(
        capsys, "score", *options_of_both_pairs(task), "--metric", "MCC", "--intervals", "--interval-rounds", 50
    )
    assert all("|interval-rounds:50|" in entry["signature"] for entry in result["pairs"].values())
    findings = json_output(capsys, "findings", task, "--metric", "MCC", "--rounds", 50, "--interval-rounds", 50)
    assert "|interval-rounds:50" in findings["signature"]
    for pair, pair_result in findings["pairs"].items():
        for name, entry in pair_result["systems"].items():
            assert entry["MCC"]["interval"] == result["pairs"][pair]["intervals"][name]["MCC"]
    assert json.dumps(findings)
