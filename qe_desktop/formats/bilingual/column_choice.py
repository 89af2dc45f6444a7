"""Selection of source and target in files with several languages or columns."""

from __future__ import annotations

import enum
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """Source and target selected by the user: languages or column names, or empty to detect them from the file."""

    source: str = ""
    target: str = ""

    def as_setting(self) -> dict[str, str]:
        """Non-empty selections by name (`source`, `target`), as stored in projects."""
        return {name: selected for name, selected in (("source", self.source), ("target", self.target)) if selected}


AUTO_COLUMNS = ColumnChoice()


class ChoiceKind(enum.Enum):
    """Kind of options from which source and target are selected."""

    LANGUAGES = "languages"
    COLUMNS = "columns"


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """Languages or columns (`names`) from which source and target can be selected.

    `default` is the default selection, which is empty if the file does not determine it.
    """

    kind: ChoiceKind
    names: tuple[str, ...]
    default: ColumnChoice = AUTO_COLUMNS
