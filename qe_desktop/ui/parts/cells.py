"""What a table shows, as values: its columns, and in each row ready-made cells."""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.wording import side_by_side


@dataclass(frozen=True, slots=True)
class Column:
    """A header, what it means, and how its cells stand.

    `wide` takes the room that is left; `chosen` is the column that is looked at. `exported` are the headers of what a
    copy has of it, one for each part of its cells; where there are none, the header.
    """

    header: str
    about: str = ""
    right: bool = False
    wide: bool = False
    chosen: bool = False
    exported: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cell:
    """What is shown; `said` is the whole of it in words, `token` a theme's colour, `share` a bar of 0..1 below it.

    `chosen` cells are bold; `last` ones have a line below them, which ends a group of rows. A number may have something
    `beside` it, and a second line `below`, both quieter. `exact` is what a copy has of it, in as many parts as its
    column exports; where there is nothing, all that is shown.
    """

    text: str
    said: str = ""
    token: str = ""
    share: float | None = None
    chosen: bool = False
    last: bool = False
    beside: str = ""
    below: str = ""
    exact: tuple[str | float | int | None, ...] = ()

    @property
    def whole(self) -> str:
        """All that is shown, in one line."""
        return side_by_side(" ", [part for part in (self.text, self.below, self.beside) if part])
