"""`qe-desktop info`: what files are taken for, what they hold, and what must be said before they are read."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from qe_desktop.cli.convert_bilingual import add_columns_option, check_bilingual, column_choice_from, is_bilingual_file
from qe_desktop.cli.output import add_output, write_report
from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.formats import (
    TAG_FORMATS,
    CorpusPlan,
    LineUnit,
    PlannedFile,
    ProbabilityOf,
    Role,
    build_corpus,
    plan_imports,
)
from qe_desktop.formats.bilingual import Document, read_document
from qe_desktop.formats.bilingual.column_choice import ChoiceKind
from qe_desktop.formats.bilingual.inline_codes import content_codes
from qe_desktop.formats.bilingual.tabular.column_names import layer_title
from qe_desktop.formats.importing.questions import AnswerValue, QuestionType, ScoreDirection
from qe_desktop.formats.io.files import display_name, open_regular
from qe_desktop.formats.io.text_files import STANDARD_INPUT, STDIN_ARGUMENT, check_read_once, named_path
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report import Table


def bilingual_json(document: Document) -> dict[str, Any]:
    """The command line's contract: what the file holds, in numbers and in its own words."""
    segments = document.segments
    return {
        "file": document.name,
        "format": document.form,
        "description": document.shown_form,
        "encoding": document.text.codec,
        "source-language": document.source_language,
        "target-language": document.target_language,
        "segments": len(segments),
        "with target": sum(bool(segment.target) for segment in segments),
        "locked": sum(segment.locked for segment in segments),
        "statuses": _statuses(document),
        "codes": sum(len(content_codes(segment.source)) for segment in segments),
        "states": _counted(segment.state for segment in segments),
        "origins": _counted(segment.origin for segment in segments),
        "qualities": _counted(one.kind for segment in segments for one in segment.qualities),
        "issues": sum(len(segment.issues) for segment in segments),
        "with another MT": sum(one.loaded is not None and one.loaded != (one.target or ()) for one in segments),
        "tags": {layer_title(key): int(tags.values.sum()) for key, tags in document.beside.tags.items()},
        "scores": {layer_title(key): int((~np.isnan(one)).sum()) for key, one in document.beside.scores.items()},
        "segments with notes": sum(bool(segment.notes) for segment in segments),
        "notes": list(document.notes),
    }


def _statuses(document: Document) -> dict[str, int]:
    """How many segments are how far, by what the file says."""
    found = Counter(document.status(segment) for segment in document.segments)
    return {status.name.lower(): found[status] for status in ReviewStatus}


def _counted(words: Iterable[str]) -> dict[str, int]:
    return dict(Counter(word for word in words if word).most_common())


def bilingual_table(document: Document) -> Table:
    """The same for people."""
    found = bilingual_json(document)
    rows = [
        (tr("recognised as"), document.shown_form),
        (tr("encoding"), found["encoding"].upper()),
        (tr("languages"), " → ".join(filter(None, (document.source_language, document.target_language)))),
        (tr("segments"), found["segments"]),
        (tr("with a target"), found["with target"]),
        (tr("with another MT than the target"), found["with another MT"]),
        *((status.shown, found["statuses"][status.name.lower()]) for status in ReviewStatus),
        (tr("inline codes of the source"), found["codes"]),
        (tr("issues"), found["issues"]),
        (tr("with notes"), found["segments with notes"]),
    ]
    rows += [(tr("state {word}", word=word), count) for word, count in found["states"].items()]
    rows += [(tr("origin {word}", word=word), count) for word, count in found["origins"].items()]
    rows += [(tr("score {word}", word=word), count) for word, count in found["qualities"].items()]
    rows += [(tr("score {word}", word=word), count) for word, count in found["scores"].items()]
    rows += [(tr("BAD words by {name}", name=name), count) for name, count in found["tags"].items()]
    return Table(document.name, (tr("what"), tr("how many")), tuple(rows), notes=document.notes)


def project_summary(place: str) -> dict[str, Any]:
    """The command line's contract, the same as that of `project info`. QeError for what is no project."""
    from qe_desktop.cli.project import open_project

    with open_project(place) as project:
        return project.summary()


