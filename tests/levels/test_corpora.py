"""Folders whose files cannot all be read: what is wrong is said at once, and what belongs to no pair is named."""

from __future__ import annotations

import pytest

from qe_desktop.cli.main import main
from qe_desktop.corpus import Fault, Kind, Provenance, QeError, SourceLocation
from qe_desktop.corpus.errors import MAX_LISTED_FAULTS
from qe_desktop.formats.importing.validation import combine_errors
from qe_desktop.levels.shared_task import read_corpora

SIZE = 4


def scores(pair, name):
    return "".join(f"{pair}\t{name}\t{segment}\t{0.1 + segment / 8}\n" for segment in range(SIZE))


def gold(*pairs):
    return "lp\tgold\tsid\tscore\n" + "".join(scores(pair, "gold") for pair in pairs)


@pytest.fixture
def make(tmp_path):
    def made(files):
        for name, text in files.items():
            path = tmp_path / "task" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path / "task"

    return made


def tags(**systems):
    return {"test.mt": "a b\nc\n", "test.tags": "OK BAD\nOK\n"} | {
        f"systems/{name}.tags": lines for name, lines in systems.items()
    }


def names(corpora):
    return {
        pair: [layer.key.name for kind in Kind for layer in corpus.find(Provenance.SYSTEM, kind)]
        for pair, corpus in corpora.items()
    }


def test_all_that_is_wrong_in_all_folders_is_said_at_once(make, capsys):
    one = tags(good="OK OK\nOK\n", torn="OK MAYBE\nOK\n", short="OK OK\n", binary=b"OK OK OK OK OK OK\0OK\n")
    two = tags(good="OK OK\nOK\n", long="OK OK\nOK\nOK\nOK\n")
    folder = make({f"en-de/{name}": text for name, text in one.items()} | {f"ne-en/{n}": t for n, t in two.items()})
    with pytest.raises(QeError) as caught:
        read_corpora([folder])
    said = {fault.place.file: fault.message for fault in caught.value.faults}
    wanted = {"en-de/systems/torn", "en-de/systems/short", "en-de/systems/binary", "ne-en/systems/long"}
    assert set(said) == {f"{folder}/{name}.tags" for name in wanted}
    assert "NUL" in said[f"{folder}/en-de/systems/binary.tags"]
    assert main(["findings", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert all(f"{folder}/{name}.tags" in err for name in wanted)
    assert "(and 3 more locations, also in " in err


def test_others_are_not_blamed_where_the_mt_cannot_be_read(make):
    folder = make({**tags(one="OK OK\nOK\n", torn="OK MAYBE\nOK\n"), "test.mt": b"\xff\xfe\xfa a\n"})
    with pytest.raises(QeError) as caught:
        read_corpora([folder])
    files = {fault.place.file for fault in caught.value.faults} or {caught.value.place.file}
    assert files <= {f"{folder}/test.mt", f"{folder}/systems/torn.tags"}
    assert f"{folder}/test.mt" in files


def test_each_error_has_a_part_in_what_is_listed():
    many = QeError("many", faults=[Fault(SourceLocation("a", line), "torn") for line in range(1, 31)])
    few = [QeError("few", place=SourceLocation(name)) for name in "bc"]
    found = combine_errors([many, *few])
    assert [fault.place.file for fault in found.faults] == ["a"] * (MAX_LISTED_FAULTS - 2) + ["b", "c"]
    assert len(found.faults) + found.more == 32
    assert found.line() == "a:1: many (and 31 more locations, also in b, c)."
    assert combine_errors([many]) is many


def test_a_submission_that_cannot_be_read_is_not_missed(make):
    files = {"gold_scores.tsv": gold("en-de"), "A/predictions.txt": scores("en-de", "A")}
    folder = make({**files, "B/predictions.txt": scores("en-de", "B")})
    assert names(read_corpora([folder])[0]) == {"en-de": ["A", "B"]}
    make({"B/predictions.txt": b"en-de\tB\t0\t\0\n"})
    with pytest.raises(QeError, match="NUL") as caught:
        read_corpora([folder])
    assert caught.value.place.file == f"{folder}/B/predictions.txt"


def test_a_submission_that_cannot_be_read_is_not_missed_above_folders_of_pairs(make):
    files = {f"{pair}/gold_scores.tsv": gold(pair) for pair in ("en-de", "ne-en")}
    folder = make({**files, "teams/A/predictions.txt": scores("en-de", "A")})
    assert names(read_corpora([folder])[0]) == {"en-de": ["A"], "ne-en": []}
    make({"teams/B/predictions.txt": b"en-de\tB\t0\t\0\n"})
    with pytest.raises(QeError, match="NUL"):
        read_corpora([folder])


def test_what_is_of_another_pair_is_left_out_and_named(make):
    files = {"gold_scores.tsv": gold("en-de"), "systems/A.txt": scores("en-de", "A")}
    folder = make({**files, "systems/B.txt": scores("ne-en", "B")})
    found, notes = read_corpora([folder])
    assert names(found) == {"en-de": ["A"]}
    assert notes == (f"{folder.name}/systems/B.txt: no rows of a language pair for which there is gold",)


TORN = b"ne-en\tB\t0\t\0\n"


@pytest.mark.parametrize("name", ["systems/torn.ne-en.txt", "B/ne-en/predictions.txt"])
def test_what_cannot_be_read_of_another_pair_is_named(make, name):
    files = {"gold_scores.tsv": gold("en-de"), "systems/A.txt": scores("en-de", "A")}
    folder = make({**files, "systems/B.txt": scores("ne-en", "B"), name: TORN})
    found, notes = read_corpora([folder])
    assert names(found) == {"en-de": ["A"]}
    said = f"{folder.name}/{name}: file of another language pair cannot be read: "
    assert any(note.startswith(said) for note in notes)


def test_what_cannot_be_read_stops_the_pair_that_it_is_of(make):
    files = {"gold_scores.tsv": gold("en-de", "ne-en"), "systems/A.txt": scores("en-de", "A")}
    folder = make({**files, "systems/torn.ne-en.txt": TORN})
    with pytest.raises(QeError, match="NUL"):
        read_corpora([folder])
    assert names(read_corpora([folder], language_pair="en-de")[0]) == {"en-de": ["A"]}
    # a system may be called like a pair that is not there
    (folder / "systems/torn.ne-en.txt").rename(folder / "systems/my-qe.txt")
    with pytest.raises(QeError, match="NUL"):
        read_corpora([folder], language_pair="en-de")


def test_what_is_no_part_of_a_corpus_is_named(make):
    folder = make({**tags(one="OK OK\nOK\n"), "notes": "some words\nand others\n", "README.md": "words"})
    found, notes = read_corpora([folder])
    assert len(found) == 1
    assert any(note.startswith(f"{folder.name}/notes: ") for note in notes)
    assert not any("README" in note for note in notes)
