from pathlib import Path

import pytest

from qe_desktop.corpus import Kind, QeError
from qe_desktop.formats import CorpusPlan, Role, plan_imports


def roles(plan: CorpusPlan) -> dict[str, tuple]:
    return {file.path.name: (file.role, file.kind, file.name) for file in plan.files}


def write_default_layout(write) -> Path:
    texts = {"src": "a b\nc\n", "mt": "x y\nz\n", "pe": "x y\nz\n", "docs": "one\ntwo\n", "hter": "0\n0.5\n"}
    for ending, content in texts.items():
        write(f"en-de/sample.{ending}", content)
    write("en-de/sample.tags", "OK BAD OK OK OK\nOK OK OK\n")
    write("en-de/sample.source_tags", "OK BAD\nOK\n")
    write("en-de/sample.src-mt.alignments", "0-0 1-1\n0-0\n")
    write("en-de/systems/strong.tags", "OK BAD OK OK OK\nOK OK OK\n")
    write("en-de/systems/strong.probabilities", "0.1 0.9\n0.5\n")
    return write("en-de/README.md", "about\n").parent


def test_default_folder_layout_is_detected(write):
    (plan,) = plan_imports([write_default_layout(write)])
    assert (plan.name, plan.language_pair) == ("en-de", "en-de")
    assert roles(plan) == {
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
    assert all(file.description and file.problem is None for file in plan.files)
    tags = next(file for file in plan.files if file.path.name == "sample.tags")
    assert tags.description == "tags, 2 lines, 8 tags, 12.5 % BAD"


@pytest.mark.parametrize(("line", "described"), [("OK BAD OK", "of words and gaps, "), ("OK BAD", "")])
def test_description_of_tags_names_words_and_gaps(tmp_path: Path, line: str, described: str) -> None:
    """An odd number of tags in every line is that of n words and n + 1 gaps."""
    (tmp_path / "a.tags").write_text(f"{line}\n" * 12)
    (plan,) = plan_imports([tmp_path])
    count = 12 * len(line.split())
    assert f"{count} tags{' ' if described else ', '}{described}" in plan.files[0].description
    assert ("gaps" in plan.files[0].description) is bool(described)


def test_subfolders_are_separate_plans(write):
    for pair in ("en-de", "en-ja"):
        write(f"all/{pair}/a.mt", "x\n")
        write(f"all/{pair}/a.tags", "OK\n")
    folder = write("all/README", "x\n").parent
    assert [plan.language_pair for plan in plan_imports([folder])] == ["en-de", "en-ja"]
    assert [plan.name for plan in plan_imports([folder], language_pair="en-ja")] == ["en-ja"]
    with pytest.raises(QeError, match="no data for en-cs, only for en-de, en-ja"):
        plan_imports([folder], language_pair="en-cs")


def test_tokenized_and_raw_texts_are_distinguished(write):
    paths = [write(name, "x\n") for name in ("t.2022.mt", "t.2022.mt_tok", "t.tok.src", "t.src", "t.pe")]
    (plan,) = plan_imports(paths)
    assert {name: role for name, (role, *_) in roles(plan).items()} == {
        "t.2022.mt_tok": Role.MT,
        "t.2022.mt": Role.RAW_MT,
        "t.tok.src": Role.SOURCE,
        "t.src": Role.RAW_SOURCE,
        "t.pe": Role.POST_EDIT,
    }


def test_file_name_may_mark_a_text_as_raw(write):
    names = ("s.src", "s.raw.src", "s.mt", "s.detok.mt", "s.pe", "s.raw.pe")
    (plan,) = plan_imports([write(f"pair/{name}", "x\n") for name in names])
    assert {name: role for name, (role, *_) in roles(plan).items()} == {
        "s.src": Role.SOURCE,
        "s.raw.src": Role.RAW_SOURCE,
        "s.mt": Role.MT,
        "s.detok.mt": Role.RAW_MT,
        "s.pe": Role.POST_EDIT,
        "s.raw.pe": Role.RAW_POST_EDIT,
    }
    (alone,) = plan_imports([write("other/s.raw.src", "x\n"), write("other/s.raw.mt", "x\n")])
    assert [role for role, *_ in roles(alone).values()] == [Role.SOURCE, Role.MT]


def test_duplicate_system_is_used_once(write):
    write("x/a.mt", "w\n")
    write("x/systems/S.tags", "OK\n")
    row = write("x/raw/S.predictions.txt", "1\n2\n3\nen-de\tm\tMT\t0\t0\tw\tOK\n")
    (plan,) = plan_imports([row.parents[1]])
    assert roles(plan)["S.tags"] == (Role.SYSTEM, None, "S")
    ignored = next(file for file in plan.files if file.role is Role.IGNORED)
    assert ignored.path == row
    assert ignored.notes == ("S.tags is used instead of this file",)


def test_tag_file_with_another_stem_is_a_system(write):
    paths = [write(name, "OK\n") for name in ("dev.tags", "sys.tags")] + [write("dev.mt", "w\n")]
    (plan,) = plan_imports(paths)
    assert roles(plan)["dev.tags"][0] is Role.GOLD
    assert roles(plan)["sys.tags"] == (Role.SYSTEM, None, "sys")


def test_unreadable_files_remain_in_the_plan(write):
    broken = write("x/a.src", b"\xff\xfe\x00\x01")
    tags = write("x/systems/t.tags", "OK MAYBE\n")
    write("x/a.mt", "w v\n")
    (plan,) = plan_imports([broken.parent, broken.parent / "missing.tags"])
    problems = {file.path: file.problem for file in plan.files if file.problem}
    assert set(problems) == {broken, tags, broken.parent / "missing.tags"}
    assert problems[tags].place.line == 1
    assert [file.path.name for file in plan.files_with_role(Role.MT)] == ["a.mt"]


def test_user_can_correct_the_role(write):
    path = write("noname", "w v\n")
    (plan,) = plan_imports([path])
    assert roles(plan)["noname"][0] is Role.IGNORED
    assert "the file name does not indicate a role" in plan.files[0].notes[0]
    corrected = plan.with_role(path, Role.MT)
    assert roles(corrected)["noname"][0] is Role.MT
    assert roles(plan)["noname"][0] is Role.IGNORED
    with pytest.raises(KeyError):
        plan.with_role(path.parent / "other", Role.MT)


def test_empty_folder_is_refused(tmp_path):
    with pytest.raises(QeError, match=r"the folder is empty|none of these files is part of a corpus"):
        plan_imports([tmp_path])
    with pytest.raises(QeError, match=r"the folder is empty|none of these files is part of a corpus"):
        plan_imports([])


def test_single_files_are_added_to_the_folder(write):
    folder = write_default_layout(write)
    (plan,) = plan_imports([folder, write("new.tags", "OK BAD\nOK\n")])
    assert roles(plan)["new.tags"] == (Role.SYSTEM, None, "new")
    assert plan.language_pair == "en-de"


def test_too_many_files_are_refused(write, monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.importing.plan.MAX_FILES", 5)
    for number in range(4):
        write(f"disk/{number}/notes.json", "{}")
    with pytest.raises(QeError, match="more than 5 files"):
        plan_imports([write("disk/readme", "x\n").parent])


def test_large_tables_are_classified_by_their_first_rows(write, monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.importing.file_classification.MAX_WHOLE_BYTES", 10)
    (plan,) = plan_imports(
        [write("x.tags", "en-de\tREFERENCE\tmt\t0\t0\ta\tOK\n"), write("y.txt", "en-de\tm\tmt\t0\t0\ta\tOK\n")]
    )
    assert roles(plan) == {"x.tags": (Role.GOLD, None, "gold"), "y.txt": (Role.SYSTEM, None, "y")}
    assert plan.language_pair == "en-de"


def test_a_large_submission_that_is_damaged_at_its_end_is_listed_with_the_reason(write, monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.importing.corpus_split.MAX_WHOLE_BYTES", 10)
    monkeypatch.setattr("qe_desktop.formats.importing.file_classification.MAX_WHOLE_BYTES", 10)
    monkeypatch.setattr("qe_desktop.formats.importing.file_classification.CLASSIFIED_HEAD_BYTES", 200)
    write("task/test.mt", "a b\n")
    rows = "en-de\t{0}\tmt\t0\t0\ta\tOK\nen-de\t{0}\tmt\t0\t1\tb\tBAD\n"
    gold = write("task/gold_en-de.tsv", rows.format("gold"))
    submission = write("task/TeamX/predictions.txt", rows.format("TeamX") * 9)
    submission.write_bytes(submission.read_bytes() + b"\xff")
    (plan,) = plan_imports([gold.parent])
    (file,) = (file for file in plan.files if file.path == submission)
    assert file.problem is not None
    assert file.problem.message == "not UTF-8 (invalid byte FF)"
    assert gold in [file.path for file in plan.files_with_role(Role.GOLD)]
