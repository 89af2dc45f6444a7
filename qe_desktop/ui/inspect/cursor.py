"""The cursor of the reader: a place in the segment, and a selection from its anchor."""

from __future__ import annotations

from qe_desktop.corpus import Tags


class Cursor:
    """A place among `places` of a segment, and the anchor that a selection begins at."""

    def __init__(self) -> None:
        self.place = 0
        self.anchor = 0
        self.places = 0

    def reset(self, places: int, place: int = 0) -> None:
        """Stand in another segment."""
        self.places = places
        self.place = self.anchor = min(max(0, place), max(0, places - 1))

    def go(self, place: int, *, extend: bool = False) -> bool:
        """Go to a place; False where it is outside or the same."""
        if not 0 <= place < self.places or (place == self.place and (extend or self.anchor == place)):
            return False
        self.place = place
        if not extend:
            self.anchor = place
        return True

    def selected(self) -> tuple[int, ...]:
        """The selected places, ascending; the cursor's own is always among them."""
        low, high = sorted((self.anchor, self.place))
        return tuple(range(low, high + 1)) if self.places else ()

    def toggled(self, tags: Tags) -> tuple[tuple[int, ...], int] | None:
        """The selected places among a segment's tags, and the other tag than the cursor's; None without a place."""
        places = tuple(place for place in self.selected() if place < len(tags))
        if not places or self.place >= len(tags):
            return None
        return places, 1 - int(tags[self.place])
