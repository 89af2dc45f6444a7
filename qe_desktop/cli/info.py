"""`qe-desktop info`: what files are taken for, what they hold, and what must be said before they are read."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from qe_desktop.cli import projects_info
from qe_desktop.cli.output import add_output, emit
from qe_desktop.cli.projects_info import summary_of
from qe_desktop.cli.translators_files import add_columns, choice_said, is_one, refuse_foreign
from qe_desktop.cli.translators_info import json_of, table_of
from qe_desktop.corpus import QeError
from qe_desktop.formats import TAG_FORMATS, Lines, Numbers, Plan, PlannedFile, Role, assemble, plan
from qe_desktop.formats.bilingual import Document, read_document
from qe_desktop.formats.bilingual.choices import Of
from qe_desktop.formats.questions import Answer, Better, Question
from qe_desktop.formats.regular_files import open_regular, shown_name
from qe_desktop.formats.standard_input import SIGN, STANDARD_INPUT, named_path, refuse_twice
from qe_desktop.report import Table
from qe_desktop.wording import side_by_side, tr

_ASKED: dict[Question, str] = {
    Lines: tr(
        "no line has more than one value: say what a line is (--lines segments or --lines tokens), or give the MT"
    ),
    Numbers: tr("all numbers are 0 or 1: say what 1 means (--numbers BAD or --numbers OK)"),
}
_CHOSEN: dict[Of, str] = {
    Of.COLUMNS: tr("it is not told which columns are source and target: name them with --columns SOURCE TARGET"),
    Of.LANGUAGES: tr("it is not told which languages are source and target: say them with --language-pair"),
}
_HELD: dict[Answer, str] = {
    Lines.SEGMENTS: tr("read as one segment a line"),
    Lines.TOKENS: tr("read as one token a line"),
    Numbers.BAD: tr("read as P(BAD)"),
    Numbers.OK: tr("read as P(OK)"),
    Better.MORE: Better.MORE.shown,
    Better.LESS: Better.LESS.shown,
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the program's parser."""
    parser = subparsers.add_parser("info", help=tr("what files are taken for, and what they hold"))
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help=tr("files, - for standard input, folders of corpora, or projects")
    )
    add_columns(parser)
    parser.add_argument("--language-pair", metavar="LP", default="", help=tr("such as en-de"))
    add_output(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Say what each file is; QeError for one that was named and cannot be read."""
    from qe_desktop.project.store.place import is_project

    refuse_twice(file for file in args.files if file == SIGN)
    places = [file for file in args.files if file != SIGN and is_project(file)]
    named = [named_path(file) for file in args.files if file not in places]
    for path in named:
        if path is not STANDARD_INPUT and not path.is_dir():
            open_regular(path).close()
            refuse_foreign(str(path))
    # whoever names columns says that these are tables with source and target
    said = bool(args.columns)
    tables = [path for path in named if is_one(str(path)) or (said and path is not STANDARD_INPUT and path.is_file())]
    documents = {path: read_document(path, choice_said(args)) for path in tables}
    others = [path for path in named if path not in documents]
    plans = plan(others) if others else []
    for found in plans:
        for file in found.files:
            if file.problem is not None and file.path in named:
                raise file.problem
    projects = [summary_of(place) for place in places]
    emit(args, PlansReport(plans, [_problems(found) for found in plans], tuple(documents.values()), projects))
    return 0


@dataclass(frozen=True, slots=True)
class PlansReport:
    """What files are taken for, what does not fit together in each of the corpora, translators' files and projects."""

    plans: Sequence[Plan]
    problems: Sequence[Sequence[str]]
    documents: Sequence[Document] = ()
    projects: Sequence[dict[str, Any]] = ()

    @property
    def heading(self) -> str:
        """What a page of them is called."""
        return tr("Files")

    def json(self) -> dict[str, Any]:
        """The command line's contract."""
        found = zip(self.plans, self.problems, strict=True)
        told = {"corpora": [_corpus(plan, problems) for plan, problems in found]}
        told |= {"documents": list(map(json_of, self.documents))} if self.documents else {}
        return told | {"projects": list(self.projects)} if self.projects else told

    def notes(self) -> list[str]:
        """None beside those that stand with the files."""
        return []

    def tables(self) -> list[Table]:
        """One a corpus, one a translator's file, and one a project."""
        tables = [_table(plan, problems) for plan, problems in zip(self.plans, self.problems, strict=True)]
        return [*tables, *map(table_of, self.documents), *map(projects_info.table_of, self.projects)]

    def columns(self) -> list[Table]:
        """The same."""
        return self.tables()

    def pictures(self) -> list[str]:
        """None."""
        return []


def _problems(found: Plan) -> list[str]:
    """What does not fit together, as opening the files as a corpus would refuse it."""
    open_questions = {file.path for file in found.unanswered()}
    files = tuple(replace(file, role=Role.IGNORED) if file.path in open_questions else file for file in found.files)
    asked = replace(found, files=files)
    if found.misses_text() or len(asked.of(*(role for role in Role if role is not Role.IGNORED))) < 2:
        return []
    try:
        assemble(asked)
    except QeError as error:
        said = [side_by_side(": ", (str(fault.place), fault.message)) for fault in error.faults] or [
            error.line(command_line=True)
        ]
        return [*said, tr("and {n:,} more", "", error.more)] if error.more else said
    return []


def _corpus(found: Plan, problems: Sequence[str]) -> dict[str, Any]:
    files = [
        {
            "file": str(file.path),
            "format": file.format,
            "description": file.description,
            "used as": _use(file),
            "name": file.name,
            **_columns(file),
            "notes": _remarks(file, found),
        }
        for file in found.files
    ]
    pair = found.language_pair
    return {"name": found.name, "part": found.part, "language-pair": pair, "files": files, "problems": list(problems)}


def _columns(file: PlannedFile) -> dict[str, list[str]]:
    """The golds and systems that a table of scores names."""
    return {name: list(held) for name, held in (("golds", file.golds), ("systems", file.systems)) if held}


def _table(found: Plan, problems: Sequence[str]) -> Table:
    names = _names(found)
    rows = tuple((name, file.description, _use(file)) for name, file in zip(names, found.files, strict=True))
    said = [(name, _remarks(file, found)) for name, file in zip(names, found.files, strict=True)]
    notes = [f"{name}: {remark}" for name, remarks in said for remark in remarks]
    if problems:
        notes += [tr("These files do not fit together:"), *problems]
    pair = f" ({found.language_pair})" if found.language_pair not in ("", found.part) else ""
    header = (tr("file"), tr("recognised as"), tr("used as"))
    return Table(f"{found.name}{pair}", header, rows, notes=tuple(notes))


def _names(found: Plan) -> list[str]:
    """The files' names, with their folders where several are called alike, as predictions.txt of several teams."""
    seen = Counter(file.path.name for file in found.files)

    def name(file: PlannedFile) -> str:
        inside = file.path.is_relative_to(found.folder)
        return str(file.path.relative_to(found.folder)) if inside and seen[file.path.name] > 1 else file.path.name

    return [name(file) for file in found.files]


def _use(file: PlannedFile) -> str:
    if file.kind is None or file.role is Role.IGNORED:
        return file.role.shown
    return side_by_side(", ", (file.role.shown, file.kind.shown))


def _remarks(file: PlannedFile, found: Plan) -> list[str]:
    """What is known about a file, how it is held, and what must be said of it."""
    remarks = list(file.notes) if file.problem is None else [file.problem.line(command_line=True)]
    for doubt in file.doubts:
        held = file.held(doubt.question)
        if file.may_be(doubt.question) and held is not None:
            # what is held to be of OK by itself is a logarithm
            logs = held is Numbers.OK and doubt.held is Numbers.OK
            remarks.append(tr("read as log P(OK)") if logs else _HELD[held])
        elif file in found.unanswered() and held is None:
            remarks.append(_ASKED[doubt.question])
    if file.must_choose and file.offer is not None:
        remarks.append(_CHOSEN[file.offer.of])
    if file.role is Role.POST_EDIT:
        remarks += _could_be_gold(file, found)
    return remarks


def _could_be_gold(post_edit: PlannedFile, found: Plan) -> list[str]:
    """What a post-edit is good for where there are no gold tags."""
    mt = found.of(Role.MT)
    if not mt or any(file.format in TAG_FORMATS for file in found.of(Role.GOLD)):
        return []
    made = tr(
        "there are no gold tags, but this makes some: qe-desktop convert {mt} OUT --post-edit {post_edit}",
        mt=shown_name(mt[0].path), post_edit=shown_name(post_edit.path),
    )  # fmt: skip
    return [made]
