"""From a plan to a corpus: everything is read, and checked against everything else, before anything is there."""

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
    Place,
    QeError,
    TextColumn,
    TextRole,
)
from qe_desktop.formats.alignments import read_alignments
from qe_desktop.formats.brought import left_out_of, tags_with_text, with_brought
from qe_desktop.formats.checks import (
    beside_gold,
    carrier,
    form_of_layer,
    lengths_by_kind,
    refuse_links_out_of_range,
    refuse_other_size,
    refuse_unlike,
    together,
)
from qe_desktop.formats.forms import Form
from qe_desktop.formats.grid_texts import texts_of
from qe_desktop.formats.layers import COLUMNS, ReadLayers, read_layers
from qe_desktop.formats.metric_columns import metric_columns
from qe_desktop.formats.metric_scores import GivenScores, read_metric_scores
from qe_desktop.formats.names import name_of
from qe_desktop.formats.opening import OpenedFile, open_file, shown_name
from qe_desktop.formats.pieces import words_of
from qe_desktop.formats.planned_file import PlannedFile
from qe_desktop.formats.planning import Plan, Progress
from qe_desktop.formats.questions import Lines
from qe_desktop.formats.reference_shapes import refuse_misfit
from qe_desktop.formats.refusals import name_taken, other_eos, there_already
from qe_desktop.formats.registry import BY_NAME
from qe_desktop.formats.regular_files import Watch, nobody, size_of
from qe_desktop.formats.roles import Role
from qe_desktop.formats.sentences import Other
from qe_desktop.formats.tables import ScoreGrid
from qe_desktop.formats.tags import Texts
from qe_desktop.formats.texts import TEXT, read_documents, read_text
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.corpus import Ratings

THREADS = 2
ALONE = 1 << 20
"""Bytes of files up to which threads are not worth their while."""
Result = TypeVar("Result")
Column = TypeVar("Column", bound=Sized)


def assemble(
    plan: Plan, *, onto: Corpus | None = None, progress: Progress | None = None, watch: Watch = nobody
) -> Corpus:
    """The corpus of a plan, or the open corpus `onto` with the plan's files added to it.

    QeError that lists what is wrong in all files; then nothing is loaded. `watch` is called often; what it raises, or
    `progress`, ends the work at once.
    """
    if plan.of(Role.JOB):
        from qe_desktop.formats.job_assembly import begun

        plan, onto = begun(plan, onto, progress, watch)
    return _Assembly(plan, onto, progress, watch).corpus()


