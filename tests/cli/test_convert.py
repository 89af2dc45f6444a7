import argparse
import gzip

import pytest

from qe_desktop.cli import convert
from qe_desktop.corpus import QeError
from tests.command_line import error_line

MT = "a b\nc\n"
WORDS = "OK BAD\nBAD\n"
EOS = "OK BAD OK\nBAD BAD\n"
GAPS = "BAD OK OK\nOK BAD\n"
BOTH = "BAD OK OK BAD OK\nOK BAD BAD\n"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Return a function that runs the command in its own folder and returns the output file and stderr."""
    monkeypatch.chdir(tmp_path)
    for name, content in {"mt": MT, "words": WORDS, "eos": EOS, "gaps": GAPS, "both": BOTH}.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "p").write_text("0.2 0.6\n0.9\n")

    def call(*arguments: str) -> tuple[str, str]:
        parser = argparse.ArgumentParser()
        convert.add_parser(parser.add_subparsers())
        args = parser.parse_args(["convert", *arguments])
        assert args.run(args) == 0
        captured = capsys.readouterr()
        assert captured.out == ""
        return (tmp_path / arguments[1]).read_bytes().decode("utf-8", "replace"), captured.err

    return call


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["words", "out"], WORDS),
        (["words", "out", "--mt", "mt"], WORDS),
        (["eos", "out", "--mt", "mt"], WORDS),
        (["eos", "out", "--mt", "mt", "--to", "words-eos"], EOS),
        (["both", "out", "--mt", "mt"], WORDS),
        (["both", "out", "--mt", "mt", "--to", "gaps"], GAPS),
        (["both", "out", "--mt", "mt", "--to", "2n+1"], BOTH),
        (["gaps", "out", "--mt", "mt", "--to", "gaps"], GAPS),
        (["words", "out", "--gaps", "gaps"], BOTH),
        (["words", "out", "--gaps", "gaps", "--mt", "mt"], BOTH),
        (["eos", "out", "--gaps", "both", "--mt", "mt"], BOTH),
        (["words", "out", "--to", "source"], WORDS),
        (["p", "out"], WORDS),
        (["p", "out", "--threshold", "0.7", "--mt", "mt"], "OK OK\nBAD\n"),
        (["p", "out", "--gaps", "gaps"], BOTH),
    ],
)
def test_tag_formats_are_converted(run, arguments, expected):
    written, message = run(*arguments)
    assert written == expected
    assert message.count("\n") == 1
    assert message.startswith(arguments[0])
    assert f"{len(expected.split())} tags" in message


def test_submissions_round_trip(run):
    written, _ = run("eos", "out", "--to", "wmt22", "--mt", "mt", "--language-pair", "en-de", "--method", "mine")
    assert written.splitlines()[3:5] == ["en-de\tmine\tMT\t0\t0\ta\tOK", "en-de\tmine\tMT\t0\t1\tb\tBAD"]
    assert run("out", "back", "--mt", "mt", "--to", "words-eos")[0] == EOS
    assert run("out", "back", "--mt", "mt")[0] == WORDS


def test_compressed_output(run, tmp_path):
    run("words", "out.gz")
    assert gzip.decompress((tmp_path / "out.gz").read_bytes()).decode() == WORDS


def test_omitted_eos_tags_and_threshold_are_reported(run):
    assert "<EOS> were left out" in run("eos", "out", "--mt", "mt")[1]
    assert "P(BAD) > 0.5" in run("p", "out")[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["words", "words"], "this file is an input"),
        (["words", "gaps", "--gaps", "gaps"], "this file is an input"),
        (["words", "out", "--to", "2n+1"], "no gap tags"),
        (["words", "out", "--to", "words-eos", "--mt", "mt"], "no tags for <EOS>"),
        (["words", "out", "--to", "gaps"], "without the MT"),
        (["words", "out", "--to", "wmt22"], "--mt"),
        (["words", "out", "--to", "wmt22", "--mt", "mt"], "language pair"),
        (["words", "out", "--gaps", "words"], "must have one more gap than words"),
        (["p", "out", "--to", "gaps"], "word probabilities"),
        (["p", "out", "--threshold", "2"], "not a probability"),
        (["mt", "out"], "is not OK or BAD"),
        (["nothing", "out"], "nothing: file not found"),
        (["words", "no/out"], "cannot be written"),
    ],
)
def test_impossible_conversions_are_refused(run, tmp_path, arguments, says):
    with pytest.raises(QeError) as caught:
        run(*arguments)
    assert says in caught.value.line()
    assert caught.value.hint
    assert not (tmp_path / "out").exists()
    assert (tmp_path / "words").read_text() == WORDS
    assert (tmp_path / "gaps").read_text() == GAPS


def test_lines_option_applies_to_one_probability_per_line(run, tmp_path):
    (tmp_path / "single").write_text("0.2\n0.9\n")
    assert run("single", "out", "--lines", "segments")[0] == "OK\nBAD\n"
    assert run("single", "out", "--lines", "tokens")[0] == "OK BAD\n"


def test_binary_numbers_need_the_numbers_option(run, tmp_path, capsys):
    (tmp_path / "binary").write_text("1 0\n1 1 0\n")
    assert "whether 1 means BAD or OK" in error_line(capsys, "convert", tmp_path / "binary", tmp_path / "out")
    assert not (tmp_path / "out").exists()
    content, message = run("binary", "out", "--numbers", "BAD")
    assert content == "BAD OK\nBAD BAD OK\n"
    assert "1 is read as BAD and 0 as OK" in message
    content, message = run("binary", "out", "--numbers", "OK")
    assert content == "OK BAD\nOK OK BAD\n"
    assert "1 is read as OK and 0 as BAD" in message
