"""`qe-desktop convert` with a post-edit: the files of WMT18 and MLQE-PE, and errors for input that does not match."""

from __future__ import annotations

import gzip
import io

import pytest

from tests.command_line import error_line, run_command

MT = "a b\n\nc\n\nD e\n"
POST_EDIT = "a\nx\n\n\nd e\n"
SOURCE = "p q\nr\ns\n\nt u\n"
FILES = ("wmt18_en-de_nmt_dev/dev", "mlqe_pe/en-de-test20/test20", "mlqe_pe/ro-en-test20/test20")


@pytest.fixture
def texts(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    links, more = "0-0 1-1\n\n0-0\n\n0-0 1-1\n", "0-0\n0-0\n\n\n0-0 1-1\n"
    for name, content in {"mt": MT, "pe": POST_EDIT, "src": SOURCE, "links": links, "more": more}.items():
        (tmp_path / name).write_text(content)
    return tmp_path


def convert(capsys, *arguments):
    """Run the command and return its output file and its message."""
    code, out, err = run_command(capsys, "convert", *arguments)
    assert (code, out, err.count("\n")) == (0, "", 1)
    with open(arguments[1], encoding="utf-8") as file:
        return file.read(), err


@pytest.mark.published
@pytest.mark.parametrize("name", FILES)
def test_tags_and_hter_of_shared_tasks_are_reproduced_byte_for_byte(data_folder, tmp_path, capsys, name):
    stem = data_folder / name
    tags, rates = tmp_path / "out.tags", tmp_path / "out.hter"
    for out in (tags, rates):
        convert(capsys, f"{stem}.mt", out, "--post-edit", f"{stem}.pe")
    assert tags.read_bytes() == stem.with_suffix(".tags").read_bytes()
    assert rates.read_bytes() == stem.with_suffix(".hter").read_bytes()


@pytest.mark.parametrize(
    ("to", "expected", "summary"),
    [
        ("words", "OK BAD\n\nBAD\n\nBAD OK\n", "(words): 5 tags"),
        ("gaps", "OK OK OK\nBAD\nOK OK\nOK\nOK OK OK\n", "(gaps): 10 tags"),
        ("2n+1", "OK OK OK BAD OK\nBAD\nOK BAD OK\nOK\nOK BAD OK OK OK\n", "(2n+1): 15 tags"),
        ("hter", "1.000000\n1.000000\n1.000000\n0.000000\n0.000000\n", "(HTER): 5 scores"),
    ],
)
def test_each_format_is_written(texts, capsys, to, expected, summary):
    written, err = convert(capsys, "mt", "out", "--post-edit", "pe", "--to", to)
    assert written == expected
    assert err == f"mt, pe -> out {summary}\n"


def test_name_of_the_output_sets_the_default_format(texts, capsys):
    both = convert(capsys, "mt", "out", "--post-edit", "pe", "--to", "2n+1")[0]
    assert convert(capsys, "mt", "out.tags", "--post-edit", "pe")[0] == both
    assert convert(capsys, "mt", "out.hter", "--post-edit", "pe", "--to", "2n+1")[0] == both
    assert convert(capsys, "mt", "out.hter", "--post-edit", "pe")[0].startswith("1.000000\n")
    assert run_command(capsys, "convert", "mt", "out.hter.gz", "--post-edit", "pe")[0] == 0
    assert gzip.decompress((texts / "out.hter.gz").read_bytes()) == (texts / "out.hter").read_bytes()


def test_source_tags_are_written(texts, capsys):
    source = ("mt", "out", "--post-edit", "pe", "--to", "source", "--source", "src")
    # b is superfluous and marks no source word; D became d; c was deleted
    assert convert(capsys, *source, "--alignments", "links")[0] == "OK OK\nOK\nOK\n\nBAD OK\n"
    # by alignments of the post-edit, r is BAD because x is missing
    assert convert(capsys, *source, "--post-edit-alignments", "more")[0] == "OK OK\nBAD\nOK\n\nBAD OK\n"


def test_wmt22_submission_is_written(texts, capsys):
    form = ("--to", "wmt22", "--language-pair", "en-de", "--method", "gold")
    lines = convert(capsys, "mt", "out", "--post-edit", "pe", *form)[0].splitlines()
    assert lines[3:5] == ["en-de\tgold\tMT\t0\t0\ta\tOK", "en-de\tgold\tMT\t0\t1\tb\tBAD"]


def test_progress_is_shown_on_a_terminal(texts, capsys, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    assert run_command(capsys, "convert", "mt", "out", "--post-edit", "pe")[0] == 0
    assert "MT and post-edit" in shown.getvalue()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--post-edit", "nothing"], "nothing: file not found"),
        (["--post-edit", "one"], "one: 1 line, but the MT has 5"),
        (["--post-edit", "pe", "--to", "words-eos"], "tags for <EOS> cannot be computed"),
        (["--post-edit", "pe", "--to", "wmt22"], "language pair"),
        (["--post-edit", "pe", "--mt", "mt"], "--mt cannot be used with --post-edit"),
        (["--post-edit", "pe", "--gaps", "mt"], "--gaps cannot be used with --post-edit"),
        (["--post-edit", "pe", "--source", "src"], "only be used for source tags"),
        (["--post-edit", "pe", "--to", "source"], "the source tokens and one file of alignments"),
        (["--post-edit", "pe", "--to", "source", "--source", "src"], "one file of alignments"),
        (["--to", "hter"], "HTER needs an MT and its post-edit"),
        (["--source", "src"], "only be used with a post-edit"),
    ],
)
def test_invalid_options_are_refused(texts, capsys, arguments, says):
    (texts / "one").write_text("a b\n")
    assert says in error_line(capsys, "convert", "mt", "out", *arguments)
    assert not (texts / "out").exists()


