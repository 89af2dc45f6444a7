"""The reader's cursor: a place in the segment, a selection from its anchor, and what toggling it means."""

from __future__ import annotations

from qe_desktop.corpus import Kind, LayerKey
from qe_desktop.project import Edit, Session


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

    def move(self, step: int, *, extend: bool = False) -> bool:
        """Go some places on; False at the edge."""
        return self.go(self.place + step, extend=extend)

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

    def toggle(self, session: Session, target: LayerKey, segment: int) -> Edit | None:
        """The edit that gives all selected places the other tag than the cursor's has now."""
        tags = session.segment_tags(target, segment)
        places = tuple(place for place in self.selected() if place < len(tags))
        if not places or self.place >= len(tags):
            return None
        tag = 1 - int(tags[self.place])
        return Edit(target, segment, places, (tag,) * len(places))


def bad_places(session: Session, kind: Kind, segment: int) -> list[int]:
    """Places that the reference, or without one anybody, calls BAD."""
    reference = session.reference(kind)
    keys = [reference] if reference is not None else session.tracks(kind)
    return sorted({int(place) for key in keys for place in session.segment_tags(key, segment).nonzero()[0]})


def disputed_places(session: Session, kind: Kind, segment: int) -> list[int]:
    """Places whose tags are not the same in all layers."""
    tags = [session.segment_tags(key, segment) for key in session.tracks(kind)]
    if len(tags) < 2:
        return []
    return [place for place in range(len(tags[0])) if len({int(one[place]) for one in tags}) > 1]


def first_after(places: list[int], place: int) -> int | None:
    """The first of ascending places behind a place."""
    return next((one for one in places if one > place), None)


def last_before(places: list[int], place: int) -> int | None:
    """The last of ascending places before a place."""
    return next((one for one in reversed(places) if one < place), None)
