"""Runner of external QE commands on a corpus: writes the input, runs the command, and reads the result."""

from __future__ import annotations

import os
import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from qe_desktop.corpus import (
    Corpus,
    Fault,
    Kind,
    Layer,
    LayerKey,
    NumberColumn,
    Provenance,
    QeError,
    SourceLocation,
    TagColumn,
    TextColumn,
    TextRole,
    offsets_from_lengths,
    raise_for_rows,
)
from qe_desktop.corpus.layers import Column
from qe_desktop.corpus.progress import OnStep
from qe_desktop.formats.atomic_write import unfinished_folder, write_text
from qe_desktop.formats.files import MAX_SEGMENT_LENGTH
from qe_desktop.formats.importing.file_layers import read_layers
from qe_desktop.formats.importing.planned_file import PlannedFile, ProbabilityOf, QuestionAnswers
from qe_desktop.formats.importing.roles import Role
from qe_desktop.formats.registry import detect_format
from qe_desktop.formats.tags.tag_reader import TagTexts
from qe_desktop.formats.text_files import TextFile, open_file
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.external.comet_json import CometResult, is_json, read_comet
from qe_desktop.local_qe.external.command import MT, MT_TOKENS, OUT, SOURCE, SOURCE_TOKENS, QeCommand
from qe_desktop.local_qe.external.process import ProcessResult, error_details, run_process
from qe_desktop.local_qe.tag_layers import BadSpan, SideText, layers_from_spans

_LINE_BREAKS = re.compile("[\x0b\x0c\r\x1c-\x1e\x85\u2028\u2029]")
"""Characters that some programs treat as line ends; replaced by spaces, so that each segment stays on one line."""


@dataclass(frozen=True, slots=True, eq=False)
class CommandInputs:
    """Input of a command: paths of files by placeholder, path of the result, MT, and notes on the MT.

    `lines` are the MT lines as written for the command. If `as_tokens` is true, they are space-separated tokens, even
    if `mt` has raw text.
    """

    files: dict[str, str]
    out: Path
    mt: SideText
    lines: list[str]
    as_tokens: bool
    notes: tuple[str, ...]


def write_inputs(command: QeCommand, corpus: Corpus, folder: Path) -> CommandInputs:
    """Write the input of a command into a folder; return the paths, the MT lines and notes.

    Raises QeError if the corpus lacks the tokenized MT or another text that the command needs, or if writing fails.
    """
    mt, source = SideText.of(corpus, TextRole.MT), SideText.of(corpus, TextRole.SOURCE)
    if mt is None or mt.tokens is None:
        message = tr("a QE system needs a tokenized MT")
        raise QeError(message, hint=tr("Open the tokenized MT."))
    texts = {
        MT: mt.lines,
        MT_TOKENS: list(mt.tokens.lines()),
        SOURCE: None if source is None else source.lines,
        SOURCE_TOKENS: None if source is None or source.tokens is None else list(source.tokens.lines()),
    }
    files = {OUT: str(folder / "out")}
    requested = [placeholder for placeholder in texts if "{" + placeholder + "}" in command.line]
    for placeholder in requested:
        lines = texts[placeholder]
        if lines is None:
            message = tr("{name} needs the source, but no suitable source text is open", name=command.name)
            hint = tr("Open the source (tokenized if the command contains {source_tokens}), or change the command.")
            raise QeError(message, hint=hint)
        path = folder / f"{placeholder}.txt"
        write_text(path, "".join(f"{_single_line(line)}\n" for line in lines))
        files[placeholder] = str(path)
    as_tokens = command.takes_tokens
    lines = list(map(_single_line, mt.tokens.lines() if as_tokens else mt.lines))
    return CommandInputs(files, folder / "out", mt, lines, as_tokens, (_text_description(mt, as_tokens=as_tokens),))


def _single_line(line: str) -> str:
    return _LINE_BREAKS.sub(" ", line)


def _text_description(mt: SideText, *, as_tokens: bool) -> str:
    """Note on whether the MT was passed as tokens or as raw text."""
    raw_count = sum(mt.is_raw)
    if as_tokens or not raw_count:
        return tr("the MT was passed as tokens")
    if raw_count == len(mt.is_raw):
        return tr("the MT was passed as raw text")
    return tr(
        "the MT was passed as raw text, except for {n:,} {n:segment|segments} whose tokens do not match the raw text",
        "", len(mt.is_raw) - raw_count,
    )  # fmt: skip


MAX_RESULT_LINE_BYTES = MAX_SEGMENT_LENGTH * 32
"""Maximum number of bytes in a result line: 32 per token, for a segment with the maximum number of tokens."""
_WORD = re.compile(r"\S+")


