"""Parser for format strings of shell scripts: variables, as in `msgfmt --check` (sh-format)."""

from __future__ import annotations

import re

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.gettext.format_syntax import FormatSyntax, InvalidFormatError, name_difference

_VARIABLE = re.compile(r"\$(?:([A-Za-z_][A-Za-z0-9_]*+)|\{([A-Za-z_][A-Za-z0-9_]*+)\})?")


def parse_sh_format(text: str, translated: bool) -> dict[str, str]:
    """Variables of a shell format string, as keys with empty values.

    Raises InvalidFormatError if the string is invalid.
    """
    variables: dict[str, str] = {}
    for match in _VARIABLE.finditer(text):
        if match[0] == "$":
            excerpt = text[match.start() : match.start() + 20]
            raise InvalidFormatError(tr("the $ in “{text}” is not followed by a variable name", text=excerpt))
        variables[match[1] or match[2]] = ""
    return variables


SYNTAX = FormatSyntax("sh-format", "shell", parse_sh_format, name_difference)
