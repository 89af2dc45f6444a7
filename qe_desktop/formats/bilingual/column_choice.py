"""What a person says of a file that does not tell by itself which of its texts are the source and the target."""

from __future__ import annotations

import enum
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """What a person says of a file that holds more than one source and one target: languages, or names of columns.

    Empty where the file tells.
    """

    source: str = ""
    target: str = ""

    def as_kept(self) -> dict[str, str]:
        """What was said, by name; empty where nothing was."""
        return {name: said for name, said in (("source", self.source), ("target", self.target)) if said}


AUTO_COLUMNS = ColumnChoice()


class ChoiceKind(enum.Enum):
    """What is chosen from."""

    LANGUAGES = "languages"
    COLUMNS = "columns"


@dataclass(frozen=True, slots=True)
class ColumnOptions:
    """What may be chosen as source and target: `names` of languages or columns.

    `held` is what holds where nobody chooses; what the file does not tell is empty there.
    """

    of: ChoiceKind
    names: tuple[str, ...]
    held: ColumnChoice = AUTO_COLUMNS
