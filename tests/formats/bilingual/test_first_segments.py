"""The first rows of a large file are shown without reading all of it."""

from __future__ import annotations

from collections.abc import Sequence
from xml.parsers import expat

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual import AUTO_COLUMNS, parse_document, registry
from qe_desktop.formats.bilingual.registry import first_segments
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.bilingual.xml.truncated_xml import close_head
from tests.formats.bilingual.samples import NAMES, bytes_of_sample, sample

UNIT = '<trans-unit id="{0}"><source>quelle é {0}</source><target>ziel <x id="1"/></target></trans-unit>\n'


def job(units: int, encoding: str = "UTF-8", more: str = "") -> bytes:
    head = f'<?xml version="1.0" encoding="{encoding}"?>\n{more}<xliff version="1.2"><file><body><group>'
    return f"{head}{''.join(map(UNIT.format, range(units)))}</group></body></file></xliff>".encode(encoding)


def test_a_beginning_is_enough_where_it_tells(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "MAX_OFFER_BYTES", 1 << 11)
    path = tmp_path / "job.xlf"
    path.write_bytes(job(1000))
    whole = parse_document(path.read_bytes(), "job.xlf").segments
    with monkeypatch.context() as patch:
        patch.setattr(registry, "read_document", lambda *_: pytest.fail("all of the file was read"))
        assert list(first_segments(path, AUTO_COLUMNS, 6)) == list(whole[:6])
    # there are not as many in it
    assert list(first_segments(path, AUTO_COLUMNS, 60)) == list(whole[:60])


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "UTF-16"])
def test_other_encodings_are_read_whole(encoding, tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "MAX_OFFER_BYTES", 1 << 11)
    path = tmp_path / "job.xlf"
    path.write_bytes(job(100, encoding))
    assert first_segments(path, AUTO_COLUMNS, 3)[1].source_line == "quelle é 1"


def test_what_is_refused_as_a_whole_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "MAX_OFFER_BYTES", 1 << 11)
    path = tmp_path / "job.xlf"
    path.write_bytes(job(100, more='<!DOCTYPE xliff [<!ENTITY a "b">]>\n'))
    with pytest.raises(QeError, match="declares the entity a"):
        first_segments(path, AUTO_COLUMNS, 3)


@pytest.mark.parametrize("name", NAMES)
def test_wherever_a_file_is_cut_its_beginning_is_a_document(name):
    data = bytes_of_sample(name)
    if not data.startswith(b"<"):
        assert close_head(data) == b""
        return
    whole = sample(name).segments

    def lines_of(segments: Sequence[Segment]) -> list[tuple[str, str]]:
        return [(one.source_line, one.target_line) for one in segments]

    for cut in range(0, len(data), 7):
        begun = close_head(data[:cut])
        if begun:
            expat.ParserCreate().Parse(begun, True)
            found = parse_document(begun, name).segments
            kept = [one for one in found if one.line != found[-1].line]
            assert lines_of(kept) == lines_of(whole[: len(kept)])
