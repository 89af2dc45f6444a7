from pathlib import Path

import pytest

from qe_desktop.corpus import Kind, QeError
from qe_desktop.formats import CorpusPlan, Role, plan_imports


def roles(found: CorpusPlan) -> dict[str, tuple]:
    return {file.path.name: (file.role, file.kind, file.name) for file in found.files}


def own_layout(write) -> Path:
    texts = {"src": "a b\nc\n", "mt": "x y\nz\n", "pe": "x y\nz\n", "docs": "one\ntwo\n", "hter": "0\n0.5\n"}
    for ending, content in texts.items():
        write(f"en-de/sample.{ending}", content)
    write("en-de/sample.tags", "OK BAD OK OK OK\nOK OK OK\n")
    write("en-de/sample.source_tags", "OK BAD\nOK\n")
    write("en-de/sample.src-mt.alignments", "0-0 1-1\n0-0\n")
    write("en-de/systems/strong.tags", "OK BAD OK OK OK\nOK OK OK\n")
    write("en-de/systems/strong.probabilities", "0.1 0.9\n0.5\n")
    return write("en-de/README.md", "about\n").parent


def test_our_own_layout(write):
    (found,) = plan_imports([own_layout(write)])
    assert (found.name, found.language_pair) == ("en-de", "en-de")
    assert roles(found) == {
        "sample.src": (Role.SOURCE, None, ""),
        "sample.mt": (Role.MT, None, ""),
        "sample.pe": (Role.POST_EDIT, None, ""),
        "sample.docs": (Role.DOCUMENTS, None, ""),
        "sample.hter": (Role.GOLD, Kind.SCORES, "hter"),
        "sample.tags": (Role.GOLD, None, "gold"),
        "sample.source_tags": (Role.GOLD, Kind.SOURCE, "gold"),
        "sample.src-mt.alignments": (Role.ALIGNMENTS, None, ""),
        "strong.tags": (Role.SYSTEM, None, "strong"),
        "strong.probabilities": (Role.SYSTEM, Kind.PROBABILITIES, "strong"),
        "README.md": (Role.IGNORED, None, ""),
    }
    assert all(file.description and file.problem is None for file in found.files)
    tags = next(file for file in found.files if file.path.name == "sample.tags")
    assert tags.description == "tags, 2 lines, 8 tags, 12.5 % BAD"


def test_a_folder_of_folders_gives_a_plan_for_each(write):
    for pair in ("en-de", "en-ja"):
        write(f"all/{pair}/a.mt", "x\n")
        write(f"all/{pair}/a.tags", "OK\n")
    folder = write("all/README", "x\n").parent
    assert [found.language_pair for found in plan_imports([folder])] == ["en-de", "en-ja"]
    assert [found.name for found in plan_imports([folder], language_pair="en-ja")] == ["en-ja"]
    with pytest.raises(QeError, match="no data for en-cs, only for en-de, en-ja"):
        plan_imports([folder], language_pair="en-cs")


def test_tokenised_and_raw_texts(write):
    paths = [write(name, "x\n") for name in ("t.2022.mt", "t.2022.mt_tok", "t.tok.src", "t.src", "t.pe")]
    (found,) = plan_imports(paths)
    assert {name: role for name, (role, *_) in roles(found).items()} == {
        "t.2022.mt_tok": Role.MT,
        "t.2022.mt": Role.RAW_MT,
        "t.tok.src": Role.SOURCE,
        "t.src": Role.RAW_SOURCE,
        "t.pe": Role.POST_EDIT,
    }


def test_a_name_may_say_that_a_text_is_as_written(write):
    names = ("s.src", "s.raw.src", "s.mt", "s.detok.mt", "s.pe", "s.raw.pe")
    (found,) = plan_imports([write(f"pair/{name}", "x\n") for name in names])
    assert {name: role for name, (role, *_) in roles(found).items()} == {
        "s.src": Role.SOURCE,
        "s.raw.src": Role.RAW_SOURCE,
        "s.mt": Role.MT,
        "s.detok.mt": Role.RAW_MT,
        "s.pe": Role.POST_EDIT,
        "s.raw.pe": Role.RAW_POST_EDIT,
    }
    (alone,) = plan_imports([write("other/s.raw.src", "x\n"), write("other/s.raw.mt", "x\n")])
    assert [role for role, *_ in roles(alone).values()] == [Role.SOURCE, Role.MT]


