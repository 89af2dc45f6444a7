"""Check for PO targets that `msgfmt --check` rejects: format strings, plural forms, initial and final line breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.placeholders import java_format, lisp_format, named_formats, printf_formats
from qe_desktop.local_qe.qa_checks.placeholders.format_syntax import FormatSyntax
from qe_desktop.local_qe.qa_checks.typing_errors import line_break_issues

SYNTAXES: tuple[FormatSyntax[Any], ...] = (
    printf_formats.C_SYNTAX,
    named_formats.PYTHON_SYNTAX,
    named_formats.PYTHON_BRACE_SYNTAX,
    named_formats.SH_SYNTAX,
    printf_formats.BOOST_SYNTAX,
    lisp_format.LISP_SYNTAX,
    lisp_format.SCHEME_SYNTAX,
    printf_formats.PHP_SYNTAX,
    printf_formats.JAVASCRIPT_SYNTAX,
    java_format.MESSAGE_SYNTAX,
    java_format.PRINTF_SYNTAX,
    printf_formats.LUA_SYNTAX,
    printf_formats.PASCAL_SYNTAX,
    named_formats.CSHARP_SYNTAX,
    named_formats.PERL_SYNTAX,
)
SYNTAX_BY_FLAG = {syntax.flag: syntax for syntax in SYNTAXES}
PO_FORM = "po"
"""Name of the PO format; the check applies to no other file format."""


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    # a target of spaces or line breaks is a translation for msgfmt
    if pair.file_format != PO_FORM or not pair.mt:
        return
    rules, source, mt = pair.rules, pair.source, pair.mt
    yield from line_break_issues(source, mt)
    if rules.expected_forms:
        reason = tr(
            "the header declares {n:,} plural {n:form|forms}, but the entry has more or fewer", "", rules.expected_forms
        )
        yield QaIssue((len(mt), len(mt)), reason)
    if rules.lacks_plural_rule:
        reason = tr("the entry has plural forms, but the header has no valid Plural-Forms field")
        yield QaIssue((len(mt), len(mt)), reason)
    # gettext compares all plural forms with the plural of the source
    expected, actual = rules.plural_source or source.replace(LINE_BREAK, "\n"), mt.replace(LINE_BREAK, "\n")
    for flag in rules.formats:
        error_message = SYNTAX_BY_FLAG[flag].error_message(expected, actual, may_omit=rules.may_omit_arguments)
        if error_message:
            yield QaIssue((len(mt), len(mt)), error_message)


CHECK = Check.of_each(
    "gettext",
    tr("PO rules (msgfmt)"),
    tr(
        "Invalid format strings in PO targets, and format strings whose arguments differ from those of the source. "
        "Supported: C, Python, shell, Boost, Lisp, Scheme, PHP, JavaScript, Java, Lua, Object Pascal, C# and "
        "Perl. Also wrong numbers of plural forms, missing plural rules, and leading or trailing line breaks in only "
        "one of source and target."
    ),
    _find,
    empty_targets=True,
)
