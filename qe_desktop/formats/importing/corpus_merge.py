"""What files added to an open corpus, put on the corpus as it is by the time that they are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, Place, QeError, TextRole
from qe_desktop.formats.checks import carrier, form_of_layer, refuse_unlike
from qe_desktop.formats.forms import Form
from qe_desktop.formats.refusals import other_eos, there_already
from qe_desktop.formats.sentences import Other
from qe_desktop.wording import tr

Name = TypeVar("Name")
Value = TypeVar("Value")

_BY_NAME = ("texts", "translations", "references", "metric_scores")
_WHOLE = ("size", "alignments", "documents", "eos", "language_pair", "ratings", "job")


def merged(now: Corpus, read: Corpus, onto: Corpus) -> Corpus:
    """`now` with what `read` has and `onto`, the corpus that it was made of, has not.

    Layers that came into `now` or were closed there since `onto` stay as they are. QeError where what was read does not
    fit a layer that came, or has its name.
    """
    if now is onto:
        return replace(read, layers=_added(now.layers, read.layers, onto.layers))
    new = {key: layer for key, layer in read.layers.items() if onto.layers.get(key) is not layer}
    came = {key: layer for key, layer in now.layers.items() if key not in onto.layers}
    for key in new:
        if key in came:
            hint = tr("It came while the files were read. Give the file’s another name or role.")
            raise QeError(there_already(key), hint=hint, place=Place(new[key].origin))
    _refuse_misfits(new, came, read, onto)
    values: dict[str, Any] = {
        name: _added(getattr(now, name), getattr(read, name), getattr(onto, name)) for name in _BY_NAME
    }
    values |= {name: getattr(read, name) for name in _WHOLE if getattr(read, name) is not getattr(onto, name)}
    return replace(now, **values, layers={**now.layers, **new})


def _added(now: Mapping[Name, Value], read: Mapping[Name, Value], onto: Mapping[Name, Value]) -> dict[Name, Value]:
    return {**now, **{name: value for name, value in read.items() if onto.get(name) is not value}}


def _refuse_misfits(new: Mapping[LayerKey, Layer], came: Mapping[LayerKey, Layer], read: Corpus, onto: Corpus) -> None:
    """QeError where layers that came meanwhile do not fit the layers and the texts that were read."""
    roles = {Kind.WORDS: TextRole.MT, Kind.GAPS: TextRole.MT, Kind.SOURCE: TextRole.SOURCE}
    for layer in came.values():
        kind = carrier(layer.key.kind)
        for other in new.values():
            if carrier(other.key.kind) is kind:
                refuse_unlike(other, layer, other.origin, layer.origin or Other.OPEN_CORPUS, _line)
        role = roles.get(kind)
        text = None if role is None else read.texts.get(role)
        if text is None or role is None or role in onto.texts:
            continue
        eos = form_of_layer(layer, text, role) is Form.EOS
        if kind is Kind.WORDS and eos is not read.eos:
            hint = tr("Both must be of the same tokens, with or without <EOS>.")
            raise QeError(other_eos(eos), hint=hint, place=Place(layer.origin))


def _line(segment: int) -> int:
    return segment + 1
