"""What a command wrote as the layers of a system: tags, probabilities, scores, or the JSON of comet-score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np

from qe_desktop.corpus import (
    Corpus,
    Kind,
    Layer,
    LayerKey,
    NumberColumn,
    Provenance,
    QeError,
    TagColumn,
    TextRole,
    offsets_of,
)
from qe_desktop.formats.layers import read_layers
from qe_desktop.formats.opening import OpenedFile, open_file
from qe_desktop.formats.planned_file import PlannedFile
from qe_desktop.formats.questions import Answers, Numbers
from qe_desktop.formats.registry import recognise
from qe_desktop.formats.roles import Role
from qe_desktop.formats.tags import Texts
from qe_desktop.highlights.commands.comet_json import CometResult, is_json, read_comet
from qe_desktop.highlights.commands.exchange import Given
from qe_desktop.highlights.tagging import Mark, tagged_layers
from qe_desktop.wording import tr

Column = TypeVar("Column", TagColumn, NumberColumn)


def read_result(corpus: Corpus, given: Given, name: str) -> tuple[Layer, ...]:
    """The layers that a command's result holds, as those of the system `name`. QeError where it does not fit the MT."""
    opened = open_file(given.out)
    opened = replace(opened, name=tr("what {name} wrote", name=name))
    if is_json(opened.head()):
        layers = _of_comet(corpus, given, name, read_comet(opened, given.lines))
    else:
        layers = _of_lines(corpus, given, name, opened)
    layers = tuple(replace(layer, origin=name, notes=(*given.notes, *layer.notes)) for layer in layers)
    if not layers:
        raise QeError(tr("there is nothing in what {name} wrote", name=name), hint=_HINT, place=opened.place())
    return layers


_HINT = tr(
    "A line for each segment was expected: a tag or a probability of BAD for each token, or one score; "
    "or the JSON of comet-score --to_json."
)


def _of_comet(corpus: Corpus, given: Given, name: str, result: CometResult) -> tuple[Layer, ...]:
    layers: tuple[Layer, ...] = ()
    if result.spans is not None:
        note = tr("a word is BAD where an error covers a letter of it; a point is a gap")
        mt = replace(given.mt, lines=given.lines) if given.as_tokens else given.mt
        layers = tagged_layers(corpus, _marks(result), name, mt, None, notes=(note,))
    if not np.isnan(result.scores).all():
        layers = (*layers, Layer(LayerKey(Provenance.SYSTEM, name, Kind.SCORES), result.scores, form="a line"))
    return layers


def _marks(result: CometResult) -> Iterator[Mark]:
    for segment, spans in enumerate(result.spans or ()):
        yield from (Mark(segment, (span.start, span.end), span.reason) for span in spans)


def _of_lines(corpus: Corpus, given: Given, name: str, opened: OpenedFile) -> tuple[Layer, ...]:
    mt = corpus.texts[TextRole.MT]
    found = recognise(opened)
    values = found.read(opened).values if found.holds in ("tags", "probabilities") else None
    if isinstance(values, TagColumn | NumberColumn) and _is_of_words(values, corpus, given):
        kind = Kind.WORDS if isinstance(values, TagColumn) else Kind.PROBABILITIES
        # the numbers are looked through in the usual way, as those of a text whose tokens are the words
        spread = _spread(values, corpus, given)
        checked = _read(opened, found.name, Texts(), len(values), corpus, name)
        if isinstance(values, NumberColumn):
            spread = _spread(checked[0].numbers, corpus, given)
        note = tr("each word of the text as written gave its tokens what was said of it")
        return (Layer(LayerKey(Provenance.SYSTEM, name, kind), spread, form="n", notes=(*checked[0].notes, note)),)
    texts = Texts(mt, corpus.texts.get(TextRole.SOURCE))
    layers = _read(opened, found.name, texts, corpus.size, corpus, name)
    return tuple(_fitted(layer, corpus) for layer in layers)


def _read(opened: OpenedFile, format: str, texts: Texts, size: int, corpus: Corpus, name: str) -> tuple[Layer, ...]:
    file = PlannedFile(
        Path(opened.name), format, role=Role.SYSTEM, name=name, answers=Answers(numbers=Numbers.BAD)
    )  # fmt: skip
    try:
        return read_layers(file, opened, texts, None, size, corpus.language_pair).layers
    except QeError as error:
        raise QeError(error.message, hint=_HINT, place=error.place, faults=error.faults, more=error.more) from None


def _is_of_words(values: TagColumn | NumberColumn, corpus: Corpus, given: Given) -> bool:
    """Whether there is a value for each word between blanks of the lines that were given, and not for each token."""
    lengths = values.lengths()
    counts = corpus.texts[TextRole.MT].token_counts()
    if given.as_tokens or len(lengths) != len(given.lines) or np.array_equal(lengths, counts):
        return False
    return np.array_equal(lengths, [len(line.split()) for line in given.lines])


def _spread(values: Column, corpus: Corpus, given: Given) -> Column:
    """Values of words between blanks as those of tokens: each has that of the word in which it begins."""
    parts = []
    for segment, line in enumerate(given.lines):
        begins = [place for place, sign in enumerate(line) if not sign.isspace() and not line[:place][-1:].strip()]
        tokens = [low for low, _ in given.mt.places(segment)]
        words = np.searchsorted(begins, tokens, side="right") - 1
        of_words = values[segment]
        parts.append(of_words[np.clip(words, 0, len(of_words) - 1)] if len(of_words) else of_words[:0])
    lengths = [len(part) for part in parts]
    flat = np.concatenate(parts) if parts else values.values
    column = type(values)(flat, offsets_of(lengths))
    return _with_eos(column) if corpus.eos else column


def _with_eos(column: Column) -> Column:
    """One value more in each segment, for `<EOS>`: OK, of which nothing was said."""
    ends = column.offsets[1:]
    return type(column)(np.insert(column.values, ends, 0), offsets_of(column.lengths() + 1))


def _fitted(layer: Layer, corpus: Corpus) -> Layer:
    """A layer with a tag for `<EOS>` where the others here have one, and without it where they have none."""
    if layer.key.kind not in (Kind.WORDS, Kind.PROBABILITIES) or isinstance(layer.column, np.ndarray):
        return layer
    counts = corpus.texts[TextRole.MT].token_counts()
    lengths = layer.column.lengths()
    has = bool((lengths == counts + 1).all()) and len(lengths) > 0
    if has and not corpus.eos:
        note = tr("the tags of <EOS> were dropped")
        return replace(layer, column=layer.column.without_last(), notes=(*layer.notes, note))
    if corpus.eos and not has:
        column = layer.tags if layer.key.kind is Kind.WORDS else layer.numbers
        return replace(layer, column=_with_eos(column))
    return layer
