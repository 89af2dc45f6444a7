"""Corpus columns for bilingual files: original bytes, sources, targets, statuses and notes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sqlalchemy import Connection

from qe_desktop.corpus import JobFile, ReviewStatus, TextColumn, TranslationJob
from qe_desktop.corpus.translation_job import TargetRules, rules_from_json, rules_to_json
from qe_desktop.project.store.tables.blobs import (
    join_header,
    pack_bytes,
    read_array,
    read_bytes,
    split_header,
    unpack_bytes,
    write_array,
    write_bits,
    write_bytes,
)
from qe_desktop.project.store.tables.cell_codec import (
    validate_condition,
    validate_integer,
    validate_names,
    validate_positions,
)

JOB_PREFIX = "job/"
"""Prefix of the names of a job's columns."""
FILES, SOURCES, TARGETS = f"{JOB_PREFIX}files", f"{JOB_PREFIX}sources", f"{JOB_PREFIX}targets"
STATUSES, WITHOUT_TARGET = f"{JOB_PREFIX}statuses", f"{JOB_PREFIX}without-target"
REQUIRED_COLUMNS = {FILES, SOURCES, TARGETS, STATUSES, WITHOUT_TARGET}
LOADED_MT = f"{JOB_PREFIX}loaded"
"""Name of the column with the MT from which the targets were edited; present only if the files contain the MT."""
_FILE_FIELDS = ("name", "path", "form", "first", "count")
JSON_PART_SIZE = 2_000
"""Number of values that are encoded as JSON at a time."""

AddColumn = Callable[[str, int, Any], None]
AddText = Callable[[str, TextColumn], None]
TextOf = Callable[[str], TextColumn]
"""Function that returns the text column with the given name. Raises KeyError for an unknown name."""


def write_job(connection: Connection, job: TranslationJob, add: AddColumn, add_text: AddText) -> None:
    """Write a job as columns with `add` and `add_text`.

    `add` takes the name of a column, the number of its array in `blobs`, and details; `add_text` takes the name of a
    text column and the column itself. Raises ValueError if the files do not cover each segment once, in order.
    """
    _ensure_covered(job.files, len(job.statuses))
    add_text(SOURCES, job.sources)
    add_text(TARGETS, job.targets)
    if job.loaded is not None:
        add_text(LOADED_MT, job.loaded)
    add(STATUSES, write_array(connection, job.statuses), None)
    add(WITHOUT_TARGET, write_bits(connection, job.without_target.astype(np.uint8)), None)
    add(FILES, write_bytes(connection, pack_bytes(_encode_job(job))), [file.name for file in job.files])


def read_job(connection: Connection, data: Mapping[str, int], text: TextOf, size: int) -> TranslationJob:
    """Read a job with `size` segments; `data` maps column names to row numbers in `blobs`.

    Raises QeError for missing or damaged arrays. For other invalid data, raises ValueError (such as CorruptRowError),
    LookupError, TypeError or zlib.error.
    """
    validate_condition(data.keys() - {LOADED_MT} == REQUIRED_COLUMNS, "a part of the bilingual files is missing")
    statuses = validate_positions(read_array(connection, data[STATUSES]), len(ReviewStatus), "statuses")
    without_target = validate_positions(read_array(connection, data[WITHOUT_TARGET]), 2, "segments without a target")
    for values in (statuses, without_target):
        validate_condition(
            values.dtype == np.uint8 and len(values) == size, "a column does not have one value per segment"
        )
    raw = unpack_bytes(read_bytes(connection, data[FILES]))
    head, begin = split_header(raw)
    files = []
    for entry in head["files"]:
        end = begin + validate_integer(entry["size"], "the bytes of a file")
        validate_condition(end <= len(raw), "a bilingual file is truncated")
        files.append(_file(entry, raw[begin:end]))
        begin = end
    _ensure_covered(files, size)
    return TranslationJob(
        tuple(files), text(SOURCES), text(TARGETS), statuses, without_target.astype(bool),
        notes={segment: validate_names(notes, "notes") for segment, notes in _segment_values(head["notes"], size)},
        states=_texts(head["states"], size),
        origins=_texts(head["origins"], size),
        labels={segment: _texts(labels, 2**31) for segment, labels in _segment_values(head["labels"], size)},
        loaded=text(LOADED_MT) if LOADED_MT in data else None,
        rules=_rules(head.get("rules", []), size),
        # absent in projects of earlier versions
        reviewer_notes=_texts(head.get("reviewer_notes", []), size),
        annotations={
            segment: _numbers(numbers) for segment, numbers in _segment_values(head.get("annotations", []), size)
        },
    )  # fmt: skip