class _Assembly:
    """One run over a plan's files, which collects their faults."""

    def __init__(self, plan: Plan, onto: Corpus | None, progress: Progress | None, watch: Watch) -> None:
        self.plan = plan
        self.onto = onto
        self.progress = progress
        self.watch = watch
        self.errors: list[QeError] = []
        self.left_out = left_out_of(onto)
        """The segments, from 0, that the gold leaves out."""
        self.done = 0
        self.total = max(1, len(plan.of(*(role for role in Role if role is not Role.IGNORED))))

    def corpus(self) -> Corpus:
        """Read everything, check everything."""
        pair = self.plan.language_pair or (self.onto.language_pair if self.onto else "")
        pieces = self._one(Role.PIECES, self._text)
        texts = self._texts(pieces, pair)
        self._stop()
        size = self._size(texts)
        translations = self._named(Role.TRANSLATION, self.onto.translations if self.onto else {}, self._text, size)
        references = self._named(Role.REFERENCE, self.onto.references if self.onto else {}, self._text, size)
        metrics = self._metrics(size, pair)
        ratings = self._ratings(size or next(map(len, {**translations, **references}.values()), None), pair)
        alignments = self._one(Role.ALIGNMENTS, lambda file: self._alignments(file, texts, size))
        documents = self._one(Role.DOCUMENTS, lambda file: self._documents(file, size))
        fitted_to = Texts(texts.get(TextRole.MT), texts.get(TextRole.SOURCE), left_out=self.left_out)
        layers, eos = self._layers(self._read_layers(fitted_to, pieces, size, pair), fitted_to, size)
        self._stop()
        self._refuse_nothing(bool(texts or layers or translations or references or metrics or ratings))
        if size is None:
            named: dict[str, Sized] = {
                **{tr("the translation by {name}", name=name): column for name, column in translations.items()},
                **{tr("the reference {name}", name=name): column for name, column in references.items()},
                **{tr("the scores by {metric}", metric=name): column for name, column in metrics.items()},
            }
            columns: list[Sized] = [*(layer.column for layer in layers.values()), *named.values()]
            size = len(columns[0]) if columns else 0
            for what, column in named.items():
                self._try(refuse_misfit, column, size, what, any(column is one for one in references.values()))
        lengths = {
            Role.ALIGNMENTS: None if alignments is None else len(alignments),
            Role.DOCUMENTS: None if documents is None else len(documents.of_segment),
        }
        self._late_checks(size, lengths)
        self._stop()
        layers = {**layers, **beside_gold({**(self.onto.layers if self.onto else {}), **layers}, layers)}
        base = self.onto or Corpus(self.plan.name, size, folder=self.plan.folder)
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

    def _refuse_nothing(self, found: bool) -> None:
        if not found:
            raise self.plan.nothing()

    def _stop(self) -> None:
        if self.errors:
            raise together(self.errors)

    def _texts(self, pieces: TextColumn | None, pair: str) -> dict[TextRole, TextColumn]:
        texts = dict(self.onto.texts) if self.onto else {}
        files = self._files_of_texts()
        for file, column in self._each(files, self._text):
            role = file.role.text
            assert role is not None
            if role in texts:
                message = tr("there is already a text of the role {role}", role=file.role.shown)
                self._fault(file, message, tr("Give it another role."))
            else:
                texts[role] = column
        if not texts:
            texts = self._texts_of_table()
        for file in [file for file in self.plan.of(Role.GOLD, Role.SYSTEM) if file.brings_mt][:1]:
            try:
                brought = tags_with_text(self._open(file), pair)
                texts, self.left_out = with_brought(texts, brought), brought.left_out
            except QeError as error:
                self.errors.append(error)
        if pieces is not None:
            texts.setdefault(TextRole.MT, words_of(pieces))
        base = next((role for role in TextRole if role in texts and role is TextRole.MT), next(iter(texts), None))
        for file in files:
            role = file.role.text
            if base is not None and role in texts and role is not None:
                self._try(refuse_other_size, len(texts[role]), len(texts[base]), shown_name(file.path), base)
        return texts

    def _texts_of_table(self) -> dict[TextRole, TextColumn]:
        """The texts that stand in a table of scores, where there are no others and nothing that needs their tokens."""
        table = self.plan.table_of_texts()
        if table is None or any(key.kind is not Kind.SCORES for key in (self.onto.layers if self.onto else ())):
            return {}

        def read(file: PlannedFile) -> dict[TextRole, TextColumn]:
            values = BY_NAME[file.format].read(self._open(file)).values
            return texts_of(values, self.onto.size if self.onto else None) if isinstance(values, ScoreGrid) else {}

        return next((found for _, found in self._each([table], read)), {})

    def _text(self, file: PlannedFile) -> TextColumn:
        opened, format = self._open(file), BY_NAME.get(file.format)
        values = format.read(opened).values if format is not None and format.like == TEXT.name else None
        return values if isinstance(values, TextColumn) else read_text(opened)

    def _size(self, texts: Mapping[TextRole, TextColumn]) -> int | None:
        if self.onto is not None:
            size = self.onto.size
            for file in self._files_of_texts():
                role = file.role.text
                if role is not None and role in texts:
                    self._try(refuse_other_size, len(texts[role]), size, shown_name(file.path), Other.OPEN_CORPUS)
            return size
        return len(next(iter(texts.values()))) if texts else None

    def _files_of_texts(self) -> list[PlannedFile]:
        """The files of texts of which there is one of each role; references have names."""
        roles = [role for role in Role if role.text is not None and role is not Role.REFERENCE]
        return self.plan.of(*roles)

    def _alignments(self, file: PlannedFile, texts: Mapping[TextRole, TextColumn], size: int | None) -> AlignmentColumn:
        name = shown_name(file.path)
        column = read_alignments(self._open(file))
        if size is not None:
            refuse_other_size(len(column), size, name, Other.CORPUS)
        refuse_links_out_of_range(column, texts.get(TextRole.SOURCE), texts.get(TextRole.MT), name)
        return column

    def _documents(self, file: PlannedFile, size: int | None) -> Documents:
        found = read_documents(self._open(file))
        if size is not None:
            refuse_other_size(len(found.of_segment), size, shown_name(file.path), Other.CORPUS)
        return found

    def _named(
        self, role: Role, known: Collection[str], read: Callable[[PlannedFile], Column], size: int | None
    ) -> dict[str, Column]:
        """The columns of the files of a role, of which there may be several, by name; `known` are those there are."""
        found: dict[str, Column] = {}
        for file, column in self._each(self.plan.of(role), read):
            if file.name in found or file.name in known:
                self._fault(file, name_taken(role, file.name), tr("Give one of them another name."))
                continue
            if size is not None:
                self._try(refuse_misfit, column, size, shown_name(file.path), role is Role.REFERENCE)
            found[file.name] = column
        return found

    def _metrics(self, size: int | None, pair: str) -> dict[str, MetricColumn]:
        """What metrics gave systems. A file that does not say whose its scores are has those of the system that it is
        called like.
        """

        def read(file: PlannedFile) -> GivenScores:
            system = name_of(file.path)
            return read_metric_scores(file.path, system=system, language_pair=pair, size=size, watch=self.watch)

        known = self.onto.metric_scores if self.onto else {}
        found, errors = metric_columns(self._each(self.plan.of(Role.METRIC), read), known)
        self.errors += errors
        return found

    def _ratings(self, size: int | None, pair: str) -> Ratings | None:
        """What people said, of all files together; a file with several language pairs gives those of the corpus."""
        known, files = self.onto.ratings if self.onto else None, self.plan.of(Role.RATINGS)
        if not files:
            return known
        # here, so that nobody waits for these formats who has no files of them
        from qe_desktop.corpus import joined
        from qe_desktop.corpus.campaigns import refuse_mixed
        from qe_desktop.formats.rated import read_rated, refuse_again

        read = self._each(files, lambda file: read_rated(file, pair, size, self.watch))
        parts = [*([known] if known is not None else []), *(ratings for _, ratings in read)]
        self._try(refuse_mixed, parts)
        self._try(refuse_again, known, [ratings for _, ratings in read])
        return joined(parts) if parts else None

    def _read_layers(self, texts: Texts, pieces: TextColumn | None, size: int | None, pair: str) -> list[ReadLayers]:
        """All tags and scores. Files that could be taken two ways come last, for the others to tell how."""
        known = {} if self.onto is None else lengths_by_kind(self.onto.layers.values())
        clear = [file for file in self.plan.of(Role.GOLD, Role.SYSTEM) if not file.may_be(Lines)]
        doubtful = [file for file in self.plan.of(Role.GOLD, Role.SYSTEM) if file.may_be(Lines)]
        found: dict[Path, ReadLayers] = {}
        for files in (clear, doubtful):
            fitted_to = replace(texts, like=known)

            def read(file: PlannedFile, fitted_to: Texts = fitted_to) -> ReadLayers:
                return read_layers(file, self._open(file), fitted_to, pieces, size, pair)

            found.update((file.path, one) for file, one in self._each(files, read))
            known = {**lengths_by_kind(layer for one in found.values() for layer in one.layers), **known}
        return [found[file.path] for file in self.plan.of(Role.GOLD, Role.SYSTEM) if file.path in found]

    def _layers(
        self, found: Sequence[ReadLayers], texts: Texts, size: int | None
    ) -> tuple[dict[LayerKey, Layer], bool]:
        """The layers that fit each other, and whether words have one value more than the MT has tokens."""
        layers: dict[LayerKey, Layer] = {}
        with_mt = texts.mt is not None
        known = dict(self.onto.layers) if self.onto else {}
        firsts: dict[Kind, Layer] = {}
        for layer in known.values():
            firsts.setdefault(carrier(layer.key.kind), layer)
        eos = self._eos_so_far(firsts, texts)
        for read in found:
            if with_mt and read.eos is not None:
                eos = read.eos if eos is None else eos
                if eos is not read.eos:
                    self._fault(read.file, other_eos(read.eos), tr("Give all of them in the same form."))
                    continue
            for layer in read.layers:
                if layer.key in known or layer.key in layers:
                    hint = tr("Give one of them another name or role.")
                    if layer.form == COLUMNS:
                        hint = tr("Give the column another name in one of the files.")
                    self._fault(read.file, there_already(layer.key), hint)
                    continue
                first = firsts.setdefault(carrier(layer.key.kind), layer)
                if first is not layer:
                    name = first.origin or Other.OPEN_CORPUS
                    self._try(refuse_unlike, layer, first, shown_name(read.file.path), name, read.line)
                layers[layer.key] = layer
        lead = next(iter(firsts.values()), None)
        for first in firsts.values():
            wanted, than = (len(lead.column), lead.origin) if lead and size is None else (size or 0, Other.CORPUS)
            self._try(refuse_other_size, len(first.column), wanted, self._path_of(first), than)
        return layers, bool(eos)

    def _eos_so_far(self, firsts: Mapping[Kind, Layer], texts: Texts) -> bool | None:
        """What the open corpus says of `<EOS>`; its tags must fit a text that is only now there."""
        if self.onto is None:
            return None
        eos = self.onto.eos if Kind.WORDS in firsts else None
        for kind, text, role in (
            (Kind.WORDS, texts.mt, TextRole.MT),
            (Kind.GAPS, texts.mt, TextRole.MT),
            (Kind.SOURCE, texts.source, TextRole.SOURCE),
        ):
            layer = firsts.get(kind)
            if layer is None or text is None or role in self.onto.texts:
                continue
            try:
                form = form_of_layer(layer, text, role)
                eos = form is Form.EOS if kind is Kind.WORDS else eos
            except QeError as error:
                self.errors.append(error)
        return eos

    def _path_of(self, layer: Layer) -> str:
        """The file that a layer comes from, as messages call it."""
        found = next((file.path for file in self.plan.files if file.path.name == layer.origin), None)
        return layer.origin if found is None else shown_name(found)

    def _late_checks(self, size: int, columns: Mapping[Role, int | None]) -> None:
        """Compare with the tags what was read before anything told the number of segments."""
        for role, length in columns.items():
            for file in self.plan.of(role)[:1]:
                if length is not None:
                    self._try(refuse_other_size, length, size, shown_name(file.path), Other.CORPUS)

    def _one(self, role: Role, read: Callable[[PlannedFile], Result]) -> Result | None:
        files = self.plan.of(role)
        for file in files[1:]:
            message = tr("there is already a file of the role {role}", role=role.shown)
            self._fault(file, message, tr("Give it another role."))
        return next((result for _, result in self._each(files[:1], read)), None)

    def _each(
        self, files: Sequence[PlannedFile], read: Callable[[PlannedFile], Result]
    ) -> list[tuple[PlannedFile, Result]]:
        """Read files, large ones side by side; their faults are collected."""
        results: list[tuple[PlannedFile, Result]] = []
        large = len(files) > 1 and sum(size_of(file.path) for file in files) > ALONE
        pool = ThreadPoolExecutor(THREADS) if large else None
        try:
            calls = [(file, partial(read, file) if pool is None else pool.submit(read, file).result) for file in files]
            for file, result in calls:
                self._tell(file)
                try:
                    results.append((file, result()))
                except QeError as error:
                    self.errors.append(error)
                self.done += 1
        finally:
            if pool is not None:
                # where someone ended it, files that nobody has begun to read are left alone
                pool.shutdown(cancel_futures=True)
        return results

    def _open(self, file: PlannedFile) -> OpenedFile:
        return open_file(file.path, self.watch)

    def _tell(self, file: PlannedFile) -> None:
        if self.progress is not None:
            self.progress(file.path.name, self.done / self.total)

    def _try(self, check: Callable[..., None], *values: object) -> None:
        try:
            check(*values)
        except QeError as error:
            self.errors.append(error)

    def _fault(self, file: PlannedFile, message: str, hint: str) -> None:
        self.errors.append(QeError(message, hint=hint, place=Place(shown_name(file.path))))
