"""Export of post-edits in the formats of other programs: QE4PE tables and PET XML."""

from __future__ import annotations

import ast
import csv
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import QeError
from qe_desktop.corpus.text_spans import DisplayedHighlights, HighlightSpan
from qe_desktop.formats.post_edit_files import (
    COLUMNS,
    PET_KEY_NAMES,
    ExportUnit,
    Revision,
    TextChange,
    time_text,
    write_per,
    write_qe4pe,
)

FIRST = Revision(
    "ann", 62.5, 90.25, {"letter": 5, "erase": 2}, (TextChange(1.25, 4, "", "x"), TextChange(3661.007, 0, "ab", "c"))
)
SHOWN = DisplayedHighlights(("qe",), "", (HighlightSpan(2, 5), HighlightSpan(12, 13)))
UNITS = (
    ExportUnit(3, "doc", 0, "a, b", '- "x" <b>\n= y', "z & ä", "ann", SHOWN, (FIRST, Revision("ann", 1, 1))),
    ExportUnit(7, "doc", 1, "s", "m", "m"),
    ExportUnit(8, "other", 0, "s", "m", "p\x07q"),
)


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_qe4pe_table_has_the_published_columns_and_exact_texts(tmp_path):
    path = tmp_path / "out.csv"
    write_qe4pe(path, UNITS, name="job", language_pair="en-de")
    with path.open(encoding="utf-8") as file:
        assert file.readline().rstrip("\n").split(",") == list(COLUMNS)
    first, second, third = rows(path)
    assert first["unit_id"] == "job-en-de-1-1-ann"
    assert (first["segment_id"], first["doc_id"], third["doc_id"], second["segment_in_doc_id"]) == ("4", "1", "2", "2")
    assert (first["mt_text"], first["pe_text"]) == (UNITS[0].mt, UNITS[0].post_edit)
    spans = ast.literal_eval(first["highlights"])
    assert [first["mt_text"][span["start"] : span["end"]] for span in spans] == [span["text"] for span in spans]
    assert [span["text"] for span in spans] == ['"x"', "y"]
    assert first["mt_text_highlighted"] == '- <minor>"x"</minor> <b>\n= <minor>y</minor>'
    assert (first["segment_edit_time"], first["segment_edit_time_filtered"]) == ("91.250", "63.500")
    assert (second["highlight_modality"], second["highlights"], second["segment_edit_time"]) == (
        "no_highlight",
        "[]",
        "",
    )


def test_highlights_of_several_systems_have_names_and_severities(tmp_path):
    path = tmp_path / "out.csv"
    shown = DisplayedHighlights(("A", "B"), "any", (HighlightSpan(0, 2, False), HighlightSpan(3, 5)))
    write_qe4pe(
        path, [ExportUnit(0, "", 0, "s", "ab cd", "ab", displayed_highlights=shown)], name="j", language_pair="en-de"
    )
    [row] = rows(path)
    assert row["highlight_modality"] == "any of A, B"
    assert row["mt_text_highlighted"] == "<minor>ab</minor> <major>cd</major>"
    assert [span["severity"] for span in ast.literal_eval(row["highlights"])] == ["minor", "major"]


def test_pet_file_with_a_control_character_in_its_name_is_xml(tmp_path):
    path = tmp_path / "out.per"
    write_per(path, UNITS, name="job\x01")
    assert ET.parse(path).getroot().get("id") == "job\ufffd"


def test_pet_file_has_the_elements_that_pet_reads(tmp_path):
    """The elements and attributes that PET's own parser and per2csv read."""
    path = tmp_path / "out.per"
    write_per(path, UNITS, name="job")
    job = ET.parse(path).getroot()
    assert (job.tag, job.get("id"), job.get("status"), job.get("progress")) == ("job", "job", "FINISHED", "3/3")
    first, second, third = job.iterfind("unit")
    assert (first.get("id"), first.get("type"), first.findtext("S")) == ("4", "pe", "a, b")
    assert first.find("MT").get("producer")
    first_revision, second_revision = first.iterfind("annotations/annotation")
    assert first.find("annotations").get("revisions") == "2"
    assert (first_revision.get("r"), second_revision.get("r")) == ("1", "2")
    assert first_revision.find("PE").get("producer").split(".")[0] == "ann"
    assert first_revision.findtext("PE") == "z & ä"
    assert first_revision.findtext("indicator[@id='editing'][@type='time']") == "1m2s,500"
    assert first_revision.findtext("indicator[@id='keystrokes']") == "7"
    counts = {kind: first_revision.findtext(f"indicator[@id='{name}']") for kind, name in PET_KEY_NAMES.items()}
    assert counts == dict.fromkeys(PET_KEY_NAMES, "0") | {"letter": "5", "erase": "2"}
    change = first_revision.find("indicator[@id='insertion']")
    assert (change.text, change.get("offset"), change.get("length"), change.get("t0")) == ("x", "4", "1", "1s,250")
    actions = first_revision.findall("indicator[@type='wrap']/action")
    assert [(action.get("id"), action.text, action.get("t0")) for action in actions] == [
        ("deletion", "ab", "1h1m1s,7"), ("insertion", "c", "1h1m1s,7"),
    ]  # fmt: skip
    assert second.find("annotations/annotation/indicator[@id='editing']") is None
    assert second.findtext("annotations/annotation/indicator[@id='unchanged']") == "true"
    assert third.findtext("annotations/annotation/PE") == "p\ufffdq"


@given(st.integers(0, 10**9))
def test_durations_are_read_back(milliseconds):
    import re

    match = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?,(\d+)", time_text(milliseconds / 1000))
    hours, minutes, seconds, remainder_ms = (int(part or 0) for part in match.groups())
    assert ((hours * 60 + minutes) * 60 + seconds) * 1000 + remainder_ms == milliseconds


@pytest.mark.parametrize("write", [lambda path: write_per(path, UNITS, name="j"),
                                   lambda path: write_qe4pe(path, UNITS, name="j", language_pair="")])  # fmt: skip
def test_unwritable_path_raises_an_error(tmp_path, write):
    with pytest.raises(QeError):
        write(tmp_path / "missing" / "file")


def test_languages_with_regions_are_split_correctly(tmp_path):
    path = tmp_path / "out.csv"
    write_qe4pe(path, UNITS[:1], name="job", language_pair="en-GB-de-DE")
    (row,) = rows(path)
    assert (row["src_lang"], row["tgt_lang"]) == ("en-GB", "de-DE")
