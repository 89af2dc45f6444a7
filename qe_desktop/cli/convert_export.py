"""`qe-desktop convert` of all inputs to one file: a bilingual file or a report on the review."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.convert_bilingual import check_bilingual, column_choice_from, is_bilingual_file, require_columns
from qe_desktop.cli.output import check_not_overwriting, print_error
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.languages import split_language_pair
from qe_desktop.formats.atomic_write import write_bytes
from qe_desktop.formats.bilingual.exports import SUFFIXES
from qe_desktop.formats.files import display_name, open_regular
from qe_desktop.formats.text_files import STDIN_ARGUMENT, named_path
from qe_desktop.i18n.messages import join_localized, tr

if TYPE_CHECKING:
    from qe_desktop.corpus import View
    from qe_desktop.formats import CorpusPlan
    from qe_desktop.formats.bilingual import Document
    from qe_desktop.formats.bilingual.exports.export_model import ExportData
    from qe_desktop.formats.bilingual.exports.registry import ExportFormat


_PROJECT_SUFFIX = ".qedesk"
"""File name suffix of projects."""


def is_corpus_export(name: str) -> bool:
    """Return whether an argument names a folder or a project; see `is_project`."""
    return is_project(name) or (name != STDIN_ARGUMENT and Path(name).is_dir())


def is_project(name: str) -> bool:
    """Return whether an argument names a project: a server URL or a .qedesk file."""
    return "://" in name or name.lower().endswith(_PROJECT_SUFFIX)


def export_corpus(args: argparse.Namespace) -> int:
    """Write the segments of a project or corpus folder, with tags and scores if the output format supports them.

    Only confirmed segments are written to TMX, unless `--unconfirmed` is specified; other formats contain all segments.
    Raises QeError if the input cannot be read, has no MT or contains several corpora, if there is no segment to write,
    or if OUT is an input, has an unknown suffix or cannot be written.
    """
    from qe_desktop.formats.bilingual.exports.registry import export_for_suffix, export_view, exported_layers

    output = Path(args.output)
    reject_irregular(args.input)
    export = export_for_suffix(output)
    if export is None or output.is_dir():
        message = tr("a project or folder is converted to one bilingual file, but the suffix of OUT is not supported")
        hint = tr("Use a name that ends in .xlf, .xliff, .tmx, .po, .csv, .tsv, .xlsx, .src, .mt or .pe.")
        raise QeError(message, hint=hint, place=SourceLocation(args.output))
    view, notes = view_of_corpus(args.input, output, args.language_pair)
    exported = export_view(view, exported_layers(view), languages=_languages(args))
    return _write(args, export, exported, args.input, notes)


def _languages(args: argparse.Namespace) -> tuple[str, str] | None:
    return split_language_pair(args.language_pair) if args.language_pair else None


def _write(
    args: argparse.Namespace, export: ExportFormat, exported: ExportData, inputs: str, notes: Sequence[str]
) -> int:
    """Write the segments that the format includes; report their number and notes on stderr. Returns exit code 0."""
    exported = export.select_segments(exported, unconfirmed=args.unconfirmed)
    write_bytes(Path(args.output), export.write(exported))
    summary = tr(
        "{input} -> {output} ({form}): {n:,} {n:segment|segments}", "", len(exported.segments),
        input=inputs, output=args.output, form=export.display_name,
    )  # fmt: skip
    print_error(join_localized("; ", [summary, *notes]))
    return 0


def reject_irregular(name: str) -> None:
    """Raise QeError if a project file exists but is not a readable regular file."""
    if name.lower().endswith(_PROJECT_SUFFIX) and "://" not in name and Path(name).exists():
        open_regular(Path(name)).close()


def plan_of_folder(name: str, language_pair: str) -> CorpusPlan:
    """Return the import plan of the corpus in a folder. Raises QeError if there are several corpora or none."""
    from qe_desktop.formats import plan_imports
    from qe_desktop.formats.messages import list_names

    plans = plan_imports([Path(name)], language_pair=language_pair)
    if len(plans) != 1:
        message = tr("there are several corpora: {parts}", parts=list_names([plan.part or plan.name for plan in plans]))
        hint = tr("Specify the folder of one of them, or use --language-pair.")
        raise QeError(message, hint=hint, place=SourceLocation(name))
    return plans[0]


def view_of_corpus(name: str, output: Path, language_pair: str) -> tuple[View, tuple[str, ...]]:
    """Return the current state of a project or of the corpus in a folder, and notes on files that were left out.

    Raises QeError if `output` is an input, if a folder has several corpora or none, if the project or the corpus cannot
    be loaded, or if there is neither an MT nor a bilingual file.
    """
    from qe_desktop.corpus import TextRole, View

    notes: tuple[str, ...] = ()
    if is_project(name):
        from qe_desktop.cli.rating_inputs import load_session

        check_not_overwriting(output, [name])
        view = load_session(name).view
    else:
        from qe_desktop.formats import build_corpus

        corpus_plan = plan_of_folder(name, language_pair)
        check_not_overwriting(output, [str(file.path) for file in corpus_plan.files])
        view = View(build_corpus(corpus_plan))
        notes = tuple(
            tr("{file} was left out: {problem}", file=file.path.name, problem=file.problem.message)
            for file in corpus_plan.files
            if file.problem is not None
        )
    corpus = view.corpus
    has_segments = corpus.job is not None or any(role in corpus.texts for role in (TextRole.MT, TextRole.RAW_MT))
    if not has_segments:
        message = tr("there is no MT")
        raise QeError(message, hint=tr("Use a folder or a project with source and MT."), place=SourceLocation(name))
    return view, notes


def is_bilingual_export(args: argparse.Namespace) -> bool:
    """Return whether IN is a bilingual file and OUT has the suffix of a bilingual format."""
    output = Path(args.output)
    has_export_suffix = output.suffix.lower() in SUFFIXES and not output.is_dir()
    return has_export_suffix and (bool(args.columns) or is_bilingual_file(args.input))


def export_bilingual(args: argparse.Namespace) -> int:
    """Write the segments of all input files, in order, to one bilingual file.

    Unconfirmed segments are written or left out as in `export_corpus`. Raises QeError if an input is not a bilingual
    file, if --into or --post-edit is specified, if there is no segment to write, or if OUT is an input, lacks the
    suffix of an export format or cannot be written.
    """
    from qe_desktop.formats.bilingual.exports.registry import export_documents, export_for_suffix

    *inputs, output = args.files
    export = export_for_suffix(Path(output))
    if export is None or args.into is not None or args.post_edit is not None:
        message = tr("several inputs can only be combined into a single output file")
        raise QeError(
            message,
            hint=tr(
                "Omit --into and --post-edit. The name of OUT must end in .xlf, .xliff, .tmx, .po, .csv, .tsv, .xlsx, "
                ".src, .mt or .pe."
            ),
        )
    check_not_overwriting(Path(output), inputs)
    documents = read_bilingual_files(args, inputs)
    exported = export_documents(documents, Path(inputs[0]).stem, _languages(args))
    notes = [note for document in documents for note in document.notes]
    return _write(args, export, exported, join_localized(", ", inputs), notes)


def read_bilingual_files(args: argparse.Namespace, inputs: Sequence[str]) -> list[Document]:
    """Read bilingual files, using the options for columns. Raises QeError if a file is not a bilingual file."""
    from qe_desktop.formats.bilingual import read_document

    for name in inputs:
        check_bilingual(name)
        if not args.columns and not is_bilingual_file(name):
            open_regular(named_path(name)).close()
            require_columns(name)
            hint = tr("See its detected format: qe-desktop info {file}", file=name)
            raise QeError(
                tr("this is not a bilingual file in a supported format"),
                hint=hint,
                place=SourceLocation(display_name(Path(name))),
            )
    return [read_document(Path(name), column_choice_from(args)) for name in inputs]


REPORT_SUFFIXES = (".html", ".statistics.tsv")
"""File name suffixes of review reports; a copy, so that other conversions need not import `report.review_reports`."""


def is_review_export(args: argparse.Namespace) -> bool:
    """Return whether a report on a review is to be written.

    This is the case if OUT has the suffix of a report, IN is a project, a folder, or one or more bilingual files, and
    neither --into nor --post-edit is specified.
    """
    *inputs, output = args.files or [""]
    if not inputs or not output.lower().endswith(REPORT_SUFFIXES) or Path(output).is_dir():
        return False
    if args.into is not None or args.post_edit is not None:
        return False
    if len(inputs) == 1 and is_corpus_export(inputs[0]):
        return True
    return bool(args.columns) or all(map(is_bilingual_file, inputs))


def export_review(args: argparse.Namespace) -> int:
    """Write a report on the segments of all inputs. Returns exit code 0.

    Raises QeError if an input cannot be read, has no MT or contains several corpora, or if OUT is an input or cannot be
    written.
    """
    from qe_desktop.report.review_reports import review_export_for, write_review

    *inputs, output_name = args.files
    output = Path(output_name)
    export = review_export_for(output)
    assert export is not None
    view, notes = _view_of_inputs(args, inputs, output)
    count = write_review(view, export, output)
    summary = tr(
        "{input} -> {output} ({form}): {n:,} {n:segment|segments}", "", count,
        input=join_localized(", ", inputs), output=output_name, form=export.display_name,
    )  # fmt: skip
    print_error(join_localized("; ", [summary, *notes]))
    return 0


def _view_of_inputs(args: argparse.Namespace, inputs: list[str], output: Path) -> tuple[View, tuple[str, ...]]:
    """Return the current state of the inputs, and notes on reading them. Raises QeError if OUT is also an input."""
    if len(inputs) == 1 and is_corpus_export(inputs[0]):
        reject_irregular(inputs[0])
        return view_of_corpus(inputs[0], output, args.language_pair)
    from dataclasses import replace

    from qe_desktop.corpus import View
    from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents

    check_not_overwriting(output, inputs)
    documents = read_bilingual_files(args, inputs)
    corpus = corpus_from_documents(documents, Path(inputs[0]).name)
    if args.language_pair:
        corpus = replace(corpus, language_pair=args.language_pair)
    return View(corpus), tuple(note for document in documents for note in document.notes)
