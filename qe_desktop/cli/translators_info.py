"""What `qe-desktop info` says of a translator's file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from qe_desktop.corpus import Status
from qe_desktop.formats.bilingual import Document
from qe_desktop.formats.bilingual.codes import codes_in
from qe_desktop.formats.bilingual.layer_titles import called
from qe_desktop.report import Table
from qe_desktop.wording import tr


def json_of(document: Document) -> dict[str, Any]:
    """The command line's contract: what the file holds, in numbers and in its own words."""
    segments = document.segments
    return {
        "file": document.name,
        "format": document.form,
        "description": document.shown_form,
        "encoding": document.text.codec,
        "source-language": document.source_language,
        "target-language": document.target_language,
        "segments": len(segments),
        "with target": sum(bool(segment.target) for segment in segments),
        "locked": sum(segment.locked for segment in segments),
        "statuses": _statuses(document),
        "codes": sum(len(codes_in(segment.source)) for segment in segments),
        "states": _counted(segment.state for segment in segments),
        "origins": _counted(segment.origin for segment in segments),
        "qualities": _counted(one.kind for segment in segments for one in segment.qualities),
        "issues": sum(len(segment.issues) for segment in segments),
        "with another MT": sum(one.loaded is not None and one.loaded != (one.target or ()) for one in segments),
        "tags": {called(key): int(tags.values.sum()) for key, tags in document.beside.tags.items()},
        "scores": {called(key): int((~np.isnan(one)).sum()) for key, one in document.beside.scores.items()},
        "segments with notes": sum(bool(segment.notes) for segment in segments),
        "notes": list(document.notes),
    }


def _statuses(document: Document) -> dict[str, int]:
    """How many segments are how far, by what the file says."""
    found = Counter(document.status(segment) for segment in document.segments)
    return {status.name.lower(): found[status] for status in Status}


def _counted(words: Iterable[str]) -> dict[str, int]:
    return dict(Counter(word for word in words if word).most_common())


def table_of(document: Document) -> Table:
    """The same for people."""
    found = json_of(document)
    rows = [
        (tr("recognised as"), document.shown_form),
        (tr("encoding"), found["encoding"].upper()),
        (tr("languages"), " → ".join(filter(None, (document.source_language, document.target_language)))),
        (tr("segments"), found["segments"]),
        (tr("with a target"), found["with target"]),
        (tr("with another MT than the target"), found["with another MT"]),
        *((status.shown, found["statuses"][status.name.lower()]) for status in Status),
        (tr("inline codes of the source"), found["codes"]),
        (tr("issues"), found["issues"]),
        (tr("with notes"), found["segments with notes"]),
    ]
    rows += [(tr("state {word}", word=word), count) for word, count in found["states"].items()]
    rows += [(tr("origin {word}", word=word), count) for word, count in found["origins"].items()]
    rows += [(tr("score {word}", word=word), count) for word, count in found["qualities"].items()]
    rows += [(tr("score {word}", word=word), count) for word, count in found["scores"].items()]
    rows += [(tr("BAD words by {name}", name=name), count) for name, count in found["tags"].items()]
    return Table(document.name, (tr("what"), tr("how many")), tuple(rows), notes=document.notes)
