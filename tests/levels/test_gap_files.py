"""Gap tags passed as word tags: n+1 tags are rejected, or read as words and <EOS> if nothing indicates gaps."""

from __future__ import annotations

import json

import pytest

from tests.command_line import error_line, run_command

MT = "a b\nc\n"
FILES = {
    "t.mt": MT,
    "gold.tags": "OK BAD\nOK\n",
    "gold.gaps": "OK BAD OK\nOK OK\n",
    "sys.gaps.tags": "OK OK OK\nOK BAD\n",
    "gold.eos": "OK BAD OK\nOK OK\n",
    "sys.eos": "BAD BAD OK\nOK OK\n",
    "gold.table": "".join(f"en-de\tg\tgap\t{s}\t{i}\tgap\tOK\n" for s, n in ((0, 3), (1, 2)) for i in range(n)),
    "both.gaps": "OK OK OK BAD OK\nOK OK OK\n",
}


@pytest.fixture
def folder(tmp_path):
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    return tmp_path


def score(folder, gold: str, system: str, *more: str) -> list[object]:
    return ["score", "words", "--gold", folder / gold, "--system", folder / system, *more]


@pytest.mark.parametrize("mt", [True, False])
def test_files_named_as_gap_tags_are_rejected_as_word_tags(folder, capsys, mt):
    arguments = ["--mt", folder / "t.mt"] if mt else []
    for gold, system in (("gold.gaps", "sys.gaps.tags"), ("gold.tags", "sys.gaps.tags")):
        error = error_line(capsys, *score(folder, gold, system, *arguments))
        assert "according to the file name, these are gap tags, not word tags" in error
        assert "--kind gaps" in error
    code, out, _ = run_command(
        capsys, *score(folder, "gold.gaps", "sys.gaps.tags", "--mt", folder / "t.mt", "--kind", "gaps", "--json")
    )
    assert code == 0
    assert json.loads(out)["items"] == 5


def test_one_more_tag_for_eos_is_scored(folder, capsys):
    for arguments in (["--mt", folder / "t.mt"], []):
        code, out, _ = run_command(capsys, *score(folder, "gold.eos", "sys.eos", *arguments, "--json"))
        assert code == 0
        assert json.loads(out)["items"] == 5


def test_one_more_tag_than_the_gold_suggests_gaps_or_eos(folder, capsys):
    for arguments in (["--mt", folder / "t.mt"], []):
        error = error_line(capsys, *score(folder, "gold.tags", "sys.eos", *arguments))
        assert "3 tags, but the gold has 2" in error
        assert "--kind gaps" in error
        assert "<EOS>" in error


def test_one_more_tag_than_tokens_of_an_mt_with_eos_suggests_gaps(folder, capsys):
    (folder / "eos.mt").write_text("a <EOS>\n<EOS>\n")
    error = error_line(capsys, *score(folder, "gold.eos", "sys.eos", "--mt", folder / "eos.mt"))
    assert "line 1 has 3 tags, but the MT has 2 tokens" in error
    assert "--kind gaps" in error


def test_table_of_gap_tags_is_rejected_as_word_tags(folder, capsys):
    assert "read the gap tags with --kind gaps" in error_line(capsys, *score(folder, "gold.table", "gold.table"))


def test_table_with_only_one_kind_is_rejected_as_words_and_gaps(folder, capsys):
    (folder / "words.table").write_text((folder / "gold.table").read_text().replace("\tgap\t", "\tmt\t"))
    error = error_line(capsys, *score(folder, "gold.table", "gold.table", "--kind", "all"))
    assert "gold.table: the file has no word tags; available kinds: gaps" in error
    error = error_line(capsys, *score(folder, "words.table", "words.table", "--kind", "all"))
    assert "words.table: the file has no gap tags" in error
    error = error_line(capsys, "convert", folder / "gold.table", folder / "out", "--to", "2n+1")
    assert "the file has no word tags; available kinds: gaps" in error


def test_interleaved_words_and_gaps_are_scored_as_words_despite_a_gap_file_name(folder, capsys):
    code, out, _ = run_command(capsys, *score(folder, "both.gaps", "gold.tags", "--mt", folder / "t.mt", "--json"))
    assert code == 0
    assert json.loads(out)["systems"]["gold"]["accuracy"] == 1


@pytest.mark.published
def test_gap_table_of_mlqe_pe_is_scored_as_gaps(data_folder, capsys):
    """The published gap gold is a table with a column for the kind of tag."""
    folder = data_folder / "mlqe_pe/en-de-test21"
    gaps = folder / "goldlabels/task2_wordlevel_gaps.tags"
    assert "read the gap tags with --kind gaps" in error_line(
        capsys, "score", "words", "--gold", gaps, "--system", gaps
    )
    mt = folder / "test21.tok.mt"
    code, out, _ = run_command(
        capsys, "score", "words", "--gold", gaps, "--system", gaps, "--mt", mt, "--kind", "gaps", "--json"
    )
    assert code == 0
    assert json.loads(out)["items"] == 17186
