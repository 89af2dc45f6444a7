"""Annotations, such as the marks of terms and comments, need no counterpart in the other text; inline codes do."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import View
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.registry import read_document
from qe_desktop.local_qe.qa_checks.check_results import view_qa_results
from qe_desktop.local_qe.qa_checks.runner import get_checks, run_checks

XLIFF_1 = (
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" '
    'target-language="de" datatype="plaintext"><body><trans-unit id="1">{}</trans-unit></body></file></xliff>'
)
XLIFF_2 = (
    '<xliff version="2.1" srcLang="en" trgLang="de" xmlns="urn:oasis:names:tc:xliff:document:2.0"><file id="f">'
    '<unit id="1"><segment>{}</segment></unit></file></xliff>'
)
TMX = (
    '<tmx version="1.4"><header srclang="en" datatype="plaintext"/><body><tu>'
    '<tuv xml:lang="en"><seg>{}</seg></tuv><tuv xml:lang="de"><seg>{}</seg></tuv></tu></body></tmx>'
)


def view_of(tmp_path, text: str) -> View:
    path = tmp_path / ("a.tmx" if text.startswith("<tmx") else "a.xlf")
    path.write_text(text)
    return View(corpus_from_documents([read_document(path)], "job"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (XLIFF_1.format('<source>My <mrk mtype="term">cat</mrk></source><target>Meine Katze</target>'), 0),
        (XLIFF_1.format('<source>My cat</source><target>Meine <mrk mtype="x-its">Katze</mrk></target>'), 0),
        (XLIFF_1.format('<source>My <mrk mtype="x-sdl-location" mid="a"/>cat</source><target>Meine Katze</target>'), 2),
        (XLIFF_1.format('<source>My cat</source><target>Meine <g id="9">Katze</g></target>'), 2),
        (XLIFF_1.format('<source>My <g id="9">cat</g></source><target>Meine Katze</target>'), 2),
        (
            XLIFF_1.format('<source>My cat</source><target>Meine <bpt id="9">b</bpt>Katze<ept id="9">b</ept></target>'),
            2,
        ),
        (XLIFF_2.format('<source>My <mrk id="m" type="term">cat</mrk></source><target>Meine Katze</target>'), 0),
        (XLIFF_2.format('<source>My <sm id="m"/>cat<em startRef="m"/></source><target>Meine Katze</target>'), 0),
        (XLIFF_2.format('<source>My cat</source><target>Meine <sm id="m"/>Katze<em startRef="m"/></target>'), 0),
        (XLIFF_2.format('<source>My <pc id="1">cat</pc></source><target>Meine Katze</target>'), 2),
        (TMX.format('My <hi type="term">cat</hi>', "Meine Katze"), 0),
        (TMX.format('My <ph x="1"/>cat', "Meine Katze"), 1),
    ],
)
def test_only_annotations_need_no_counterpart(tmp_path, text, expected):
    view, checks = view_of(tmp_path, text), get_checks(["codes"])
    assert len(view_qa_results(view, checks)) == expected
    assert len(run_checks(view.corpus, checks)) > 0
