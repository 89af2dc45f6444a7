"""Consistency checks between the columns of a corpus, and their error messages."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import (
    AlignmentColumn,
    Fault,
    Kind,
    Layer,
    LayerKey,
    Provenance,
    QeError,
    SourceLocation,
    TextColumn,
    TextRole,
    raise_for_rows,
    segment_indices,
)
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.errors import MAX_LISTED_FAULTS
from qe_desktop.formats.importing.roles import Role
from qe_desktop.formats.messages import (
    OPEN_INSTEAD,
    Compared,
    ComparedWith,
    LineContent,
    line_count_message,
    value_count_message,
)
from qe_desktop.formats.tags.tag_lines import TaggedItems, TagLayout, detect_layout
from qe_desktop.formats.tags.tag_reader import TagTexts, word_layouts
from qe_desktop.i18n.messages import join_localized, tr

MIN_CERTAIN_Z = 5.0
"""Number of standard errors by which a correlation must be below 0 to be significant."""


def check_size(size: int, expected: int, file: str, compared_with: Compared | str) -> None:
    """Raise QeError if a column's `size` differs from `expected`, the size of `compared_with` (for example, the MT)."""
    if size != expected:
        hint = tr("Each file must have one line per segment.")
        if compared_with is ComparedWith.OPEN_CORPUS:
            hint = join_localized(" ", (hint, OPEN_INSTEAD))
        raise QeError(line_count_message(size, expected, compared_with), hint=hint, place=SourceLocation(file))


def check_link_range(
    alignments: AlignmentColumn,
    source: TextColumn | None,
    target: TextColumn | None,
    file: str,
    role: Literal[TextRole.MT, TextRole.POST_EDIT] = TextRole.MT,
) -> None:
    """Raise QeError if alignments refer to tokens that the source or the target (MT or post-edit) does not contain."""
    segments = segment_indices(alignments.offsets)
    beyond_target = _mt_index_message if role is TextRole.MT else _post_edit_index_message
    for side, text in enumerate((source, target)):
        if text is None:
            continue
        counts = text.token_counts()

        def error(link: int, side: int = side, counts: NDArray[np.int32] = counts) -> Fault:
            line = int(segments[link])
            first, second = alignments.values[link].tolist()
            message = _source_index_message if side == 0 else beyond_target
            return Fault(SourceLocation(file, line + 1), message(first, second, int(counts[line])))

        out_of_range = np.flatnonzero(alignments.values[:, side] >= counts[segments])
        raise_for_rows(out_of_range, error, tr("Token numbers start at 0."))


def _source_index_message(first: int, second: int, tokens: int) -> str:
    return tr(
        "{first}-{second}: the source has no token {first}, only {n:,} {n:token|tokens}",
        "", tokens, first=first, second=second,
    )  # fmt: skip


def _mt_index_message(first: int, second: int, tokens: int) -> str:
    return tr(
        "{first}-{second}: the MT has no token {second}, only {n:,} {n:token|tokens}",
        "", tokens, first=first, second=second,
    )  # fmt: skip


def _post_edit_index_message(first: int, second: int, tokens: int) -> str:
    return tr(
        "{first}-{second}: the post-edit has no token {second}, only {n:,} {n:token|tokens}",
        "", tokens, first=first, second=second,
    )  # fmt: skip


def check_same_lengths(
    layer: Layer, other_layer: Layer, file: str, base: ComparedWith | str, line_of: Callable[[int], int]
) -> None:
    """Raise QeError if two layers differ in the number of segments, or in the number of values of any segment.

    Both layers must belong to the same tokens. `file` contains `layer`, and `line_of` maps segments to its lines.
    Messages refer to `other_layer` as `base`.
    """
    lengths, other_lengths = _lengths(layer), _lengths(other_layer)
    check_size(len(lengths), len(other_lengths), file, base)

    def error(segment: int) -> Fault:
        message = value_count_message(int(lengths[segment]), int(other_lengths[segment]), base)
        return Fault(SourceLocation(file, line_of(segment)), message)

    hint = tr(
        "All tags and probabilities of a text must refer to the same tokens, either all with <EOS> or all without it."
    )
    raise_for_rows(np.flatnonzero(lengths != other_lengths), error, hint)


def word_layout_in_new_texts(
    first_layers: Mapping[Kind, Layer], texts: TagTexts, existing_roles: Container[TextRole], errors: list[QeError]
) -> TagLayout | None:
    """Check loaded layers of tags against new texts, and return the layout of the word tags.

    Texts with a role in `existing_roles` are not new and are not checked. Mismatches are added to `errors`. Returns
    None if there are no word tags, if there is no new MT, or if the word tags do not match the MT.
    """
    words = None
    for kind, text, role in (
        (Kind.WORDS, texts.mt, TextRole.MT),
        (Kind.GAPS, texts.mt, TextRole.MT),
        (Kind.SOURCE, texts.source, TextRole.SOURCE),
    ):
        layer = first_layers.get(kind)
        if layer is None or text is None or role in existing_roles:
            continue
        try:
            layout = layer_layout(layer, text, role)
        except QeError as error:
            errors.append(error)
        else:
            words = layout if kind is Kind.WORDS else words
    return words


