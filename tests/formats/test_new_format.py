"""A new format needs only a module and a registry entry to be detected, described and read."""

from __future__ import annotations

import pytest

from qe_desktop.cli.main import main
from qe_desktop.corpus import TextColumn, TextRole
from qe_desktop.formats import build_corpus, plan_imports, registry
from qe_desktop.formats.file_format import Format, ParseResult
from qe_desktop.formats.importing import file_classification
from qe_desktop.formats.text_files import TextFile

FIRST = b"%backwards\n"


def _confidence(head: bytes, name: str) -> float:
    return 1.0 if head.startswith(FIRST) else 0.0


def _read(opened: TextFile) -> ParseResult:
    lines = bytes(opened.data).decode().splitlines()[1:]
    return ParseResult(BACKWARDS.name, f"{len(lines)} lines, backwards", TextColumn.of([line[::-1] for line in lines]))


BACKWARDS = Format("backwards", _confidence, _read, base_format="text")


@pytest.fixture(autouse=True)
def registered_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "FORMATS", (BACKWARDS, *registry.FORMATS))
    monkeypatch.setitem(registry.FORMAT_BY_NAME, BACKWARDS.name, BACKWARDS)


def test_registered_format_is_read_as_text_of_a_corpus(write, tmp_path, capsys) -> None:
    write("c/a.src", "%backwards\nb a\nc\n")
    write("c/a.mt", "x y\nz\n")
    write("c/a.tags", "OK BAD\nOK\n")
    (plan,) = plan_imports([tmp_path / "c"])
    (file,) = (file for file in plan.files if file.path.name == "a.src")
    assert (file.format, file.description) == ("backwards", "2 lines, backwards")
    opened = build_corpus(plan)
    assert opened.text(TextRole.SOURCE)[0] == "a b"
    assert file_classification.detect_format is registry.detect_format
    assert main(["info", str(tmp_path / "c" / "a.src")]) == 0
    assert "backwards" in capsys.readouterr().out
