"""A table of numbers as it is shown, with whose number stands in each cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from qe_desktop.ui.parts.cells import Cell, Column

Whose = TypeVar("Whose")


@dataclass(frozen=True, slots=True)
class Sheet(Generic[Whose]):
    """Cells, and `targets` by rows and columns: None where a cell holds no number of anything.

    `heads` is what a column is sorted by, None: by nothing.
    """

    columns: tuple[Column, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    targets: tuple[tuple[Whose | None, ...], ...] = ()
    heads: tuple[str | None, ...] = ()
