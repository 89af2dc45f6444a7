"""Values of a campaign as JSON and back. Fields that this version does not know are passed over."""

from __future__ import annotations

import enum
import math
from dataclasses import fields
from typing import Any, TypeVar

from qe_desktop.answers.events import Value
from qe_desktop.outgoing import whole
from qe_desktop.project.store.cells import checked
from qe_desktop.ratings.campaign import Basis, Campaign, Setup

Held = TypeVar("Held", Campaign, Setup)


def packed(value: Campaign | Setup) -> dict[str, Any]:
    """A value's fields as JSON can hold them."""
    return {name: held.value if isinstance(held, enum.Enum) else held for name, held in cells_of(value).items()}


def cells_of(value: Any) -> dict[str, Any]:
    """The fields of a dataclass with slots by their names, as they are."""
    return {name: getattr(value, name) for name in value.__slots__}


def campaign_of(held: dict[str, Any]) -> Campaign:
    """The campaign that `packed` made JSON of."""
    return checked(_unpacked(Campaign, held | {"basis": Basis(held["basis"])}))


def setup_of(held: dict[str, Any]) -> Setup:
    """The setup that `packed` made JSON of."""
    return checked(_unpacked(Setup, held))


def _unpacked(kind: type[Held], held: dict[str, Any]) -> Held:
    known = {one.name for one in fields(kind)}
    return kind(**{name: _tuples(value) for name, value in held.items() if name in known})


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value


def value_out(value: Value) -> Any:
    """A rating's value for JSON, written in one way only: scales as floats, ranks as whole numbers."""
    if isinstance(value, tuple):
        return [int(rank) for rank in value]
    if isinstance(value, int | float):
        return float(value) if math.isfinite(value) else None
    return value


def value_in(held: Any) -> Value:
    """A rating's value as JSON gave it back."""
    if isinstance(held, list):
        return tuple(int(rank) for rank in held)
    # JSON can hold half a character, which nothing that the text goes to could
    return whole(held) if isinstance(held, str) else held
