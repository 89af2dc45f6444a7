"""Role of a file in a corpus, from its content and name, and the other names in its file name."""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from pathlib import Path

from qe_desktop.corpus import Kind, TextRole
from qe_desktop.formats import text_files
from qe_desktop.i18n.messages import tr

_FORMAT_SUFFIX = re.compile(
    r"\.(gz|txt|tsv|csv|tags|words|predictions?|preds?|probabilit(y|ies)|probs?|submission|out|hyp"
    r"|source[-_]tags|src[-_]tags|word[-_]tags|gap[-_]tags|gaps|hter|da|da_f|mqm|scores?)$",
    re.IGNORECASE,
)
_GENERIC_NAMES = {"predictions", "prediction", "target", "sentence", "submission", "tags", "words", "output", "out"}
_KIND_SUFFIX = re.compile(r"[-_.](mt|gaps?|src|source|words?|sentences?)$", re.IGNORECASE)
_REFERENCE = re.compile(r"ref(erence)?s?(?P<which>[-_]?(\d+|[a-z]))?", re.IGNORECASE)
"""Pattern of a file-name part that marks a reference; group `which` is its number or letter (not a plural “s”)."""
_NO_REFERENCE = re.compile(r"gz|txt|tok|tokeni[sz]ed", re.IGNORECASE)
"""Parts of a reference's file name that do not identify it."""
_SCORED = re.compile(r"\.(gz|txt|tsv|csv|scores?|seg|sys)$", re.IGNORECASE)
_PAIR_PREFIX = re.compile(r"^[a-z]{2,3}-[a-z]{2,3}\.", re.IGNORECASE)
_PAIR = re.compile(r"(?<![A-Za-z0-9])([a-z]{2})-([a-z]{2})(?![A-Za-z0-9])", re.IGNORECASE)
_NON_LANGUAGE_CODES = {"mt", "pe"}


def system_name(path: Path) -> str:
    """System name: the file name without the parts that indicate the format.

    If the file name is generic, such as `predictions.txt`, the name of the folder is used instead.
    """
    if path is text_files.STANDARD_INPUT:
        return text_files.STDIN_NAME
    name = file_stem(path.name)
    return folder_of(path).name or name if name.lower() in _GENERIC_NAMES else name


def folder_of(path: Path) -> Path:
    """Resolved folder of a file; an empty path for standard input, which does not belong to any folder."""
    return Path() if path is text_files.STANDARD_INPUT else path.resolve().parent


def metric_name(path: Path) -> str:
    """Metric name in the name of a score file, such as “COMET-refA” in `en-de.COMET-refA.seg.score.gz`."""
    if path is text_files.STANDARD_INPUT:
        return text_files.STDIN_NAME
    stem = path.name
    while (shorter := _SCORED.sub("", stem)) != stem and shorter:
        stem = shorter
    return _PAIR_PREFIX.sub("", stem) or stem


def is_reference_part(part: str) -> bool:
    """Whether a part of a file name marks a reference, such as `ref`, `refA` or `reference_2`."""
    return _REFERENCE.fullmatch(part) is not None


def reference_names(paths: Sequence[Path]) -> list[str]:
    """Names of references: “A” for `ref.A`, “refA” for `en-de.refA.txt`, and “reference” for `test.ref`.

    If several references would have the same name, their file names are used instead. A reference whose file name has
    no reference part is named like a system (see `system_name`).
    """
    names = [_reference_name(path) for path in paths]
    return [name if names.count(name) == 1 else path.name for name, path in zip(names, paths, strict=True)]


def _reference_name(path: Path) -> str:
    if path is text_files.STANDARD_INPUT:
        return text_files.STDIN_NAME
    parts = [part for part in path.name.split(".") if not _NO_REFERENCE.fullmatch(part)]
    index = next((index for index, part in enumerate(parts) if is_reference_part(part)), None)
    if index is None:
        return system_name(path)
    match = _REFERENCE.fullmatch(parts[index])
    assert match is not None
    # the parts before the reference part name the test set
    return parts[index] if match["which"] else ".".join(parts[index + 1 :]) or "reference"


def is_generic_name(name: str) -> bool:
    """Whether a file name is a generic name of a submission, such as predictions.txt or predictions_gaps.txt."""
    return _KIND_SUFFIX.sub("", file_stem(name)).lower() in _GENERIC_NAMES


def file_stem(name: str) -> str:
    """File name without format extensions."""
    stem = name
    while (shorter := _FORMAT_SUFFIX.sub("", stem)) != stem and shorter:
        stem = shorter
    return stem


def language_pair_of(name: str) -> str:
    """Language pair in a file or folder name, in lower case, such as `en-de`; empty if there is none."""
    for match in _PAIR.finditer(name.replace("_", " ").replace(".", " ")):
        first, second = match.group(1).lower(), match.group(2).lower()
        if first not in _NON_LANGUAGE_CODES and second not in _NON_LANGUAGE_CODES:
            return f"{first}-{second}"
    return ""


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
