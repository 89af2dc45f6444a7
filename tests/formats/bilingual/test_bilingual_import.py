"""Import of bilingual files: alone, several, in a folder, with tags; and the selection of columns and languages."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance, QeError
from qe_desktop.formats import Role, build_corpus, plan_imports
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.columns import ColumnChoice
from qe_desktop.formats.importing.bilingual_detection import preview_file
from tests.formats.bilingual.samples import FOLDER, NAMES, parse_sample, read_sample


@pytest.mark.parametrize("name", NAMES)
def test_each_dialect_is_imported_as_a_corpus_with_a_job(name):
    (plan,) = plan_imports([FOLDER / name])
    assert [file.role for file in plan.files] == [Role.JOB]
    assert plan.files_with_questions() == []
    corpus, document = build_corpus(plan), parse_sample(name)
    assert corpus.name == name
    assert corpus.job is not None
    (file,) = corpus.job.files
    assert (file.path, file.form, file.data) == (str(FOLDER / name), document.dialect, read_sample(name))
    assert list(file.segments) == list(range(len(document.segments))) == list(range(corpus.size))
    for number, segment in enumerate(document.segments):
        assert (corpus.source_line(number), corpus.mt_line(number)) == (segment.source_line, segment.target_line)
        assert corpus.job.statuses[number] == document.status(segment)
        assert corpus.job.without_target[number] == (not segment.target)
        assert corpus.job.notes.get(number, ()) == segment.notes
        assert corpus.job.states.get(number, "") == segment.state
    assert preview_file(plan.files[0]).rows[0] == (document.segments[0].source_line, document.segments[0].target_line)


def test_code_labels_are_stored_in_the_job():
    corpus = build_corpus(*plan_imports([FOLDER / "memoq.mqxliff"]))
    assert corpus.job is not None
    assert corpus.job.labels == {0: {1: "{\\b ", 2: "\\tab"}}


def test_several_files_or_a_folder_are_documents_of_one_corpus(tmp_path):
    for name in ("okapi.xlf", "two.xlf"):
        shutil.copy(FOLDER / name, tmp_path / name)
    (tmp_path / "manual.pdf").write_bytes(b"%PDF-1.7\n")
    for paths in ([tmp_path], [tmp_path / "okapi.xlf", tmp_path / "two.xlf"]):
        corpus = build_corpus(*plan_imports(paths))
        assert (corpus.name, corpus.size) == (tmp_path.name, 6)
        assert corpus.documents is not None
        assert corpus.documents.names == ("okapi.xlf", "two.xlf")
        assert corpus.job is not None
        assert [(file.name, file.first, file.count) for file in corpus.job.files] == [
            ("okapi.xlf", 0, 2), ("two.xlf", 2, 4),
        ]  # fmt: skip
        assert corpus.job.file_of(2).name == "two.xlf"


def test_files_with_the_same_name_have_different_document_names(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        shutil.copy(FOLDER / "two.xlf", tmp_path / folder / "job.xlf")
    corpus = build_corpus(*plan_imports([tmp_path / "a/job.xlf", tmp_path / "b/job.xlf"]))
    assert corpus.documents is not None
    assert corpus.documents.names == ("job.xlf", "b/job.xlf")


def test_system_tags_and_scores_are_aligned_with_a_bilingual_file(tmp_path):
    tags, scores = tmp_path / "engine.tags", tmp_path / "engine.scores"
    tags.write_text("OK BAD OK OK\nOK OK\n")
    scores.write_text("0.25\n0.5\n")
    corpus = build_corpus(*plan_imports([FOLDER / "okapi.xlf", tags, scores]))
    layer = corpus.layers[LayerKey(Provenance.SYSTEM, "engine", Kind.WORDS)]
    assert list(layer.tags[0]) == [0, 1, 0, 0]
    assert list(corpus.layers[LayerKey(Provenance.SYSTEM, "engine", Kind.SCORES)].scores) == [0.25, 0.5]
    assert corpus.job is not None
    tags.write_text("OK BAD OK\nOK OK\n")
    with pytest.raises(QeError, match="tags"):
        build_corpus(*plan_imports([FOLDER / "okapi.xlf", tags]))


def test_bilingual_file_next_to_corpus_texts_is_ignored(tmp_path):
    shutil.copy(FOLDER / "two.xlf", tmp_path)
    for ending in ("src", "mt"):
        (tmp_path / f"a.{ending}").write_text("a b\n")
    (plan,) = plan_imports([tmp_path])
    corpus = build_corpus(plan)
    assert (corpus.size, corpus.job) == (1, None)
    assert "open it separately" in next(file.notes[-1] for file in plan.files if file.path.name == "two.xlf")


def test_bilingual_file_cannot_be_added_to_an_open_corpus():
    (plan,) = plan_imports([FOLDER / "two.xlf"])
    with pytest.raises(QeError, match="cannot be added"):
        build_corpus(plan, base_corpus=build_corpus(plan))


# --- selection of columns and languages


TMX = """<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>One</seg></tuv>
<tuv xml:lang="de"><seg>Eins</seg></tuv><tuv xml:lang="fr"><seg>Un</seg></tuv></tu></body></tmx>"""


def test_tmx_languages_can_be_selected(tmp_path):
    (tmp_path / "memory.tmx").write_text(TMX)
    (plan,) = plan_imports([tmp_path / "memory.tmx"])
    (file,) = plan.files
    assert file.column_options is not None
    assert file.column_options.names == ("en", "de", "fr")
    assert plan.files_with_questions() == [file]
    assert file.effective_columns == ColumnChoice("en", "")
    chosen = plan.with_choice(ColumnChoice("fr", "en"), file.path)
    assert chosen.files_with_questions() == []
    assert preview_file(chosen.files[0]).rows == [("Un", "One")]
    with pytest.raises(QeError, match="Select the source and target languages to preview"):
        preview_file(file)
    corpus = build_corpus(chosen)
    assert corpus.job is not None
    assert corpus.job.files[0].column_selection == {"source": "fr", "target": "en"}
    assert (corpus.source_line(0), corpus.mt_line(0)) == ("Un", "One")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_unknown_table_columns_can_be_selected(tmp_path, delimiter):
    path = tmp_path / "glossary.csv"
    path.write_text(
        "\n".join(delimiter.join(row) for row in (("Key", "English", "German"), ("1", "One", "Eins"))) + "\n"
    )
    (plan,) = plan_imports([path])
    (file,) = plan.files
    assert (file.role, file.must_select_columns) == (Role.JOB, True)
    assert plan.files_with_questions() == [file]
    assert preview_file(file) == (("Key", "English", "German"), [("1", "One", "Eins")])
    corpus = build_corpus(plan.with_choice(ColumnChoice("English", "German"), path))
    assert (corpus.size, corpus.source_line(0), corpus.mt_line(0)) == (1, "One", "Eins")
    # a table in a folder of texts is ignored
    (plan,) = plan_imports([tmp_path]) if (tmp_path / "a.src").write_text("a\n") else []
    assert {file.role for file in plan.files if file.path == path} == {Role.IGNORED}


# --- unsupported files


def test_unsupported_file_type_is_reported(tmp_path):
    path = tmp_path / "manual.pdf"
    path.write_bytes(b"%PDF-1.7\n")
    with pytest.raises(QeError, match="this is a PDF, which is not supported") as refused:
        build_corpus(*plan_imports([path]))
    assert str(refused.value.place) == str(path)


def test_unknown_xml_is_reported_as_nothing_to_load(tmp_path):
    (tmp_path / "notes.xml").write_text("<notes/>")
    with pytest.raises(QeError, match="no usable texts, tags, scores or ratings found in these files"):
        build_corpus(*plan_imports([tmp_path / "notes.xml"]))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("job.sdlxliff", b"<?xml version='1.0'?><xliff><file><trans-unit>"),
        ("job.XLF", b"One line\nAnother\n"),
        ("memory.tmx", b"\x00\x01\x02"),
    ],
)
def test_damaged_bilingual_file_is_not_taken_for_a_text(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    (plan,) = plan_imports([tmp_path / name])
    assert not plan.unused_texts()
    with pytest.raises(QeError, match="but the contents do not match") as caught:
        build_corpus(plan)
    assert "export it again" in caught.value.hint
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(QeError, match="empty"):
        build_corpus(*plan_imports([tmp_path / name]))


def test_file_without_segments_is_reported(tmp_path):
    (tmp_path / "empty.xlf").write_text('<xliff version="1.2"><file source-language="en"><body/></file></xliff>')
    with pytest.raises(QeError, match="no segments"):
        build_corpus(*plan_imports([Path(tmp_path / "empty.xlf")]))


@pytest.mark.parametrize("header", ['"id, new",source,target', '"id, new",key,source,target,note'])
def test_a_delimiter_in_a_quoted_column_name_does_not_shift_the_columns(tmp_path, header):
    path = tmp_path / "job.csv"
    cells = {"source": "One", "target": "Eins"}
    names = [name for name in header.split(",") if name != ' new"']
    path.write_text(f"{header}\n{','.join(cells.get(name, 'x') for name in names)}\n")
    (plan,) = plan_imports([path])
    assert plan.files[0].effective_columns == ColumnChoice("source", "target")
    corpus = build_corpus(plan)
    assert (corpus.source_line(0), corpus.mt_line(0)) == ("One", "Eins")


def test_preview_shows_the_last_row_of_a_table_without_a_final_line_end(tmp_path):
    path = tmp_path / "glossary.csv"
    path.write_text("Key,English,German\n1,One,Eins")
    (plan,) = plan_imports([path])
    assert preview_file(plan.files[0]).rows == [("1", "One", "Eins")]


@pytest.mark.parametrize("content", [b"one\ntwo", b"one\ntwo\n", b"one\r\ntwo\r\n"])
def test_preview_of_a_text_shows_its_lines_without_line_ends(tmp_path, content):
    path = tmp_path / "a.txt"
    path.write_bytes(content)
    (plan,) = plan_imports([path])
    assert preview_file(plan.files[0]).rows == [("one",), ("two",)]


@pytest.mark.parametrize("name", ["comment", "status"])
def test_a_selected_target_column_is_not_also_read_as_notes_or_statuses(name):
    content = f"source,{name}\nOne,open\n".encode()
    document = parse_document(content, "job.csv", ColumnChoice("source", name))
    (segment,) = document.segments
    assert (segment.target_line, segment.notes, segment.state) == ("open", (), "")
    assert document.with_targets({0: "Eins"}).data == content.replace(b"open", b"Eins")


def test_delimiters_within_quoted_column_names_are_not_those_of_the_table(tmp_path):
    path = tmp_path / "job.csv"
    path.write_text('"key, note, state, etc.";source;target\n1;One;Eins\n')
    corpus = build_corpus(*plan_imports([path]))
    assert (corpus.source_line(0), corpus.mt_line(0)) == ("One", "Eins")


def test_loaded_mt_of_an_exported_table_can_be_selected_as_target():
    content = b"document,segment,source,MT as loaded,target,status,notes\nd,1,One,Eins,,open,\n"
    document = parse_document(content, "job.csv", ColumnChoice("source", "MT as loaded"))
    assert document.segments[0].loaded_target is None
    expected = content.replace(b"Eins", b"Zwei").replace(b"open", b"edited")
    assert document.with_targets({0: "Zwei"}).data == expected
