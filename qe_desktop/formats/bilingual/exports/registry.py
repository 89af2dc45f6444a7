"""Registry of export formats. To add a format, write its module, and extend `SUFFIX_BY_EXPORT` and `EXPORTS`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.exports import SUFFIX_BY_EXPORT, po_export, table_export, tmx_export, xliff_export
from qe_desktop.formats.bilingual.exports.export_model import (
    ExportData,
    ExportSegment,
    export_documents,
    export_view,
    exported_layers,
)
from qe_desktop.i18n.messages import tr

__all__ = [
    "EXPORTS",
    "ExportData",
    "ExportFormat",
    "ExportSegment",
    "export_documents",
    "export_for_suffix",
    "export_view",
    "exported_layers",
    "get_export",
]


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """Export format; `write` serializes the data to export.

    `stored_fields` are the review fields that can be read back from an exported file, under their names in projects. If
    `only_confirmed` is true, as for translation memories, unconfirmed segments are exported only on request.
    """

    name: str
    display_name: str
    write: Callable[[ExportData], bytes]
    stored_fields: frozenset[str]
    only_confirmed: bool = False

    @property
    def suffix(self) -> str:
        """Suffix of exported files, including the dot."""
        return SUFFIX_BY_EXPORT[self.name]

    def select_segments(self, exported: ExportData, *, unconfirmed: bool = False) -> ExportData:
        """Return the data to write; `unconfirmed` includes unconfirmed segments even if `only_confirmed` is true.

        Raises QeError if `exported` has segments, but none of them is to be written.
        """
        if unconfirmed or not self.only_confirmed:
            return exported
        confirmed = exported.select_confirmed()
        if exported.segments and not confirmed.segments:
            message = tr(
                "no segment is confirmed, but only confirmed segments are exported as {format}",
                format=self.display_name,
            )
            raise QeError(
                message,
                hint=tr("Confirm segments first."),
                command_hint=tr("Specify --unconfirmed to include all segments."),
            )
        return confirmed


_ALL = frozenset(("target", "status", "note"))
_TARGETS = frozenset(("target",))
_NOTHING: frozenset[str] = frozenset()
EXPORTS: tuple[ExportFormat, ...] = (
    ExportFormat("xliff-1", tr("XLIFF 1.2"), xliff_export.write_xliff12, _ALL),
    ExportFormat("xliff-2", tr("XLIFF 2.1"), xliff_export.write_xliff2, _ALL),
    ExportFormat("tmx", tr("TMX"), tmx_export.write, _NOTHING, True),
    ExportFormat("po", tr("PO (gettext)"), po_export.write, frozenset(("target", "note"))),
    ExportFormat("csv", tr("CSV"), table_export.write_csv, _ALL),
    ExportFormat("tsv", tr("TSV"), table_export.write_tsv, _ALL),
    ExportFormat("xlsx", tr("Excel workbook"), table_export.write_xlsx, _ALL),
    ExportFormat("source", tr("source, one segment per line"), table_export.write_sources, _NOTHING),
    ExportFormat("mt", tr("MT as loaded, one segment per line"), table_export.write_mt, _NOTHING),
    ExportFormat("post-edit", tr("post-edit, one segment per line"), table_export.write_post_edits, _TARGETS),
)


def get_export(name: str) -> ExportFormat:
    """Export format with this `name`. Raises KeyError if there is none."""
    return {export.name: export for export in EXPORTS}[name]


def export_for_suffix(path: Path) -> ExportFormat | None:
    """Export format for a file's suffix; None if there is none."""
    return next((export for export in EXPORTS if export.suffix == path.suffix.lower()), None)
