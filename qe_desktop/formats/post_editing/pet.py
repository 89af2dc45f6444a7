"""Writing the result of a job of PET (Aziz et al. 2012; its manual, chapter Files): `.per`, XML.

Each visit is a revision, with the time of work, counts of keys and time-stamped changes; the text of the post-edit is
that of the end, for texts in between are not kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from qe_desktop.formats.bilingual.lines import NO_CHARACTER
from qe_desktop.formats.post_editing.unit import Change, Revision, Unit
from qe_desktop.formats.writing import write_bytes

KEYS = {
    "letter": "letter-keys", "digit": "digit-keys", "space": "white-keys", "symbol": "symbol-keys",
    "navigation": "navigation-keys", "erase": "erase-keys", "copy": "copy-keys", "cut": "cut-keys",
    "paste": "paste-keys", "undo": "do-keys", "command": "command-keys",
}  # fmt: skip
"""What PET calls the counts of each kind of key."""
SOURCE, MT = "source", "mt"
"""Who is said to have made the source and the MT, where nothing else is known."""


def write_per(path: Path, units: Sequence[Unit], *, name: str) -> None:
    """Write a finished job with a unit for each segment, numbered from 1; all of it or nothing."""
    job = ET.Element("job", id=name, progress=f"{len(units)}/{len(units)}", status="FINISHED")
    for unit in units:
        _add(job, unit)
    ET.indent(job, "  ")
    write_bytes(path, ET.tostring(job, "utf-8", xml_declaration=True) + b"\n")


def _add(job: ET.Element, unit: Unit) -> None:
    element = ET.SubElement(job, "unit", id=str(unit.segment + 1), type="pe", status="FINISHED")
    if unit.document:
        element.set("document", _xml(unit.document))
    ET.SubElement(element, "S", producer=SOURCE).text = _xml(unit.source)
    ET.SubElement(element, "MT", producer=MT).text = _xml(unit.mt)
    revisions = unit.revisions or (None,)
    annotations = ET.SubElement(element, "annotations", revisions=str(len(revisions)))
    for number, revision in enumerate(revisions, 1):
        annotation = ET.SubElement(annotations, "annotation", r=str(number))
        person = unit.person if revision is None else revision.person
        ET.SubElement(annotation, "PE", producer=_xml(f"{person}.{MT}")).text = _xml(unit.post_edit)
        if revision is not None:
            _indicate(annotation, revision)
        unchanged = str(unit.post_edit == unit.mt).lower()
        ET.SubElement(annotation, "indicator", id="unchanged", type="flag").text = unchanged


def _indicate(annotation: ET.Element, revision: Revision) -> None:
    ET.SubElement(annotation, "indicator", id="editing", type="time").text = time_text(revision.seconds)
    counts = {"keystrokes": sum(revision.keys.values())}
    counts |= {called: revision.keys.get(kind, 0) for kind, called in KEYS.items()}
    for called, count in counts.items():
        ET.SubElement(annotation, "indicator", id=called, type="count").text = str(count)
    for change in revision.changes:
        if change.removed and change.inserted:
            whole = ET.SubElement(annotation, "indicator", id="substitution", type="wrap")
            _change(whole, "action", "deletion", change, change.removed)
            _change(whole, "action", "insertion", change, change.inserted)
        elif change.removed:
            _change(annotation, "indicator", "deletion", change, change.removed)
        elif change.inserted:
            _change(annotation, "indicator", "insertion", change, change.inserted)


def _change(within: ET.Element, tag: str, id: str, change: Change, text: str) -> None:
    ET.SubElement(
        within, tag, elapsed=time_text(0), id=id, length=str(len(text)), offset=str(change.place),
        t0=time_text(change.after), type="change",
    ).text = _xml(text)  # fmt: skip


def time_text(seconds: float) -> str:
    """A time as PET writes it: `1h2m3s,45` has 45 milliseconds; what is nothing is left out, but for these."""
    whole, milliseconds = divmod(round(seconds * 1000), 1000)
    minutes, left = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    parts = [f"{value}{unit}" for value, unit in ((hours, "h"), (minutes, "m"), (left, "s")) if value]
    return f"{''.join(parts)},{milliseconds}"


def _xml(text: str) -> str:
    """A text as XML can hold it: what it cannot is replaced by the sign for that."""
    return NO_CHARACTER.sub("\ufffd", text)
