"""`study sampling`: its JSON contract, output formats, notes, interruption and errors."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from qe_desktop.formats import write_tag_lines
from qe_desktop.report.render.output_formats import OUTPUT_FORMATS
from qe_desktop.studies.sampling import sampling_study as studies
from tests.command_line import error_line, json_output, run_command
from tests.studies.sampling.small_data_sets import gold_and_systems

ROOT = Path(__file__).parents[2]
PROTOCOL = ("--errors", "20", "20.5", "25", "--sizes", "5", "50", "--repetitions", "20")
PAIRS = ["20-20.5", "20-25", "20.5-25"]


@pytest.fixture
def files(tmp_path):
    gold, systems = gold_and_systems()
    (tmp_path / "systems").mkdir()
    write_tag_lines(tmp_path / "gold.tags", gold)
    for index, system in enumerate(systems):
        write_tag_lines(tmp_path / f"systems/s{index}.tags", system)
    return "study", "sampling", "--gold", tmp_path / "gold.tags", "--system", tmp_path / "systems"


@pytest.mark.parametrize("mode", ["fast", "full"])
def test_json_contract(capsys, files, mode):
    result = json_output(capsys, *files, *PROTOCOL, "--mode", mode, "--seed", "3")
    assert (result["mode"], result["seed"], result["repetitions"]) == (mode, 3, 20)
    assert (result["errors"], result["sizes"]) == ([20, 20.5, 25], [5, 50])
    assert list(result["metrics"]) == ["F1-BAD", "F1-mult", "phr-F1-BAD", "phr-F1-mult", "MCC", "SeqCor"]
    for pairs in result["metrics"].values():
        assert list(pairs) == PAIRS
        for cell in pairs.values():
            assert list(cell["p"]) == list(cell["p-error"]) == ["5", "50"]
            assert all(0 <= p <= 1 for p in cell["p"].values())
            assert all(error >= 0 for error in cell["p-error"].values())
            assert cell["samples"] in (5, 50, None)
            # a difference is detected if 3 p (Bonferroni, three pairs) is at most .05
            detected = [int(size) for size, p in cell["p"].items() if 3 * p <= 0.05]
            assert cell["samples"] == (detected[0] if detected else None)
    assert result["metrics"]["F1-mult"]["20-25"]["samples"] == 5
    assert result["differences"]["F1-mult"] == {
        difference: result["metrics"]["F1-mult"][pair]["samples"]
        for difference, pair in zip(("0.5", "5", "4.5"), PAIRS, strict=True)
    }
    assert result["scores"]["MCC"]["25"]["mean"] < result["scores"]["MCC"]["20"]["mean"]
    assert re.search(rf"\|seed:3\|overshoot:keep\|mixing:many\|.*\|mode:{mode}\|repetitions:20\|", result["signature"])


def test_difference_of_several_pairs_is_detected_where_all_pairs_are(capsys, files):
    result = json_output(capsys, *files, "--errors", "20", "21", "22", "--sizes", "10", "40", "--repetitions", "20")
    for metric, pairs in result["metrics"].items():
        both = [pairs[pair]["samples"] for pair in ("20-21", "21-22")]
        assert result["differences"][metric]["1"] == (None if None in both else max(both))


def test_every_format_is_written_and_tsv_equals_json(capsys, files):
    result = json_output(capsys, *files, *PROTOCOL)
    for form in OUTPUT_FORMATS:
        code, out, _ = run_command(capsys, *files, *PROTOCOL, "--format", form.name)
        assert code == 0
        assert "phr-F1-mult" in out.replace("\\", "")
        if form.name == "tsv":
            rows = list(csv.DictReader(io.StringIO(out), delimiter="\t"))
            assert len(rows) == 6 * 3 * 2
            for row in rows:
                cell = result["metrics"][row["metric"]]["-".join(f"{float(row[f'errors {n}']):g}" for n in (1, 2))]
                assert float(row["p"]) == cell["p"][row["samples"]]
                assert float(row["p error"]) == cell["p-error"][row["samples"]]
                assert float(row["adjusted p"]) == pytest.approx(min(1, 3 * float(row["p"])))


def test_table_begins_with_the_most_sensitive_metric(capsys, files):
    result = json_output(capsys, *files, *PROTOCOL)
    _, out, _ = run_command(capsys, *files, *PROTOCOL)
    first = next(line for line in out.splitlines()[3:] if re.match(r"  (F1|MCC|phr|Seq)", line)).split()[0]
    needed = {
        metric: [60 if samples is None else samples for samples in differences.values()]
        for metric, differences in result["differences"].items()
    }
    assert sum(needed[first]) == min(map(sum, needed.values()))
    assert re.search(r"metric +0\.5 +4\.5 +5", out)


def test_options_for_details_that_the_paper_does_not_specify(capsys, files):
    plain = json_output(capsys, *files, *PROTOCOL)
    for choice in (
        ("--overshoot", "stop"), ("--overshoot", "partial"), ("--mixing", "one"), ("--replacement",),
        ("--variances", "unequal"),
    ):  # fmt: skip
        other = json_output(capsys, *files, *PROTOCOL, *choice)
        assert other["metrics"] != plain["metrics"]
        assert choice[0].removeprefix("--") in other["signature"]
    for same in (("--workers", "1"), ("--correction", "holm"), ("--alpha", "0.01")):
        again = json_output(capsys, *files, *PROTOCOL, *same)
        assert again["metrics"]["MCC"]["20-25"]["p"] == plain["metrics"]["MCC"]["20-25"]["p"]


def test_notes_explain_mixing_error_counts_and_simulation(capsys, files, tmp_path):
    one_system = (*files[:-1], tmp_path / "systems/s1.tags")
    notes = " ".join(json_output(capsys, *one_system, *PROTOCOL)["notes"])
    assert "There is only one system, so all data sets contain errors of s1 only." in notes
    assert "do not show agreement with human scores" in notes
    # 0.5 % of about 520 tags is only a few tags
    assert re.search(r"20, 20\.5, 25 % of [\d,]+ tags are \d+, \d+, \d+ wrong tags", notes)
    mixed = " ".join(json_output(capsys, *files, "--errors", "20", "36", "--mixing", "one")["notes"])
    assert "No data sets are sampled from s0" in mixed
    full = " ".join(json_output(capsys, *files, *PROTOCOL, "--mode", "full")["notes"])
    assert "Simulation: p is the mean over 20 repetitions." in full


def test_metric_with_equal_scores_of_all_data_sets_is_noted(capsys, files, tmp_path):
    # a system that tags every word BAD
    gold, _ = gold_and_systems()
    write_tag_lines(tmp_path / "bad.tags", type(gold)(gold.values * 0 + 1, gold.offsets))
    result = json_output(
        capsys, *files[:-1], tmp_path / "bad.tags", "--errors", "20", "40", "--metric", "recall-BAD", "F1-BAD"
    )
    notes = " ".join(result["notes"])
    assert "recall-BAD gives all data sets the same score, so it detects no difference." in notes


def test_run_is_resumed(capsys, files, tmp_path):
    full = (*files, *PROTOCOL, "--mode", "full")
    sums = ("--resume", tmp_path / "sums.json")
    whole = json_output(capsys, *full)
    json_output(capsys, *full[:-3], "8", "--mode", "full", *sums)
    assert json.loads((tmp_path / "sums.json").read_text())["added"] == 8
    assert json_output(capsys, *full, *sums)["metrics"] == whole["metrics"]
    assert "seed changed from 1 to 2" in error_line(capsys, *full, *sums, "--seed", "2")


def test_interrupt_prints_the_results_so_far(capsys, files, monkeypatch):
    collect = studies._collect_results

    def collect_until_interrupt(results, take):
        def take_five(number, row):
            take(number, row)
            if number == 4:
                raise KeyboardInterrupt

        return collect(results, take_five)

    monkeypatch.setattr(studies, "_collect_results", collect_until_interrupt)
    code, out, err = run_command(capsys, *files, *PROTOCOL, "--mode", "full", "--workers", "1", "--json")
    result = json.loads(out)
    assert code == 130
    assert "stopped" in err
    assert (result["repetitions"], result["asked"]) == (5, 20)
    assert any("5 of 20 repetitions" in note for note in result["notes"])


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_ctrl_c_keeps_the_completed_repetitions(files, tmp_path):
    path = tmp_path / "sums.json"
    code = (
        "import os, signal, sys\n"
        "from qe_desktop.studies.sampling import sampling_study as study\n"
        # processes that a shell starts in the background ignore SIGINT
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "real = study._collect_results\n"
        "def taken(results, take):\n"
        "    def some(number, row):\n"
        "        take(number, row)\n"
        "        if number == 10: os.kill(os.getpid(), signal.SIGINT)\n"
        "    return real(results, some)\n"
        "study._collect_results = taken\n"
        "from qe_desktop.__main__ import run\n"
        "sys.exit(run(sys.argv[1:]))\n"
    )
    command = [*map(str, files), *PROTOCOL[:-1], "1000000", "--mode", "full", "--json", "--resume", str(path)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process = subprocess.run([sys.executable, "-c", code, *command], env=environment, capture_output=True, text=True)
    assert process.returncode == 130, process.stderr
    result = json.loads(process.stdout)
    assert 10 <= result["repetitions"] < 1_000_000
    saved = json.loads(path.read_text())
    assert saved["added"] + len(saved["waiting"]) == result["repetitions"]
    assert "Traceback" not in process.stderr


REFUSED = {
    "too many errors": (("--errors", "20", "60"), r"an error rate of 60 % is not possible; .* reach only 3\d\.\d\d %"),
    "one share": (("--errors", "20"), "needs two error rates"),
    "no share": (("--errors", "x"), "such as 30.01"),
    "not a number": (("--errors", "nan", "2"), "such as 30.01"),
    "a share with a milliard zeros": (("--errors", "1e999999999", "2"), "such as 30.01"),
    "a share of next to nothing": (("--errors", "1e-9999999", "2"), "such as 30.01"),
    "more data sets than fit in memory": (("--sizes", "200000", "--mode", "full"), "200,000 data sets are too many"),
    "more than any sample": (("--sizes", "1" + "0" * 400), "too many for one sample"),
    "repetitions that do not fit in memory": (("--repetitions", "10000000000"), "too many for the analytic mode"),
    "more threads than wait": (("--workers", "100000"), "whole number from 1 to 1,024"),
    "all wrong": (("--errors", "20", "100"), "below 100 %, not 100"),
    "one data set": (("--sizes", "1"), "whole number of at least 2"),
    "no workers": (("--workers", "0"), "whole number from 1"),
    "a metric of others": (("--metric", "BLEU"), "no metric “BLEU” for tags"),
    "sums of the fast mode": (("--resume", "x.json"), "analytic mode cannot be resumed"),
    "two places": (("--workers", "2", "--cluster", "tcp://127.0.0.1:9"), "not allowed with"),
    "several pairs": (("--language-pair", "en-de", "en-ja"), "one language pair"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_invalid_options_are_refused(capsys, files, name):
    arguments, message = REFUSED[name]
    assert re.search(message, error_line(capsys, *files, *arguments))


def test_inputs_are_not_overwritten(capsys, files, tmp_path):
    before = (tmp_path / "gold.tags").read_bytes()
    assert "is an input" in error_line(capsys, *files, "--mode", "full", "--resume", tmp_path / "gold.tags")
    assert (tmp_path / "gold.tags").read_bytes() == before


def test_gold_without_bad_is_refused(capsys, files, tmp_path):
    (tmp_path / "gold.tags").write_text((tmp_path / "gold.tags").read_text().replace("BAD", "OK"))
    assert "the gold has no BAD tag" in error_line(capsys, *files)


def test_standard_input_cannot_be_named_twice(capsys, files):
    assert "standard input is specified 2 times, but can be read only once" in error_line(
        capsys, "study", "sampling", "--gold", "-", "--system", "a=-"
    )
