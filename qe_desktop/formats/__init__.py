"""Files: one module for each family of formats, behind one registry: recognise, read, write.

`read_tags`, `read_scores` and `read_text` read one file; `plan` and `assemble` make a corpus of many.
"""

from qe_desktop.formats.assembly import assemble
from qe_desktop.formats.forms import Form, interleave, taken_apart
from qe_desktop.formats.names import name_of
from qe_desktop.formats.numbers import write_scores
from qe_desktop.formats.opening import OpenedFile, open_file
from qe_desktop.formats.planning import Plan, plan
from qe_desktop.formats.questions import Answers, Doubt, Lines, Numbers
from qe_desktop.formats.reading import Format, Reading
from qe_desktop.formats.registry import FORMATS, SCORE_FORMATS, TAG_FORMATS, read, recognise
from qe_desktop.formats.roles import Role
from qe_desktop.formats.score_columns import ScoreColumns
from qe_desktop.formats.single import read_probabilities, read_scores, read_text
from qe_desktop.formats.sorting import PlannedFile
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
