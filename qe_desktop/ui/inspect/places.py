"""Places of a segment that mean something: what is called BAD, and what not all agree on."""

from __future__ import annotations

from qe_desktop.corpus import Kind, View


def bad_places(view: View, kind: Kind, segment: int) -> list[int]:
    """Places that the reference, or without one anybody, calls BAD."""
    reference = view.reference(kind)
    keys = [reference] if reference is not None else view.tracks(kind)
    return sorted({int(place) for key in keys for place in view.segment_tags(key, segment).nonzero()[0]})


def disputed_places(view: View, kind: Kind, segment: int) -> list[int]:
    """Places whose tags are not the same in all layers."""
    tags = [view.segment_tags(key, segment) for key in view.tracks(kind)]
    if len(tags) < 2:
        return []
    return [place for place in range(len(tags[0])) if len({int(one[place]) for one in tags}) > 1]


def first_after(places: list[int], place: int) -> int | None:
    """The first of ascending places behind a place."""
    return next((one for one in places if one > place), None)


def last_before(places: list[int], place: int) -> int | None:
    """The last of ascending places before a place."""
    return next((one for one in reversed(places) if one < place), None)
