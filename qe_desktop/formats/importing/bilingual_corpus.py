"""The corpus that a plan's translators' files make, before anything else of the plan is put on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from qe_desktop.corpus import Corpus, QeError, SourceLocation
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents, release_documents
from qe_desktop.formats.importing.bilingual_files import read_job
from qe_desktop.formats.importing.roles import Role
from qe_desktop.formats.io.files import CheckCancelled, display_name
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from collections.abc import Sequence

    from qe_desktop.formats.bilingual.document import Document
    from qe_desktop.formats.importing.plan import CorpusPlan, PlanProgress


class EmptyJobError(QeError):
    """Translators' files that can be read and have no segments."""


def split_job_plan(
    plan: CorpusPlan, onto: Corpus | None, progress: PlanProgress | None, watch: CheckCancelled
) -> tuple[CorpusPlan, Corpus | None]:
    """What of a plan is none of translators, and the corpus that it is put on; none where they have no segments."""
    kept = tuple(file for file in plan.files if file.role is not Role.JOB)
    try:
        return replace(plan, files=kept), build_job_corpus(plan, onto, progress, watch)
    except EmptyJobError:
        if not kept:
            raise
    # the other files make a corpus without those that hold nothing
    return replace(plan, files=kept), onto


def build_job_corpus(
    plan: CorpusPlan, onto: Corpus | None, progress: PlanProgress | None, watch: CheckCancelled
) -> Corpus:
    """The corpus of a plan's translators' files, each a document where there are several.

    QeError for one that cannot be read, where none has a segment, and where something is open that it should join.
    """
    files = plan.of(Role.JOB)
    first = SourceLocation(display_name(files[0].path))
    if onto is not None:
        message = tr("a translator’s file brings its own texts and cannot be added to what is open")
        raise QeError(message, hint=tr("Open it by itself."), place=first)
    documents = []
    for place, file in enumerate(files):
        if progress is not None:
            progress(file.path.name, place / (len(files) + 1))
        documents.append(read_job(file, watch))
        watch()
    if not any(document.segments for document in documents):
        raise _empty(documents, first)
    if progress is not None:
        progress(files[-1].path.name, len(files) / (len(files) + 1))
    name = files[0].path.name if len(files) == 1 else plan.name
    corpus = corpus_from_documents(documents, name, [file.path for file in files], watch)
    release_documents(documents)
    return replace(corpus, folder=plan.folder, language_pair=plan.language_pair or corpus.language_pair)


def _empty(documents: Sequence[Document], first: SourceLocation) -> EmptyJobError:
    """What is said of files without segments: what they are, and in which languages."""
    if len(documents) > 1:
        message = tr("none of {n:,} translators’ files has a segment to translate", "", len(documents))
        return EmptyJobError(message, hint=tr("Choose other files."), place=first)
    (document,) = documents
    languages = " → ".join(filter(None, (document.source_language, document.target_language)))
    form = f"{document.shown_form}, {languages}" if languages else document.shown_form
    message = tr("the file is whole ({form}), and has no segments to translate", form=form)
    hint = tr("Check in your translation program that segments are exported, or choose another file.")
    return EmptyJobError(message, hint=hint, place=first)
