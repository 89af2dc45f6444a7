"""Bilingual file formats (dialects), detected from the beginning of a file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qe_desktop.formats.bilingual.column_choice import AUTO_COLUMNS, ColumnChoice, ColumnOptions
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.xml.xml_tree import XmlRoot

__all__ = ["AUTO_COLUMNS", "BilingualFormat", "ColumnChoice", "FileHead"]


@dataclass(frozen=True, slots=True, eq=False)
class FileHead:
    """Beginning of a file (`head`: UTF-8, or raw bytes of a workbook) and the XML root, None if the file is not XML."""

    head: bytes
    root: XmlRoot | None

    def is_xliff(self, version: str) -> bool:
        """Whether the file is XLIFF with a version number that starts with `version`."""
        if self.root is None or self.root.name != "xliff":
            return False
        return self.root.attributes.get("version", "").startswith(version)

    def declares_namespace(self, namespace: str) -> bool:
        """Whether the XML root declares a namespace."""
        return self.root is not None and namespace in self.root.namespaces


@dataclass(frozen=True, slots=True)
class BilingualFormat:
    """Bilingual file format (dialect).

    `confidence` returns the confidence (0 to 1) that a file has this format, and `read` parses a file. `column_options`
    and `preview_rows` receive the beginning of a file, or the whole file if `is_packed` is true. `column_options`
    returns the options for source and target, or None if there is nothing to select. `preview_rows` returns a row of
    column names and up to the given number of further rows, or one empty row for a file without columns.
    """

    name: str
    display_name: str
    confidence: Callable[[FileHead], float]
    read: Callable[[DecodedFile, ColumnChoice], Document]
    column_options: Callable[[bytes], ColumnOptions | None] = lambda head: None
    preview_rows: Callable[[bytes, ColumnChoice, int], list[tuple[str, ...]]] = lambda head, choice, most: [()]
    is_packed: bool = False
