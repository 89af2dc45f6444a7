"""Assembly of a corpus from a plan; all files are read and checked before anything is loaded."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Sized
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from qe_desktop.corpus import (
    AlignmentColumn,
    Corpus,
    Documents,
    Kind,
    Layer,
    LayerKey,
    MetricColumn,
    QeError,
    SourceLocation,
    TextColumn,
    TextRole,
)
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.alignments import read_alignments
from qe_desktop.formats.file_format import TEXT, read_documents, read_text
from qe_desktop.formats.files import file_size, never_cancelled
from qe_desktop.formats.importing import validation
from qe_desktop.formats.importing.file_layers import COLUMN_FORM, ParsedLayers, read_layers
from qe_desktop.formats.importing.plan import CorpusPlan, PlanProgress
from qe_desktop.formats.importing.planned_file import LineUnit, PlannedFile
from qe_desktop.formats.importing.reference_shape import check_reference_size
from qe_desktop.formats.importing.roles import Role, system_name
from qe_desktop.formats.messages import OPEN_INSTEAD, ComparedWith
from qe_desktop.formats.parsed_tables import ScoreGrid
from qe_desktop.formats.registry import FORMAT_BY_NAME
from qe_desktop.formats.scores.metric_scores import MetricFileScores, metric_columns, read_metric_scores
from qe_desktop.formats.scores.mlqe_score_tables import grid_texts
from qe_desktop.formats.tags.subwords import join_subwords
from qe_desktop.formats.tags.tag_lines import TagLayout
from qe_desktop.formats.tags.tag_reader import TagTexts, excluded_segments, read_tags_with_text, with_embedded_mt
from qe_desktop.formats.text_files import TextFile, display_name, open_file
from qe_desktop.i18n.messages import join_localized, tr

if TYPE_CHECKING:
    from qe_desktop.corpus import Ratings
    from qe_desktop.formats.importing.bilingual_corpus import AddMt

READER_THREADS = 2
MIN_THREADED_BYTES = 1 << 20
"""Minimum total size of files, in bytes, for which reading in several threads saves time."""
Result = TypeVar("Result")
Column = TypeVar("Column", bound=Sized)


def build_corpus(
    plan: CorpusPlan, *, base_corpus: Corpus | None = None, progress: PlanProgress | None = None,
    check_cancelled: CheckCancelled = never_cancelled, with_mt: AddMt | None = None,
) -> Corpus:  # fmt: skip
    """Build the corpus of a plan, or return the open corpus `base_corpus` with the plan's files added.

    `with_mt` adds the MT from which the targets of bilingual files were made. Raises QeError with all errors
    of the texts or, if the texts are valid, with all errors of the other files; in both cases, nothing is loaded.
    Exceptions raised by `check_cancelled`, which is called often, or by `progress` stop the import.
    """
    if plan.files_with_role(Role.JOB):
        from qe_desktop.formats.importing.bilingual_corpus import split_job_plan

        plan, base_corpus = split_job_plan(plan, base_corpus, progress, check_cancelled, with_mt)
    return _Assembly(plan, base_corpus, progress, check_cancelled).corpus()


class _Assembly:
    """Assembly of one corpus from the files of a plan; the errors of all files are collected."""

    def __init__(
        self, plan: CorpusPlan, base: Corpus | None, progress: PlanProgress | None, check_cancelled: CheckCancelled
    ) -> None:
        self.plan = plan
        self.base = base
        self.base_layers: Mapping[LayerKey, Layer] = {} if base is None else base.layers
        self.progress = progress
        self.watch = check_cancelled
        self.errors: list[QeError] = []
        self.excluded_segments = excluded_segments(base)
        """0-based numbers of the segments that the gold excludes."""
        self.files_read = 0
        self.file_count = max(1, len(plan.files_with_role(*(role for role in Role if role is not Role.IGNORED))))

    def corpus(self) -> Corpus:
        """Read and check all files, and return the corpus."""
        pair = self.plan.language_pair or (self.base.language_pair if self.base else "")
        pieces = self._read_single(Role.PIECES, self._text)
        texts = self._texts(pieces, pair)
        self._raise_errors()
        size = self._size(texts)
        existing = ({}, {}) if self.base is None else (self.base.translations, self.base.references)
        translations = self._read_named_columns(Role.TRANSLATION, existing[0], self._text, size)
        references = self._read_named_columns(Role.REFERENCE, existing[1], self._text, size)
        metrics = self._metrics(size, pair)
        ratings = self._ratings(size or next(map(len, {**translations, **references}.values()), None), pair)
        alignments = self._read_single(Role.ALIGNMENTS, lambda file: self._alignments(file, texts, size))
        documents = self._read_single(Role.DOCUMENTS, lambda file: self._documents(file, size))
        fitted_to = TagTexts(texts.get(TextRole.MT), texts.get(TextRole.SOURCE), excluded=self.excluded_segments)
        layers, eos = self._layers(self._read_layers(fitted_to, pieces, size, pair), fitted_to, size)
        self._raise_errors()
        self._require_content(bool(texts or layers or translations or references or metrics or ratings))
        if size is None:
            named_columns: dict[str, Sized] = {
                **{tr("the translation by {name}", name=name): column for name, column in translations.items()},
                **{tr("the reference {name}", name=name): column for name, column in references.items()},
                **{tr("the {metric} scores", metric=name): column for name, column in metrics.items()},
            }
            columns: list[Sized] = [*(layer.column for layer in layers.values()), *named_columns.values()]
            size = len(columns[0]) if columns else 0
            for label, column in named_columns.items():
                is_reference = any(column is reference for reference in references.values())
                self._run_check(check_reference_size, column, size, label, is_reference)
        lengths = {
            Role.ALIGNMENTS: None if alignments is None else len(alignments),
            Role.DOCUMENTS: None if documents is None else len(documents.of_segment),
        }
        self._late_checks(size, lengths)
        self._raise_errors()
        layers |= validation.correlate_with_gold({**self.base_layers, **layers}, layers)
        base = self.base or Corpus(self.plan.name, size, folder=self.plan.folder)
        return replace(
            base,
            size=size,
            texts=texts,
            layers={**base.layers, **layers},
            alignments=base.alignments if alignments is None else alignments,
            documents=base.documents if documents is None else documents,
            eos=eos,
            language_pair=pair,
            translations={**base.translations, **translations},
            references={**base.references, **references},
            metric_scores={**base.metric_scores, **metrics},
            ratings=ratings,
        )

    def _require_content(self, has_content: bool) -> None:
        if not has_content:
            raise self.plan.no_data_error()

    def _raise_errors(self) -> None:
        if self.errors:
            raise validation.combine_errors(self.errors)

    def _texts(self, pieces: TextColumn | None, pair: str) -> dict[TextRole, TextColumn]:
        texts = dict(self.base.texts) if self.base else {}
        files = self._files_of_texts()
        for file, column in self._read_files(files, self._text):
            role = file.role.text
            assert role is not None
            if role in texts:
                message = tr("there is already a text with the role {role}", role=file.role.display_name)
                hint = tr("Select another role for this file.")
                is_open = self.base is not None and role in self.base.texts
                self._add_error(file, message, join_localized(" ", (hint, OPEN_INSTEAD)) if is_open else hint)
            else:
                texts[role] = column
        if not texts:
            texts = self._texts_of_table()
        for file in [file for file in self.plan.files_with_role(Role.GOLD, Role.SYSTEM) if file.contains_mt][:1]:
            try:
                embedded = read_tags_with_text(self._open(file), pair)
                texts, self.excluded_segments = with_embedded_mt(texts, embedded), embedded.excluded
            except QeError as error:
                self.errors.append(error)
        if pieces is not None:
            texts.setdefault(TextRole.MT, join_subwords(pieces))
        base = TextRole.MT if TextRole.MT in texts else next(iter(texts), None)
        # texts that are added to an open corpus are compared with it later
        for file in files if self.base is None else ():
            if base is not None and (role := file.role.text) is not None and role in texts:
                sizes = len(texts[role]), len(texts[base])
                self._run_check(validation.check_size, *sizes, display_name(file.path), base)
        return texts

    def _texts_of_table(self) -> dict[TextRole, TextColumn]:
        """Return the texts in a score table; empty if there are other texts, or data that refer to tokens."""
        table = self.plan.table_of_texts()
        if table is None or any(key.kind is not Kind.SCORES for key in self.base_layers):
            return {}

        def read(file: PlannedFile) -> dict[TextRole, TextColumn]:
            values = FORMAT_BY_NAME[file.format].read(self._open(file)).values
            return grid_texts(values, self.base.size if self.base else None) if isinstance(values, ScoreGrid) else {}

        return next((texts for _, texts in self._read_files([table], read)), {})

    def _text(self, file: PlannedFile) -> TextColumn:
        opened, format = self._open(file), FORMAT_BY_NAME.get(file.format)
        values = format.read(opened).values if format is not None and format.base_format == TEXT.name else None
        return values if isinstance(values, TextColumn) else read_text(opened)

    def _size(self, texts: Mapping[TextRole, TextColumn]) -> int | None:
        if self.base is not None:
            size = self.base.size
            for file in self._files_of_texts():
                role = file.role.text
                if role is not None and role in texts:
                    name = display_name(file.path)
                    self._run_check(validation.check_size, len(texts[role]), size, name, ComparedWith.OPEN_CORPUS)
            return size
        return len(next(iter(texts.values()))) if texts else None

    def _files_of_texts(self) -> list[PlannedFile]:
        """Text files of the plan whose role only one file may have: all texts except references."""
        roles = [role for role in Role if role.text is not None and role is not Role.REFERENCE]
        return self.plan.files_with_role(*roles)

    def _alignments(self, file: PlannedFile, texts: Mapping[TextRole, TextColumn], size: int | None) -> AlignmentColumn:
        name = display_name(file.path)
        column = read_alignments(self._open(file))
        if size is not None:
            validation.check_size(len(column), size, name, ComparedWith.CORPUS)
        validation.check_link_range(column, texts.get(TextRole.SOURCE), texts.get(TextRole.MT), name)
        return column

    def _documents(self, file: PlannedFile, size: int | None) -> Documents:
        documents = read_documents(self._open(file))
        if size is not None:
            validation.check_size(len(documents.of_segment), size, display_name(file.path), ComparedWith.CORPUS)
        return documents

    def _read_named_columns(
        self, role: Role, existing_names: Collection[str], read: Callable[[PlannedFile], Column], size: int | None
    ) -> dict[str, Column]:
        """Columns of all files with a role, by name; `existing_names` are already in use. Errors are collected."""
        columns: dict[str, Column] = {}
        for file, column in self._read_files(self.plan.files_with_role(role), read):
            if file.name in columns or file.name in existing_names:
                self._add_error(file, validation.duplicate_name_error(role, file.name), tr("Rename one of the files."))
                continue
            if size is not None:
                self._run_check(check_reference_size, column, size, display_name(file.path), role is Role.REFERENCE)
            columns[file.name] = column
        return columns

    def _metrics(self, size: int | None, pair: str) -> dict[str, MetricColumn]:
        """Read metric scores of systems. Scores without a system name belong to the system named in the file name."""

        def read(file: PlannedFile) -> MetricFileScores:
            system = system_name(file.path)
            return read_metric_scores(
                file.path, system=system, language_pair=pair, size=size, check_cancelled=self.watch
            )

        existing = self.base.metric_scores if self.base else {}
        columns, errors = metric_columns(self._read_files(self.plan.files_with_role(Role.METRIC), read), existing)
        self.errors += errors
        return columns

    def _ratings(self, size: int | None, pair: str) -> Ratings | None:
        """Ratings of the open corpus, and those for the language pair `pair` in new files; None if there are none."""
        existing = self.base.ratings if self.base else None
        files = self.plan.files_with_role(Role.RATINGS)
        if not files:
            return existing
        # imported here to save start-up time if there are no such files
        from qe_desktop.corpus import join_ratings
        from qe_desktop.corpus.ratings_merge import check_not_mixed
        from qe_desktop.formats.importing.file_layers import check_not_repeated, read_file_ratings

        file_ratings = self._read_files(files, lambda file: read_file_ratings(file, pair, size, self.watch))
        parts = [*([existing] if existing is not None else []), *(ratings for _, ratings in file_ratings)]
        self._run_check(check_not_mixed, parts)
        self._run_check(check_not_repeated, existing, [ratings for _, ratings in file_ratings])
        return join_ratings(parts) if parts else None

    def _read_layers(
        self, texts: TagTexts, pieces: TextColumn | None, size: int | None, pair: str
    ) -> list[ParsedLayers]:
        """Read all tags and scores. Ambiguous files are read last, after the files that help to resolve them."""
        lengths = validation.lengths_by_kind(self.base_layers.values())
        all_files = self.plan.files_with_role(Role.GOLD, Role.SYSTEM)
        unambiguous_files = [file for file in all_files if not file.has_question(LineUnit)]
        ambiguous_files = [file for file in all_files if file.has_question(LineUnit)]
        parsed: dict[Path, ParsedLayers] = {}
        for files in (unambiguous_files, ambiguous_files):
            fitted_to = replace(texts, known_lengths=lengths)

            def read(file: PlannedFile, fitted_to: TagTexts = fitted_to) -> ParsedLayers:
                return read_layers(file, self._open(file), fitted_to, pieces, size, pair)

            parsed.update((file.path, part) for file, part in self._read_files(files, read))
            lengths = validation.lengths_by_kind(x for part in parsed.values() for x in part.layers) | lengths
        return [parsed[file.path] for file in all_files if file.path in parsed]

    def _layers(
        self, parsed: Sequence[ParsedLayers], texts: TagTexts, size: int | None
    ) -> tuple[dict[LayerKey, Layer], bool]:
        """Return the layers, and whether segments have an additional word value for `<EOS>`; errors are collected."""
        layers: dict[LayerKey, Layer] = {}
        with_mt = texts.mt is not None
        first_layers: dict[Kind, Layer] = {}
        for layer in self.base_layers.values():
            first_layers.setdefault(validation.kind_carrier(layer.key.kind), layer)
        eos = self._detect_eos(first_layers, texts)
        for file_layers in parsed:
            if with_mt and file_layers.eos is not None:
                eos = file_layers.eos if eos is None else eos
                if eos is not file_layers.eos:
                    message = validation.eos_mismatch_error(file_layers.eos)
                    self._add_error(file_layers.file, message, tr("Include <EOS> in all files or in none."))
                    continue
            for layer in file_layers.layers:
                if layer.key in self.base_layers or layer.key in layers:
                    hint = tr("Change the name or role of one of the files.")
                    if layer.form == COLUMN_FORM:
                        hint = tr("Rename the column in one of the files.")
                    self._add_error(file_layers.file, validation.duplicate_layer_error(layer.key), hint)
                    continue
                first = first_layers.setdefault(validation.kind_carrier(layer.key.kind), layer)
                if first is not layer:
                    name = first.origin or ComparedWith.OPEN_CORPUS
                    path = display_name(file_layers.file.path)
                    self._run_check(validation.check_same_lengths, layer, first, path, name, file_layers.line)
                layers[layer.key] = layer
        lead = next(iter(first_layers.values()), None)
        for first in first_layers.values():
            expected, compared_with = (
                (len(lead.column), lead.origin) if lead and size is None else (size or 0, ComparedWith.CORPUS)
            )
            self._run_check(validation.check_size, len(first.column), expected, self._path_of(first), compared_with)
        return layers, bool(eos)

    def _detect_eos(self, first_layers: Mapping[Kind, Layer], texts: TagTexts) -> bool | None:
        """Return whether the open corpus has `<EOS>` tags (None: unknown); collect errors of texts that do not fit."""
        if self.base is None:
            return None
        eos = self.base.eos if Kind.WORDS in first_layers else None
        layout = validation.word_layout_in_new_texts(first_layers, texts, self.base.texts, self.errors)
        return eos if layout is None else layout is TagLayout.EOS

    def _path_of(self, layer: Layer) -> str:
        """Name of a layer's file, as shown in messages."""
        path = next((file.path for file in self.plan.files if file.is_origin_of(layer)), None)
        return layer.origin if path is None else display_name(path)

    def _late_checks(self, size: int, columns: Mapping[Role, int | None]) -> None:
        """Check the sizes of alignments and documents, which may be read before the number of segments is known."""
        for role, length in columns.items():
            for file in self.plan.files_with_role(role)[:1]:
                if length is not None:
                    self._run_check(validation.check_size, length, size, display_name(file.path), ComparedWith.CORPUS)

    def _read_single(self, role: Role, read: Callable[[PlannedFile], Result]) -> Result | None:
        files = self.plan.files_with_role(role)
        for file in files[1:]:
            message = tr("there is already a file with the role {role}", role=role.display_name)
            self._add_error(file, message, tr("Select another role for this file."))
        return next((result for _, result in self._read_files(files[:1], read)), None)

    def _read_files(
        self, files: Sequence[PlannedFile], read: Callable[[PlannedFile], Result]
    ) -> list[tuple[PlannedFile, Result]]:
        """Read files, in parallel if they are large; errors are collected."""
        results: list[tuple[PlannedFile, Result]] = []
        large = len(files) > 1 and sum(file_size(file.path) for file in files) > MIN_THREADED_BYTES
        pool = ThreadPoolExecutor(READER_THREADS) if large else None
        try:
            calls = [(file, partial(read, file) if pool is None else pool.submit(read, file).result) for file in files]
            for file, result in calls:
                self._report_progress(file)
                try:
                    results.append((file, result()))
                except QeError as error:
                    self.errors.append(error)
                self.files_read += 1
        finally:
            if pool is not None:
                # if cancelled, do not start reading the remaining files
                pool.shutdown(cancel_futures=True)
        return results

    def _open(self, file: PlannedFile) -> TextFile:
        return open_file(file.path, self.watch)

    def _report_progress(self, file: PlannedFile) -> None:
        if self.progress is not None:
            self.progress(file.path.name, self.files_read / self.file_count)

    def _run_check(self, check: Callable[..., None], *values: object) -> None:
        try:
            check(*values)
        except QeError as error:
            self.errors.append(error)

    def _add_error(self, file: PlannedFile, message: str, hint: str) -> None:
        self.errors.append(QeError(message, hint=hint, place=SourceLocation(display_name(file.path))))