def layer_layout(layer: Layer, text: TextColumn, role: TextRole) -> TagLayout:
    """Layout in which a loaded layer fits a newly added text. Raises QeError with the lines that do not fit, if any."""
    forms = {Kind.GAPS: (TagLayout.GAPS,), Kind.SOURCE: (TagLayout.WORDS,)}.get(layer.key.kind) or word_layouts(text)
    tagged_items = TaggedItems(layer.origin, lambda line: SourceLocation(layer.origin, line + 1))
    return detect_layout(_lengths(layer), text.token_counts(), forms, tagged_items, role, LineContent.VALUES)


def kind_carrier(kind: Kind) -> Kind:
    """Kind of the items that the values of a layer belong to: words for probabilities, otherwise `kind` itself."""
    return Kind.WORDS if kind is Kind.PROBABILITIES else kind


def lengths_by_kind(layers: Iterable[Layer]) -> dict[Kind, Ints]:
    """Number of values per segment in the first layer of each kind; scores are ignored.

    Probabilities count as words (`kind_carrier`).
    """
    lengths: dict[Kind, Ints] = {}
    for layer in layers:
        if layer.key.kind is not Kind.SCORES:
            lengths.setdefault(kind_carrier(layer.key.kind), _lengths(layer))
    return lengths


def correlate_with_gold(all_layers: Mapping[LayerKey, Layer], new: Mapping[LayerKey, Layer]) -> dict[LayerKey, Layer]:
    """Return the new probability layers that correlate significantly negatively with the gold, each with a note.

    Such a correlation is not an error, because a system may be worse than chance.
    """
    golds = [layer for key, layer in all_layers.items() if key.provenance is Provenance.GOLD and key.kind is Kind.WORDS]
    noted = {}
    for key, layer in new.items():
        if key.kind is not Kind.PROBABILITIES or not golds:
            continue
        correlation = _correlation(layer, golds[0])
        if correlation is not None:
            note = tr(
                "words with higher P(BAD) tend to be OK in the gold (correlation {correlation:.2f}); if the numbers "
                "are P(OK), select P(OK) when you open the file",
                correlation=correlation,
            )
            noted[key] = replace(layer, notes=(*layer.notes, note))
    return noted


def _correlation(layer: Layer, gold: Layer) -> float | None:
    """Pearson correlation of P(BAD) with the gold tags; None unless it is defined and significantly negative."""
    numbers, tags = layer.numbers, gold.tags
    if not np.array_equal(numbers.offsets, tags.offsets) or not len(tags.values):
        return None
    if tags.values.min() == tags.values.max() or numbers.values.min() == numbers.values.max():
        return None
    correlation = float(np.corrcoef(numbers.values, tags.values)[0, 1])
    return correlation if correlation * np.sqrt(len(tags.values)) < -MIN_CERTAIN_Z else None


def combine_errors(errors: Sequence[QeError]) -> QeError:
    """Merge one or more errors into one, which lists at most `MAX_LISTED_FAULTS` locations.

    The first location of each error is taken, then the second of each, and so on up to this limit. A single error is
    returned unchanged.
    """
    if len(errors) == 1:
        return errors[0]
    groups = [error.faults or (Fault(error.place or SourceLocation("?"), error.message),) for error in errors]
    turns = sorted((turn, index) for index, faults in enumerate(groups) for turn in range(len(faults)))
    faults = [groups[index][turn] for index, turn in sorted((index, turn) for turn, index in turns[:MAX_LISTED_FAULTS])]
    more = sum(error.more for error in errors) + len(turns) - len(faults)
    return QeError(
        errors[0].message,
        hint=errors[0].hint,
        command_hint=errors[0].command_hint,
        place=errors[0].place,
        faults=faults,
        more=more,
    )


def _lengths(layer: Layer) -> Ints:
    column = layer.column
    return np.ones(len(column), np.int64) if isinstance(column, np.ndarray) else column.lengths()


def duplicate_name_error(role: Role, name: str) -> str:
    """Error message for two files with the same role and name."""
    if role is Role.REFERENCE:
        return tr("there is already a reference named {name}", name=name)
    return tr("there is already a translation by {name}", name=name)


def eos_mismatch_error(eos: bool) -> str:
    """Error message for a file that, unlike the others, has values for `<EOS>` or, if `eos` is false, has none."""
    if eos:
        return tr("each segment has one more value (for <EOS>) than the MT has tokens, unlike in the other files")
    return tr("each segment has one value per token, but in the other files it has one more (for <EOS>)")


def duplicate_layer_error(key: LayerKey) -> str:
    """Error message for a duplicate layer."""
    return {
        Kind.WORDS: tr("{name} already has word tags", name=key.name),
        Kind.GAPS: tr("{name} already has gap tags", name=key.name),
        Kind.SOURCE: tr("{name} already has source tags", name=key.name),
        Kind.PROBABILITIES: tr("{name} already has probabilities", name=key.name),
        Kind.SCORES: tr("{name} already has scores", name=key.name),
    }[key.kind]
