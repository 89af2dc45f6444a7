"""File classification by role: first each file separately, then all of them together."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from qe_desktop.corpus import Kind, NumberColumn, QeError, TagColumn, TextRole
from qe_desktop.corpus.layers import Scores
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.file_format import TEXT, Format, ParseResult
from qe_desktop.formats.files import file_size, never_cancelled
from qe_desktop.formats.files_in_use import is_open_here
from qe_desktop.formats.importing.bilingual_detection import TABLE_SUFFIXES, detect_bilingual_file, detect_text_table
from qe_desktop.formats.importing.planned_file import Ambiguity, PlannedFile, ScoreDirection, usual_direction
from qe_desktop.formats.importing.roles import (
    METRIC_FOLDERS,
    PART_FOLDERS,
    RAW_FILE_ROLES,
    REFERENCE_FOLDERS,
    SYSTEM_FOLDERS,
    TRANSLATION_FOLDERS,
    Role,
    folder_of,
    is_gold,
    is_raw_name,
    kind_in_name,
    metric_name,
    reference_names,
    score_layer_name,
    system_name,
    text_role,
)
from qe_desktop.formats.messages import large_file_message
from qe_desktop.formats.parsed_tables import GOLD_METHODS, ScoreGrid, ScoreTable, SystemScores, WordTable
from qe_desktop.formats.registry import detect_format
from qe_desktop.formats.scores.metric_scores import untranslated_systems_note
from qe_desktop.formats.scores.score_columns import table_names
from qe_desktop.formats.scores.system_scores import FORMAT as SYSTEM_SCORES
from qe_desktop.formats.scores.system_scores import scores_in_head
from qe_desktop.formats.tags.probabilities import probability_ambiguities
from qe_desktop.formats.tags.subwords import is_subword_text
from qe_desktop.formats.tags.token_per_line import line_unit_ambiguity
from qe_desktop.formats.tags.wmt_word_tables import detect_table_layout, parse_kind
from qe_desktop.formats.text_files import STANDARD_INPUT, TextFile, open_beginning, open_file
from qe_desktop.i18n.messages import tr

MAX_WHOLE_BYTES = 1 << 22
"""Maximum size of a file that is read completely for classification; only the beginning of larger files is read."""
CLASSIFIED_HEAD_BYTES = 1 << 20
"""Number of bytes that are read for classification if a file is larger than `MAX_WHOLE_BYTES`."""
MIN_CERTAIN_CONFIDENCE = 0.95
"""Minimum confidence with which a rating format is detected without asking the user."""
_RATING_SUFFIXES = (".csv", ".jsonl", ".xml", ".tsv", ".txt")
_NON_DATA_SUFFIXES = (".json", ".jsonl", ".md", ".html", ".xml", ".py", ".yaml", ".yml", ".toml", ".pdf", ".rst")
_PROJECT_SUFFIXES = (".qedesk", ".qedesk-wal", ".qedesk-shm", ".qedesk-journal")
"""Suffixes of project files, which are never opened for classification: they may be open and locked elsewhere."""


def classify_file(path: Path, check_cancelled: CheckCancelled = never_cancelled) -> PlannedFile:
    """Detect the format and the probable role of a file; `problem` is set if a possible corpus file cannot be read."""
    if path is not STANDARD_INPUT and is_open_here(path):
        return PlannedFile(path, "", tr("project file"), notes=(tr("the file belongs to an open project"),))
    may_rate = Path(path.name.removesuffix(".gz")).suffix.lower() in _RATING_SUFFIXES
    suffix = path.suffix.lower()
    no_data = suffix in _NON_DATA_SUFFIXES or path.name.upper().startswith(("README", "LICENSE", "LICENCE"))
    not_corpus_file = PlannedFile(path, "", tr("not part of a corpus"), notes=(tr("not a corpus file"),))
    if suffix in _PROJECT_SUFFIXES:
        return not_corpus_file
    detected = None if path is STANDARD_INPUT else detect_bilingual_file(path)
    if detected is not None:
        return detected
    if no_data and not may_rate:
        return not_corpus_file
    try:
        # piped input can be read only once, so it is read completely at any size
        size = 0 if path is STANDARD_INPUT else file_size(path)
        # the beginning of a large file is enough for classification; loading validates the rest
        is_small = size <= MAX_WHOLE_BYTES
        opened = open_file(path, check_cancelled) if is_small else open_beginning(path, CLASSIFIED_HEAD_BYTES)
        rated = _classify_ratings(opened) if may_rate else None
        if no_data or rated is not None:
            return rated or not_corpus_file
        file = _classify_content(opened, size)
        may_hold = file.format == TEXT.name and path.name.lower().endswith(TABLE_SUFFIXES)
        return detect_text_table(file) if may_hold else file
    except QeError as error:
        unread = PlannedFile(path, "", error.message, notes=(tr("the file cannot be read"),), problem=error)
        return not_corpus_file if no_data else unread


def _classify_ratings(opened: TextFile) -> PlannedFile | None:
    """Classify a file of human ratings; None for any other file."""
    # imported here to save start-up time if there are no such files
    from qe_desktop.formats.ratings import detect_rating_format

    best, confidence = detect_rating_format(opened)
    if confidence < MIN_CERTAIN_CONFIDENCE:
        return None
    return PlannedFile(opened.path, best.name, best.display_name, role=Role.RATINGS, name=system_name(opened.path))


def _classify_content(opened: TextFile, size: int) -> PlannedFile:
    """Classify a text, tag or number file; `size` is in bytes. Raises QeError if the content is invalid."""
    format, head = detect_format(opened), opened.head()
    larger = max(size, len(opened.data))
    file = PlannedFile(opened.path, format.name)
    if larger > MAX_WHOLE_BYTES:
        file = replace(file, description=large_file_message(larger / 1e6, format.name))
        file = _classify_format(file, format, head)
        beginning = replace(opened, data=opened.data[: opened.start + len(head)])
        if format.role_format == "score table":
            values = format.read(beginning).values
            assert isinstance(values, ScoreTable | ScoreGrid)
            return _classify_score_table(file, values)
        if format.name == SYSTEM_SCORES.name:
            return _as_human_scores(_classify_metric_scores(file, [scores_in_head(beginning)]))
        return replace(_classify_table_head(file, head), ambiguities=_ambiguities(format, beginning, None))
    parse_result = format.read(opened)
    file = _classify_format(replace(file, description=parse_result.description, notes=parse_result.notes), format, head)
    questions = _ambiguities(format, opened, parse_result)
    file = replace(file, ambiguities=questions, segments=None if questions else parse_result.segment_count)
    if isinstance(parse_result.values, WordTable):
        return _classify_word_table(file, parse_result.values)
    if isinstance(parse_result.values, ScoreTable | ScoreGrid):
        return _classify_score_table(file, parse_result.values)
    if isinstance(parse_result.values, SystemScores):
        return _classify_system_scores(file, parse_result.values)
    return _classify_metric_scores(file, [parse_result.values]) if isinstance(parse_result.values, np.ndarray) else file


def _ambiguities(format: Format, opened: TextFile, reading: ParseResult | None) -> tuple[Ambiguity, ...]:
    """Open questions about a file of tags or token values; empty for any other file."""
    if format.role_format not in ("tags", "probabilities"):
        return ()
    values = (reading or format.read(opened)).values
    if isinstance(values, NumberColumn):
        return probability_ambiguities(values)
    lines = line_unit_ambiguity(values.lengths()) if isinstance(values, TagColumn) else None
    return (lines,) if lines else ()


def _classify_format(file: PlannedFile, format: Format, head: bytes) -> PlannedFile:
    name = system_name(file.path)
    match format.role_format:
        case "text":
            return _classify_text(file, head)
        case "documents":
            return replace(file, role=Role.DOCUMENTS)
        case "alignments":
            return replace(file, role=Role.ALIGNMENTS)
        case "tags":
            return replace(file, role=Role.SYSTEM, kind=kind_in_name(file.path.name), name=name)
        case "word table":
            return replace(file, role=Role.SYSTEM, name=name)
        case "probabilities":
            return replace(file, role=Role.SYSTEM, kind=Kind.PROBABILITIES, name=name)
        case "system scores":
            return replace(file, role=Role.METRIC, name=metric_name(file.path))
        case _:
            return replace(file, role=Role.SYSTEM, kind=Kind.SCORES, name=name)


def _classify_table_head(file: PlannedFile, head: bytes) -> PlannedFile:
    """Classify a large word table by its first rows; its kinds of tags are determined when it is loaded."""
    detected = detect_table_layout(head) if file.format == "word table" else None
    if detected is None or detected[0].method is None:
        return file
    layout, header = detected
    rows = [line.split(b"\t") for line in head.split(b"\n")[header:]]
    complete_rows = [row for row in rows if len(row) == layout.column_count]

    def distinct_values(column: int | None) -> list[str]:
        return [] if column is None else sorted({row[column].decode("utf-8", "replace") for row in complete_rows})

    pairs, gold = tuple(distinct_values(layout.pair)), _are_gold(distinct_values(layout.method))
    return replace(file, pairs=pairs, is_gold=gold, contains_mt=layout.text is not None)


def _classify_text(file: PlannedFile, head: bytes) -> PlannedFile:
    folder = folder_of(file.path).name.lower()
    if folder in TRANSLATION_FOLDERS:
        return replace(file, role=Role.TRANSLATION, name=system_name(file.path))
    if folder in REFERENCE_FOLDERS:
        return replace(file, role=Role.REFERENCE)
    role, tokenized, stem = text_role(file.path.name)
    ends_in_role = text_role(file.path.name.rsplit(".", 1)[-1])[0] is not None
    if not ends_in_role and is_subword_text(head):
        return replace(file, role=Role.PIECES, stem=stem)
    if role is None:
        return file.with_note(tr("the file name does not indicate a role"))
    return replace(file, role=role, is_tokenized=tokenized, stem=stem)


def _classify_word_table(file: PlannedFile, table: WordTable) -> PlannedFile:
    kinds = {parse_kind(name) for name in table.kinds} if table.kinds else {Kind.WORDS}
    kind = next(iter(kinds)) if len(kinds) == 1 else None
    gold, brings_mt = _are_gold(table.methods), table.layout.text is not None
    return replace(file, kind=kind, pairs=table.pairs, is_gold=gold, contains_mt=brings_mt)


def _classify_score_table(file: PlannedFile, table: ScoreTable | ScoreGrid) -> PlannedFile:
    """Classify a score table; a table with gold columns is gold, even if it has columns of systems."""
    golds, systems = table_names(table)
    file = replace(file, golds=golds, systems=systems, role=Role.GOLD if golds else file.role)
    if isinstance(table, ScoreGrid):
        return _classify_metric_scores(replace(file, text_roles=tuple(table.text_columns)), list(table.values.T))
    return _classify_metric_scores(replace(file, pairs=table.pairs, is_gold=_are_gold(table.methods)), [table.score])


def _classify_system_scores(file: PlannedFile, scores: SystemScores) -> PlannedFile:
    if scores.size == 1:
        return file.with_note(tr("scores of whole translations, not of segments"), Role.IGNORED)
    file = replace(file, systems=tuple(scores.systems))
    return _as_human_scores(_classify_metric_scores(file, list(scores.systems.values())))


def _as_human_scores(file: PlannedFile) -> PlannedFile:
    """Classify a file as human scores if its name indicates this; the user may select metric scores instead."""
    from qe_desktop.formats.ratings.wmt_ratings import is_human_scores_name

    if not is_human_scores_name(file.path):
        return file
    note = tr("read as human scores because of the file name; you can select “metric scores” instead")
    return file.with_note(note, Role.RATINGS)


def _classify_metric_scores(file: PlannedFile, scores: Sequence[Scores]) -> PlannedFile:
    """Classify scores in a metric folder as metric scores; in any folder, add a question about score direction.

    A file directly in a metric folder is ignored, with a note, if it names neither a metric nor systems.
    """
    folder = folder_of(file.path)
    name, nameless = metric_name(file.path), file.role is not Role.METRIC and not (file.systems or file.golds)
    if folder.name.lower() in METRIC_FOLDERS and nameless:
        note = tr("the metric is unknown; move the file into a subfolder named after the metric")
        return file.with_note(note, Role.IGNORED)
    if METRIC_FOLDERS & {folder.name.lower(), folder.parent.name.lower()}:
        name = folder.name if nameless else name
        file = replace(file, role=Role.METRIC, name=name)
    return replace(file, ambiguities=(*file.ambiguities, Ambiguity(ScoreDirection, usual_direction(name, scores))))


def _are_gold(methods: Collection[str]) -> bool:
    """Whether all methods in a table are named gold."""
    return bool(methods) and {method.lower() for method in methods} <= GOLD_METHODS


def assign_roles(files: Sequence[PlannedFile]) -> list[PlannedFile]:
    """Resolve the roles of all files together: tokenized and raw texts, gold and systems, and duplicates."""
    files = _assign_translations(_name_references(_assign_raw_roles(_ignore_bilingual_files(files))))
    main = next((file for role in (Role.MT, Role.SOURCE, Role.PIECES) for file in files if file.role is role), None)
    files = _remove_duplicates(_assign_gold(files, main.stem if main else None))
    return _note_joined_subwords(_note_missing_translations(files))


def _ignore_bilingual_files(files: Sequence[PlannedFile]) -> list[PlannedFile]:
    """Ignore bilingual files if the corpus has text files, because each bilingual file contains its own texts."""
    if not any(file.role.text is not None and file.problem is None for file in files):
        return list(files)
    note = tr("this bilingual file contains its own texts; to use the file, open it separately")
    return [file.with_note(note, Role.IGNORED) if file.role is Role.JOB else file for file in files]


def _note_missing_translations(files: Sequence[PlannedFile]) -> list[PlannedFile]:
    """If there are translation files, add notes on systems that metrics score but that have no translation or MT."""
    sound = [file for file in files if file.problem is None]
    translations = {file.name for file in sound if file.role is Role.TRANSLATION}
    if any(file.role in (Role.MT, Role.RAW_MT) or file.contains_mt or TextRole.MT in file.text_roles for file in sound):
        translations |= {TextRole.MT.value} if translations else set()

    def add_notes(file: PlannedFile) -> PlannedFile:
        if file.role is not Role.METRIC or not translations:
            return file
        return replace(file, notes=(*file.notes, *untranslated_systems_note(file.systems, translations)))

    return [add_notes(file) for file in files]


def _note_joined_subwords(files: Sequence[PlannedFile]) -> list[PlannedFile]:
    """Add a note that the MT is joined from subword pieces, if no other file contains the MT."""
    if any(file.role is Role.MT or file.contains_mt for file in files if file.problem is None):
        return list(files)
    note = tr("the MT is joined from the subword pieces, because no other file contains it")
    return [file.with_note(note) if file.role is Role.PIECES else file for file in files]


def _assign_raw_roles(files: Sequence[PlannedFile]) -> list[PlannedFile]:
    """Assign raw roles to raw texts that also exist in tokenized form, so that tags belong to the tokenized texts."""
    raw = {file.path: is_raw_name(file.path.name) for file in files}
    with_tokens = {file.role for file in files if file.is_tokenized}
    plain_roles = {file.role for file in files if not raw[file.path]}

    def is_raw(file: PlannedFile) -> bool:
        return not file.is_tokenized and (file.role in with_tokens or (raw[file.path] and file.role in plain_roles))

    return [replace(file, role=RAW_FILE_ROLES.get(file.role, file.role)) if is_raw(file) else file for file in files]


def _name_references(files: Sequence[PlannedFile]) -> list[PlannedFile]:
    paths = [file.path for file in files if file.role is Role.REFERENCE and file.problem is None]
    names = dict(zip(paths, reference_names(paths), strict=True))
    return [replace(file, name=names.get(file.path, file.name)) for file in files]


def _assign_translations(files: Sequence[PlannedFile]) -> list[PlannedFile]:
    """Use texts without a role in a folder of system outputs as translations, if there are references."""
    if not any(file.role is Role.REFERENCE and file.problem is None for file in files):
        return list(files)

    def is_one(file: PlannedFile) -> bool:
        text = file.format == TEXT.name and file.role is Role.IGNORED and file.problem is None
        return text and folder_of(file.path).name.lower() in SYSTEM_FOLDERS

    return [
        replace(file, role=Role.TRANSLATION, name=system_name(file.path), notes=()) if is_one(file) else file
        for file in files
    ]


def _assign_gold(files: Sequence[PlannedFile], stem: str | None) -> list[PlannedFile]:
    result = []
    for file in files:
        if stem and f".{stem}" in file.name:
            # such as word_probas.test21.ende next to test21.mt
            file = replace(file, name=file.name.split(f".{stem}")[0])
        # a table that names systems is not gold
        may_be_gold = file.role is Role.SYSTEM and file.kind is not Kind.PROBABILITIES and not file.systems
        if may_be_gold and (file.is_gold or is_gold(file.path, stem)):
            file = _as_gold(file)
        result.append(file)
    has_gold = any(file.role is Role.GOLD for file in result)
    return result if stem is not None or has_gold else _find_gold_by_folder(result)


def _find_gold_by_folder(files: Sequence[PlannedFile]) -> list[PlannedFile]:
    """Detect gold files by their location, if texts and file names do not identify them.

    A single tag or score file next to a folder of systems is gold. If there are several such files, every score file
    with an extension of gold scores, such as `test.hter`, is gold.
    """
    in_folder = {file.path for file in files if folder_of(file.path).name.lower() in PART_FOLDERS}
    siblings = [
        file
        for file in files
        if file.role is Role.SYSTEM and file.kind is not Kind.PROBABILITIES and file.path not in in_folder
        if not file.systems and not file.problem
    ]
    if not any(file.role is Role.SYSTEM for file in files if file.path in in_folder):
        return list(files)
    golds = siblings if len(siblings) == 1 else [file for file in siblings if _is_gold_scores(file)]
    return [_as_gold(file) if file in golds else file for file in files]


def _is_gold_scores(file: PlannedFile) -> bool:
    return file.kind is Kind.SCORES and score_layer_name(file.path.name) != "scores"


def _as_gold(file: PlannedFile) -> PlannedFile:
    name = score_layer_name(file.path.name) if file.kind is Kind.SCORES else "gold"
    return replace(file, role=Role.GOLD, name=name)


def _remove_duplicates(files: Sequence[PlannedFile]) -> list[PlannedFile]:
    """Use one file per role, name and kind, for example a system's tag file instead of its submission table.

    References with the same name, and outputs of different systems with the same name, are renamed after their folders.
    Other duplicates are ignored, with a note.
    """
    first_by_key: dict[tuple[Role, str, Kind | None], PlannedFile] = {}
    result: list[PlannedFile] = []
    for file in sorted(files, key=lambda file: (file.format == "word table", file.path.parent.name.lower() == "raw")):
        # several files may be from one metric
        if file.role in (Role.IGNORED, Role.METRIC, Role.JOB) or file.problem is not None:
            result.append(file)
            continue
        kind = Kind.WORDS if file.role in (Role.GOLD, Role.SYSTEM) and file.kind is None else file.kind
        key = (file.role, file.name, kind)
        first = first_by_key.setdefault(key, file)
        if first is file:
            result.append(file)
        elif file.role is Role.REFERENCE or (
            file.role is Role.SYSTEM and (first.format == file.format or not _may_be_same_output(first, file))
        ):
            renamed = replace(file, name=f"{file.name} ({folder_of(file.path).name})")
            is_new = first_by_key.setdefault((file.role, renamed.name, kind), renamed) is renamed
            note = tr("not used, because {file} has the same name", file=first.path.name)
            result.append(renamed if is_new else file.with_note(note, Role.IGNORED))
        else:
            result.append(file.with_note(tr("{file} is used instead of this file", file=first.path.name), Role.IGNORED))
    order = {file.path: index for index, file in enumerate(files)}
    return sorted(result, key=lambda file: order[file.path])


def _may_be_same_output(first: PlannedFile, file: PlannedFile) -> bool:
    """Whether two files with the same name may contain the same output of one system."""
    return {first.path.parent.name.lower(), file.path.parent.name.lower()} & SYSTEM_FOLDERS != set()