def project_table(found: dict[str, Any]) -> Table:
    """The same for people."""
    rows: list[tuple[Any, Any]] = [(tr("recognised as"), tr("project"))]
    if found["read-only"]:
        rows.append((tr("read-only"), found["read-only"]))
    if found["role"] == "owner":
        rows += _contents(found)
    rows.append((tr("campaigns"), len(found["campaigns"])))
    return Table(found["title"], (tr("what"), tr("how many")), tuple(rows))


def _contents(found: dict[str, Any]) -> list[tuple[Any, Any]]:
    """What only the owner of a project is told."""
    corpus, review = found["corpus"], found["review"]
    return [
        (tr("segments"), 0 if corpus is None else corpus["segments"]),
        *((tr("translators’ file"), file) for file in found["files"]),
        *((tr("layer"), layer) for layer in found["layers"]),
        (tr("edits of tags"), found["edits"]),
        (tr("translations edited"), review["edited"]),
        (tr("segments confirmed"), review["confirmed"]),
        (tr("segments rejected"), review["rejected"]),
        (tr("segments with notes of people"), review["noted"]),
        (tr("minutes of work recorded"), round(review["seconds"] / 60, 1)),
    ]


_QUESTION_TEXTS: dict[QuestionType, str] = {
    LineUnit: tr(
        "no line has more than one value: say what a line is (--lines segments or --lines tokens), or give the MT"
    ),
    ProbabilityOf: tr("all numbers are 0 or 1: say what 1 means (--numbers BAD or --numbers OK)"),
}
_CHOSEN: dict[ChoiceKind, str] = {
    ChoiceKind.COLUMNS: tr(
        "it is not told which columns are source and target: name them with --columns SOURCE TARGET"
    ),
    ChoiceKind.LANGUAGES: tr("it is not told which languages are source and target: say them with --language-pair"),
}
_ASSUMPTION_TEXTS: dict[AnswerValue, str] = {
    LineUnit.SEGMENTS: tr("read as one segment a line"),
    LineUnit.TOKENS: tr("read as one token a line"),
    ProbabilityOf.BAD: tr("read as P(BAD)"),
    ProbabilityOf.OK: tr("read as P(OK)"),
    ScoreDirection.MORE: ScoreDirection.MORE.shown,
    ScoreDirection.LESS: ScoreDirection.LESS.shown,
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the program's parser."""
    parser = subparsers.add_parser("info", help=tr("what files are taken for, and what they hold"))
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help=tr("files, - for standard input, folders of corpora, or projects")
    )
    add_columns_option(parser)
    parser.add_argument("--language-pair", metavar="LP", default="", help=tr("such as en-de"))
    add_output(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Say what each file is; QeError for one that was named and cannot be read."""
    from qe_desktop.project.store.location import is_project

    check_read_once(file for file in args.files if file == STDIN_ARGUMENT)
    places = [file for file in args.files if file != STDIN_ARGUMENT and is_project(file)]
    named = [named_path(file) for file in args.files if file not in places]
    for path in named:
        if path is not STANDARD_INPUT and not path.is_dir():
            open_regular(path).close()
            check_bilingual(str(path))
    # whoever names columns says that these are tables with source and target
    said = bool(args.columns)
    tables = [
        path
        for path in named
        if is_bilingual_file(str(path)) or (said and path is not STANDARD_INPUT and path.is_file())
    ]
    documents = {path: read_document(path, column_choice_from(args)) for path in tables}
    others = [path for path in named if path not in documents]
    plans = plan_imports(others) if others else []
    for found in plans:
        for file in found.files:
            if file.problem is not None and file.path in named:
                raise file.problem
    projects = [project_summary(place) for place in places]
    write_report(
        args, ImportPlanReport(plans, [_problems(found) for found in plans], tuple(documents.values()), projects)
    )
    return 0


@dataclass(frozen=True, slots=True)
class ImportPlanReport:
    """What files are taken for, what does not fit together in each of the corpora, translators' files and projects."""

    plans: Sequence[CorpusPlan]
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
        told |= {"documents": list(map(bilingual_json, self.documents))} if self.documents else {}
        return told | {"projects": list(self.projects)} if self.projects else told

    def notes(self) -> list[str]:
        """None beside those that stand with the files."""
        return []

    def tables(self) -> list[Table]:
        """One a corpus, one a translator's file, and one a project."""
        tables = [_table(plan, problems) for plan, problems in zip(self.plans, self.problems, strict=True)]
        return [*tables, *map(bilingual_table, self.documents), *map(project_table, self.projects)]

    def columns(self) -> list[Table]:
        """The same."""
        return self.tables()

    def pictures(self) -> list[str]:
        """None."""
        return []


def _problems(found: CorpusPlan) -> list[str]:
    """What does not fit together, as opening the files as a corpus would refuse it."""
    open_questions = {file.path for file in found.unanswered()}
    files = tuple(replace(file, role=Role.IGNORED) if file.path in open_questions else file for file in found.files)
    asked = replace(found, files=files)
    if found.misses_text() or len(asked.of(*(role for role in Role if role is not Role.IGNORED))) < 2:
        return []
    try:
        build_corpus(asked)
    except QeError as error:
        said = [join_localized(": ", (str(fault.place), fault.message)) for fault in error.faults] or [
            error.line(command_line=True)
        ]
        return [*said, tr("and {n:,} more", "", error.more)] if error.more else said
    return []


def _corpus(found: CorpusPlan, problems: Sequence[str]) -> dict[str, Any]:
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


def _table(found: CorpusPlan, problems: Sequence[str]) -> Table:
    names = _names(found)
    rows = tuple((name, file.description, _use(file)) for name, file in zip(names, found.files, strict=True))
    said = [(name, _remarks(file, found)) for name, file in zip(names, found.files, strict=True)]
    notes = [f"{name}: {remark}" for name, remarks in said for remark in remarks]
    if problems:
        notes += [tr("These files do not fit together:"), *problems]
    pair = f" ({found.language_pair})" if found.language_pair not in ("", found.part) else ""
    header = (tr("file"), tr("recognised as"), tr("used as"))
    return Table(f"{found.name}{pair}", header, rows, notes=tuple(notes))


def _names(found: CorpusPlan) -> list[str]:
    """The files' names, with their folders where several are called alike, as predictions.txt of several teams."""
    seen = Counter(file.path.name for file in found.files)

    def name(file: PlannedFile) -> str:
        inside = file.path.is_relative_to(found.folder)
        return str(file.path.relative_to(found.folder)) if inside and seen[file.path.name] > 1 else file.path.name

    return [name(file) for file in found.files]


def _use(file: PlannedFile) -> str:
    if file.kind is None or file.role is Role.IGNORED:
        return file.role.shown
    return join_localized(", ", (file.role.shown, file.kind.shown))


def _remarks(file: PlannedFile, found: CorpusPlan) -> list[str]:
    """What is known about a file, how it is held, and what must be said of it."""
    remarks = list(file.notes) if file.problem is None else [file.problem.line(command_line=True)]
    for doubt in file.doubts:
        held = file.held(doubt.question)
        if file.may_be(doubt.question) and held is not None:
            # what is held to be of OK by itself is a logarithm
            logs = held is ProbabilityOf.OK and doubt.held is ProbabilityOf.OK
            remarks.append(tr("read as log P(OK)") if logs else _ASSUMPTION_TEXTS[held])
        elif file in found.unanswered() and held is None:
            remarks.append(_QUESTION_TEXTS[doubt.question])
    if file.must_choose and file.offer is not None:
        remarks.append(_CHOSEN[file.offer.of])
    if file.role is Role.POST_EDIT:
        remarks += _could_be_gold(file, found)
    return remarks


def _could_be_gold(post_edit: PlannedFile, found: CorpusPlan) -> list[str]:
    """What a post-edit is good for where there are no gold tags."""
    mt = found.of(Role.MT)
    if not mt or any(file.format in TAG_FORMATS for file in found.of(Role.GOLD)):
        return []
    made = tr(
        "there are no gold tags, but this makes some: qe-desktop convert {mt} OUT --post-edit {post_edit}",
        mt=display_name(mt[0].path), post_edit=display_name(post_edit.path),
    )  # fmt: skip
    return [made]
