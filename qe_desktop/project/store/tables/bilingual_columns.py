"""What is kept of translators' files in a project: their bytes, codes, statuses and notes, read back as they were."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sqlalchemy import Connection

from qe_desktop.corpus import JobFile, ReviewStatus, TextColumn, TranslationJob
from qe_desktop.project.store.tables.blobs import (
    pack_bytes,
    read_array,
    read_bytes,
    unpack_bytes,
    write_array,
    write_bits,
    write_bytes,
)
from qe_desktop.project.store.tables.cell_validation import (
    validate_condition,
    validate_integer,
    validate_names,
    validate_positions,
)

JOB_PREFIX = "job/"
"""What the columns of a job begin with."""
FILES, SOURCES, TARGETS = f"{JOB_PREFIX}files", f"{JOB_PREFIX}sources", f"{JOB_PREFIX}targets"
STATUSES, WITHOUT_TARGET = f"{JOB_PREFIX}statuses", f"{JOB_PREFIX}without-target"
NAMES = {FILES, SOURCES, TARGETS, STATUSES, WITHOUT_TARGET}
LOADED = f"{JOB_PREFIX}loaded"
"""The MT that the targets were made of, where files have it: only there is such a column."""
_LENGTH = 8
_FACTS = ("name", "path", "form", "first", "count")

AddColumn = Callable[[str, int, Any], None]
AddText = Callable[[str, TextColumn], None]
TextOf = Callable[[str], TextColumn]
"""The text column of a name. KeyError where there is none."""


def write_job(connection: Connection, job: TranslationJob, add: AddColumn, add_text: AddText) -> None:
    """Write a job as columns: `add` takes a name, the number of an array and details, `add_text` a text.

    ValueError for one whose files do not have each segment once, in order: none would be read again.
    """
    _ensure_covered(job.files, len(job.statuses))
    add_text(SOURCES, job.sources)
    add_text(TARGETS, job.targets)
    if job.loaded is not None:
        add_text(LOADED, job.loaded)
    add(STATUSES, write_array(connection, job.statuses), None)
    add(WITHOUT_TARGET, write_bits(connection, job.without_target.astype(np.uint8)), None)
    add(FILES, write_bytes(connection, pack_bytes(_raw(job))), [one.name for one in job.files])


def read_job(connection: Connection, data: Mapping[str, int], text: TextOf, size: int) -> TranslationJob:
    """The job of `size` segments whose columns have these numbers of arrays, by name. Damaged where it is no job."""
    validate_condition(data.keys() - {LOADED} == NAMES, "a part of the translators' files is missing")
    statuses = validate_positions(read_array(connection, data[STATUSES]), len(ReviewStatus), "statuses")
    without = validate_positions(read_array(connection, data[WITHOUT_TARGET]), 2, "segments without a target")
    for values in (statuses, without):
        validate_condition(values.dtype == np.uint8 and len(values) == size, "a column is not one value a segment")
    raw = unpack_bytes(read_bytes(connection, data[FILES]))
    begin = _LENGTH + int.from_bytes(raw[:_LENGTH], "little")
    head = json.loads(raw[_LENGTH:begin])
    files = []
    for held in head["files"]:
        end = begin + validate_integer(held["size"], "the bytes of a file")
        validate_condition(end <= len(raw), "a file of translators is cut short")
        files.append(_file(held, raw[begin:end]))
        begin = end
    _ensure_covered(files, size)
    return TranslationJob(
        tuple(files), text(SOURCES), text(TARGETS), statuses, without.astype(bool),
        notes={segment: validate_names(notes, "notes") for segment, notes in _by_segment(head["notes"], size)},
        states=_texts(head["states"], size),
        origins=_texts(head["origins"], size),
        labels={segment: _texts(labels, 2**31) for segment, labels in _by_segment(head["labels"], size)},
        loaded=text(LOADED) if LOADED in data else None,
    )  # fmt: skip


def _raw(job: TranslationJob) -> bytes:
    files = [
        {name: getattr(one, name) for name in _FACTS} | {"choice": dict(one.choice), "size": len(one.data)}
        for one in job.files
    ]
    head = {
        "files": files,
        "notes": [[segment, list(notes)] for segment, notes in job.notes.items()],
        "states": list(job.states.items()),
        "origins": list(job.origins.items()),
        "labels": [[segment, list(labels.items())] for segment, labels in job.labels.items()],
    }
    told = json.dumps(head, ensure_ascii=True, separators=(",", ":")).encode()
    return b"".join([len(told).to_bytes(_LENGTH, "little"), told, *(one.data for one in job.files)])


def _file(held: Any, data: bytes) -> JobFile:
    choice = held["choice"]
    validate_condition(type(choice) is dict, "there is no choice of how a file is read")
    validate_names(list(choice.values()), "what was chosen of a file")
    name, path, form = validate_names([held[fact] for fact in _FACTS[:3]], "the names of a file")
    return JobFile(
        name,
        path,
        form,
        data,
        validate_integer(held["first"], "a segment"),
        validate_integer(held["count"], "segments"),
        choice,
    )


def _ensure_covered(files: Any, size: int) -> None:
    """Each segment is of one file, in the order of the files; a job may also have no files at all."""
    first = 0
    for one in files:
        validate_condition(one.first == first and one.count >= 0, "the files do not have each segment once")
        first += one.count
    validate_condition(not files or first == size, "the files do not have each segment once")


def _by_segment(pairs: Any, beyond: int) -> list[tuple[int, Any]]:
    validate_condition(
        type(pairs) is list and all(type(one) is list and len(one) == 2 for one in pairs), "what files say is none"
    )
    return [(validate_integer(number, "a number", beyond=beyond), value) for number, value in pairs]


def _texts(pairs: Any, beyond: int) -> dict[int, str]:
    found = dict(_by_segment(pairs, beyond))
    validate_names(list(found.values()), "what files say")
    return found
