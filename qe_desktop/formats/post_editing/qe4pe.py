"""Writing the table of QE4PE (Sarti et al. 2025, arXiv 2503.03044): a CSV with a row for each segment.

Its readers take `highlights` by `ast.literal_eval`, so it is a list as Python writes it, and count its places in the
text of the row: texts stand as they are, also where a spreadsheet would take one for a formula. Tags of words know no
degrees, so every highlight of one system is a `minor` one; of several, what all of them said was shown stronger, and is
`major`. `highlight_modality` says whose highlights they were. A row without a time has empty cells.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from qe_desktop.corpus.highlighted import Stretch
from qe_desktop.corpus.languages import split_language_pair
from qe_desktop.formats.post_editing.unit import Unit
from qe_desktop.formats.writing import write_text

COLUMNS = (
    "unit_id", "doc_id", "segment_in_doc_id", "segment_id", "translator_main_id", "src_lang", "tgt_lang",
    "highlight_modality", "src_text", "mt_text", "mt_text_highlighted", "pe_text", "highlights", "segment_edit_time",
    "segment_edit_time_filtered",
)  # fmt: skip
MINOR, MAJOR = "minor", "major"
NONE = "no_highlight"
"""The modality where nothing was highlighted."""


def write_qe4pe(
    path: Path, units: Sequence[Unit], *, name: str, language_pair: str = "", languages: tuple[str, str] | None = None
) -> None:
    """Write a row for each unit; all of it or nothing. `languages` are source and target, else those of the pair.

    Segments, documents and segments in them count from 1.

    `segment_edit_time` is all time from opening a segment to leaving it, `segment_edit_time_filtered` that of work.
    """
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    source, target = languages or split_language_pair(language_pair)
    documents: dict[str, int] = {}
    for unit in units:
        number = documents.setdefault(unit.document, len(documents) + 1)
        person = unit.person
        parts = (name, source, target, str(number), str(unit.in_document + 1), person)
        table.writerow(
            (
                "-".join(part for part in parts if part), number, unit.in_document + 1, unit.segment + 1, person,
                source, target, unit.highlighted.whose or NONE, unit.source, unit.mt, marked(unit), unit.post_edit,
                repr(_spans(unit)), *_times(unit),
            )
        )  # fmt: skip
    write_text(path, out.getvalue())


def marked(unit: Unit) -> str:
    """The MT with its highlights in tags."""
    parts, last = [], 0
    for one in unit.highlights:
        severity = _severity(unit, one)
        parts += [unit.mt[last : one.start], f"<{severity}>", unit.mt[one.start : one.end], f"</{severity}>"]
        last = one.end
    return "".join([*parts, unit.mt[last:]])


def _spans(unit: Unit) -> list[dict[str, str | int]]:
    return [
        {
            "text": unit.mt[one.start : one.end], "severity": _severity(unit, one), "start": one.start, "end": one.end,
        }
        for one in unit.highlights
    ]  # fmt: skip


def _severity(unit: Unit, one: Stretch) -> str:
    return MAJOR if one.strong and len(unit.highlighted.names) > 1 else MINOR


def _times(unit: Unit) -> tuple[str, str]:
    if not unit.revisions:
        return "", ""
    whole, work = (sum(one.seconds_open for one in unit.revisions), sum(one.seconds for one in unit.revisions))
    return f"{whole:.3f}", f"{work:.3f}"
