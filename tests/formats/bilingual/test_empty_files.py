"""Bilingual files without segments are reported by format, and other files open without them."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats import build_corpus, plan_imports
from tests.formats.bilingual.samples import read_sample

EMPTY = (
    b'<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="x" datatype="plaintext" '
    b'source-language="en" target-language="de"><body></body></file></xliff>'
)


def test_file_without_segments_is_reported_with_format_and_languages(tmp_path):
    (tmp_path / "a.xlf").write_bytes(EMPTY)
    says = r"a\.xlf: the file is valid \(XLIFF 1\.2, en → de\), but has no segments to translate"
    with pytest.raises(QeError, match=says) as caught:
        build_corpus(plan_imports([tmp_path / "a.xlf"])[0])
    assert caught.value.hint
    (tmp_path / "README.md").write_text("about\n")
    with pytest.raises(QeError, match=says):
        build_corpus(plan_imports([tmp_path])[0])
    (tmp_path / "b.xlf").write_bytes(EMPTY)
    with pytest.raises(QeError, match="none of the 2 bilingual files has segments"):
        build_corpus(plan_imports([tmp_path / "a.xlf", tmp_path / "b.xlf"])[0])


def test_empty_file_is_part_of_a_job_with_segments(tmp_path):
    (tmp_path / "a.xlf").write_bytes(EMPTY)
    (tmp_path / "b.xlf").write_bytes(read_sample("plain.xlf"))
    corpus = build_corpus(plan_imports([tmp_path / "a.xlf", tmp_path / "b.xlf"])[0])
    assert corpus.job is not None
    assert [file.count > 0 for file in corpus.job.files] == [False, True]


def test_texts_open_without_an_empty_bilingual_file(tmp_path):
    (tmp_path / "a.xlf").write_bytes(EMPTY)
    (tmp_path / "news.src").write_text("one two\nthree\n")
    (tmp_path / "news.mt").write_text("eins zwei\ndrei\n")
    plans = plan_imports([tmp_path / name for name in ("a.xlf", "news.src", "news.mt")])
    assert [build_corpus(plan).size for plan in plans if len(plan.files) > 1] == [2]
