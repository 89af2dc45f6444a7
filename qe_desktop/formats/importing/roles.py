"""Role of a file in a corpus, from its content and name."""

from __future__ import annotations

import enum
import re
from pathlib import Path

from qe_desktop.corpus import Kind, TextRole
from qe_desktop.formats.importing.file_names import file_stem, is_reference_part
from qe_desktop.i18n.messages import tr


class Role(enum.Enum):
    """Role of a file in a corpus."""

    JOB = "translator's file"
    """Bilingual file, which contains the source and the MT and can be written back."""
    SOURCE = "source"
    MT = "MT"
    RAW_SOURCE = "source, as written"
    RAW_MT = "MT, as written"
    RAW_POST_EDIT = "post-edit, as written"
    REFERENCE = "reference"
    POST_EDIT = "post-edit"
    GOLD = "gold"
    SYSTEM = "system"
    TRANSLATION = "translation"
    METRIC = "scores by a metric"
    RATINGS = "ratings"
    ALIGNMENTS = "alignments"
    DOCUMENTS = "documents"
    PIECES = "subword pieces"
    IGNORED = "not used"

    @property
    def text(self) -> TextRole | None:
        """Text of the corpus that a file with this role contains; None for roles of files without such a text."""
        return _TEXTS.get(self)

    @property
    def display_name(self) -> str:
        """Localized name."""
        return self.text.display_name if self.text is not None else _FILE_ROLE_LABELS[self]


_TEXTS = {
    Role.SOURCE: TextRole.SOURCE,
    Role.MT: TextRole.MT,
    Role.RAW_SOURCE: TextRole.RAW_SOURCE,
    Role.RAW_MT: TextRole.RAW_MT,
    Role.RAW_POST_EDIT: TextRole.RAW_POST_EDIT,
    Role.REFERENCE: TextRole.REFERENCE,
    Role.POST_EDIT: TextRole.POST_EDIT,
}
_FILE_ROLE_LABELS = {
    Role.JOB: tr("bilingual file", "what a file is"),
    Role.GOLD: tr("gold", "what a file is"),
    Role.SYSTEM: tr("system", "what a file is"),
    Role.TRANSLATION: tr("translation", "what a file is"),
    Role.METRIC: tr("metric scores", "what a file is"),
    Role.RATINGS: tr("ratings", "what a file is"),
    Role.ALIGNMENTS: tr("alignments", "what a file is"),
    Role.DOCUMENTS: tr("documents", "what a file is"),
    Role.PIECES: tr("subword pieces", "what a file is"),
    Role.IGNORED: tr("not used", "what a file is"),
}
_ROLE_BY_NAME_PART = {
    "src": Role.SOURCE,
    "source": Role.SOURCE,
    "mt": Role.MT,
    "target": Role.MT,
    "tgt": Role.MT,
    "translation": Role.MT,
    "pe": Role.POST_EDIT,
    "postedit": Role.POST_EDIT,
    "post-edit": Role.POST_EDIT,
    "post_edit": Role.POST_EDIT,
}
_TOKENIZED = re.compile(r"[-_](tok|tokenized|tokenised)$")
_TOKENS = ("tok", "tokenized", "tokenised")
_RAW_NAME_PARTS = ("raw", "detok", "detokenized", "detokenised")
RAW_FILE_ROLES = {Role.SOURCE: Role.RAW_SOURCE, Role.MT: Role.RAW_MT, Role.POST_EDIT: Role.RAW_POST_EDIT}
"""Role of a text in its raw form, by the role of the tokenized form."""
SYSTEM_FOLDERS = {"systems", "system", "raw", "submissions", "predictions"}
GOLD_FOLDERS = {"goldlabels", "gold_labels", "gold", "references"}
OTHER_FOLDERS = {"word-probas", "word_probas", "labels"}
REFERENCE_FOLDERS = {"references", "refs"}
TRANSLATION_FOLDERS = {"translations", "system-outputs", "system_outputs", "outputs", "hypotheses"}
METRIC_FOLDERS = {"metric-scores", "metric_scores", "metrics"}
"""Names of folders with metric scores: one file per metric, or one subfolder per metric with a file per system."""
PART_FOLDERS = SYSTEM_FOLDERS | GOLD_FOLDERS | OTHER_FOLDERS | TRANSLATION_FOLDERS | REFERENCE_FOLDERS | METRIC_FOLDERS
"""Names of folders that contain only a part of a corpus."""


def text_role(name: str) -> tuple[Role | None, bool, str]:
    """Parse the file name of a text.

    Returns the role of the text (None if the name states none), whether the name marks the text as tokenized, and the
    rest of the name.
    """
    parts = _parts(name)
    for index in (len(parts) - 1, 0, *range(1, len(parts) - 1)):
        word = _TOKENIZED.sub("", parts[index])
        role = Role.REFERENCE if is_reference_part(word) else _ROLE_BY_NAME_PART.get(word)
        if role is not None:
            other_parts = parts[:index] + parts[index + 1 :]
            tokenized = word != parts[index] or any(part in _TOKENS for part in other_parts)
            stem_parts = [part for part in other_parts if part not in (*_TOKENS, *_RAW_NAME_PARTS)]
            return role, tokenized, ".".join(stem_parts)
    return None, False, ".".join(parts)


def is_raw_name(name: str) -> bool:
    """Whether the file name of a text marks the text as raw."""
    return any(part in _RAW_NAME_PARTS for part in _parts(name))


def _parts(name: str) -> list[str]:
    return re.sub(r"\.(gz|txt)$", "", re.sub(r"\.gz$", "", name)).lower().split(".")


def kind_in_name(name: str) -> Kind | None:
    """Kind of the tags in a file, if the file name says that they are source tags or gap tags; otherwise None."""
    lower = name.lower()
    if re.search(r"(src|source)[-_]?(words?[-_]?)?tags|tags[-_.](src|source)", lower):
        return Kind.SOURCE
    return Kind.GAPS if re.search(r"(?<![a-z])gaps?(?![a-z])", lower) else None


def score_layer_name(name: str) -> str:
    """Name of the scores in a file, from its extension: `hter`, `da`, `ter`, `mqm` or `z`, otherwise `scores`."""
    for part in reversed(name.lower().split(".")):
        if part not in ("gz", "txt", "tsv"):
            # WMT24 names final scores `da_f`
            part = part.removesuffix("_f")
            return part if part in ("hter", "da", "ter", "mqm", "z") else "scores"
    return "scores"


def is_gold(path: Path, stem: str | None) -> bool:
    """Return whether a file of tags or scores is gold, according to its folder and its name.

    A file is gold if its folder or its name says so, or if its name begins with `stem`, the stem of the text files.
    Files in a folder of systems are never gold.
    """
    folder = path.parent.name.lower()
    if folder in SYSTEM_FOLDERS:
        return False
    name = file_stem(path.name).lower()
    if folder in GOLD_FOLDERS or re.search(r"(?<![a-z])(gold|reference|ref)(?![a-z])", name):
        return True
    return stem is not None and stem != "" and (name == stem or re.match(re.escape(stem) + r"[-_.]", name) is not None)
