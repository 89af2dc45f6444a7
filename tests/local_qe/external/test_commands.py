"""External QE commands, run as real processes: input, valid and invalid results, and failures."""

from __future__ import annotations

import json
import os
import sys

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, QeError, TextRole
from qe_desktop.local_qe.external.command import QeCommand, extract_qe_values, parse_commands
from qe_desktop.local_qe.external.command_runner import run_command
from tests.local_qe.external.commands import CORPUS, TOKEN_CORPUS, code_writing, only_layer
from tests.small_corpora import tags

pytestmark = pytest.mark.process


def test_a_command_reads_raw_texts_and_its_tags_become_a_system_layer(make_command, tmp_path):
    input_copy = tmp_path / "seen"
    code = f"open({str(input_copy)!r}, 'wb').write(open(source, 'rb').read() + b'|' + open(mt, 'rb').read())\n"
    layer = only_layer(run_command(make_command(code + code_writing("OK OK BAD OK\nBAD\n")), CORPUS))
    assert layer.key == LayerKey(Provenance.SYSTEM, "mine", Kind.WORDS)
    assert layer.tags == tags("oobo", "b")
    assert layer.origin == "mine"
    # the second raw MT does not match its tokens, so the tokens are passed instead
    assert input_copy.read_bytes().decode() == "a b.\nc\n| Er sagt ja.\nnein\n"
    assert "1 segment" in layer.notes[0]


def test_values_of_space_separated_words_are_mapped_to_tokens(make_command):
    layer = only_layer(run_command(make_command(code_writing("OK OK BAD\nOK\n")), CORPUS))
    assert layer.tags == tags("oobb", "o")
    layer = only_layer(run_command(make_command(code_writing(".1 .2 .9\n.3\n")), CORPUS))
    assert layer.key.kind is Kind.PROBABILITIES
    assert layer.numbers.values.tolist() == pytest.approx([0.1, 0.2, 0.9, 0.9, 0.3])


def test_a_command_can_request_tokens(make_command):
    code = "assert open(source).read() == 'Er sagt ja .\\nnein\\n', 'other tokens'\nout = mt\n"
    command = make_command(code + code_writing("1 0 0 0\n1\n"), placeholders="{mt_tokens} {out}")
    layer = only_layer(run_command(command, CORPUS))
    assert (layer.key.kind, layer.numbers.values.tolist()) == (Kind.PROBABILITIES, [1, 0, 0, 0, 1])
    assert "passed as tokens" in layer.notes[0]


def test_one_number_per_line_is_a_score(make_command):
    layer = only_layer(run_command(make_command(code_writing("0.25\n-1\n")), CORPUS))
    assert layer.key.kind is Kind.SCORES
    assert layer.scores.tolist() == [0.25, -1]


def code_writing_comet_json(*rows: dict) -> str:
    """Return the code of a command that writes the JSON of comet-score."""
    return code_writing(json.dumps({"/tmp/mt.txt": rows}))


def span(start: int, end: int, severity: str = "major") -> dict:
    return {"text": "", "confidence": 0.5, "severity": severity, "start": start, "end": end}


def test_json_of_comet_score_becomes_tags_and_scores(make_command):
    """Offsets start at the first character that is not a space, spans include a leading space, empty spans are gaps."""
    rows = (
        {"src": "a b.", "mt": "Er sagt ja.", "COMET": 0.75, "errors": [span(2, 7), span(11, 11, "critical")]},
        {"src": "c", "mt": "nein", "COMET": 0.5, "errors": []},
    )
    words, gaps, scores = run_command(make_command(code_writing_comet_json(*rows)), CORPUS)
    assert (words.tags, gaps.tags, scores.scores.tolist()) == (tags("oboo", "o"), tags("oooob", "oo"), [0.75, 0.5])
    assert words.reasons.at(0, 1) == ["major error, confidence 0.50"]
    layer = only_layer(
        run_command(make_command(code_writing_comet_json(*({"mt": row["mt"], "COMET": 1} for row in rows))), CORPUS)
    )
    assert (layer.key.kind, layer.scores.tolist()) == (Kind.SCORES, [1, 1])


