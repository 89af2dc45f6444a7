"""Check for PO targets that `msgfmt --check` rejects: format strings, plural forms, initial and final line breaks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.gettext import (
    boost_format,
    c_format,
    csharp_perl_format,
    java_format,
    lisp_format,
    lua_pascal_format,
    php_javascript_format,
    python_format,
    sh_format,
)
from qe_desktop.local_qe.qa_checks.gettext.format_syntax import FormatSyntax
from qe_desktop.local_qe.qa_checks.placeholders.line_breaks import line_break_issues

SYNTAXES: tuple[FormatSyntax[Any], ...] = (
    c_format.SYNTAX,
    python_format.PYTHON_SYNTAX,
    python_format.BRACE_SYNTAX,
    sh_format.SYNTAX,
    boost_format.SYNTAX,
    lisp_format.LISP_SYNTAX,
    lisp_format.SCHEME_SYNTAX,
    php_javascript_format.PHP_SYNTAX,
    php_javascript_format.JAVASCRIPT_SYNTAX,
    java_format.MESSAGE_SYNTAX,
    java_format.PRINTF_SYNTAX,
    lua_pascal_format.LUA_SYNTAX,
    lua_pascal_format.PASCAL_SYNTAX,
    csharp_perl_format.CSHARP_SYNTAX,
    csharp_perl_format.PERL_SYNTAX,
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