def test_input_files_are_not_overwritten(texts, capsys):
    for name in ("mt", "pe", "src", "links"):
        source = ("--to", "source", "--source", "src", "--alignments", "links")
        assert f"{name}: this file is an input" in error_line(
            capsys, "convert", "mt", name, "--post-edit", "pe", *source
        )
    assert (texts / "pe").read_text() == POST_EDIT


@pytest.mark.parametrize(
    ("option", "link", "says"),
    [
        ("--alignments", "0-1", "bad:3: 0-1: the MT has no token 1, only 1 token."),
        ("--alignments", "1-0", "bad:3: 1-0: the source has no token 1, only 1 token."),
        ("--alignments", "0", 'bad:3: "0" is not a pair of token numbers'),
        ("--post-edit-alignments", "0-0", "bad:3: 0-0: the post-edit has no token 0, only 0 tokens."),
    ],
)
def test_alignments_to_missing_tokens_are_refused(texts, capsys, option, link, says):
    (texts / "bad").write_text(f"\n\n{link}\n\n\n")
    source = ("--to", "source", "--source", "src", option, "bad")
    assert says in error_line(capsys, "convert", "mt", "out", "--post-edit", "pe", *source)
    (texts / "bad").write_text("0-0\n")
    assert "bad: 1 line, but the MT has 5" in error_line(capsys, "convert", "mt", "out", "--post-edit", "pe", *source)
    assert not (texts / "out").exists()


@pytest.mark.parametrize("form", ["hter", "words", "2n+1"])
def test_untokenized_text_gives_a_warning(texts, capsys, form):
    for name, line in {
        "zh.mt": "今天是天气非常好，我们去的我散步。",
        "zh.pe": "今天的天气非常好，我们去公园散步。",
    }.items():
        (texts / name).write_text(f"{line}\n" * 3, encoding="utf-8")
        (texts / f"{name}.tokens").write_text(f"{' '.join(line)}\n" * 3, encoding="utf-8")
    code, _, err = run_command(capsys, "convert", "zh.mt", "out", "--post-edit", "zh.pe", "--to", form)
    assert code == 0
    assert "The Chinese text is not tokenized" in err
    code, _, err = run_command(capsys, "convert", "zh.mt.tokens", "out", "--post-edit", "zh.pe.tokens", "--to", form)
    assert (code, "not tokenized" in err) == (0, False)