def _encode_job(job: TranslationJob) -> bytes:
    files = [
        {name: getattr(file, name) for name in _FILE_FIELDS}
        | {"choice": dict(file.column_selection), "size": len(file.data)}
        for file in job.files
    ]
    metadata: dict[str, Any] = {
        "files": files,
        "notes": [[segment, list(notes)] for segment, notes in job.notes.items()],
        "states": list(job.states.items()),
        "origins": list(job.origins.items()),
        "reviewer_notes": list(job.reviewer_notes.items()),
        "labels": [[segment, list(labels.items())] for segment, labels in job.labels.items()],
    }
    if job.annotations:
        metadata["annotations"] = [[segment, sorted(numbers)] for segment, numbers in job.annotations.items()]
    if job.rules:
        by_rules: dict[TargetRules, list[int]] = {}
        for segment, rules in job.rules.items():
            by_rules.setdefault(rules, []).append(segment)
        metadata["rules"] = [[rules_to_json(rules), segments] for rules, segments in by_rules.items()]
    header = ",".join(f"{_to_json(name)}:{_list_to_json(values)}" for name, values in metadata.items())
    return join_header(f"{{{header}}}", (file.data for file in job.files))


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def _list_to_json(values: list[Any]) -> str:
    """Encode a list in parts, because the encoder does not let other threads run."""
    parts = (_to_json(values[start : start + JSON_PART_SIZE]) for start in range(0, len(values), JSON_PART_SIZE))
    # without the brackets of each part
    return f"[{','.join(part[1:-1] for part in parts)}]"


def _file(entry: Any, data: bytes) -> JobFile:
    choice = entry["choice"]
    validate_condition(type(choice) is dict, "the import options of a file are missing")
    validate_names(list(choice.values()), "the import options of a file")
    name, path, form = validate_names([entry[fact] for fact in _FILE_FIELDS[:3]], "the names of a file")
    return JobFile(
        name,
        path,
        form,
        data,
        validate_integer(entry["first"], "a segment"),
        validate_integer(entry["count"], "segments"),
        choice,
    )


def _ensure_covered(files: Any, size: int) -> None:
    """Raise CorruptRowError unless the files cover each segment once, in order; a job may have no files."""
    first = 0
    for file in files:
        validate_condition(file.first == first and file.count >= 0, "the files do not cover each segment once")
        first += file.count
    validate_condition(not files or first == size, "the files do not cover each segment once")


def _segment_values(pairs: Any, limit: int) -> list[tuple[int, Any]]:
    validate_condition(
        type(pairs) is list and all(type(pair) is list and len(pair) == 2 for pair in pairs),
        "metadata of files is invalid",
    )
    return [(validate_integer(number, "a number", limit=limit), value) for number, value in pairs]


def _rules(entries: Any, size: int) -> dict[int, TargetRules]:
    """Target rules by segment; each entry pairs rules with the list of segments to which they apply."""
    validate_condition(
        type(entries) is list and all(type(entry) is list and len(entry) == 2 for entry in entries)
        and all(type(values) is dict and type(segments) is list for values, segments in entries),
        "rules of files are invalid",
    )  # fmt: skip
    by_segment: dict[int, TargetRules] = {}
    for values, segments in entries:
        rules = rules_from_json(values)
        by_segment |= {validate_integer(segment, "a segment", limit=size): rules for segment in segments}
    return dict(sorted(by_segment.items()))


def _numbers(values: Any) -> frozenset[int]:
    validate_condition(type(values) is list, "metadata of files is invalid")
    return frozenset(validate_integer(value, "a number") for value in values)


def _texts(pairs: Any, limit: int) -> dict[int, str]:
    texts = dict(_segment_values(pairs, limit))
    validate_names(list(texts.values()), "metadata of files")
    return texts