def read_result(
    corpus: Corpus, inputs: CommandInputs, name: str, on_progress: Callable[[], None] = lambda: None
) -> tuple[Layer, ...]:
    """Read the layers of system `name` from a command's result.

    Raises QeError if the result cannot be read, is empty or invalid, or does not fit the MT. An exception raised by
    `on_progress` stops reading.
    """
    result_name = tr("result of {name}", name=name)
    try:
        opened = replace(open_file(inputs.out, on_progress), name=result_name)
    except QeError as error:
        raise QeError(
            error.message, hint=error.hint, command_hint=error.command_hint, place=SourceLocation(result_name)
        ) from None
    if is_json(opened.head()):
        layers = _comet_layers(corpus, inputs, name, read_comet(opened, inputs.lines))
    else:
        _reject_long_lines(opened)
        layers = _line_layers(corpus, inputs, name, opened)
    layers = tuple(replace(layer, origin=name, notes=(*inputs.notes, *layer.notes)) for layer in layers)
    if not layers:
        message = tr("the result contains no tags, probabilities or scores")
        raise QeError(message, hint=_HINT, place=opened.location())
    return layers


_HINT = tr(
    "The result must be the output of comet-score --to_json, or have one line per segment. Each line contains a score, "
    "or a tag or BAD probability for each token."
)


def _reject_long_lines(opened: TextFile) -> None:
    """Raise QeError if a line is longer than `MAX_RESULT_LINE_BYTES`; parsing such a line would take minutes."""
    lines = TextColumn.from_bytes(opened.data, opened.start)
    sizes = lines.ends - lines.starts

    def line_error(line: int) -> Fault:
        return Fault(opened.location(line + 1), tr("the line is too long: it has {n:,} bytes", "", int(sizes[line])))

    raise_for_rows(np.flatnonzero(sizes > MAX_RESULT_LINE_BYTES), line_error, _HINT)


def _comet_layers(corpus: Corpus, inputs: CommandInputs, name: str, result: CometResult) -> tuple[Layer, ...]:
    layers: tuple[Layer, ...] = ()
    if result.spans is not None:
        note = tr("a word is BAD if an error span covers part of it; a span that covers no word makes a gap BAD")
        mt = replace(inputs.mt, lines=inputs.lines) if inputs.as_tokens else inputs.mt
        marks = (
            BadSpan(segment, (span.start, span.end), span.reason)
            for segment, spans in enumerate(result.spans)
            for span in spans
        )
        layers = layers_from_spans(corpus, marks, name, mt, None, notes=(note,))
    if not np.isnan(result.scores).all():
        layers = (*layers, Layer(LayerKey(Provenance.SYSTEM, name, Kind.SCORES), result.scores, form="a line"))
    return layers


def _line_layers(corpus: Corpus, inputs: CommandInputs, name: str, opened: TextFile) -> tuple[Layer, ...]:
    mt = corpus.texts[TextRole.MT]
    detected = detect_format(opened)
    values = detected.read(opened).values if detected.role_format in ("tags", "probabilities") else None
    if isinstance(values, TagColumn | NumberColumn) and _is_of_words(values, corpus, inputs):
        return (_word_layer(values, corpus, inputs, name, opened),)
    texts = TagTexts(mt, corpus.texts.get(TextRole.SOURCE))
    layers = _read(opened, detected.name, texts, corpus.size, corpus, name)
    return tuple(_fit_eos(layer, corpus) for layer in layers)


def _read(opened: TextFile, format: str, texts: TagTexts, size: int, corpus: Corpus, name: str) -> tuple[Layer, ...]:
    answers = QuestionAnswers(probability_of=ProbabilityOf.BAD)
    file = PlannedFile(Path(opened.name), format, role=Role.SYSTEM, name=name, answers=answers)
    try:
        return read_layers(file, opened, texts, None, size, corpus.language_pair).layers
    except QeError as error:
        raise QeError(error.message, hint=_HINT, place=error.place, faults=error.faults, more=error.more) from None


def _is_of_words(values: Column, corpus: Corpus, inputs: CommandInputs) -> bool:
    """Whether there is one value per space-separated word of the input lines instead of one per token."""
    lengths = values.lengths()
    counts = corpus.texts[TextRole.MT].token_counts()
    if inputs.as_tokens or len(lengths) != len(inputs.lines) or np.array_equal(lengths, counts):
        return False
    return np.array_equal(lengths, [len(line.split()) for line in inputs.lines])


