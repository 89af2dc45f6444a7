"""Merging of added files into the current state of an open corpus."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, QeError, SourceLocation, TextRole
from qe_desktop.formats.importing.file_layers import line_of_segment
from qe_desktop.formats.importing.validation import (
    check_same_lengths,
    duplicate_layer_error,
    eos_mismatch_error,
    kind_carrier,
    layer_layout,
)
from qe_desktop.formats.messages import ComparedWith
from qe_desktop.formats.tags.layouts import TagLayout
from qe_desktop.i18n.messages import tr

Name = TypeVar("Name")
Value = TypeVar("Value")

_MAPPING_FIELDS = ("texts", "translations", "references", "metric_scores")
_SINGLE_FIELDS = ("size", "alignments", "documents", "eos", "language_pair", "ratings", "job")


def merge_corpora(now: Corpus, loaded: Corpus, base: Corpus) -> Corpus:
    """Return `now` with the contents of `loaded` that are not in `base`.

    `base` is the open corpus before files were read, `loaded` is `base` with the contents of the files, and `now` is
    the current state of the open corpus. Layers added or removed while the files were read stay added or removed.
    Raises QeError if the files do not fit a layer that was added meanwhile, or contain a layer with the same name.
    """
    if now is base:
        return replace(loaded, layers=_merge_values(now.layers, loaded.layers, base.layers))
    new = {key: layer for key, layer in loaded.layers.items() if base.layers.get(key) is not layer}
    concurrent_layers = {key: layer for key, layer in now.layers.items() if key not in base.layers}
    for key in new:
        if key in concurrent_layers:
            hint = tr(
                "A layer with this name was added while the files were being read. Change the name or role of the file."
            )
            raise QeError(duplicate_layer_error(key), hint=hint, place=SourceLocation(new[key].origin))
    _reject_misfits(new, concurrent_layers, loaded, base)
    values: dict[str, Any] = {
        name: _merge_values(getattr(now, name), getattr(loaded, name), getattr(base, name)) for name in _MAPPING_FIELDS
    }
    values |= {
        name: getattr(loaded, name) for name in _SINGLE_FIELDS if getattr(loaded, name) is not getattr(base, name)
    }
    return replace(now, **values, layers={**now.layers, **new})


def _merge_values(
    now: Mapping[Name, Value], loaded: Mapping[Name, Value], base: Mapping[Name, Value]
) -> dict[Name, Value]:
    return {**now, **{name: value for name, value in loaded.items() if base.get(name) is not value}}


def _reject_misfits(
    new: Mapping[LayerKey, Layer], concurrent_layers: Mapping[LayerKey, Layer], loaded: Corpus, base: Corpus
) -> None:
    """Raise QeError if layers that were added while files were read do not fit the layers and texts of the files."""
    roles = {Kind.WORDS: TextRole.MT, Kind.GAPS: TextRole.MT, Kind.SOURCE: TextRole.SOURCE}
    for layer in concurrent_layers.values():
        kind = kind_carrier(layer.key.kind)
        for added in new.values():
            if kind_carrier(added.key.kind) is kind:
                compared_with = layer.origin or ComparedWith.OPEN_CORPUS
                check_same_lengths(added, layer, added.origin, compared_with, line_of_segment)
        role = roles.get(kind)
        text = None if role is None else loaded.texts.get(role)
        if text is None or role is None or role in base.texts:
            continue
        eos = layer_layout(layer, text, role) is TagLayout.EOS
        if kind is Kind.WORDS and eos is not loaded.eos:
            hint = tr(
                "All tags and probabilities of a text must refer to the same tokens, either all with <EOS> or all "
                "without it."
            )
            raise QeError(eos_mismatch_error(eos), hint=hint, place=SourceLocation(layer.origin))
