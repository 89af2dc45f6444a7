"""The one list of what a reviewed corpus can be written as: to add a kind, write its module and add a line here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.formats.bilingual.exports import po, tables, texts, tmx, workbook, xliff1, xliff2
from qe_desktop.formats.bilingual.exports.exported import Exported, Pair, exported_documents, exported_of
from qe_desktop.wording import tr

__all__ = ["EXPORTS", "Export", "Exported", "Pair", "export_named", "exported_documents", "exported_of", "fitting"]


@dataclass(frozen=True, slots=True)
class Export:
    """A kind of file: `shown` is what people call it, `suffix` how its name ends, `write` gives all of its bytes."""

    name: str
    shown: str
    suffix: str
    write: Callable[[Exported], bytes]


EXPORTS: tuple[Export, ...] = (
    Export("xliff-1", tr("XLIFF 1.2"), ".xlf", xliff1.write),
    Export("xliff-2", tr("XLIFF 2.1"), ".xliff", xliff2.write),
    Export("tmx", tr("TMX"), ".tmx", tmx.write),
    Export("po", tr("PO (gettext)"), ".po", po.write),
    Export("csv", tr("CSV"), ".csv", tables.write_csv),
    Export("tsv", tr("TSV, with tags and scores"), ".tsv", tables.write_tsv),
    Export("xlsx", tr("Excel workbook"), ".xlsx", workbook.write),
    Export("source", tr("source, one segment a line"), ".src", texts.write_sources),
    Export("mt", tr("MT as loaded, one segment a line"), ".mt", texts.write_mt),
    Export("post-edit", tr("post-edit, one segment a line"), ".pe", texts.write_post_edits),
)


def export_named(name: str) -> Export:
    """The kind of this name. KeyError for another one."""
    return {export.name: export for export in EXPORTS}[name]


def fitting(path: Path) -> Export | None:
    """The kind that a file's name ends as, where there is one."""
    return next((export for export in EXPORTS if export.suffix == path.suffix.lower()), None)