def _word_layer(values: Column, corpus: Corpus, inputs: CommandInputs, name: str, opened: TextFile) -> Layer:
    """Return a layer in which each token has the value of the space-separated word in which the token begins."""
    notes: tuple[str, ...] = (tr("the tag or probability of a word in the raw text applies to all its tokens"),)
    if isinstance(values, NumberColumn):
        # the usual format detection decides whether the numbers are probabilities
        (layer,) = _read(opened, detect_format(opened).name, TagTexts(), len(values), corpus, name)
        values, notes = layer.numbers, (*layer.notes, *notes)
    word_indices: list[int] = []
    lengths: list[int] = []
    for segment, line in enumerate(inputs.lines):
        begins = [match.start() for match in _WORD.finditer(line)]
        first = int(values.offsets[segment])
        tokens = inputs.mt.token_spans(segment)
        word_indices += [first + max(0, bisect_right(begins, start) - 1) for start, _ in tokens]
        lengths.append(len(tokens))
    offsets = offsets_from_lengths(lengths)
    column: Column
    if isinstance(values, TagColumn):
        column, kind = TagColumn(values.values[word_indices], offsets), Kind.WORDS
    else:
        column, kind = NumberColumn(values.values[word_indices], offsets), Kind.PROBABILITIES
    layer = Layer(LayerKey(Provenance.SYSTEM, name, kind), column, form="n", notes=notes)
    return _fit_eos(layer, corpus)


def _with_eos(column: Column) -> Column:
    """Append a value for `<EOS>`, which the system does not predict, to each segment: the tag OK, or probability 0."""
    offsets = offsets_from_lengths(column.lengths() + 1)
    if isinstance(column, TagColumn):
        return TagColumn(np.insert(column.values, column.offsets[1:], 0), offsets)
    return NumberColumn(np.insert(column.values, column.offsets[1:], 0), offsets)


def _fit_eos(layer: Layer, corpus: Corpus) -> Layer:
    """Return the layer with values for `<EOS>` only if the corpus has it; only word tags and probabilities change."""
    column = layer.column
    if layer.key.kind not in (Kind.WORDS, Kind.PROBABILITIES) or isinstance(column, np.ndarray):
        return layer
    counts = corpus.texts[TextRole.MT].token_counts()
    has = len(column) > 0 and bool((column.lengths() == counts + 1).all())
    if has and not corpus.eos:
        note = tr("the predictions for <EOS> were dropped")
        return replace(layer, column=column.without_last(), notes=(*layer.notes, note))
    return replace(layer, column=_with_eos(column)) if corpus.eos and not has else layer


def run_command(command: QeCommand, corpus: Corpus, on_step: OnStep = lambda share, text: None) -> tuple[Layer, ...]:
    """Run a command on a corpus and return the layers of its result.

    The command runs in a temporary folder. `on_step` reports progress; an exception raised by `on_step` ends the
    command and all its child processes. Raises QeError if the corpus lacks a text that the command needs, if the
    command fails, or if its result does not match the corpus. The error contains the last output of a failed command.
    """
    with unfinished_folder() as folder:
        inputs = write_inputs(command, corpus, folder)
        work = folder / "work"
        work.mkdir()
        try:
            process_result = run_process(
                command.arguments(inputs.files), work, inputs.out, corpus.size, command.minutes * 60, on_step
            )  # fmt: skip
        except QeError as error:
            raise _with_system_name(command, error) from None
        _raise_for_failure(command, process_result, inputs.out)

        def check_cancelled() -> None:
            on_step(1.0, tr("reading the result"))

        try:
            return read_result(corpus, inputs, command.name, check_cancelled)
        except QeError as error:
            raise _with_system_name(command, error) from None


def _with_system_name(command: QeCommand, error: QeError) -> QeError:
    """Return the error with the name of the system in its message, because several commands may be running."""
    message = tr("{name}: {message}", name=command.name, message=error.message)
    return QeError(
        message,
        hint=error.hint,
        command_hint=error.command_hint,
        place=error.place,
        faults=error.faults,
        more=error.more,
    )


def _raise_for_failure(command: QeCommand, process_result: ProcessResult, out: Path) -> None:
    if process_result.code:
        code = (
            str(process_result.code) if process_result.code > 0 else tr("signal {number}", number=-process_result.code)
        )
        message = tr("{name} failed (exit status: {code})", name=command.name, code=code)
        raise _command_error(message, tr("Run the command in a terminal to see all its output."), process_result)
    if os.path.lexists(out) and not out.is_file():
        message = tr("{name} did not write its result to a regular file", name=command.name)
        hint = tr(
            "The command must write to the file {out}, and must not replace this file with a pipe or a folder.",
            out="{out}",
        )
        raise _command_error(message, hint, process_result)
    if not out.is_file():
        message = tr("{name} ended without a result", name=command.name)
        hint = tr("The command must write its result to the file {out}.", out="{out}")
        raise _command_error(message, hint, process_result)
    if not out.stat().st_size:
        message = tr("{name} ended with an empty result", name=command.name)
        raise _command_error(message, tr("The result must have one line per segment."), process_result)


def _command_error(message: str, hint: str, process_result: ProcessResult) -> QeError:
    output = process_result.output
    if output:
        message = tr("{message}: {words}", message=message, words=output[-1])
    return QeError(message, hint=hint, faults=error_details(output) if len(output) > 1 else ())
