"""Summary of an import plan: its name, its contents, and the questions that must be answered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qe_desktop.corpus import Kind, TextRole
from qe_desktop.formats import TAG_FORMATS, CorpusPlan, LineUnit, PlannedFile, ProbabilityOf, Role
from qe_desktop.formats.bilingual.column_choice import ChoiceKind
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.parsed_tables import has_pair
from qe_desktop.i18n.messages import tr


def plan_name(plan: CorpusPlan) -> str:
    """Return the name of a plan, followed by its language pair unless the `name` or `part` of the plan is this pair."""
    displayed = ("", plan.name, plan.part)
    pair = "" if has_pair(displayed, plan.language_pair) else f" ({plan.language_pair})"
    return f"{plan.name}{pair}"


def plan_contents(plan: CorpusPlan, *, adding: bool = False) -> str:
    """Return a sentence with a plan's name, texts and gold, and numbers of references, translations and systems.

    The sentence also states that source, MT or gold is missing, unless the files are being added to a corpus
    (`adding`). Missing MT is not mentioned if there are translations. Missing gold is not mentioned if there are
    translations or bilingual files.
    """
    systems = len(plan.systems())
    table = plan.table_of_texts()
    roles = () if table is None else table.text_roles
    job = plan.files_with_role(Role.JOB)
    source = job or plan.files_with_role(Role.SOURCE, Role.RAW_SOURCE) or TextRole.SOURCE in roles
    gold = [
        file
        for file in plan.files_with_role(Role.GOLD)
        if file.golds or (file.format in TAG_FORMATS and file.kind is not Kind.SOURCE)
    ]
    translations, references = len(plan.files_with_role(Role.TRANSLATION)), len(plan.files_with_role(Role.REFERENCE))
    contents = (
        (source, tr("source"), tr("no source"), False),
        (contains_mt(plan), tr("MT"), tr("no MT"), translations),
        (gold, tr("gold"), tr("no gold"), translations or job),
    )
    parts = [
        name if present else missing
        for present, name, missing, optional in contents
        if present or not (adding or optional)
    ]
    if references:
        parts.append(tr("{n} {n:reference|references}", "", references))
    if translations:
        parts.append(tr("{n} {n:translation|translations}", "", translations))
    if systems or not (translations or job):
        parts.append(tr("{n} {n:system|systems}", "", systems))
    return f"{plan_name(plan)}: {', '.join(parts)}."


def contains_mt(plan: CorpusPlan) -> bool:
    """Return whether a plan contains MT."""
    table = plan.table_of_texts()
    return bool(plan.files_with_mt()) or (table is not None and TextRole.MT in table.text_roles)


def uses_any_file(plan: CorpusPlan) -> bool:
    """Return whether any file of a plan is used; unreadable files count if they have a use."""
    return any(file.role is not Role.IGNORED for file in plan.files)


def open_questions(files: Sequence[PlannedFile]) -> Iterator[str]:
    """Yield the questions about `files` that must be answered before the files can be opened."""
    lines = [
        file.path.name for file in files if file.has_question(LineUnit) and file.effective_answer(LineUnit) is None
    ]
    for file in files:
        if (
            file.must_select_columns
            and file.column_options is not None
            and file.column_options.kind is ChoiceKind.LANGUAGES
        ):
            yield tr("{file} contains several languages: select source and target below.", file=file.path.name)
        elif file.must_select_columns:
            yield tr("Select the source and target columns of {file} below.", file=file.path.name)
    numbers = [
        file.path.name
        for file in files
        if file.has_question(ProbabilityOf) and file.effective_answer(ProbabilityOf) is None
    ]
    if len(numbers) == 1:
        yield tr(
            "In {file}, all numbers are 0 or 1: select under “Read as” whether 1 means BAD or OK.", file=numbers[0]
        )
    elif numbers:
        yield tr(
            "In {file} and {n:,} more {n:file|files}, all numbers are 0 or 1: select under “Read as” whether 1 means "
            "BAD or OK.",
            "",
            len(numbers) - 1,
            file=numbers[0],
        )
    if len(lines) == 1:
        yield tr("In {file}, each line has one value: select under “Read as” what a line represents.", file=lines[0])
    elif lines:
        yield tr(
            "In {file} and {n:,} more {n:file|files}, each line has one value: select under “Read as” what a line "
            "represents.",
            "",
            len(lines) - 1,
            file=lines[0],
        )


def questions_without_texts(files: Sequence[PlannedFile]) -> Iterator[str]:
    """Yield the question that must be answered if `files` are opened separately, not added to the open texts."""
    if files:
        yield tr(
            "To open {files} without the open texts, select under “Read as” what a line represents.",
            files=list_names([file.path.name for file in files], joined=True),
        )
