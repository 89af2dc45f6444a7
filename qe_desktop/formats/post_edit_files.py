"""Export of post-edits: data of a post-edited segment, and the formats QE4PE, PET and WMT."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET

from qe_desktop.corpus import TagColumn, TextColumn
from qe_desktop.corpus.languages import split_language_pair
from qe_desktop.corpus.layers import Scores
from qe_desktop.corpus.text_spans import NO_HIGHLIGHTS, DisplayedHighlights, HighlightSpan
from qe_desktop.formats.atomic_write import write_bytes, write_text
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS
from qe_desktop.formats.scores.score_lines import write_scores
from qe_desktop.formats.tags.tag_lines import write_tags


@dataclass(frozen=True, slots=True)
class TextChange:
    """Text change at character offset `offset`; `elapsed_seconds` is the time since the segment was opened."""

    elapsed_seconds: float
    offset: int
    removed: str
    inserted: str


@dataclass(frozen=True, slots=True)
class Revision:
    """Visit to a segment, with working time `seconds` and total time `seconds_open`, which includes pauses.

    Keystrokes are counted by kind: `letter`, `digit`, `space`, `symbol`, `navigation`, `erase`, `copy`, `cut`, `paste`,
    `undo` and `command`.
    """

    post_editor: str
    seconds: float
    seconds_open: float
    keystrokes: Mapping[str, int] = field(default_factory=dict)
    changes: tuple[TextChange, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportUnit:
    """Segment to be exported, with its texts as displayed and its recorded visits.

    `segment_index` and `document_index` are the 0-based indices of the segment in the corpus and in its document.
    `displayed_highlights` describes the highlights in the MT.
    """

    segment_index: int
    document: str
    document_index: int
    source: str
    mt: str
    post_edit: str
    post_editor: str = ""
    displayed_highlights: DisplayedHighlights = NO_HIGHLIGHTS
    revisions: tuple[Revision, ...] = ()

    @property
    def highlights(self) -> tuple[HighlightSpan, ...]:
        """Highlighted ranges of the MT; empty if there are none, or if they were not recorded."""
        return self.displayed_highlights.spans or ()


COLUMNS = (
    "unit_id", "doc_id", "segment_in_doc_id", "segment_id", "translator_main_id", "src_lang", "tgt_lang",
    "highlight_modality", "src_text", "mt_text", "mt_text_highlighted", "pe_text", "highlights", "segment_edit_time",
    "segment_edit_time_filtered",
)  # fmt: skip
MINOR, MAJOR = "minor", "major"
NO_HIGHLIGHT_LABEL = "no_highlight"
"""Name of the modality without highlights."""


def write_qe4pe(
    path: Path,
    units: Sequence[ExportUnit],
    *,
    name: str,
    language_pair: str = "",
    languages: tuple[str, str] | None = None,
) -> None:
    """Write a QE4PE table (CSV) with one row per unit, atomically.

    `languages` are the source and the target language, by default those of `language_pair`. In the table, documents,
    segments, and the segments of each document are numbered from 1. `segment_edit_time` is the total time for which a
    segment was open, and `segment_edit_time_filtered` the working time; both are empty if no visit to the segment was
    recorded. Raises QeError as `atomic_write` does.
    """
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    source, target = languages or split_language_pair(language_pair)
    documents: dict[str, int] = {}
    for unit in units:
        number = documents.setdefault(unit.document, len(documents) + 1)
        parts = (name, source, target, str(number), str(unit.document_index + 1), unit.post_editor)
        table.writerow(
            (
                "-".join(part for part in parts if part),
                number,
                unit.document_index + 1,
                unit.segment_index + 1,
                unit.post_editor,
                source,
                target,
                unit.displayed_highlights.layer_label or NO_HIGHLIGHT_LABEL,
                unit.source,
                unit.mt,
                highlighted_mt(unit),
                unit.post_edit,
                repr(_spans(unit)),
                *_times(unit),
            )
        )
    write_text(path, out.getvalue())


def highlighted_mt(unit: ExportUnit) -> str:
    """MT with each highlight enclosed in tags: `<major>` if there are several layers and all agree, else `<minor>`."""
    parts, last = [], 0
    for span in unit.highlights:
        severity = _severity(unit, span)
        parts += [unit.mt[last : span.start], f"<{severity}>", unit.mt[span.start : span.end], f"</{severity}>"]
        last = span.end
    return "".join([*parts, unit.mt[last:]])


def _spans(unit: ExportUnit) -> list[dict[str, str | int]]:
    return [
        {
            "text": unit.mt[span.start : span.end], "severity": _severity(unit, span),
            "start": span.start, "end": span.end,
        }
        for span in unit.highlights
    ]  # fmt: skip


def _severity(unit: ExportUnit, span: HighlightSpan) -> str:
    return MAJOR if span.strong and len(unit.displayed_highlights.names) > 1 else MINOR


def _times(unit: ExportUnit) -> tuple[str, str]:
    if not unit.revisions:
        return "", ""
    total = sum(revision.seconds_open for revision in unit.revisions)
    work = sum(revision.seconds for revision in unit.revisions)
    return f"{total:.3f}", f"{work:.3f}"


PET_KEY_NAMES = {
    "letter": "letter-keys", "digit": "digit-keys", "space": "white-keys", "symbol": "symbol-keys",
    "navigation": "navigation-keys", "erase": "erase-keys", "copy": "copy-keys", "cut": "cut-keys",
    "paste": "paste-keys", "undo": "do-keys", "command": "command-keys",
}  # fmt: skip
"""PET's names for the counts of keystrokes, by kind of keystroke."""
SOURCE, MT = "source", "mt"
"""Names of the producers of the source and the MT in a PET job."""


