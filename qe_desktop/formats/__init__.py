"""Files: one module for each family of formats, behind one registry: recognise, read, write.

`read_tags`, `read_scores` and `read_text` read one file; `plan` and `assemble` make a corpus of many.
"""

from typing import TYPE_CHECKING

from qe_desktop.lazily import brought_in

if TYPE_CHECKING:
    from qe_desktop.formats.assembly import assemble
    from qe_desktop.formats.forms import Form, interleave, taken_apart
    from qe_desktop.formats.names import name_of
    from qe_desktop.formats.numbers import write_scores
    from qe_desktop.formats.opening import OpenedFile, open_file
    from qe_desktop.formats.planned_file import PlannedFile
    from qe_desktop.formats.planning import Plan, plan
    from qe_desktop.formats.questions import Answers, Doubt, Lines, Numbers
    from qe_desktop.formats.reading import Format, Reading
    from qe_desktop.formats.registry import FORMATS, SCORE_FORMATS, TAG_FORMATS, read, recognise
    from qe_desktop.formats.roles import Role
    from qe_desktop.formats.score_columns import ScoreColumns
    from qe_desktop.formats.single import read_probabilities, read_scores, read_text
    from qe_desktop.formats.submissions import write_submission
    from qe_desktop.formats.tag_lines import write_tag_lines, write_tags
    from qe_desktop.formats.tags import ReadTags, ends_in_eos, read_tags
    from qe_desktop.formats.texts import read_documents

__all__ = [
    "FORMATS",
    "SCORE_FORMATS",
    "TAG_FORMATS",
    "Answers",
    "Doubt",
    "Form",
    "Format",
    "Lines",
    "Numbers",
    "OpenedFile",
    "Plan",
    "PlannedFile",
    "ReadTags",
    "Reading",
    "Role",
    "ScoreColumns",
    "assemble",
    "ends_in_eos",
    "interleave",
    "name_of",
    "open_file",
    "plan",
    "read",
    "read_documents",
    "read_probabilities",
    "read_scores",
    "read_tags",
    "read_text",
    "recognise",
    "taken_apart",
    "write_scores",
    "write_submission",
    "write_tag_lines",
    "write_tags",
]

# a command that reads one text waits for no other format, nor for what makes a corpus of many files
_USED = {
    "Answers": ".questions",
    "Doubt": ".questions",
    "FORMATS": ".registry",
    "Form": ".forms",
    "Format": ".reading",
    "Lines": ".questions",
    "Numbers": ".questions",
    "OpenedFile": ".opening",
    "Plan": ".planning",
    "PlannedFile": ".planned_file",
    "ReadTags": ".tags",
    "Reading": ".reading",
    "Role": ".roles",
    "SCORE_FORMATS": ".registry",
    "ScoreColumns": ".score_columns",
    "TAG_FORMATS": ".registry",
    "assemble": ".assembly",
    "ends_in_eos": ".tags",
    "interleave": ".forms",
    "name_of": ".names",
    "open_file": ".opening",
    "plan": ".planning",
    "read": ".registry",
    "read_documents": ".texts",
    "read_probabilities": ".single",
    "read_scores": ".single",
    "read_tags": ".tags",
    "read_text": ".single",
    "recognise": ".registry",
    "taken_apart": ".forms",
    "write_scores": ".numbers",
    "write_submission": ".submissions",
    "write_tag_lines": ".tag_lines",
    "write_tags": ".tag_lines",
}


def __getattr__(name: str) -> object:
    """What is there, brought in when it is first asked for."""
    return brought_in(__name__, _USED, name)
