"""What a command wrote as the layers of a system: tags, probabilities, scores, or the JSON of comet-score."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from qe_desktop.corpus import (
    Corpus,
    Fault,
    Kind,
    Layer,
    LayerKey,
    NumberColumn,
    Place,
    Provenance,
    QeError,
    TagColumn,
    TextColumn,
    TextRole,
    offsets_of,
    refuse_all,
)
from qe_desktop.formats.layers import read_layers
from qe_desktop.formats.limits import LONGEST
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

Column = TagColumn | NumberColumn
LONGEST_LINE = LONGEST * 32
"""Bytes of a line of values: of a number for each token of the longest segment, however many digits it has."""
_WORD = re.compile(r"\S+")


def read_result(corpus: Corpus, given: Given, name: str, watch: Callable[[], None] = lambda: None) -> tuple[Layer, ...]:
    """The layers that a command's result holds, as those of the system `name`. QeError where it does not fit the MT.

    `watch` is called now and then; what it raises ends the reading.
    """
    shown = tr("what {name} wrote", name=name)
    try:
        opened = replace(open_file(given.out, watch), name=shown)
    except QeError as error:
        raise QeError(error.message, hint=error.hint, command_hint=error.command_hint, place=Place(shown)) from None
    if is_json(opened.head()):
        layers = _of_comet(corpus, given, name, read_comet(opened, given.lines))
    else:
        _refuse_long_lines(opened)
        layers = _of_lines(corpus, given, name, opened)
    layers = tuple(replace(layer, origin=name, notes=(*given.notes, *layer.notes)) for layer in layers)
    if not layers:
        raise QeError(tr("there is nothing in what {name} wrote", name=name), hint=_HINT, place=opened.place())
    return layers


_HINT = tr(
    "A line for each segment was expected: a tag or a probability of BAD for each token, or one score; "
    "or the JSON of comet-score --to_json."
)


def _refuse_long_lines(opened: OpenedFile) -> None:
    """Refuse lines that no segment's values can be before they are taken apart, which would take minutes."""
    lines = TextColumn.from_bytes(opened.data, opened.start)
    sizes = lines.ends - lines.starts

    def fault(line: int) -> Fault:
        return Fault(opened.place(line + 1), tr("the line has {n:,} bytes", "", int(sizes[line])))

    refuse_all(np.flatnonzero(sizes > LONGEST_LINE), fault, _HINT)


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
        return (_of_words(values, corpus, given, name, opened),)
    texts = Texts(mt, corpus.texts.get(TextRole.SOURCE))
    layers = _read(opened, found.name, texts, corpus.size, corpus, name)
    return tuple(_fitted(layer, corpus) for layer in layers)


def _read(opened: OpenedFile, format: str, texts: Texts, size: int, corpus: Corpus, name: str) -> tuple[Layer, ...]:
    answers = Answers(numbers=Numbers.BAD)
    file = PlannedFile(Path(opened.name), format, role=Role.SYSTEM, name=name, answers=answers)
    try:
        return read_layers(file, opened, texts, None, size, corpus.language_pair).layers
    except QeError as error:
        raise QeError(error.message, hint=_HINT, place=error.place, faults=error.faults, more=error.more) from None


def _is_of_words(values: Column, corpus: Corpus, given: Given) -> bool:
    """Whether there is a value for each word between blanks of the lines that were given, and not for each token."""
    lengths = values.lengths()
    counts = corpus.texts[TextRole.MT].token_counts()
    if given.as_tokens or len(lengths) != len(given.lines) or np.array_equal(lengths, counts):
        return False
    return np.array_equal(lengths, [len(line.split()) for line in given.lines])


def _of_words(values: Column, corpus: Corpus, given: Given, name: str, opened: OpenedFile) -> Layer:
    """Values of words between blanks as those of tokens: each has that of the word in which it begins."""
    notes: tuple[str, ...] = (tr("each word of the text as written gave its tokens what was said of it"),)
    if isinstance(values, NumberColumn):
        # whether they are probabilities is looked at in the usual way
        (layer,) = _read(opened, recognise(opened).name, Texts(), len(values), corpus, name)
        values, notes = layer.numbers, (*layer.notes, *notes)
    places: list[int] = []
    lengths: list[int] = []
    for segment, line in enumerate(given.lines):
        begins = [found.start() for found in _WORD.finditer(line)]
        first = int(values.offsets[segment])
        tokens = given.mt.places(segment)
        places += [first + max(0, bisect_right(begins, low) - 1) for low, _ in tokens]
        lengths.append(len(tokens))
    offsets = offsets_of(lengths)
    column: Column
    if isinstance(values, TagColumn):
        column, kind = TagColumn(values.values[places], offsets), Kind.WORDS
    else:
        column, kind = NumberColumn(values.values[places], offsets), Kind.PROBABILITIES
    layer = Layer(LayerKey(Provenance.SYSTEM, name, kind), column, form="n", notes=notes)
    return _fitted(layer, corpus)


def _with_eos(column: Column) -> Column:
    """One value more in each segment, for `<EOS>`: OK, for nothing was said of it."""
    offsets = offsets_of(column.lengths() + 1)
    if isinstance(column, TagColumn):
        return TagColumn(np.insert(column.values, column.offsets[1:], 0), offsets)
    return NumberColumn(np.insert(column.values, column.offsets[1:], 0), offsets)


def _fitted(layer: Layer, corpus: Corpus) -> Layer:
    """A layer with a tag for `<EOS>` where the others here have one, and without it where they have none."""
    column = layer.column
    if layer.key.kind not in (Kind.WORDS, Kind.PROBABILITIES) or isinstance(column, np.ndarray):
        return layer
    counts = corpus.texts[TextRole.MT].token_counts()
    has = len(column) > 0 and bool((column.lengths() == counts + 1).all())
    if has and not corpus.eos:
        note = tr("the tags of <EOS> were dropped")
        return replace(layer, column=column.without_last(), notes=(*layer.notes, note))
    return replace(layer, column=_with_eos(column)) if corpus.eos and not has else layer
