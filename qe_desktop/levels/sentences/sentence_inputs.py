"""Gold and system scores from files or Python values; scores per MT token as in Graham (2015, section 2).

Graham (2015, section 2) computes post-edit rates, such as seconds per word, from gold and predicted times: the time of
a segment is divided by its number of MT tokens. Other totals per segment can be divided in the same way. Predictions of
rates, such as HTER, should not be divided; their unit may differ from that of the gold, because correlation does not
depend on units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Kind, LayerKey, Provenance, QeError, SourceLocation, raise_for_rows
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats import SCORE_FORMATS, ScoreColumns, read_scores, read_text, system_name
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.scores.score_columns import missing_gold_note
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.text_files import named_path
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import ReadInputs, Scoring
from qe_desktop.levels.sentences.sentence_level import SENTENCES
from qe_desktop.levels.system_files import (
    NamedFile,
    check_unique_system,
    has_format,
    matching_name,
    resolve_named_files,
)

ALL_SYSTEMS = "all"
"""Value of `per-token` in the signature if the scores of the gold and of all systems were divided."""
is_score_file = partial(has_format, SCORE_FORMATS)
"""Return whether a file has a format of segment scores; True for unreadable files, to report their errors."""


def read_sentence_inputs(
    gold_file: str,
    systems: Sequence[str] = (),
    *,
    gold_name: str = "",
    language_pair: str = "",
    per_token: str | None = None,
    times: Sequence[str] = (),
) -> ReadInputs:
    """Read gold scores and the scores of systems.

    Each of `systems` is `[NAME=]FILE` or a directory; by default, the systems are those in `gold_file`. `gold_name` is
    the gold column. The name can be omitted if exactly one column is marked as gold, and must be omitted if the file
    has a single column without a name. `per_token` is a file with the MT: the scores named in `times` (by default all,
    including the gold) are divided by the number of tokens of each MT segment. Raises QeError, with the file and line
    if known, if an input is invalid.
    """
    path = named_path(gold_file)
    table = read_scores(path, language_pair=language_pair)
    name, gold = _gold(table, gold_name, path)
    notes = [*table.notes]
    if systems:
        files, remarks = resolve_named_files(systems, is_score_file, tr("segment scores"))
        scores, more_notes = _systems(files, language_pair, len(gold))
        notes += [*remarks, *more_notes]
    else:
        scores = {system: column for system, column in table.systems.items() if column is not gold}
    if not scores:
        gold_only_message = tr("this file has only the gold, and no system is specified")
        message = (
            gold_only_message if table.single is not None else tr("this table has no systems, and none is specified")
        )
        raise QeError(message, hint=tr("Specify the systems' files with --system."), place=SourceLocation(str(path)))
    rates = compute_rates(name, gold, scores, per_token, times)
    notes += [*rates.notes, *missing_gold_note(gold)]
    level, key = replace(SENTENCES, divided=rates.divided), LayerKey(Provenance.GOLD, name, Kind.SCORES)
    scoring = Scoring.from_columns(level, key, rates.gold, rates.systems)
    return ReadInputs(scoring, tuple(dict.fromkeys(notes)))


def _gold(table: ScoreColumns, name: str, path: Path) -> tuple[str, Scores]:
    """Return the name and the scores of the gold: the column `name` or, if `name` is empty, the only gold column.

    The column `name` need not be marked as gold in the file. If the file has a single column without a name, this
    column is the gold and is named after the file. Raises QeError if there is no such column or more than one, or if
    `name` is specified for a column without a name.
    """
    location = SourceLocation(str(path))
    if table.single is not None:
        if name:
            message = tr("this file has a single column of scores, without a name")
            raise QeError(message, hint=tr("Omit --gold-name."), place=location)
        return system_name(path), table.single
    columns = {**table.systems, **table.golds}
    if name:
        match = matching_name(name, columns)
        if not match:
            hint = tr("Available columns: {golds}.", golds=list_names([*table.golds] or [*columns], joined=True))
            raise QeError(tr("there is no score column “{name}”", name=name), hint=hint, place=location)
        return match, columns[match]
    if len(table.golds) == 1:
        return next(iter(table.golds.items()))
    if not table.golds:
        message = tr("this table has no gold column")
        hint = tr("Select a column with --gold-name NAME: {columns}.", columns=list_names(list(columns)))
    else:
        message = tr(
            "this table has {n} gold columns: {golds}", "", len(table.golds), golds=list_names(list(table.golds))
        )
        hint = tr("Select a column with --gold-name NAME.")
    raise QeError(message, hint=hint, place=location)


def _systems(files: list[NamedFile], language_pair: str, size: int) -> tuple[dict[str, Scores], list[str]]:
    """Return the scores in these files, keyed by system name, and notes on the files."""
    systems: dict[str, Scores] = {}
    origins: dict[str, Path] = {}
    notes: list[str] = []
    for file in files:
        columns = read_scores(file.path, language_pair=language_pair, size=size)
        of_file = _scores_of_file(file, columns)
        columns.reject_missing_scores(*of_file.values())
        for name, scores in of_file.items():
            check_unique_system(name, file.path, origins)
            systems[name] = scores
        notes += [join_localized(": ", (file.name, note)) for note in columns.notes]
    return systems, notes


def _scores_of_file(file: NamedFile, table: ScoreColumns) -> Mapping[str, Scores]:
    """Return the scores of the systems in a file, or its gold columns if it has no systems; keyed by name.

    Raises QeError if one name is specified for a file with several systems.
    """
    if table.single is not None:
        return {file.name: table.single}
    columns = table.systems or table.golds
    if not file.has_explicit_name:
        return columns
    if len(columns) > 1:
        message = tr("“{name}” cannot be the name of all {n} systems in this table", "", len(columns), name=file.name)
        raise QeError(
            message,
            hint=tr("Omit NAME=, so that the systems are named after the columns of the file."),
            place=SourceLocation(str(file.path)),
        )
    return {file.name: next(iter(columns.values()))}


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRates:
    """Scores of the gold and of systems, which may have been divided by the number of MT tokens.

    `divided` are the names of the divided scores, or only `ALL_SYSTEMS` if all were divided by default.
    """

    gold: Scores
    systems: Mapping[str, Scores]
    divided: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def compute_rates(
    name: str, gold: Scores, systems: Mapping[str, Scores], per_token: str | None, times: Sequence[str]
) -> ScoreRates:
    """Divide scores, such as times, by the number of tokens of each segment in the text file `per_token`.

    `name` is the name of the gold; `gold` and the scores of each system have shape (segments,). `times` are the names
    of the scores to divide, by default all. Without `per_token`, no scores are divided. Raises QeError if the text
    cannot be read or has a different number of segments, if a segment with a gold score has no tokens, if a name is
    unknown, or if `times` is specified without `per_token`.
    """
    if not per_token:
        if times:
            hint = tr("Specify the MT with --per-token.")
            raise QeError(tr("without the MT, times cannot be divided by the number of tokens"), hint=hint)
        return ScoreRates(gold, systems)
    divided = _resolve_names(times, (name, *systems))
    tokens = _count_tokens(named_path(per_token), ~np.isnan(gold))
    rates = {system: scores / tokens if system in divided else scores for system, scores in systems.items()}
    if times:
        note = tr("scores divided by the number of MT tokens: {names}", names=list_names(divided))
        return ScoreRates(gold / tokens if name in divided else gold, rates, divided, (note,))
    note = tr("the gold and all scores are divided by the number of MT tokens")
    return ScoreRates(gold / tokens, rates, (ALL_SYSTEMS,), (note,))


def _resolve_names(requested: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    for name in requested:
        if name not in names:
            message = tr("neither the gold nor a system is named “{name}”", name=name)
            raise QeError(message, hint=tr("Available names: {names}.", names=list_names(names, joined=True)))
    return tuple(dict.fromkeys(requested or names))


def _count_tokens(path: Path, is_scored: NDArray[np.bool_]) -> Ints:
    """Return the number of tokens of each segment in a file; 1 for segments whose `is_scored` is False.

    Raises QeError if the file cannot be read, if it does not have one line per segment, or if a scored segment has no
    tokens.
    """
    text, size = read_text(path), len(is_scored)
    if len(text) != size:
        message = tr(
            "{n:,} {n:line|lines}, but the gold has {size:,} {size:segment|segments}", "", len(text), size=size
        )
        location = SourceLocation(str(path), min(len(text), size) + (len(text) > size))
        raise QeError(message, hint=tr("Use the MT of the gold segments, one segment per line."), place=location)
    counts = np.where(is_scored, text.token_counts(), 1).astype(np.int64)

    def segment_error(segment: int) -> Fault:
        return Fault(SourceLocation(str(path), segment + 1), tr("this segment has no tokens"))

    raise_for_rows(
        np.flatnonzero(counts == 0),
        segment_error,
        tr("A time cannot be divided by zero tokens. Remove segments without tokens from all files."),
    )
    return counts


SCORE_KINDS = "biufOU"
"""NumPy dtype kinds accepted as scores: Booleans, integers, floats, and strings or objects that represent numbers."""


def scores_from_python(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    """Return a scoring of systems against gold scores.

    The gold and the scores of each system are arrays or sequences, shape (segments,). Raises QeError under the same
    conditions as `validate_scores`, or if the numbers of segments differ.
    """
    column = validate_scores(gold, "gold")
    columns = {}
    for name, values in systems.items():
        location = f"systems[{name!r}]"
        scores = columns[name] = validate_scores(values, location)
        if len(scores) != len(column):
            message = tr(
                "{n:,} {n:score|scores} for {size:,} {size:segment|segments}", "", len(scores), size=len(column)
            )
            raise QeError(message, hint=tr("Use one score per segment."), place=SourceLocation(location))
    return Scoring.from_columns(level, LayerKey(Provenance.GOLD, "gold", Kind.SCORES), column, columns)


def validate_scores(values: Any, name: str) -> Scores:
    """Return a read-only copy of scores, shape (segments,).

    Raises QeError if `values` is a masked array or has another shape, or if a score is not a finite number. Errors
    refer to the scores as `name`, and to single scores as `name[0]`, `name[1]`, …
    """
    if isinstance(values, np.ma.MaskedArray):
        message = tr("masked arrays are not accepted, because every segment needs a score")
        raise QeError(message, hint=tr("Use a plain array with one number per segment."), place=SourceLocation(name))
    try:
        # dates and complex numbers would be converted to numbers silently
        scores = np.array(values, np.float64) if np.asarray(values).dtype.kind in SCORE_KINDS else None
    except (TypeError, ValueError, OverflowError):
        raise _not_numbers_error(name) from None
    if scores is None or scores.ndim != 1:
        raise _not_numbers_error(name)

    def segment_error(segment: int) -> Fault:
        value = np.asarray(values, object)[segment]
        return Fault(SourceLocation(f"{name}[{segment}]"), tr("{text} is not a number", text=quote_token(str(value))))

    raise_for_rows(np.flatnonzero(~np.isfinite(scores)), segment_error, tr("Use one finite number per segment."))
    scores.flags.writeable = False
    return scores


def _not_numbers_error(name: str) -> QeError:
    hint = tr("Use a sequence or an array of numbers, one per segment.")
    return QeError(tr("these values are not one number per segment"), hint=hint, place=SourceLocation(name))
