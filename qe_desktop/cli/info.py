"""`qe-desktop info`: detected formats and contents of files, and options that are needed to read them."""

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
from qe_desktop.formats.bilingual.columns import ChoiceKind, layer_title
from qe_desktop.formats.bilingual.inline_codes import content_codes
from qe_desktop.formats.files import display_name, open_regular
from qe_desktop.formats.importing.planned_file import AnswerValue, QuestionType, ScoreDirection
from qe_desktop.formats.text_files import STANDARD_INPUT, STDIN_ARGUMENT, check_read_once, named_path
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report import Table


def bilingual_json(document: Document) -> dict[str, Any]:
    """Return the contents of a bilingual file as JSON for the command line."""
    segments = document.segments
    return {
        "file": document.name,
        "format": document.dialect,
        "description": document.dialect_name,
        "encoding": document.text.codec,
        "source-language": document.source_language,
        "target-language": document.target_language,
        "segments": len(segments),
        "with target": sum(bool(segment.target) for segment in segments),
        "locked": sum(segment.locked for segment in segments),
        "statuses": _statuses(document),
        "codes": sum(len(content_codes(segment.source)) for segment in segments),
        "states": _count_words(segment.state for segment in segments),
        "origins": _count_words(segment.origin for segment in segments),
        "qualities": _count_words(quality.kind for segment in segments for quality in segment.qualities),
        "issues": sum(len(segment.issues) for segment in segments),
        "with another MT": sum(
            segment.loaded_target is not None and segment.loaded_target != (segment.target or ())
            for segment in segments
        ),
        "tags": {layer_title(key): int(tags.values.sum()) for key, tags in document.side_columns.tags.items()},
        "scores": {
            layer_title(key): int((~np.isnan(scores)).sum()) for key, scores in document.side_columns.scores.items()
        },
        "segments with notes": sum(bool(segment.notes) for segment in segments),
        "notes": list(document.notes),
    }


def _statuses(document: Document) -> dict[str, int]:
    """Number of segments with each review status, as recorded in the file."""
    statuses = Counter(document.status(segment) for segment in document.segments)
    return {status.name.lower(): statuses[status] for status in ReviewStatus}


def _count_words(words: Iterable[str]) -> dict[str, int]:
    return dict(Counter(word for word in words if word).most_common())


def bilingual_table(document: Document) -> Table:
    """Table of the contents of a bilingual file."""
    contents = bilingual_json(document)
    rows = [
        (tr("detected as"), document.dialect_name),
        (tr("encoding"), contents["encoding"].upper()),
        (tr("languages"), " → ".join(filter(None, (document.source_language, document.target_language)))),
        (tr("segments"), contents["segments"]),
        (tr("with a target"), contents["with target"]),
        (tr("with an MT that differs from the target"), contents["with another MT"]),
        *((status.display_name, contents["statuses"][status.name.lower()]) for status in ReviewStatus),
        (tr("inline codes in the source"), contents["codes"]),
        (tr("issues"), contents["issues"]),
        (tr("with notes"), contents["segments with notes"]),
    ]
    rows += [(tr("with state {word}", word=word), count) for word, count in contents["states"].items()]
    rows += [(tr("with origin {word}", word=word), count) for word, count in contents["origins"].items()]
    rows += [(tr("with score {word}", word=word), count) for word, count in contents["qualities"].items()]
    rows += [(tr("with score {word}", word=word), count) for word, count in contents["scores"].items()]
    rows += [(tr("BAD tags in layer {name}", name=name), count) for name, count in contents["tags"].items()]
    return Table(document.name, (tr("property"), tr("value")), tuple(rows), notes=document.notes)


def project_summary(location: str) -> dict[str, Any]:
    """Return a summary of a project, the same as in the JSON output of `project info`.

    Raises QeError if the project cannot be opened.
    """
    from qe_desktop.cli.project import open_project

    with open_project(location) as project:
        return project.summary()


def project_table(summary: dict[str, Any]) -> Table:
    """Table of the contents of a project."""
    rows: list[tuple[Any, Any]] = [(tr("detected as"), tr("project"))]
    if summary["read-only"]:
        rows.append((tr("read-only"), summary["read-only"]))
    if summary["role"] == "owner":
        rows += _owner_rows(summary)
    rows.append((tr("campaigns"), len(summary["campaigns"])))
    return Table(summary["title"], (tr("property"), tr("value")), tuple(rows))


