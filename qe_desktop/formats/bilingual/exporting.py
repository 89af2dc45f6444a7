"""The one list of what a reviewed corpus can be written as: to add a kind, write its module and add a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.formats.bilingual.exports import po, tables, texts, tmx, workbook, xliff1, xliff2
from qe_desktop.formats.bilingual.exports.exported import Exported, Pair, exported_documents, exported_of, layers_of
from qe_desktop.formats.bilingual.suffixes import BY_KIND
from qe_desktop.wording import tr

__all__ = [
    "EXPORTS",
    "Export",
    "Exported",
    "Pair",
    "export_named",
    "exported_documents",
    "exported_of",
    "fitting",
    "layers_of",
]


@dataclass(frozen=True, slots=True)
class Export:
    """A kind of file: `shown` is what people call it, `suffix` how its name ends, `write` gives all of its bytes.

    `holds` are the fields of a review, by what projects call them, that can be read from it again.
    """

    name: str
    shown: str
    suffix: str
    write: Callable[[Exported], bytes]
    holds: frozenset[str]


_ALL = frozenset(("target", "status", "note"))
_TARGETS = frozenset(("target",))
_NOTHING: frozenset[str] = frozenset()
EXPORTS: tuple[Export, ...] = (
    Export("xliff-1", tr("XLIFF 1.2"), BY_KIND["xliff-1"], xliff1.write, _ALL),
    Export("xliff-2", tr("XLIFF 2.1"), BY_KIND["xliff-2"], xliff2.write, _ALL),
    Export("tmx", tr("TMX"), BY_KIND["tmx"], tmx.write, _TARGETS),
    Export("po", tr("PO (gettext)"), BY_KIND["po"], po.write, frozenset(("target", "note"))),
    Export("csv", tr("CSV"), BY_KIND["csv"], tables.write_csv, _ALL),
    Export("tsv", tr("TSV, with tags and scores"), BY_KIND["tsv"], tables.write_tsv, _ALL),
    Export("xlsx", tr("Excel workbook"), BY_KIND["xlsx"], workbook.write, _ALL),
    Export("source", tr("source, one segment a line"), BY_KIND["source"], texts.write_sources, _NOTHING),
    Export("mt", tr("MT as loaded, one segment a line"), BY_KIND["mt"], texts.write_mt, _NOTHING),
    Export("post-edit", tr("post-edit, one segment a line"), BY_KIND["post-edit"], texts.write_post_edits, _TARGETS),
)


def export_named(name: str) -> Export:
    """The kind of this name. KeyError for another one."""
    return {export.name: export for export in EXPORTS}[name]


def fitting(path: Path) -> Export | None:
    """The kind that a file's name ends as, where there is one."""
    return next((export for export in EXPORTS if export.suffix == path.suffix.lower()), None)
