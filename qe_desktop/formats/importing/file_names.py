"""File-name parsing: names of systems, metrics and references, language pair, and stem."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from qe_desktop.formats.io import text_files

_FORMAT_SUFFIX = re.compile(
    r"\.(gz|txt|tsv|csv|tags|words|predictions?|preds?|probabilit(y|ies)|probs?|submission|out|hyp"
    r"|source[-_]tags|src[-_]tags|word[-_]tags|gap[-_]tags|gaps|hter|da|da_f|mqm|scores?)$",
    re.IGNORECASE,
)
_GENERIC_NAMES = {"predictions", "prediction", "target", "sentence", "submission", "tags", "words", "output", "out"}
_KIND_SUFFIX = re.compile(r"[-_.](mt|gaps?|src|source|words?|sentences?)$", re.IGNORECASE)
_REFERENCE = re.compile(r"ref(erence)?s?(?P<which>[-_]?(\d+|[a-z]))?", re.IGNORECASE)
"""Pattern of a file-name part that marks a reference; group `which` is its number or letter (not a plural “s”)."""
_NO_REFERENCE = re.compile(r"gz|txt|tok|tokeni[sz]ed", re.IGNORECASE)
"""Parts of a reference's file name that do not identify it."""
_SCORED = re.compile(r"\.(gz|txt|tsv|csv|scores?|seg|sys)$", re.IGNORECASE)
_PAIR_PREFIX = re.compile(r"^[a-z]{2,3}-[a-z]{2,3}\.", re.IGNORECASE)
_PAIR = re.compile(r"(?<![A-Za-z0-9])([a-z]{2})-([a-z]{2})(?![A-Za-z0-9])", re.IGNORECASE)
_NON_LANGUAGE_CODES = {"mt", "pe"}


def system_name(path: Path) -> str:
    """System name: the file name without the parts that indicate the format.

    If the file name is generic, such as `predictions.txt`, the name of the folder is used instead.
    """
    if path is text_files.STANDARD_INPUT:
        return text_files.STDIN_NAME
    name = file_stem(path.name)
    return folder_of(path).name or name if name.lower() in _GENERIC_NAMES else name


def folder_of(path: Path) -> Path:
    """Resolved folder of a file; an empty path for standard input, which does not belong to any folder."""
    return Path() if path is text_files.STANDARD_INPUT else path.resolve().parent


def metric_name(path: Path) -> str:
    """Metric name in the name of a score file, such as “COMET-refA” in `en-de.COMET-refA.seg.score.gz`."""
    if path is text_files.STANDARD_INPUT:
        return text_files.STDIN_NAME
    stem = path.name
    while (shorter := _SCORED.sub("", stem)) != stem and shorter:
        stem = shorter
    return _PAIR_PREFIX.sub("", stem) or stem


def is_reference_part(part: str) -> bool:
    """Whether a part of a file name marks a reference, such as `ref`, `refA` or `reference_2`."""
    return _REFERENCE.fullmatch(part) is not None


def reference_names(paths: Sequence[Path]) -> list[str]:
    """Names of references: “A” for `ref.A`, “refA” for `en-de.refA.txt`, and “reference” for `test.ref`.

    If several references would have the same name, their file names are used instead. A reference whose file name has
    no reference part is named like a system (see `system_name`).
    """
    names = [_reference_name(path) for path in paths]
    return [name if names.count(name) == 1 else path.name for name, path in zip(names, paths, strict=True)]


def _reference_name(path: Path) -> str:
    if path is text_files.STANDARD_INPUT:
        return text_files.STDIN_NAME
    parts = [part for part in path.name.split(".") if not _NO_REFERENCE.fullmatch(part)]
    index = next((index for index, part in enumerate(parts) if is_reference_part(part)), None)
    if index is None:
        return system_name(path)
    match = _REFERENCE.fullmatch(parts[index])
    assert match is not None
    # the parts before the reference part name the test set
    return parts[index] if match["which"] else ".".join(parts[index + 1 :]) or "reference"


def is_generic_name(name: str) -> bool:
    """Whether a file name is a generic name of a submission, such as predictions.txt or predictions_gaps.txt."""
    return _KIND_SUFFIX.sub("", file_stem(name)).lower() in _GENERIC_NAMES


def file_stem(name: str) -> str:
    """File name without format extensions."""
    stem = name
    while (shorter := _FORMAT_SUFFIX.sub("", stem)) != stem and shorter:
        stem = shorter
    return stem


def language_pair_of(name: str) -> str:
    """Language pair in a file or folder name, such as `en-de`; empty if there is none."""
    for match in _PAIR.finditer(name.replace("_", " ").replace(".", " ")):
        first, second = match.group(1).lower(), match.group(2).lower()
        if first not in _NON_LANGUAGE_CODES and second not in _NON_LANGUAGE_CODES:
            return f"{first}-{second}"
    return ""
