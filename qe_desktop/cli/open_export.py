"""What `qe-desktop convert` makes of a project or a folder of a corpus: one file of translators, by how OUT ends."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.output import refuse_overwriting, say
from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.standard_input import SIGN
from qe_desktop.wording import side_by_side, tr

if TYPE_CHECKING:
    from qe_desktop.corpus import View

_SUFFIX = ".qedesk"
"""How names of projects end."""


def is_asked(name: str) -> bool:
    """Whether what is to be converted is a project, by its name, or a folder."""
    # what projects are kept in is brought in for projects alone
    return _is_project(name) or (name != SIGN and Path(name).is_dir())


def _is_project(name: str) -> bool:
    return "://" in name or name.lower().endswith(_SUFFIX)


def run(args: argparse.Namespace) -> int:
    """Write all segments as they are now, reviewed or not, with the tags of words and scores where there is room."""
    from qe_desktop.corpus.languages import split_language_pair
    from qe_desktop.formats.bilingual.exporting import exported_of, fitting, layers_of
    from qe_desktop.formats.writing import write_bytes

    output = Path(args.output)
    _refuse_irregular(args.input)
    export = fitting(output)
    if export is None or output.is_dir():
        message = tr("a project or folder becomes one file of translators, and its name does not say of which kind")
        hint = tr("Let it end in .xlf, .xliff, .tmx, .po, .csv, .tsv, .xlsx, .src, .mt or .pe.")
        raise QeError(message, hint=hint, place=Place(args.output))
    notes: tuple[str, ...] = ()
    if _is_project(args.input):
        refuse_overwriting(output, [args.input])
        view = _of_project(args.input)
    else:
        view, notes = _of_folder(args.input, output, args.language_pair)
    _refuse_nothing(view, args.input)
    languages = split_language_pair(args.language_pair) if args.language_pair else None
    exported = exported_of(view, layers_of(view), languages=languages)
    write_bytes(output, export.write(exported))
    said = tr(
        "{input} -> {output} ({form}): {n:,} {n:segment|segments}", "", len(exported.pairs),
        input=args.input, output=args.output, form=export.shown,
    )  # fmt: skip
    say(side_by_side("; ", [said, *notes]))
    return 0


def _refuse_irregular(name: str) -> None:
    """What is no file is said first, and not what it could be written into."""
    from qe_desktop.formats.regular_files import open_regular

    if name.lower().endswith(_SUFFIX) and "://" not in name and Path(name).exists():
        open_regular(Path(name)).close()


def _of_project(place: str) -> View:
    from qe_desktop.cli.projects import restored_session

    return restored_session(place).view


def _of_folder(name: str, output: Path, pair: str) -> tuple[View, tuple[str, ...]]:
    """What a folder's corpus is. QeError where there is none or several, and where OUT is one of its files."""
    from qe_desktop.corpus import View
    from qe_desktop.formats import assemble, plan
    from qe_desktop.formats.sentences import few

    plans = plan([Path(name)], language_pair=pair)
    if len(plans) != 1:
        parts = few([one.part or one.name for one in plans])
        message = tr("there are several corpora: {parts}", parts=parts)
        hint = tr("Name the folder of one of them, or choose with --language-pair.")
        raise QeError(message, hint=hint, place=Place(name))
    found = plans[0]
    refuse_overwriting(output, [str(file.path) for file in found.files])
    corpus = assemble(found)
    unread = [file for file in found.files if file.problem is not None]
    return View(corpus), tuple(tr("{file} was left out", file=file.path.name) for file in unread)


def _refuse_nothing(view: View, name: str) -> None:
    from qe_desktop.corpus import TextRole

    corpus = view.corpus
    there = corpus.job is not None or any(role in corpus.texts for role in (TextRole.MT, TextRole.RAW_MT))
    if not there:
        message = tr("there is no MT here")
        raise QeError(message, hint=tr("Give a folder or a project with source and MT."), place=Place(name))
