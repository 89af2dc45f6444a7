"""References: several of them, by the names that tell one from another, in a corpus of files."""

from __future__ import annotations

from pathlib import Path

import pytest

from qe_desktop.corpus import QeError, TextRole
from qe_desktop.formats import Role, build_corpus, plan_imports
from qe_desktop.formats.importing.file_names import reference_names


@pytest.mark.parametrize(
    ("files", "names"),
    [
        (["ref.A", "ref.B"], ["A", "B"]),
        (["en-de.refA.txt", "en-de.refB.txt.gz"], ["refA", "refB"]),
        (["newstest.ref.ref-A.de"], ["ref-A.de"]),
        (["test.ref"], ["reference"]),
        (["reference.txt", "reference_2.txt"], ["reference", "reference_2"]),
        (["dev.ref.tok"], ["reference"]),
        (["references.txt"], ["reference"]),
        (["refs.en-de"], ["en-de"]),
        (["en-de.references.txt", "ref_s.txt"], ["reference", "ref_s"]),
        (["references/somebody.txt", "references/A"], ["somebody", "A"]),
        (["dev.ref", "test.ref", "ref.A"], ["dev.ref", "test.ref", "A"]),
    ],
)
def test_references_are_called_by_what_tells_them_apart(files, names):
    assert reference_names([Path("/x", file) for file in files]) == names


@pytest.fixture
def build(write, tmp_path):
    def make(onto=None, **files: str):
        for name, content in files.items():
            write(f"corpus/{name}", content)
        (found,) = plan_imports([tmp_path / "corpus"])
        return build_corpus(found, onto=onto)

    return make


def test_several_references_stand_beside_each_other(build):
    corpus = build(**{"src": "a\nb\n", "ref.A": "e\nf\n", "ref.B": "g\nh\n", "translations/one.txt": "x\ny\n"})
    assert {name: list(text.lines()) for name, text in corpus.references.items()} == {"A": ["e", "f"], "B": ["g", "h"]}
    assert corpus.text(TextRole.REFERENCE) is corpus.references["A"]
    assert corpus.tokens(TextRole.REFERENCE, 1) == ["f"]
    assert TextRole.REFERENCE not in corpus.texts


def test_a_folder_of_references_is_part_of_the_corpus_around_it(build):
    corpus = build(**{"c.src": "a\nb\n", "references/en-de.refA.txt": "e\nf\n", "references/Ann": "g\nh\n"})
    assert set(corpus.references) == {"refA", "Ann"}


def test_references_alone_make_a_corpus(build):
    corpus = build(**{"references/A": "e\nf\n", "references/B": "g\nh\n"})
    assert (corpus.size, list(corpus.references)) == (2, ["A", "B"])


def test_the_reference_of_each_of_two_corpora_is_its_own(write, tmp_path):
    for stem in ("dev", "test"):
        for ending in ("mt", "ref"):
            write(f"both/{stem}.{ending}", f"{stem} {ending}\n")
    dev, test = plan_imports([tmp_path / "both"])
    assert [build_corpus(one).text(TextRole.REFERENCE)[0] for one in (dev, test)] == ["dev ref", "test ref"]
    assert list(build_corpus(dev).references) == ["reference"]


@pytest.mark.parametrize("beside", [{"src": "a\nb\n"}, {"ref.A": "e\nf\n"}, {"translations/one.txt": "x\ny\n"}])
def test_a_reference_of_another_length_is_refused(build, beside):
    with pytest.raises(QeError, match=r"1 line, but the corpus has 2|2 lines, but the corpus has 1") as caught:
        build(**beside, **{"ref.B": "e\n"})
    assert "ref" in caught.value.line()


def test_one_comes_to_what_is_open_and_none_takes_the_place_of_another(build, write):
    corpus = build(**{"src": "a\nb\n", "ref.A": "e\nf\n"})
    (more,) = plan_imports([write("ref.B", "g\nh\n")])
    assert list(build_corpus(more, onto=corpus).references) == ["A", "B"]
    (again,) = plan_imports([write("ref.A", "i\nj\n")])
    with pytest.raises(QeError, match="already a reference named A"):
        build_corpus(again, onto=corpus)
    renamed = again.with_role(again.files[0].path, Role.REFERENCE, name="C")
    assert build_corpus(renamed, onto=corpus).references["C"][0] == "i"


def test_files_of_one_name_are_told_apart_by_their_folders(write, tmp_path):
    paths = [write("one/ref.A", "e\n"), write("two/ref.A", "f\n")]
    (found,) = plan_imports(paths)
    assert list(build_corpus(found).references) == ["ref.A", "ref.A (two)"]


@pytest.mark.published
def test_published_references(data):
    (found,) = plan_imports([data / "wmt21_news" / "cs-en"])
    corpus = build_corpus(found)
    assert list(corpus.references) == ["A", "B"]
    assert corpus.size == len(corpus.references["B"]) == len(corpus.text(TextRole.SOURCE))


def test_texts_in_a_folder_of_systems_are_translations_where_there_are_references(tmp_path):
    (tmp_path / "systems").mkdir()
    for name in ("src", "systems/one.txt", "systems/two"):
        (tmp_path / name).write_text("a b\nc\n")
    (before,) = plan_imports([tmp_path])
    assert before.of(Role.TRANSLATION) == []
    (tmp_path / "ref.A").write_text("a b\nd\n")
    (after,) = plan_imports([tmp_path])
    assert [(file.name, file.notes) for file in after.of(Role.TRANSLATION)] == [("one", ()), ("two", ())]
    assert list(build_corpus(after).translations) == ["one", "two"]
