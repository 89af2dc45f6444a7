"""`qe-desktop convert` to a report on a review: an HTML page with all changes, or statistics of the review."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.convert_bilingual import is_bilingual_file
from qe_desktop.cli.convert_export import is_corpus_export, read_bilingual_files, reject_irregular, view_of_corpus
from qe_desktop.cli.output import check_not_overwriting, print_error
from qe_desktop.i18n.messages import join_localized, tr

if TYPE_CHECKING:
    from qe_desktop.corpus import View

REPORT_SUFFIXES = (".html", ".statistics.tsv")
"""File name suffixes of review reports; a copy, so that other conversions need not import `report.review`."""


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
    """Write a report on the segments of all inputs.

    Raises QeError if an input cannot be read, has no MT or contains several corpora, or if OUT is an input or cannot be
    written.
    """
    from qe_desktop.report.review.review_exports import review_export_for, write_review

    *inputs, output_name = args.files
    output = Path(output_name)
    export = review_export_for(output)
    assert export is not None
    view, notes = _view(args, inputs, output)
    count = write_review(view, export, output)
    summary = tr(
        "{input} -> {output} ({form}): {n:,} {n:segment|segments}", "", count,
        input=join_localized(", ", inputs), output=output_name, form=export.display_name,
    )  # fmt: skip
    print_error(join_localized("; ", [summary, *notes]))
    return 0


def _view(args: argparse.Namespace, inputs: list[str], output: Path) -> tuple[View, tuple[str, ...]]:
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
