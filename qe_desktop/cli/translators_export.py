"""What `qe-desktop convert` makes of translators' files where a file of another kind is asked for: by how OUT ends."""

from __future__ import annotations

import argparse
from pathlib import Path

from qe_desktop.cli.output import refuse_overwriting, say
from qe_desktop.cli.translators_files import choice_said, is_one, refuse_foreign, refuse_untold
from qe_desktop.corpus import Place, QeError
from qe_desktop.corpus.languages import split_language_pair
from qe_desktop.formats.bilingual.suffixes import SUFFIXES
from qe_desktop.formats.regular_files import open_regular, shown_name
from qe_desktop.formats.standard_input import named_path
from qe_desktop.formats.writing import write_bytes
from qe_desktop.wording import side_by_side, tr


def is_asked(args: argparse.Namespace) -> bool:
    """Whether a translator's file is to become a file of another kind."""
    output = Path(args.output)
    fits = output.suffix.lower() in SUFFIXES and not output.is_dir()
    return fits and (bool(args.columns) or is_one(args.input))


def run(args: argparse.Namespace) -> int:
    """Write one file of all inputs, one behind the other. QeError for what is no translator's file."""
    from qe_desktop.formats.bilingual import read_document
    from qe_desktop.formats.bilingual.exporting import exported_documents, fitting

    *inputs, output = args.files
    export = fitting(Path(output))
    if export is None or args.into is not None or args.post_edit is not None:
        message = tr("several files become one file of translators, and its name does not say of which kind")
        raise QeError(message, hint=tr("Let it end in .xlf, .xliff, .tmx, .po, .csv, .tsv or .xlsx."))
    refuse_overwriting(Path(output), inputs)
    for name in inputs:
        refuse_foreign(name)
        if not args.columns and not is_one(name):
            open_regular(named_path(name)).close()
            refuse_untold(name)
            hint = tr("See what it is taken for with: qe-desktop info {file}", file=name)
            raise QeError(
                tr("this is no translator’s file that is read"), hint=hint, place=Place(shown_name(Path(name)))
            )
    documents = [read_document(Path(name), choice_said(args)) for name in inputs]
    languages = split_language_pair(args.language_pair) if args.language_pair else None
    exported = exported_documents(documents, Path(inputs[0]).stem, languages)
    write_bytes(Path(output), export.write(exported))
    said = tr(
        "{input} -> {output} ({form}): {n:,} {n:segment|segments}", "", len(exported.pairs),
        input=side_by_side(", ", inputs), output=output, form=export.shown,
    )  # fmt: skip
    say(side_by_side("; ", [said, *(note for document in documents for note in document.notes)]))
    return 0
