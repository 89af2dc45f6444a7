"""Folders with unreadable files: all errors are reported together, and files of no language pair are noted."""

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
def make_folder(tmp_path):
    def write_files(files):
        for name, text in files.items():
            path = tmp_path / "task" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path / "task"

    return write_files


def tags(**systems):
    return {"test.mt": "a b\nc\n", "test.tags": "OK BAD\nOK\n"} | {
        f"systems/{name}.tags": lines for name, lines in systems.items()
    }


def system_names(corpora):
    return {
        pair: [layer.key.name for kind in Kind for layer in corpus.find(Provenance.SYSTEM, kind)]
        for pair, corpus in corpora.items()
    }


def test_errors_of_all_folders_are_reported_together(make_folder, capsys):
    one = tags(good="OK OK\nOK\n", torn="OK MAYBE\nOK\n", short="OK OK\n", binary=b"OK OK OK OK OK OK\0OK\n")
    two = tags(good="OK OK\nOK\n", long="OK OK\nOK\nOK\nOK\n")
    folder = make_folder(
        {f"en-de/{name}": text for name, text in one.items()} | {f"ne-en/{n}": t for n, t in two.items()}
    )
    with pytest.raises(QeError) as caught:
        read_corpora([folder])
    messages = {fault.place.file: fault.message for fault in caught.value.faults}
    faulty = {"en-de/systems/torn", "en-de/systems/short", "en-de/systems/binary", "ne-en/systems/long"}
    assert set(messages) == {f"{folder}/{name}.tags" for name in faulty}
    assert "NUL" in messages[f"{folder}/en-de/systems/binary.tags"]
    assert main(["findings", str(folder)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert all(f"{folder}/{name}.tags" in err for name in faulty)
    assert "(and 3 more locations, also in " in err


def test_unreadable_mt_causes_no_errors_in_other_files(make_folder):
    folder = make_folder({**tags(one="OK OK\nOK\n", torn="OK MAYBE\nOK\n"), "test.mt": b"\xff\xfe\xfa a\n"})
    with pytest.raises(QeError) as caught:
        read_corpora([folder])
    files = {fault.place.file for fault in caught.value.faults} or {caught.value.place.file}
    assert files <= {f"{folder}/test.mt", f"{folder}/systems/torn.tags"}
    assert f"{folder}/test.mt" in files


def test_combined_errors_list_a_fault_of_each_error():
    many = QeError("many", faults=[Fault(SourceLocation("a", line), "torn") for line in range(1, 31)])
    few = [QeError("few", place=SourceLocation(name)) for name in "bc"]
    combined = combine_errors([many, *few])
    assert [fault.place.file for fault in combined.faults] == ["a"] * (MAX_LISTED_FAULTS - 2) + ["b", "c"]
    assert len(combined.faults) + combined.more == 32
    assert combined.line() == "a:1: many (and 31 more locations, also in b, c)."
    assert combine_errors([many]) is many


def test_unreadable_submission_is_an_error(make_folder):
    files = {"gold_scores.tsv": gold("en-de"), "A/predictions.txt": scores("en-de", "A")}
    folder = make_folder({**files, "B/predictions.txt": scores("en-de", "B")})
    assert system_names(read_corpora([folder])[0]) == {"en-de": ["A", "B"]}
    make_folder({"B/predictions.txt": b"en-de\tB\t0\t\0\n"})
    with pytest.raises(QeError, match="NUL") as caught:
        read_corpora([folder])
    assert caught.value.place.file == f"{folder}/B/predictions.txt"


def test_unreadable_submission_above_pair_folders_is_an_error(make_folder):
    files = {f"{pair}/gold_scores.tsv": gold(pair) for pair in ("en-de", "ne-en")}
    folder = make_folder({**files, "teams/A/predictions.txt": scores("en-de", "A")})
    assert system_names(read_corpora([folder])[0]) == {"en-de": ["A"], "ne-en": []}
    make_folder({"teams/B/predictions.txt": b"en-de\tB\t0\t\0\n"})
    with pytest.raises(QeError, match="NUL"):
        read_corpora([folder])


def test_files_of_other_language_pairs_are_skipped_with_a_note(make_folder):
    files = {"gold_scores.tsv": gold("en-de"), "systems/A.txt": scores("en-de", "A")}
    folder = make_folder({**files, "systems/B.txt": scores("ne-en", "B")})
    corpora, notes = read_corpora([folder])
    assert system_names(corpora) == {"en-de": ["A"]}
    assert notes == (f"{folder.name}/systems/B.txt: no rows for the language pair en-de",)


TORN = b"ne-en\tB\t0\t\0\n"


@pytest.mark.parametrize("name", ["systems/torn.ne-en.txt", "B/ne-en/predictions.txt"])
def test_unreadable_file_of_another_language_pair_is_noted(make_folder, name):
    files = {"gold_scores.tsv": gold("en-de"), "systems/A.txt": scores("en-de", "A")}
    folder = make_folder({**files, "systems/B.txt": scores("ne-en", "B"), name: TORN})
    corpora, notes = read_corpora([folder])
    assert system_names(corpora) == {"en-de": ["A"]}
    note_start = f"{folder.name}/{name}: this file of another language pair cannot be read: "
    assert any(note.startswith(note_start) for note in notes)


def test_unreadable_file_is_an_error_for_its_language_pair(make_folder):
    files = {"gold_scores.tsv": gold("en-de", "ne-en"), "systems/A.txt": scores("en-de", "A")}
    folder = make_folder({**files, "systems/torn.ne-en.txt": TORN})
    with pytest.raises(QeError, match="NUL"):
        read_corpora([folder])
    assert system_names(read_corpora([folder], language_pair="en-de")[0]) == {"en-de": ["A"]}
    # the name of a system may look like a language pair that has no gold
    (folder / "systems/torn.ne-en.txt").rename(folder / "systems/my-qe.txt")
    with pytest.raises(QeError, match="NUL"):
        read_corpora([folder], language_pair="en-de")


def test_files_outside_the_corpus_are_noted(make_folder):
    folder = make_folder({**tags(one="OK OK\nOK\n"), "notes": "some words\nand others\n", "README.md": "words"})
    corpora, notes = read_corpora([folder])
    assert len(corpora) == 1
    assert any(note.startswith(f"{folder.name}/notes: ") for note in notes)
    assert not any("README" in note for note in notes)


def test_corpora_of_one_pair_have_different_names_without_repetition(make_folder):
    one = {
        f"{folder}/en-de/{name}": text for folder in ("first", "second") for name, text in tags(a="OK OK\nOK\n").items()
    }
    corpora, _ = read_corpora([make_folder(one)])
    assert list(corpora) == ["en-de", "en-de second"]
