"""Translators' files where corpora are opened: alone, several, in a folder, beside tags; and what is asked of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from qe_desktop.corpus import Kind, LayerKey, Provenance, QeError
from qe_desktop.formats import Role, build_corpus, plan_imports
from qe_desktop.formats.bilingual.column_choice import ColumnChoice
from qe_desktop.formats.importing.bilingual_detection import preview_file
from tests.formats.bilingual.samples import FOLDER, NAMES, bytes_of_sample, sample


@pytest.mark.parametrize("name", NAMES)
def test_each_is_a_corpus_with_its_job(name):
    (found,) = plan_imports([FOLDER / name])
    assert [file.role for file in found.files] == [Role.JOB]
    assert found.unanswered() == []
    corpus, document = build_corpus(found), sample(name)
    assert corpus.name == name
    assert corpus.job is not None
    (file,) = corpus.job.files
    assert (file.path, file.form, file.data) == (str(FOLDER / name), document.form, bytes_of_sample(name))
    assert list(file.segments) == list(range(len(document.segments))) == list(range(corpus.size))
    for number, one in enumerate(document.segments):
        assert (corpus.source_line(number), corpus.mt_line(number)) == (one.source_line, one.target_line)
        assert corpus.job.statuses[number] == document.status(one)
        assert corpus.job.without_target[number] == (not one.target)
        assert corpus.job.notes.get(number, ()) == one.notes
        assert corpus.job.states.get(number, "") == one.state
    assert preview_file(found.files[0]).rows[0] == (document.segments[0].source_line, document.segments[0].target_line)


def test_labels_say_what_codes_are():
    corpus = build_corpus(*plan_imports([FOLDER / "memoq.mqxliff"]))
    assert corpus.job is not None
    assert corpus.job.labels == {0: {1: "{\\b ", 2: "\\tab"}}


def test_several_and_a_folder_of_them_are_documents_of_one_corpus(tmp_path):
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


def test_files_of_one_name_are_told_apart(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        shutil.copy(FOLDER / "two.xlf", tmp_path / folder / "job.xlf")
    corpus = build_corpus(*plan_imports([tmp_path / "a/job.xlf", tmp_path / "b/job.xlf"]))
    assert corpus.documents is not None
    assert corpus.documents.names == ("job.xlf", "b/job.xlf")


def test_tags_and_scores_of_systems_are_put_on_its_words(tmp_path):
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


def test_beside_texts_of_a_corpus_it_is_none_of_it(tmp_path):
    shutil.copy(FOLDER / "two.xlf", tmp_path)
    for ending in ("src", "mt"):
        (tmp_path / f"a.{ending}").write_text("a b\n")
    (found,) = plan_imports([tmp_path])
    corpus = build_corpus(found)
    assert (corpus.size, corpus.job) == (1, None)
    assert "texts of its own" in next(file.notes[-1] for file in found.files if file.path.name == "two.xlf")


def test_it_joins_nothing_that_is_open():
    (found,) = plan_imports([FOLDER / "two.xlf"])
    with pytest.raises(QeError, match="cannot be added"):
        build_corpus(found, onto=build_corpus(found))


# --- what must be said


TMX = """<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>One</seg></tuv>
<tuv xml:lang="de"><seg>Eins</seg></tuv><tuv xml:lang="fr"><seg>Un</seg></tuv></tu></body></tmx>"""


def test_languages_of_a_memory_are_chosen(tmp_path):
    (tmp_path / "memory.tmx").write_text(TMX)
    (found,) = plan_imports([tmp_path / "memory.tmx"])
    (file,) = found.files
    assert file.offer is not None
    assert file.offer.names == ("en", "de", "fr")
    assert found.unanswered() == [file]
    assert file.chosen == ColumnChoice("en", "")
    said = found.chosen(ColumnChoice("fr", "en"), file.path)
    assert said.unanswered() == []
    assert preview_file(said.files[0]).rows == [("Un", "One")]
    with pytest.raises(QeError, match="Select source and target to preview"):
        preview_file(file)
    corpus = build_corpus(said)
    assert corpus.job is not None
    assert corpus.job.files[0].choice == {"source": "fr", "target": "en"}
    assert (corpus.source_line(0), corpus.mt_line(0)) == ("Un", "One")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_columns_of_a_table_that_do_not_tell_are_chosen(tmp_path, delimiter):
    path = tmp_path / "glossary.csv"
    path.write_text(
        "\n".join(delimiter.join(row) for row in (("Key", "English", "German"), ("1", "One", "Eins"))) + "\n"
    )
    (found,) = plan_imports([path])
    (file,) = found.files
    assert (file.role, file.must_choose) == (Role.JOB, True)
    assert found.unanswered() == [file]
    assert preview_file(file) == (("Key", "English", "German"), [("1", "One", "Eins")])
    corpus = build_corpus(found.chosen(ColumnChoice("English", "German"), path))
    assert (corpus.size, corpus.source_line(0), corpus.mt_line(0)) == (1, "One", "Eins")
    # in a folder nobody meant it
    (found,) = plan_imports([tmp_path]) if (tmp_path / "a.src").write_text("a\n") else []
    assert {file.role for file in found.files if file.path == path} == {Role.IGNORED}


# --- what is not read


def test_what_is_not_read_is_named(tmp_path):
    path = tmp_path / "manual.pdf"
    path.write_bytes(b"%PDF-1.7\n")
    with pytest.raises(QeError, match="this is a PDF, which is not supported") as refused:
        build_corpus(*plan_imports([path]))
    assert str(refused.value.place) == str(path)


def test_what_is_none_of_them_is_nothing_to_load(tmp_path):
    (tmp_path / "notes.xml").write_text("<notes/>")
    with pytest.raises(QeError, match="no texts or tags found in these files"):
        build_corpus(*plan_imports([tmp_path / "notes.xml"]))


def test_a_file_without_segments_is_said(tmp_path):
    (tmp_path / "empty.xlf").write_text('<xliff version="1.2"><file source-language="en"><body/></file></xliff>')
    with pytest.raises(QeError, match="no segments"):
        build_corpus(*plan_imports([Path(tmp_path / "empty.xlf")]))
