"""Notes on how files were read, as one message after they are opened."""

from __future__ import annotations

from qe_desktop.corpus import Corpus
from qe_desktop.escaping import escape_label
from qe_desktop.formats import CorpusPlan, Role
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.scores.metric_scores import untranslated_systems_note
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.human.human_scores import unmatched_ratings_note
from qe_desktop.levels.translations.translation_texts import translations_of
from qe_desktop.ui.shell.notices import Message


def import_notes(plan: CorpusPlan, corpus: Corpus | None) -> Message | None:
    """Return the message with the notes on the files of a plan that was opened as a corpus; None if there are none."""
    lines = [f"{name}: {'; '.join(notes)}" for name, notes in notes_by_file(plan, corpus).items() if notes]
    empty, names = "", _files_without_segments(plan, corpus)
    if names:
        empty = tr(
            "{n:,} {n:bilingual file has|bilingual files have} no segments to translate: {names}", "", len(names),
            names=escape_label(list_names(names)),
        )  # fmt: skip
    if not lines:
        return Message(empty) if empty else None
    title = tr("Import notes on {n:,} {n:file|files}", "", len(lines))
    return Message(title, advice=f"{empty}." if empty else "", details=tuple(lines))


def _files_without_segments(plan: CorpusPlan, corpus: Corpus | None) -> list[str]:
    """Return the names of bilingual files that have no segments and were opened together with other files."""
    if corpus is None:
        return []
    if corpus.job is None:
        # other files form the corpus
        return [file.path.name for file in plan.of(Role.JOB)]
    return [file.name for file in corpus.job.files if not file.count]


def notes_by_file(plan: CorpusPlan, corpus: Corpus | None) -> dict[str, tuple[str, ...]]:
    """Return the notes on each used file of a plan by its name, including those that arose when it was read."""
    used = [file for file in plan.files if file.role is not Role.IGNORED]
    if corpus is None:
        return {file.path.name: file.notes for file in used}
    known = {layer.origin: layer.notes for layer in corpus.layers.values()}
    for column in corpus.metric_scores.values():
        others = untranslated_systems_note(column.scored, translations_of(corpus))
        known[column.origin] = tuple(dict.fromkeys((*column.notes, *others)))
    without = unmatched_ratings_note(corpus)
    if without:
        known |= {file.path.name: (*file.notes, without) for file in used if file.role is Role.RATINGS}
    return {file.path.name: known.get(file.path.name, file.notes) for file in used}
