"""Detection, reading and writing of file formats, with one module per family of formats and one registry.

`read_tags`, `read_scores` and `read_text` read one file; `plan_imports` and `build_corpus` build a corpus from many
files.
"""

from typing import TYPE_CHECKING

from qe_desktop.lazy_imports import lazy_attribute

if TYPE_CHECKING:
    from qe_desktop.formats.file_format import Format, ParseResult, read_documents
    from qe_desktop.formats.importing.corpus_assembly import build_corpus
    from qe_desktop.formats.importing.plan import CorpusPlan, plan_imports
    from qe_desktop.formats.importing.planned_file import (
        Ambiguity,
        LineUnit,
        PlannedFile,
        ProbabilityOf,
        QuestionAnswers,
    )
    from qe_desktop.formats.importing.roles import Role, system_name
    from qe_desktop.formats.registry import (
        FORMATS,
        SCORE_FORMATS,
        TAG_FORMATS,
        detect_format,
        read,
        read_probabilities,
        read_scores,
        read_text,
    )
    from qe_desktop.formats.scores.score_columns import ScoreColumns
    from qe_desktop.formats.scores.score_lines import write_scores
    from qe_desktop.formats.tags.tag_lines import TagLayout, deinterleave, interleave, write_tag_lines, write_tags
    from qe_desktop.formats.tags.tag_reader import ParsedTags, ends_in_eos, read_tags
    from qe_desktop.formats.tags.wmt_word_tables import write_submission
    from qe_desktop.formats.text_files import TextFile, open_file

__all__ = [
    "FORMATS",
    "SCORE_FORMATS",
    "TAG_FORMATS",
    "Ambiguity",
    "CorpusPlan",
    "Format",
    "LineUnit",
    "ParseResult",
    "ParsedTags",
    "PlannedFile",
    "ProbabilityOf",
    "QuestionAnswers",
    "Role",
    "ScoreColumns",
    "TagLayout",
    "TextFile",
    "build_corpus",
    "deinterleave",
    "detect_format",
    "ends_in_eos",
    "interleave",
    "open_file",
    "plan_imports",
    "read",
    "read_documents",
    "read_probabilities",
    "read_scores",
    "read_tags",
    "read_text",
    "system_name",
    "write_scores",
    "write_submission",
    "write_tag_lines",
    "write_tags",
]

# loaded on first access: reading a text must not import the other formats or the importing code
_USED = {
    "QuestionAnswers": ".importing.planned_file",
    "Ambiguity": ".importing.planned_file",
    "FORMATS": ".registry",
    "TagLayout": ".tags.tag_lines",
    "Format": ".file_format",
    "LineUnit": ".importing.planned_file",
    "ProbabilityOf": ".importing.planned_file",
    "TextFile": ".text_files",
    "CorpusPlan": ".importing.plan",
    "PlannedFile": ".importing.planned_file",
    "ParsedTags": ".tags.tag_reader",
    "ParseResult": ".file_format",
    "Role": ".importing.roles",
    "SCORE_FORMATS": ".registry",
    "ScoreColumns": ".scores.score_columns",
    "TAG_FORMATS": ".registry",
    "build_corpus": ".importing.corpus_assembly",
    "ends_in_eos": ".tags.tag_reader",
    "interleave": ".tags.tag_lines",
    "system_name": ".importing.roles",
    "open_file": ".text_files",
    "plan_imports": ".importing.plan",
    "read": ".registry",
    "read_documents": ".file_format",
    "read_probabilities": ".registry",
    "read_scores": ".registry",
    "read_tags": ".tags.tag_reader",
    "read_text": ".registry",
    "detect_format": ".registry",
    "deinterleave": ".tags.tag_lines",
    "write_scores": ".scores.score_lines",
    "write_submission": ".tags.wmt_word_tables",
    "write_tag_lines": ".tags.tag_lines",
    "write_tags": ".tags.tag_lines",
}


def __getattr__(name: str) -> object:
    """Import a public name on first access."""
    return lazy_attribute(__name__, _USED, name)
