"""Several target languages in one job: of several files, or of the parts of one XLIFF 1.2 file."""

from __future__ import annotations

from pathlib import Path

import pytest

from qe_desktop.corpus import QeError, TextRole, View
from qe_desktop.corpus.translation_job import rules_from_json, rules_to_json
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.exports.export_model import export_view
from qe_desktop.formats.bilingual.exports.registry import get_export
from qe_desktop.formats.bilingual.registry import read_document
from qe_desktop.local_qe.qa_checks.check_results import view_qa_results
from qe_desktop.local_qe.qa_checks.live_checks import TargetChecks
from qe_desktop.local_qe.qa_checks.runner import CHECKS, get_checks, run_checks
from qe_desktop.project.review.propagation import find_identical_segments
from qe_desktop.report.review_reports import TextAttributes
from qe_desktop.ui.inspect.reader.word_layout import text_direction
from qe_desktop.ui.settings import Settings

XLIFF = '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">{}</xliff>'
PART = '<file original="{0}" source-language="en" target-language="{0}" datatype="plaintext"><body>{1}</body></file>'
UNIT = '<trans-unit id="{}"><source>{}</source><target>{}</target></trans-unit>'
SOURCES = ("Really?", "Save")
TARGETS = {"de": ("Wirklich?", "Sichern"), "fr": ("Vraiment ?", "Enregistrer")}


def part(language: str) -> str:
    texts = zip(SOURCES, TARGETS[language], strict=True)
    return PART.format(language, "".join(UNIT.format(number, *text) for number, text in enumerate(texts)))


@pytest.fixture(params=["files", "parts"])
def view(request, tmp_path: Path) -> View:
    parts = [part("de"), part("fr")]
    contents = parts if request.param == "files" else ["".join(parts)]
    documents = []
    for number, content in enumerate(contents):
        path = tmp_path / f"{number}.xlf"
        path.write_text(XLIFF.format(content), "utf-8")
        documents.append(read_document(path))
    return View(corpus_from_documents(documents, "job"))


def test_segments_of_other_languages_are_not_equal(view):
    assert find_identical_segments(view, 1).all_segments().tolist() == [1]
    assert view.corpus.source_and_target() == ("en", "")


def test_each_segment_is_checked_by_the_rules_of_its_language(view):
    assert view_qa_results(view) == []
    checks = TargetChecks(view, CHECKS)
    assert [issue.reason for issue in checks.issues(2, "Vraiment?")] == ["French has a space before “?”"]
    assert [issue.reason for issue in checks.issues(0, "Wirklich ?")] == ["a space before “?”"]
    assert checks.affected_segments([1]) == {1}


def test_the_system_of_checks_marks_nothing(view):
    layers = run_checks(view.corpus, get_checks(["consistency", "punctuation", "spaces"]))
    assert not any(layer.tags.values.any() for layer in layers)


def test_projects_keep_the_languages(view):
    job = view.corpus.job
    assert [rules.language for rules in job.rules.values()] == ["de", "de", "fr", "fr"]
    assert all(rules_from_json(rules_to_json(rules)) == rules for rules in job.rules.values())


def test_each_segment_has_the_source_language_of_its_part(tmp_path):
    parts = [part("de"), part("fr").replace('source-language="en"', 'source-language="he"').replace("Really?", "באמת?")]
    path = tmp_path / "a.xlf"
    path.write_text(XLIFF.format("".join(parts)), "utf-8")
    corpus = corpus_from_documents([read_document(path)], "job")
    assert [corpus.source_language_of(segment) for segment in range(4)] == ["en", "en", "he", "he"]
    assert corpus.source_and_target() == ("", "")
    directions = [text_direction(corpus, segment, TextRole.SOURCE, Settings()) for segment in range(4)]
    assert directions == ["ltr", "ltr", "rtl", "rtl"]
    attributes = TextAttributes(corpus)
    assert [attributes.source_of(segment) for segment in (1, 2)] == ['lang="en" dir="ltr"', 'lang="he" dir="rtl"']


@pytest.mark.parametrize("name", ["po", "xliff-2"])
def test_formats_with_one_language_refuse_several(view, name):
    with pytest.raises(QeError, match="one target language, but the segments have several: de, fr"):
        get_export(name).write(export_view(view))
