"""The first segments of a large file are previewed without reading all of it."""

from __future__ import annotations

from collections.abc import Sequence
from xml.parsers import expat

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual import AUTO_COLUMNS, parse_document, registry
from qe_desktop.formats.bilingual.registry import first_segments
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.bilingual.xml.xml_scopes import close_head
from tests.formats.bilingual.samples import NAMES, parse_sample, read_sample

UNIT = '<trans-unit id="{0}"><source>quelle é {0}</source><target>ziel <x id="1"/></target></trans-unit>\n'


def job(units: int, encoding: str = "UTF-8", more: str = "") -> bytes:
    head = f'<?xml version="1.0" encoding="{encoding}"?>\n{more}<xliff version="1.2"><file><body><group>'
    return f"{head}{''.join(map(UNIT.format, range(units)))}</group></body></file></xliff>".encode(encoding)


def test_first_segments_are_read_from_the_start_of_the_file(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "MAX_OPTIONS_BYTES", 1 << 11)
    path = tmp_path / "job.xlf"
    path.write_bytes(job(1000))
    all_segments = parse_document(path.read_bytes(), "job.xlf").segments
    with monkeypatch.context() as patch:
        patch.setattr(registry, "read_document", lambda *_: pytest.fail("all of the file was read"))
        assert list(first_segments(path, AUTO_COLUMNS, 6)) == list(all_segments[:6])
    # the initial block does not contain 60 segments
    assert list(first_segments(path, AUTO_COLUMNS, 60)) == list(all_segments[:60])


@pytest.mark.parametrize("encoding", ["ISO-8859-1", "UTF-16"])
def test_first_segments_are_read_in_other_encodings(encoding, tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "MAX_OPTIONS_BYTES", 1 << 11)
    path = tmp_path / "job.xlf"
    path.write_bytes(job(100, encoding))
    assert first_segments(path, AUTO_COLUMNS, 3)[1].source_line == "quelle é 1"


def test_first_segments_of_an_invalid_file_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "MAX_OPTIONS_BYTES", 1 << 11)
    path = tmp_path / "job.xlf"
    path.write_bytes(job(100, more='<!DOCTYPE xliff [<!ENTITY a "b">]>\n'))
    with pytest.raises(QeError, match="declares the entity a"):
        first_segments(path, AUTO_COLUMNS, 3)


@pytest.mark.parametrize("name", NAMES)
def test_close_head_completes_files_truncated_anywhere(name):
    data = read_sample(name)
    if not data.startswith(b"<"):
        assert close_head(data) == b""
        return
    all_segments = parse_sample(name).segments

    def lines_of(segments: Sequence[Segment]) -> list[tuple[str, str]]:
        return [(segment.source_line, segment.target_line) for segment in segments]

    for length in range(0, len(data), 7):
        completed = close_head(data[:length])
        if completed:
            expat.ParserCreate().Parse(completed, True)
            parsed = parse_document(completed, name).segments
            whole_lines = [segment for segment in parsed if segment.line != parsed[-1].line]
            assert lines_of(whole_lines) == lines_of(all_segments[: len(whole_lines)])