def _owner_rows(summary: dict[str, Any]) -> list[tuple[Any, Any]]:
    """Rows of the project table that are shown only to the owner of the project."""
    corpus, review = summary["corpus"], summary["review"]
    return [
        (tr("segments"), 0 if corpus is None else corpus["segments"]),
        *((tr("bilingual file"), file) for file in summary["files"]),
        *((tr("layer"), layer) for layer in summary["layers"]),
        (tr("tag edits"), summary["edits"]),
        (tr("edited translations"), review["edited"]),
        (tr("confirmed segments"), review["confirmed"]),
        (tr("rejected segments"), review["rejected"]),
        (tr("segments with notes"), review["noted"]),
        (tr("minutes of work recorded"), round(review["seconds"] / 60, 1)),
    ]


_QUESTION_TEXTS: dict[QuestionType, str] = {
    LineUnit: tr(
        "no line has more than one value: add the MT, or tell other commands what a line is (--lines segments or "
        "--lines tokens)"
    ),
    ProbabilityOf: tr("all numbers are 0 or 1: tell other commands what 1 means (--numbers BAD or --numbers OK)"),
}
_COLUMN_QUESTION_TEXTS: dict[ChoiceKind, str] = {
    ChoiceKind.COLUMNS: tr(
        "the source and target columns cannot be detected: specify them with --columns SOURCE TARGET"
    ),
    ChoiceKind.LANGUAGES: tr("the source and target languages cannot be detected: specify them with --language-pair"),
}
_ASSUMPTION_TEXTS: dict[AnswerValue, str] = {
    LineUnit.SEGMENTS: tr("read as one segment per line"),
    LineUnit.TOKENS: tr("read as one token per line"),
    ProbabilityOf.BAD: tr("read as P(BAD)"),
    ProbabilityOf.OK: tr("read as P(OK)"),
    ScoreDirection.MORE: ScoreDirection.MORE.display_name,
    ScoreDirection.LESS: ScoreDirection.LESS.display_name,
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command `info` and its options."""
    parser = subparsers.add_parser("info", help=tr("show the detected formats and the contents of files"))
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help=tr("files, folders with a corpus, or projects; - reads standard input")
    )
    add_columns_option(parser)
    parser.add_argument("--language-pair", metavar="LP", default="", help=tr("the language pair, such as en-de"))
    add_output(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Describe each file. Raises QeError if a file cannot be read."""
    from qe_desktop.project.store.location import is_project

    check_read_once(file for file in args.files if file == STDIN_ARGUMENT)
    project_locations = [file for file in args.files if file != STDIN_ARGUMENT and is_project(file)]
    paths = [named_path(file) for file in args.files if file not in project_locations]
    for path in paths:
        if path is not STANDARD_INPUT and not path.is_dir():
            open_regular(path).close()
            check_bilingual(str(path))
    # with --columns, files are tables with source and target columns
    has_columns = bool(args.columns)
    tables = [
        path
        for path in paths
        if is_bilingual_file(str(path)) or (has_columns and path is not STANDARD_INPUT and path.is_file())
    ]
    documents = {path: read_document(path, column_choice_from(args)) for path in tables}
    other_paths = [path for path in paths if path not in documents]
    plans = plan_imports(other_paths) if other_paths else []
    for plan in plans:
        for file in plan.files:
            if file.problem is not None and file.path in paths:
                raise file.problem
    projects = [project_summary(location) for location in project_locations]
    write_report(
        args, ImportPlanReport(plans, [_problems(plan) for plan in plans], tuple(documents.values()), projects)
    )
    return 0


@dataclass(frozen=True, slots=True)
class ImportPlanReport:
    """Report on the formats of files, inconsistencies in corpora, and the contents of bilingual files and projects."""

    plans: Sequence[CorpusPlan]
    problems: Sequence[Sequence[str]]
    documents: Sequence[Document] = ()
    projects: Sequence[dict[str, Any]] = ()

    @property
    def heading(self) -> str:
        """Title of a page with the report."""
        return tr("Files")

    def json(self) -> dict[str, Any]:
        """Return the report as JSON for the command line."""
        pairs = zip(self.plans, self.problems, strict=True)
        report = {"corpora": [_corpus_json(plan, problems) for plan, problems in pairs]}
        report |= {"documents": list(map(bilingual_json, self.documents))} if self.documents else {}
        return report | {"projects": list(self.projects)} if self.projects else report

    def notes(self) -> list[str]:
        """Return no notes; each table contains the notes on its files."""
        return []

    def tables(self) -> list[Table]:
        """Return one table for each corpus, bilingual file and project."""
        tables = [_table(plan, problems) for plan, problems in zip(self.plans, self.problems, strict=True)]
        return [*tables, *map(bilingual_table, self.documents), *map(project_table, self.projects)]

    def columns(self) -> list[Table]:
        """Return the same tables as `tables`."""
        return self.tables()

    def pictures(self) -> list[str]:
        """Return no pictures."""
        return []


def _problems(plan: CorpusPlan) -> list[str]:
    """Return the inconsistencies that prevent the files from being opened as a corpus."""
    open_questions = {file.path for file in plan.files_with_questions()}
    files = tuple(replace(file, role=Role.IGNORED) if file.path in open_questions else file for file in plan.files)
    requested = replace(plan, files=files)
    if plan.misses_text() or len(requested.files_with_role(*(role for role in Role if role is not Role.IGNORED))) < 2:
        return []
    try:
        build_corpus(requested)
    except QeError as error:
        messages = [join_localized(": ", (str(fault.place), fault.message)) for fault in error.faults] or [
            error.line(command_line=True)
        ]
        return [*messages, tr("and {n:,} more", "", error.more)] if error.more else messages
    return []


def _corpus_json(plan: CorpusPlan, problems: Sequence[str]) -> dict[str, Any]:
    files = [
        {
            "file": str(file.path),
            "format": file.format,
            "description": file.description,
            "used as": _usage_text(file),
            "name": file.name,
            **_score_columns(file),
            "notes": _remarks(file, plan),
        }
        for file in plan.files
    ]
    pair = plan.language_pair
    return {"name": plan.name, "part": plan.part, "language-pair": pair, "files": files, "problems": list(problems)}


def _score_columns(file: PlannedFile) -> dict[str, list[str]]:
    """Return the names of the gold and system columns of a score table, by JSON key."""
    return {name: list(names) for name, names in (("golds", file.golds), ("systems", file.systems)) if names}


def _table(plan: CorpusPlan, problems: Sequence[str]) -> Table:
    names = _names(plan)
    rows = tuple((name, file.description, _usage_text(file)) for name, file in zip(names, plan.files, strict=True))
    remarks_by_file = [(name, _remarks(file, plan)) for name, file in zip(names, plan.files, strict=True)]
    notes = [f"{name}: {remark}" for name, remarks in remarks_by_file for remark in remarks]
    if problems:
        notes += [tr("These files cannot be opened as one corpus:"), *problems]
    pair = f" ({plan.language_pair})" if plan.language_pair not in ("", plan.part) else ""
    header = (tr("file"), tr("detected as"), tr("used as"))
    return Table(f"{plan.name}{pair}", header, rows, notes=tuple(notes))


def _names(plan: CorpusPlan) -> list[str]:
    """Names of the files; files that have the same name are distinguished by their folders (TEAM/predictions.txt)."""
    name_counts = Counter(file.path.name for file in plan.files)

    def name(file: PlannedFile) -> str:
        inside = file.path.is_relative_to(plan.folder)
        return str(file.path.relative_to(plan.folder)) if inside and name_counts[file.path.name] > 1 else file.path.name

    return [name(file) for file in plan.files]


def _usage_text(file: PlannedFile) -> str:
    if file.kind is None or file.role is Role.IGNORED:
        return file.role.display_name
    return join_localized(", ", (file.role.display_name, file.kind.display_name))


def _remarks(file: PlannedFile, plan: CorpusPlan) -> list[str]:
    """Return remarks on a file: notes or an error, how it is read, and what the user must specify."""
    remarks = list(file.notes) if file.problem is None else [file.problem.line(command_line=True)]
    for ambiguity in file.ambiguities:
        answer = file.effective_answer(ambiguity.question)
        if file.has_question(ambiguity.question) and answer is not None:
            # P(OK) is assumed only for log-probabilities
            are_logarithms = answer is ProbabilityOf.OK and ambiguity.default is ProbabilityOf.OK
            remarks.append(tr("read as log P(OK)") if are_logarithms else _ASSUMPTION_TEXTS[answer])
        elif file in plan.files_with_questions() and answer is None:
            remarks.append(_QUESTION_TEXTS[ambiguity.question])
    if file.must_select_columns and file.column_options is not None:
        remarks.append(_COLUMN_QUESTION_TEXTS[file.column_options.kind])
    if file.role is Role.POST_EDIT:
        remarks += _computable_gold_note(file, plan)
    return remarks


def _computable_gold_note(post_edit: PlannedFile, plan: CorpusPlan) -> list[str]:
    """Return a list with a note that gold tags can be computed from the post-edit.

    The list is empty if there are gold tags or if there is no MT.
    """
    mt = plan.files_with_role(Role.MT)
    if not mt or any(file.format in TAG_FORMATS for file in plan.files_with_role(Role.GOLD)):
        return []
    note = tr(
        "there are no gold tags, but they can be computed: qe-desktop convert {mt} OUT --post-edit {post_edit}",
        mt=display_name(mt[0].path), post_edit=display_name(post_edit.path),
    )  # fmt: skip
    return [note]
