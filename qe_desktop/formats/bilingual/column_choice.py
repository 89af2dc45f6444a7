"""Selection of source and target in files with more than one candidate for each."""

from __future__ import annotations

import enum
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """Source and target selected by the user, as languages or column names; detected from the file if empty."""

    source: str = ""
    target: str = ""

    def as_setting(self) -> dict[str, str]:
        """Non-empty selections by name, as stored in projects."""
        return {name: selected for name, selected in (("source", self.source), ("target", self.target)) if selected}


AUTO_COLUMNS = ColumnChoice()


class ChoiceKind(enum.Enum):
    """Kind of options from which source and target are selected."""

    LANGUAGES = "languages"
    COLUMNS = "columns"


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """Options for source and target: `names` of languages or columns.

    `default` is the default selection; empty if the file does not determine it.
    """

    kind: ChoiceKind
    names: tuple[str, ...]
    default: ColumnChoice = AUTO_COLUMNS