VALID_ROW = {"mt": "nein", "COMET": 1.0}


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (code_writing("OK OK\n"), "1 line, but the MT has 2"),
        (code_writing("OK OK\nOK\n"), "line 1 has 2 tags, but the MT has 4 tokens"),
        (code_writing("0.5\n"), "1 line, but the corpus has 2"),
        (code_writing("OK OK OK OK\nPERHAPS OK OK OK\n"), '"PERHAPS" is not OK or BAD'),
        (code_writing("[]"), "0 segments, but the MT has 2"),
        (code_writing('{"a": '), "the JSON is invalid or incomplete"),
        (code_writing('{"a": [], "b": []}'), "not the JSON of comet-score"),
        (code_writing('{"a": [1, 2]}'), "not the JSON of comet-score"),
        (code_writing_comet_json({"mt": "other"}, VALID_ROW), "the MT of segment 1 is different from the input"),
        (
            code_writing_comet_json({"mt": "Er sagt ja.", "errors": [span(3, 99)]}, VALID_ROW),
            "the error from 3 to 99 is not inside the MT",
        ),
        (
            code_writing_comet_json({"mt": "Er sagt ja.", "errors": [{"start": "1"}]}, VALID_ROW),
            "the error from 1 to None is not inside",
        ),
        (code_writing_comet_json({"mt": "Er sagt ja.", "errors": 3}, VALID_ROW), "“errors” is not a list"),
        (code_writing(""), "ended with an empty result"),
        ("", "ended without a result"),
        ("sys.exit('the model is not there\\n')", "mine failed (exit status: 1): the model is not there"),
        ("os.kill(os.getpid(), 9)", "mine failed (exit status: signal 9)"),
        ("open(out, 'wb').write(b'\\xff\\xfe\\x00')", "result of mine"),
        ("open(out, 'w').write('1 ' * 2_000_000)", "mine: the line is too long: it has 4,000,000 bytes"),
    ],
)
def test_invalid_results_and_failures_are_reported_with_a_hint(make_command, result, message):
    with pytest.raises(QeError) as error:
        run_command(make_command(result), CORPUS)
    assert message in error.value.line()
    assert error.value.hint


def test_a_result_without_any_score_is_rejected(make_command):
    with pytest.raises(QeError, match="mine: the result contains no tags"):
        run_command(
            make_command(code_writing_comet_json({"mt": "Er sagt ja.", "COMET": float("nan")}, {"mt": "nein"})), CORPUS
        )


def test_reported_error_output_is_plain_text_and_limited(make_command):
    code = """
    for line in range(5000):
        print("line", line, "x" * 500, file=sys.stderr)
    print("10%\\r20%\\r\\x1b[31mno <b>room\\x1b[0m\\x07", file=sys.stderr)
    sys.exit(3)
    """
    with pytest.raises(QeError) as refused:
        run_command(make_command(code), CORPUS)
    error = refused.value
    assert error.message == "mine failed (exit status: 3): no <b>room\\x07"
    assert len(error.faults) == 10
    assert all(len(fault.message) <= 400 for fault in error.faults)


def test_a_missing_program_is_reported():
    with pytest.raises(QeError, match="cannot be started"):
        run_command(QeCommand("mine", "/nowhere/at/all {mt} {out}"), CORPUS)


def test_no_shell_interprets_the_command_and_quoted_words_stay_whole(make_command, tmp_path):
    unwanted_file = tmp_path / "made"
    code = "assert sys.argv[4:] == ['$HOME', ';', 'touch', sys.argv[7], '&&', 'a b', '{other}'], sys.argv\n"
    command = make_command(code + code_writing("1\n2\n"))
    command = QeCommand("mine", f"{command.line} $HOME ; touch {unwanted_file} && 'a b' {{other}}")
    assert only_layer(run_command(command, CORPUS)).scores.tolist() == [1, 2]
    assert not unwanted_file.exists()


