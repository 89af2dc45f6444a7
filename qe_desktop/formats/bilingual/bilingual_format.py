"""How a translator's file begins, which tells its dialect; and what a dialect is."""

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
    """The first of a file's text, and the root where it is XML."""

    head: bytes
    root: XmlRoot | None

    def is_xliff(self, version: str) -> bool:
        """Whether it is XLIFF of a version that begins like this."""
        if self.root is None or self.root.name != "xliff":
            return False
        return self.root.attributes.get("version", "").startswith(version)

    def knows(self, namespace: str) -> bool:
        """Whether the root of the XML binds a namespace."""
        return self.root is not None and namespace in self.root.namespaces


@dataclass(frozen=True, slots=True)
class BilingualFormat:
    """A dialect: `confidence` says from how a file begins how well it fits, 0..1; `read` gives all of it.

    `offer` says from the first of a file's text what may be chosen as source and target; None where the file tells.
    `rows` gives the names of columns and so many first rows, as far as something was chosen. Where a file is `packed`,
    both get all of its bytes.
    """

    name: str
    shown: str
    confidence: Callable[[FileHead], float]
    read: Callable[[DecodedFile, ColumnChoice], Document]
    offer: Callable[[bytes], ColumnOptions | None] = lambda head: None
    rows: Callable[[bytes, ColumnChoice, int], list[tuple[str, ...]]] = lambda head, choice, most: [()]
    packed: bool = False
