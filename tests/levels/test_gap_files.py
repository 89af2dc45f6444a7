"""Tags of gaps where tags of words are asked for: n+1 tags are no words, and for <EOS> only where nothing says gaps."""

from __future__ import annotations

import json

import pytest

from tests.commands import refused, run

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
def test_gaps_by_their_name_are_no_words(folder, capsys, mt):
    given = ["--mt", folder / "t.mt"] if mt else []
    for gold, system in (("gold.gaps", "sys.gaps.tags"), ("gold.tags", "sys.gaps.tags")):
        said = refused(capsys, *score(folder, gold, system, *given))
        assert "according to the file name these are gap tags, not word tags" in said
        assert "--kind gaps" in said
    code, out, _ = run(
        capsys, *score(folder, "gold.gaps", "sys.gaps.tags", "--mt", folder / "t.mt", "--kind", "gaps", "--json")
    )
    assert code == 0
    assert json.loads(out)["items"] == 5


def test_one_more_for_eos_is_scored_as_before(folder, capsys):
    for given in (["--mt", folder / "t.mt"], []):
        code, out, _ = run(capsys, *score(folder, "gold.eos", "sys.eos", *given, "--json"))
        assert code == 0
        assert json.loads(out)["items"] == 5


def test_one_more_than_the_gold_names_both_ways(folder, capsys):
    for given in (["--mt", folder / "t.mt"], []):
        said = refused(capsys, *score(folder, "gold.tags", "sys.eos", *given))
        assert "3 tags, but the gold has 2" in said
        assert "--kind gaps" in said
        assert "<EOS>" in said


def test_one_more_than_an_mt_with_eos_has_tokens(folder, capsys):
    (folder / "eos.mt").write_text("a <EOS>\n<EOS>\n")
    said = refused(capsys, *score(folder, "gold.eos", "sys.eos", "--mt", folder / "eos.mt"))
    assert "line 1 has 3 tags, but the MT has 2 tokens" in said
    assert "--kind gaps" in said


def test_a_table_of_gaps(folder, capsys):
    assert "score these with --kind gaps" in refused(capsys, *score(folder, "gold.table", "gold.table"))


def test_gaps_and_words_by_turns_hold_words_whatever_their_name(folder, capsys):
    code, out, _ = run(capsys, *score(folder, "both.gaps", "gold.tags", "--mt", folder / "t.mt", "--json"))
    assert code == 0
    assert json.loads(out)["systems"]["gold"]["accuracy"] == 1


@pytest.mark.published
def test_the_gaps_of_mlqe_pe(data_folder, capsys):
    """The published gold of gaps is a table; it says what it holds."""
    folder = data_folder / "mlqe_pe/en-de-test21"
    gaps = folder / "goldlabels/task2_wordlevel_gaps.tags"
    assert "score these with --kind gaps" in refused(capsys, "score", "words", "--gold", gaps, "--system", gaps)
    mt = folder / "test21.tok.mt"
    code, out, _ = run(
        capsys, "score", "words", "--gold", gaps, "--system", gaps, "--mt", mt, "--kind", "gaps", "--json"
    )
    assert code == 0
    assert json.loads(out)["items"] == 17186