def test_file_names_are_relative_to_the_folder_of_the_command(tmp_path):
    (tmp_path / "qe.py").write_text("import sys; open(sys.argv[2], 'w').write('1\\n2\\n')")
    command = QeCommand("mine", f"'{sys.executable}' qe.py {{mt}} {{out}}", folder=str(tmp_path))
    assert only_layer(run_command(command, CORPUS)).scores.tolist() == [1, 2]


PIPES = [
    "os.mkfifo(out)",
    "os.mkfifo(out + '2'); os.symlink(out + '2', out)",
    "os.symlink('/dev/zero', out)",
    "os.mkdir(out)",
]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are of POSIX")
@pytest.mark.parametrize("code", PIPES)
def test_a_result_that_is_not_an_ordinary_file_is_rejected(make_command, code):
    with pytest.raises(QeError, match="mine did not write its result to a regular file"):
        run_command(make_command(code), CORPUS)


def test_tags_of_eos_are_added_read_or_dropped(make_command):
    corpus = Corpus("eos", 2, {TextRole.MT: CORPUS.texts[TextRole.MT]}, eos=True)
    command = make_command(code_writing("OK OK BAD OK\nBAD\n"), placeholders="{mt} {out}")
    command = QeCommand("mine", command.line.replace("{mt} {out}", "none {mt} {out}"))
    assert only_layer(run_command(command, corpus)).tags == tags("ooboo", "bo")
    more = QeCommand("mine", make_command(code_writing("OK OK BAD OK BAD\nBAD OK\n")).line.replace("{source}", "none"))
    assert only_layer(run_command(more, corpus)).tags == tags("oobob", "bo")
    dropped = only_layer(run_command(more, TOKEN_CORPUS))
    assert dropped.tags == tags("oobo", "b")
    assert "dropped" in dropped.notes[-1]


def test_a_missing_source_is_reported():
    with pytest.raises(QeError, match="needs the source"):
        run_command(QeCommand("mine", "x {source} {mt} {out}"), TOKEN_CORPUS)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "is empty"),
        ("x\0 {mt} {out}", "contains a NUL character"),
        ("x 'y", "quotation"),
        ("x {mt}", "lacks"),
        ("x {out}", "lacks"),
        ("{mt} '", "quotation"),
    ],
)
def test_invalid_commands_are_rejected(line, message):
    with pytest.raises(QeError, match=message):
        QeCommand("mine", line)


def test_invalid_names_and_time_limits_are_rejected():
    for name, minutes in (("", 1), (" ", 1), ("a\nb", 1), ("x" * 61, 1), ("a", 0), ("a", float("nan")), ("a", 1e9)):
        with pytest.raises(QeError) as caught:
            QeCommand(name, "x {mt} {out}", minutes)
        assert "{mt}" not in caught.value.hint


def test_qe_options_of_the_command_line_are_parsed():
    values, rest = extract_qe_values(["--qe", "a=x {mt} {out}", "path", "--qe=b=y {mt} {out}"])
    assert rest == ["path"]
    assert extract_qe_values(["--qe=a=x", "--", "--qe=b=y"]) == (["a=x"], ["--", "--qe=b=y"])
    assert [(command.name, command.line) for command in parse_commands(values)] == [
        ("a", "x {mt} {out}"),
        ("b", "y {mt} {out}"),
    ]
    for wrong in (["x {mt} {out}"], [values[0]] * 2):
        with pytest.raises(QeError):
            parse_commands(wrong)
    with pytest.raises(QeError):
        extract_qe_values(["a", "--qe"])


def test_numbers_must_be_probabilities_or_their_logarithms(make_command):
    with pytest.raises(QeError, match="is not a probability"):
        run_command(make_command(code_writing("1 2 3 4\n5\n")), CORPUS)
    assert np.isfinite(
        only_layer(run_command(make_command(code_writing("-.1 -.2 -.3 -.4\n-5\n")), CORPUS)).numbers.values
    ).all()