def write_per(path: Path, units: Sequence[ExportUnit], *, name: str) -> None:
    """Write a finished PET job with one unit per segment, numbered from 1. Raises QeError as `atomic_write` does."""
    job = ET.Element("job", id=_xml(name), progress=f"{len(units)}/{len(units)}", status="FINISHED")
    for unit in units:
        _add(job, unit)
    ET.indent(job, "  ")
    write_bytes(path, ET.tostring(job, "utf-8", xml_declaration=True) + b"\n")


def _add(job: ET.Element, unit: ExportUnit) -> None:
    element = ET.SubElement(job, "unit", id=str(unit.segment_index + 1), type="pe", status="FINISHED")
    if unit.document:
        element.set("document", _xml(unit.document))
    ET.SubElement(element, "S", producer=SOURCE).text = _xml(unit.source)
    ET.SubElement(element, "MT", producer=MT).text = _xml(unit.mt)
    revisions = unit.revisions or (None,)
    annotations = ET.SubElement(element, "annotations", revisions=str(len(revisions)))
    for number, revision in enumerate(revisions, 1):
        annotation = ET.SubElement(annotations, "annotation", r=str(number))
        user_name = unit.post_editor if revision is None else revision.post_editor
        ET.SubElement(annotation, "PE", producer=_xml(f"{user_name}.{MT}")).text = _xml(unit.post_edit)
        if revision is not None:
            _add_indicators(annotation, revision)
        unchanged = str(unit.post_edit == unit.mt).lower()
        ET.SubElement(annotation, "indicator", id="unchanged", type="flag").text = unchanged


def _add_indicators(annotation: ET.Element, revision: Revision) -> None:
    ET.SubElement(annotation, "indicator", id="editing", type="time").text = time_text(revision.seconds)
    counts = {"keystrokes": sum(revision.keystrokes.values())}
    counts |= {indicator_id: revision.keystrokes.get(kind, 0) for kind, indicator_id in PET_KEY_NAMES.items()}
    for indicator_id, count in counts.items():
        ET.SubElement(annotation, "indicator", id=indicator_id, type="count").text = str(count)
    for change in revision.changes:
        if change.removed and change.inserted:
            substitution = ET.SubElement(annotation, "indicator", id="substitution", type="wrap")
            _add_change(substitution, "action", "deletion", change, change.removed)
            _add_change(substitution, "action", "insertion", change, change.inserted)
        elif change.removed:
            _add_change(annotation, "indicator", "deletion", change, change.removed)
        elif change.inserted:
            _add_change(annotation, "indicator", "insertion", change, change.inserted)


def _add_change(parent: ET.Element, tag: str, id: str, change: TextChange, text: str) -> None:
    ET.SubElement(
        parent, tag, elapsed=time_text(0), id=id, length=str(len(text)), offset=str(change.offset),
        t0=time_text(change.elapsed_seconds), type="change",
    ).text = _xml(text)  # fmt: skip


def time_text(seconds: float) -> str:
    """Format a duration as PET does, such as `1h2m3s,45`; the number after the comma is in milliseconds.

    Hours, minutes and seconds that are zero are omitted.
    """
    whole_seconds, milliseconds = divmod(round(seconds * 1000), 1000)
    minutes, seconds_left = divmod(whole_seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = [f"{value}{unit}" for value, unit in ((hours, "h"), (minutes, "m"), (seconds_left, "s")) if value]
    return f"{''.join(parts)},{milliseconds}"


def _xml(text: str) -> str:
    """Replace the characters that XML does not allow with the replacement character U+FFFD."""
    return INVALID_XML_CHARS.sub("\ufffd", text)


def write_wmt(
    folder: Path,
    name: str,
    *,
    source: Iterable[str],
    mt: TextColumn,
    post_edit: TextColumn,
    words: TagColumn,
    gaps: TagColumn,
    hter: Scores,
) -> tuple[Path, ...]:
    """Write NAME.src, .mt, .pe, .tags and .hter into a folder; return the paths of the files.

    The tags of gaps and words are interleaved, 2n + 1 tags for n words. If all lines of the source are empty, NAME.src
    is not written. Raises QeError if a segment does not have exactly one more gap tag than word tags, or if a file
    cannot be written.
    """
    lines = [" ".join(line.split()) for line in source]
    texts = {"src": lines, "mt": list(mt.lines()), "pe": list(post_edit.lines())}
    written = []
    for suffix, text in texts.items():
        if any(text) or suffix != "src":
            written.append(folder / f"{name}.{suffix}")
            write_text(written[-1], "".join(f"{line}\n" for line in text))
    tags, rates = folder / f"{name}.tags", folder / f"{name}.hter"
    write_tags(tags, words, gaps=gaps)
    write_scores(rates, hter)
    return (*written, tags, rates)
