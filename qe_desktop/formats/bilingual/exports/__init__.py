"""Export formats for a reviewed corpus; related formats share a module."""

from __future__ import annotations

SUFFIX_BY_EXPORT = {
    "xliff-1": ".xlf",
    "xliff-2": ".xliff",
    "tmx": ".tmx",
    "po": ".po",
    "csv": ".csv",
    "tsv": ".tsv",
    "xlsx": ".xlsx",
    "source": ".src",
    "mt": ".mt",
    "post-edit": ".pe",
}
SUFFIXES = frozenset(SUFFIX_BY_EXPORT.values())
