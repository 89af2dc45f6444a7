"""Corpus of the bilingual files of a plan, to which the other files of the plan are added later."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from qe_desktop.corpus import Corpus, QeError, SourceLocation
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents, release_documents
from qe_desktop.formats.files import display_name
from qe_desktop.formats.importing.bilingual_detection import read_job
from qe_desktop.formats.importing.roles import Role
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from pathlib import Path

    from qe_desktop.formats.bilingual.document import Document
    from qe_desktop.formats.importing.plan import CorpusPlan, PlanProgress

    AddMt = Callable[[Sequence[Document], Sequence[Path]], Sequence[Document]]
    """Function that adds the MT (`Segment.loaded_target`) to documents, given their paths."""


class EmptyJobError(QeError):
    """Error for readable bilingual files that have no segments."""


def split_job_plan(
    plan: CorpusPlan,
    base_corpus: Corpus | None,
    progress: PlanProgress | None,
    check_cancelled: CheckCancelled,
    with_mt: AddMt | None = None,
) -> tuple[CorpusPlan, Corpus | None]:
    """Return the plan without its bilingual files, and the corpus of those files (None if they have no segments).

    Raises QeError as `build_job_corpus` does, but EmptyJobError only if all other files of the plan are readable and
    ignored.
    """
    other_files = tuple(file for file in plan.files if file.role is not Role.JOB)
    try:
        return replace(plan, files=other_files), build_job_corpus(plan, base_corpus, progress, check_cancelled, with_mt)
    except EmptyJobError:
        if all(file.role is Role.IGNORED and file.problem is None for file in other_files):
            raise
    # the other files form a corpus without the empty ones
    return replace(plan, files=other_files), None


def build_job_corpus(
    plan: CorpusPlan,
    base_corpus: Corpus | None,
    progress: PlanProgress | None,
    check_cancelled: CheckCancelled,
    with_mt: AddMt | None = None,
) -> Corpus:
    """Build the corpus of the bilingual files of a plan, which must contain at least one.

    If there are several bilingual files, each file is a document of the corpus, unless the file itself names several
    documents. `with_mt` adds MT that the files do not contain. Raises QeError if a file cannot be read or if
    `base_corpus` is not None, because bilingual files cannot be added to an open corpus. Raises EmptyJobError if no
    file has a segment.
    """
    files = plan.files_with_role(Role.JOB)
    first = SourceLocation(display_name(files[0].path))
    if base_corpus is not None:
        message = tr("a bilingual file contains its own texts and cannot be added to data that are already open")
        raise QeError(message, hint=tr("Open the bilingual file separately."), place=first)
    documents: list[Document] = []
    for index, file in enumerate(files):
        if progress is not None:
            progress(file.path.name, index / (len(files) + 1))
        documents.append(read_job(file, check_cancelled))
        check_cancelled()
    if not any(document.segments for document in documents):
        raise _empty_job_error(documents, first)
    if progress is not None:
        progress(files[-1].path.name, len(files) / (len(files) + 1))
    name = files[0].path.name if len(files) == 1 else plan.name
    paths = [file.path for file in files]
    if with_mt is not None:
        documents[:] = with_mt(documents, paths)
    corpus = corpus_from_documents(documents, name, paths, check_cancelled)
    release_documents(documents)
    return replace(corpus, folder=plan.folder, language_pair=plan.language_pair or corpus.language_pair)


def _empty_job_error(documents: Sequence[Document], first: SourceLocation) -> EmptyJobError:
    """Error for files without segments; the message for a single file contains the format and the languages."""
    if len(documents) > 1:
        message = tr("none of the {n:,} bilingual files has segments to translate", "", len(documents))
        return EmptyJobError(message, hint=tr("Select other files."), place=first)
    (document,) = documents
    languages = " → ".join(filter(None, (document.source_language, document.target_language)))
    form = f"{document.dialect_name}, {languages}" if languages else document.dialect_name
    message = tr("the file is valid ({form}), but has no segments to translate", form=form)
    hint = tr("Check in your CAT tool that segments are exported, or select another file.")
    return EmptyJobError(message, hint=hint, place=first)
