"""Sample review jobs: bilingual files of the sample's texts with locked segments, notes and inline codes."""

from __future__ import annotations

import shutil
from pathlib import Path
from types import ModuleType

import pytest

from qe_desktop.corpus import Kind, TextRole, display_text
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.inline_codes import content_codes, content_text
from qe_desktop.formats.bilingual.registry import read_document
from tests.samples.sample_files import SAMPLES, read_lines

FOLDER = SAMPLES / "jobs" / "en-de"
DOCUMENTS = ("manual-coffee", "leaflet-tablets")


@pytest.fixture(scope="module", params=["manuals.xlf", "manuals.sdlxliff"])
def job(request: pytest.FixtureRequest) -> Document:
    return read_document(FOLDER / request.param)


def sample(name: str) -> list[str]:
    rows = zip(read_lines("en-de", "sample.docs"), read_lines("en-de", name), strict=True)
    return [line for document, line in rows if document in DOCUMENTS]


def test_formats_are_recognized_by_content(job: Document) -> None:
    assert job.dialect == {"manuals.xlf": "xliff-1", "manuals.sdlxliff": "sdlxliff"}[Path(job.name).name]
    assert (job.source_language[:2], job.target_language[:2]) == ("en", "de")
    assert job.notes == ()


def test_job_texts_are_those_of_the_sample(job: Document) -> None:
    assert [content_text(segment.source) for segment in job.segments] == sample("sample.raw.src")
    targets = [content_text(segment.target or ()) for segment in job.segments]
    for target, mt, post_edit in zip(targets, sample("sample.raw.mt"), sample("sample.raw.pe"), strict=True):
        # confirmed segments are post-edited
        assert target in (mt, post_edit)
    assert sum(first != second for first, second in zip(targets, sample("sample.raw.pe"), strict=True)) >= 12


def test_job_has_locked_confirmed_and_tagged_segments(job: Document) -> None:
    confirmed = [segment for segment in job.segments if segment.state in ("final", "ApprovedTranslation")]
    assert 1 <= sum(segment.locked for segment in job.segments) <= 3
    assert 3 <= len(confirmed) <= 6
    assert sum(bool(content_codes(segment.source)) for segment in job.segments) >= 6
    assert any(segment.qualities for segment in job.segments)
    for segment in job.segments:
        of_source = {code.display_text for code in content_codes(segment.source)}
        assert of_source <= {code.display_text for code in content_codes(segment.target or ())}


def test_xliff_has_notes_and_word_level_issues() -> None:
    document = read_document(FOLDER / "manuals.xlf")
    assert sum(bool(segment.notes) for segment in document.segments) >= 3
    corpus = corpus_from_documents([document], "job")
    (issues,) = (layer for key, layer in corpus.layers.items() if key.kind is Kind.WORDS)
    bad = [
        word
        for segment in range(corpus.size)
        for word, tag in zip(display_text(corpus, TextRole.MT, segment).words, issues.tags[segment], strict=True)
        if tag
    ]
    assert bad == ["Ebene", "in", "Platz", "klickt", "Öffnen", "Sie", "müssen", "nicht", "speichern"]


def test_display_text_of_a_job_is_its_raw_text(job: Document) -> None:
    corpus = corpus_from_documents([job], "job")
    for segment in range(corpus.size):
        for role, raw in ((TextRole.SOURCE, TextRole.RAW_SOURCE), (TextRole.MT, TextRole.RAW_MT)):
            shown = display_text(corpus, role, segment)
            assert (shown.text, shown.is_unaligned) == (corpus.texts[raw][segment], False)
            assert shown.words == corpus.tokens(role, segment)


def test_editing_one_segment_changes_only_that_segment(job: Document) -> None:
    number = next(
        index for index, segment in enumerate(job.segments) if "Öffnen Sie" in content_text(segment.target or ())
    )
    line = job.segments[number].target_line.replace(" den Filterhalter", " den Filterhalter nicht")
    rewritten = job.with_targets({number: line})
    assert rewritten.changed_segments == 1
    assert (
        job.with_targets({index: segment.target_line for index, segment in enumerate(job.segments)}).data
        == job.text.data
    )
    reparsed = parse_document(rewritten.data, job.name)
    lines = [segment.target_line for segment in job.segments]
    assert line != lines[number]
    assert [segment.target_line for segment in reparsed.segments] == [*lines[:number], line, *lines[number + 1 :]]
    states = [segment.state for segment in job.segments]
    assert [segment.state for segment in reparsed.segments[:number]] == states[:number]
    assert [segment.state for segment in reparsed.segments[number + 1 :]] == states[number + 1 :]


def test_tags_of_the_job_equal_the_output_of_the_script(
    make_samples: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make_samples, "PAIRS", ())
    samples = Path(shutil.copytree(SAMPLES, tmp_path / "samples"))
    tags = samples / "jobs/qe/sample-qe.tags"
    tags.write_text("OK\n", encoding="utf-8")
    assert make_samples.main(["--check", "--samples", str(samples)]) == 1
    assert "jobs/qe/sample-qe.tags does not match" in capsys.readouterr().err
    assert make_samples.main(["--samples", str(samples)]) == 0
    assert tags.read_bytes() == (SAMPLES / "jobs/qe/sample-qe.tags").read_bytes()
