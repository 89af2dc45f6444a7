"""Several references in a corpus of files, identified by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from qe_desktop.corpus import QeError, TextRole
from qe_desktop.formats import Role, build_corpus, plan_imports
from qe_desktop.formats.importing.roles import reference_names


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
def test_reference_names_are_derived_from_file_names(files, names):
    assert reference_names([Path("/x", file) for file in files]) == names


@pytest.fixture
def build(write, tmp_path):
    def make(onto=None, **files: str):
        for name, content in files.items():
            write(f"corpus/{name}", content)
        (plan,) = plan_imports([tmp_path / "corpus"])
        return build_corpus(plan, base_corpus=onto)

    return make


def test_several_references_are_part_of_a_corpus(build):
    corpus = build(**{"src": "a\nb\n", "ref.A": "e\nf\n", "ref.B": "g\nh\n", "translations/one.txt": "x\ny\n"})
    assert {name: list(text.lines()) for name, text in corpus.references.items()} == {"A": ["e", "f"], "B": ["g", "h"]}
    assert corpus.text(TextRole.REFERENCE) is corpus.references["A"]
    assert corpus.tokens(TextRole.REFERENCE, 1) == ["f"]
    assert TextRole.REFERENCE not in corpus.texts


def test_references_folder_belongs_to_the_parent_corpus(build):
    corpus = build(**{"c.src": "a\nb\n", "references/en-de.refA.txt": "e\nf\n", "references/Ann": "g\nh\n"})
    assert set(corpus.references) == {"refA", "Ann"}


def test_references_alone_make_a_corpus(build):
    corpus = build(**{"references/A": "e\nf\n", "references/B": "g\nh\n"})
    assert (corpus.size, list(corpus.references)) == (2, ["A", "B"])


def test_each_of_two_corpora_has_its_own_reference(write, tmp_path):
    for stem in ("dev", "test"):
        for ending in ("mt", "ref"):
            write(f"both/{stem}.{ending}", f"{stem} {ending}\n")
    dev, test = plan_imports([tmp_path / "both"])
    assert [build_corpus(plan).text(TextRole.REFERENCE)[0] for plan in (dev, test)] == ["dev ref", "test ref"]
    assert list(build_corpus(dev).references) == ["reference"]


@pytest.mark.parametrize("other_files", [{"src": "a\nb\n"}, {"ref.A": "e\nf\n"}, {"translations/one.txt": "x\ny\n"}])
def test_reference_of_different_length_is_refused(build, other_files):
    with pytest.raises(QeError, match=r"1 line, but the corpus has 2|2 lines, but the corpus has 1") as caught:
        build(**other_files, **{"ref.B": "e\n"})
    assert "ref" in caught.value.line()


def test_reference_is_added_to_an_open_corpus_but_never_replaced(build, write):
    corpus = build(**{"src": "a\nb\n", "ref.A": "e\nf\n"})
    (more,) = plan_imports([write("ref.B", "g\nh\n")])
    assert list(build_corpus(more, base_corpus=corpus).references) == ["A", "B"]
    (duplicate,) = plan_imports([write("ref.A", "i\nj\n")])
    with pytest.raises(QeError, match="already a reference named A"):
        build_corpus(duplicate, base_corpus=corpus)
    renamed = duplicate.with_role(duplicate.files[0].path, Role.REFERENCE, name="C")
    assert build_corpus(renamed, base_corpus=corpus).references["C"][0] == "i"


def test_references_with_the_same_file_name_are_named_by_folder(write, tmp_path):
    paths = [write("one/ref.A", "e\n"), write("two/ref.A", "f\n")]
    (plan,) = plan_imports(paths)
    assert list(build_corpus(plan).references) == ["ref.A", "ref.A (two)"]


@pytest.mark.published
def test_published_references_are_read(data):
    (plan,) = plan_imports([data / "wmt21_news" / "cs-en"])
    corpus = build_corpus(plan)
    assert list(corpus.references) == ["A", "B"]
    assert corpus.size == len(corpus.references["B"]) == len(corpus.text(TextRole.SOURCE))


def test_texts_in_a_systems_folder_are_translations_if_there_are_references(tmp_path):
    (tmp_path / "systems").mkdir()
    for name in ("src", "systems/one.txt", "systems/two"):
        (tmp_path / name).write_text("a b\nc\n")
    (before,) = plan_imports([tmp_path])
    assert before.files_with_role(Role.TRANSLATION) == []
    (tmp_path / "ref.A").write_text("a b\nd\n")
    (after,) = plan_imports([tmp_path])
    assert [(file.name, file.notes) for file in after.files_with_role(Role.TRANSLATION)] == [("one", ()), ("two", ())]
    assert list(build_corpus(after).translations) == ["one", "two"]