def test_a_system_that_stands_there_twice_is_used_once(write):
    write("x/a.mt", "w\n")
    write("x/systems/S.tags", "OK\n")
    row = write("x/raw/S.predictions.txt", "1\n2\n3\nen-de\tm\tMT\t0\t0\tw\tOK\n")
    (found,) = plan_imports([row.parents[1]])
    assert roles(found)["S.tags"] == (Role.SYSTEM, None, "S")
    ignored = next(file for file in found.files if file.role is Role.IGNORED)
    assert ignored.path == row
    assert ignored.notes == ("S.tags is used instead",)


def test_a_tag_file_beside_another_stem_is_a_system(write):
    paths = [write(name, "OK\n") for name in ("dev.tags", "sys.tags")] + [write("dev.mt", "w\n")]
    (found,) = plan_imports(paths)
    assert roles(found)["dev.tags"][0] is Role.GOLD
    assert roles(found)["sys.tags"] == (Role.SYSTEM, None, "sys")


def test_files_that_cannot_be_read_stay_in_the_plan(write):
    broken = write("x/a.src", b"\xff\xfe\x00\x01")
    tags = write("x/systems/t.tags", "OK MAYBE\n")
    write("x/a.mt", "w v\n")
    (found,) = plan_imports([broken.parent, broken.parent / "missing.tags"])
    problems = {file.path: file.problem for file in found.files if file.problem}
    assert set(problems) == {broken, tags, broken.parent / "missing.tags"}
    assert problems[tags].place.line == 1
    assert [file.path.name for file in found.of(Role.MT)] == ["a.mt"]


def test_a_person_corrects_the_plan(write):
    path = write("noname", "w v\n")
    (found,) = plan_imports([path])
    assert roles(found)["noname"][0] is Role.IGNORED
    assert "select a role" in found.files[0].notes[0]
    corrected = found.with_role(path, Role.MT)
    assert roles(corrected)["noname"][0] is Role.MT
    assert roles(found)["noname"][0] is Role.IGNORED
    with pytest.raises(KeyError):
        found.with_role(path.parent / "other", Role.MT)


def test_nothing_there(tmp_path):
    with pytest.raises(QeError, match=r"the folder is empty|none of these files is part of a corpus"):
        plan_imports([tmp_path])
    with pytest.raises(QeError, match=r"the folder is empty|none of these files is part of a corpus"):
        plan_imports([])


def test_single_files_join_the_one_folder(write):
    folder = own_layout(write)
    (found,) = plan_imports([folder, write("new.tags", "OK BAD\nOK\n")])
    assert roles(found)["new.tags"] == (Role.SYSTEM, None, "new")
    assert found.language_pair == "en-de"


def test_a_whole_disk_is_no_corpus(write, monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.importing.plan.MAX_FILES", 5)
    for number in range(4):
        write(f"disk/{number}/notes.json", "{}")
    with pytest.raises(QeError, match="more than 5 files"):
        plan_imports([write("disk/readme", "x\n").parent])


def test_large_tables_are_known_by_their_first_rows(write, monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.importing.file_classification.MAX_WHOLE_BYTES", 10)
    (found,) = plan_imports(
        [write("x.tags", "en-de\tREFERENCE\tmt\t0\t0\ta\tOK\n"), write("y.txt", "en-de\tm\tmt\t0\t0\ta\tOK\n")]
    )
    assert roles(found) == {"x.tags": (Role.GOLD, None, "gold"), "y.txt": (Role.SYSTEM, None, "y")}
    assert found.language_pair == "en-de"
