"""PO targets: the check reports what `msgfmt --check` rejects, and almost nothing else."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import View
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.registry import read_document
from qe_desktop.local_qe.qa_checks.check_results import view_qa_results
from qe_desktop.local_qe.qa_checks.placeholders.gettext_check import SYNTAX_BY_FLAG
from qe_desktop.local_qe.qa_checks.runner import get_checks

HEADER = r"""msgid ""
msgstr ""
"Project-Id-Version: made 1\n"
"PO-Revision-Date: 2026-01-01 00:00+0000\n"
"Last-Translator: A B <a@example.org>\n"
"Language-Team: none\n"
"Language: cs\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"
"Plural-Forms: nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;\n"

"""
# without %.f in Pascal and widths of three digits in Lua, which versions of msgfmt treat differently, and without %.*f
# in Pascal, on which msgfmt 0.21 crashes
PIECES = {
    "c-format": [
        "%d", "%s", "%i", "%u", "%ld", "%lld", "%Ld", "%hhd", "%zu", "%5.2f", "%Lf", "%-10s", "%*d", "%.*s", "%1$s",
        "%2$s", "%1$d", "%2$d", "%3$s", "%2$*1$d", "%%", "%m", "%c", "%lc", "%p", "%n", "%<PRId64>", "%<PRIuMAX>",
        "%<PRIxLEAST8>", "%Id", "%", "%y", "%0$d", "% d", "%'d", "%5%", "%S", "%qx", "%tX", "%jd",
    ],
    "python-format": [
        "%d", "%s", "%r", "%(a)s", "%(a)d", "%(b)s", "%(a(b))s", "%*d", "%.0s", "%(a).0s", "%%", "%(a)%", "%", "%y",
        "%(a", "%5.1f", "%ld", "%c", "%x", "%.*f",
    ],
    "python-brace-format": [
        "{a}", "{b}", "{0}", "{1}", "{a.b}", "{a[0]}", "{a[b].c}", "{a:>5}", "{a:{b}}", "{a:.2f}", "{{", "}}", "{}",
        "{", "}", "{a!r}", "{a:%}", "{é}", "{a:é<5}", "{a:{{}",
    ],
    "sh-format": [
        "$HOME", "$a", "${a}", "$_b", "${_b}", "$", "$5", "${", "${}", "${a", "${a-b}", "${5}", "$é", "${é}", "$$",
        "$a1", "$aé", "\\$", "`", "${a}1", "$?", "}",
    ],
    "boost-format": [
        "%1%", "%2%", "%1$s", "%1$d", "%|1$s|", "%|2$d|", "%|1$|", "%|s|", "%s", "%d", "%x", "%5.2f", "%-10s", "%*d",
        "%|1$*2$d|", "%|1$=20s|", "%|20t|", "%|1$_5d|", "%%", "%", "%|", "%|1$s", "%0%", "%n", "%c", "%ld", "%z", "%||",
    ],
    "lisp-format": [
        "~a", "~A", "~s", "~d", "~D", "~:d", "~x", "~r", "~f", "~,2f", "~$", "~c", "~w", "~p", "~:p", "~@p", "~%", "~&",
        "~~", "~t", "~*", "~:*", "~1@*", "~?", "~va", "~10,'0d", "~#d", "~(", "~)", "~:@(", "~{~a~}", "~{~a~^, ~}",
        "~{~d ~}", "~[a~;b~]", "~:[a~;b~]", "~/fn/", "~", "~y", "~1,2d", "~'xa", "~1,1%", "~;", "~]", "~<", "~>", "~\n",
    ],
    "scheme-format": [
        "~a", "~S", "~d", "~:d", "~x", "~f", "~,2f", "~$", "~c", "~y", "~p", "~:p", "~%", "~&", "~~", "~t", "~*", "~:*",
        "~?", "~k", "~va", "~10,'0d", "~(", "~)", "~{~a~}", "~{~a~^, ~}", "~[a~;b~]", "~:[a~;b~]", "~/", "~i", "~",
        "~w", "~!", "~q", "~1,2d", "~;", "~}", "~\n",
    ],
    "php-format": [
        "%d", "%s", "%u", "%ld", "%5.2f", "%-10s", "%1$s", "%2$s", "%1$d", "%2$d", "%3$s", "%%", "%c", "%x", "%", "%y",
        "%0$d", "% d", "%'*10d", "%'", "%5%", "%.f", "%e", "%g", "%+d", "%1$%", "100% x", "%l", "%.2",
    ],
    "javascript-format": [
        "%d", "%s", "%j", "%x", "%5.2f", "%-10s", "%1$s", "%2$s", "%1$d", "%2$d", "%3$s", "%%", "%c", "%b", "%", "%y",
        "%0$d", "% d", "%+d", "%5%", "%.f", "%.", "%I", "%Id", "%1$%", "50% off", "%u", "%e",
    ],
    "java-format": [
        "{0}", "{1}", "{0,number}", "{1,number,#,##0.00}", "{0,number,currency}", "{0,number,x}", "{0,number,0;'0'}",
        "{0,date}", "{1,date,short}", "{0,time,HH:mm}", "{0,choice,0#no|1#one|1<{0,number} files}", "{1,choice,0#a|1#b",
        "{0,choice,|}", "{0,choice,0}", "{0,choice,#a}", "{0,choice}", "{0,dates}", "{a}", "{}", "{", "}", "'", "''",
        "'{'", "'}'", "{0,number,0E0}", "{0,number,0E}", "{0,choice,0\\u2264{1}}", "{10}", "{0,number,#.##;(#)}",
        "{0,choice,0#'|'{1}}", "{0 }", "{0,number,\\u00a40}",
    ],
    "java-printf-format": [
        "%d", "%s", "%S", "%c", "%x", "%,d", "%,x", "%#x", "%#d", "%05d", "%-5s", "%05s", "%.2f", "%.f", "%.2d", "%e",
        "%a", "%,a", "%(d", "%(a", "%b", "%h", "%tY", "%tB", "%Tq", "%t", "%<tm", "%<s", "%1$s", "%2$s", "%1$d",
        "%2$tY", "%0$s", "%n", "%5n", "%%", "%5%", "%.1%", "%+%", "%", "%y", "%+.1f", "%1$%", "%-n", "% d",
    ],
    "lua-format": [
        "%d", "%s", "%q", "%i", "%x", "%c", "%f", "%5.2f", "%.3f", "%05d", "%-5d", "%12d", "%.12f", "%.f", "%%",
        "%", "%y", "%5%", "%.", "%u", "%A", "% d", "%l",
    ],
    "object-pascal-format": [
        "%d", "%s", "%D", "%u", "%x", "%e", "%f", "%n", "%m", "%p", "%0:s", "%1:s", "%1:d", "%2:s", "%:d", "%*:d",
        "%-5d", "%0:-5d", "%*d", "%5.2f", "%%", "%", "%y", "%0:%", "%5%", "%1:*d", "%*s", "%00:d",
    ],
    "csharp-format": [
        "{0}", "{1}", "{2}", "{0,5}", "{0,-5}", "{0:N2}", "{1,8:X}", "{0,}", "{0,-}", "{0:", "{0:}", "{0:a{b}", "{{",
        "}}", "{", "}", "{a}", "{}", "{0 }", "{00}", "{-1}", "{0:é}",
    ],
    "perl-brace-format": [
        "{a}", "{b}", "{_c1}", "{1}", "{a-b}", "{", "}", "{{a}}", "{a", "{}", "{é}", "{a}{b}", "{A}",
    ],
}  # fmt: skip


@st.composite
def texts(draw: st.DrawFn, flag: str, first: str = "", last: str = "") -> str:
    pieces = draw(st.lists(st.sampled_from([*PIECES[flag], "word ", "x", " "]), min_size=1, max_size=4))
    return first + "".join(pieces) + last


@st.composite
def catalogue_entries(draw: st.DrawFn) -> tuple[str, list[str], list[str]]:
    """Flag, sources (two of a plural entry) and targets of an entry."""
    flag = draw(st.sampled_from([*PIECES]))
    first, last = draw(st.sampled_from([("", ""), ("", ""), ("\n", ""), ("", "\n")]))
    sources = [draw(texts(flag, first, last)) for _ in range(draw(st.integers(1, 2)))]
    count = 1 if len(sources) == 1 else draw(st.sampled_from([3, 3, 3, 2]))
    targets = []
    for _ in range(count):
        same = draw(st.booleans())
        if same:
            targets.append(draw(st.sampled_from(sources)))
        else:
            ends = draw(st.sampled_from([(first, last), (first, last), ("\n", last), (first, ""), (first, "\n")]))
            targets.append(draw(texts(flag, *ends)))
    return flag, sources, targets


def quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def make_catalogue(entries: list[tuple[str, list[str], list[str]]]) -> tuple[str, list[int]]:
    """PO text, and the line of each entry's msgid."""
    lines = HEADER.split("\n")[:-1]
    starts = []
    for number, (flag, sources, targets) in enumerate(entries):
        lines += [f"#, {flag}", f'msgctxt "{number}"']
        starts.append(len(lines) + 1)
        lines.append(f"msgid {quote(sources[0])}")
        if len(sources) > 1:
            lines.append(f"msgid_plural {quote(sources[1])}")
            lines += [f"msgstr[{form}] {quote(target)}" for form, target in enumerate(targets)]
        else:
            lines.append(f"msgstr {quote(targets[0])}")
        lines.append("")
    return "\n".join(lines), starts


def find_msgfmt_errors(path: Path) -> set[int]:
    """Lines for which msgfmt reports an error."""
    command = ["msgfmt", "--check", "-o", "/dev/null", str(path)]
    run = subprocess.run(command, capture_output=True, text=True, errors="replace", env={"LC_ALL": "C.UTF-8"})
    lines = [line for line in run.stderr.splitlines() if "warning:" not in line]
    return {int(match[1]) for line in lines if (match := re.match(r"[^:]+:(\d+):", line))}


def find_entries_with_findings(path: Path) -> set[int]:
    """Lines of the entries with a finding."""
    document = read_document(path)
    view = View(corpus_from_documents([document], "made"))
    rows = view_qa_results(view, get_checks(["gettext", "empty"]))
    return {document.segments[row.segment].line for row in rows}


needs_msgfmt = pytest.mark.skipif(shutil.which("msgfmt") is None, reason="needs msgfmt of GNU gettext")


@needs_msgfmt
@settings(max_examples=60, deadline=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck])
@given(entries=st.lists(catalogue_entries(), min_size=3, max_size=3))
def test_entries_that_msgfmt_rejects_are_reported(tmp_path_factory, entries):
    # msgfmt ends after 20 errors
    path = tmp_path_factory.mktemp("po") / "made.po"
    text, starts = make_catalogue(entries)
    path.write_text(text, encoding="utf-8")
    # an error names a line of the entry; errors about plural forms also name a line of the header
    rejected = {
        max(start for start in starts if start <= line) for line in find_msgfmt_errors(path) if line >= starts[0]
    }
    # entries begin at their msgctxt
    warned = {line + 1 for line in find_entries_with_findings(path)}
    by_line = dict(zip(starts, entries, strict=True))
    missed = [by_line[line] for line in rejected - warned]
    # msgfmt 0.21 requires all Lua arguments, even in plural forms that apply to few numbers
    assert [entry for entry in missed if entry[0] != "lua-format" or len(entry[1]) == 1] == []
    # of several entries with a wrong number of forms, msgfmt names only one; it accepts a space as a translation
    surplus = [by_line[line] for line in warned - rejected]
    surplus = [entry for entry in surplus if len(entry[2]) != 2 and all(target.strip() for target in entry[2])]
    # msgfmt 0.21 accepts fields that the source lacks in plural forms that apply to few numbers
    assert [entry for entry in surplus if entry[0] != "python-brace-format" or len(entry[1]) == 1] == []


@pytest.mark.parametrize(
    ("flag", "source", "target", "message"),
    [
        ("c-format", "%d of %s", "%s von %d", "format argument 1 has a different type in the source"),
        ("c-format", "%d of %s", "%2$s: %1$d", ""),
        ("sh-format", "$HOME is", "$HEIM ist", "the format argument “HEIM” is not in the source"),
        ("sh-format", "$HOME is", "da", "the format argument “HOME” is missing from the target"),
        ("sh-format", "$HOME is", "${HOME} ist", ""),
        (
            "sh-format", "$HOME is", "$HOME $5",
            "the target is not a valid shell format string: the $ in “$5” is not followed by a variable name",
        ),
        ("c-format", "%d files", "Dateien", "the source has 1 format argument, but the target has 0"),
        ("c-format", "100% of it", "100% davon", "format argument 1 has a different type in the source"),
        ("c-format", "%s", "%s %", "the target is not a valid C format string: “%” is not complete"),
        ("c-format", "%s", "%y", "the target is not a valid C format string: “%y” has an unknown conversion"),
        ("c-format", "%s %s", "%1$s %s",
         "the target is not a valid C format string: arguments with and without numbers are mixed"),
        ("c-format", "%d", "%ld", "format argument 1 has a different type in the source"),
        ("python-format", "%(n)d", "%(m)d", "the format argument “m” is not in the source"),
        ("python-format", "%(n)d", "x", "the format argument “n” is missing from the target"),
        ("python-format", "%(n)d", "%d", "only one of source and target has named arguments"),
        ("boost-format", "%1% of %2%", "%2% von %1%", ""),
        ("boost-format", "%|1$s|", "%1$d", "the format argument “1” has a different type in the source"),
        ("boost-format", "%1%", "%|1$s", "the target is not a valid Boost format string: “%|1$s” is not complete"),
        (
            "lisp-format",
            "~D file~:P",
            "~D Datei~[en~;~:;en~]",
            "the source has 1 format argument, but the target has 2",
        ),
        ("lisp-format", "~A in ~A", "~1@*~A: ~0@*~A", ""),
        ("lisp-format", "~{~A~^, ~}", "~{~A~^; ~}", ""),
        ("lisp-format", "~{~A~^, ~}", "~A", "format argument 1 has a different type in the source"),
        ("lisp-format", "~D", "~Z", "the target is not a valid Lisp format string: “~Z” has an unknown conversion"),
        ("lisp-format", "~(~A~)", "~(~A", "the target is not a valid Lisp format string: “~(” is not closed"),
        # the number of arguments depends on the first one
        ("lisp-format", "~:[none~;~A~]", "~A", ""),
        ("scheme-format", "~a ~d", "~d ~a", "format argument 1 has a different type in the source"),
        ("scheme-format", "~a", "~w", "the target is not a valid Scheme format string: “~w” has an unknown conversion"),
        ("php-format", "%s x", "%s 100% x", "the format argument “2” is not in the source"),
        ("php-format", "%s of %s", "%2$s: %1$s", ""),
        ("php-format", "%s", "%g", "the target is not a valid PHP format string: “%g” has an unknown conversion"),
        ("javascript-format", "%s 50% off", "%s 50 % weg",
         "the target is not a valid JavaScript format string: “% w” has an unknown conversion"),
        ("javascript-format", "%s and %j", "%s", "the format argument “2” is missing from the target"),
        ("javascript-format", "%s, %s", "%1$s, %s",
         "the target is not a valid JavaScript format string: arguments with and without numbers are mixed"),
        ("java-format", "{0} of {1,number}", "{1,number} von {0}", ""),
        ("java-format", "{0,number}", "{0}", "the format argument “0” has a different type in the source"),
        ("java-format", "{0}", "{0} '{1}'", ""),
        ("java-format", "{0}", "{0} {1}", "the format argument “1” is not in the source"),
        ("java-format", "{0}", "{0",
         "the target is not a valid Java MessageFormat format string: a brace is not closed"),
        ("java-format", "{0}", "{n}",
         "the target is not a valid Java MessageFormat format string: “{n}” has an unknown "
         "format or no argument number"),
        ("java-printf-format", "%s: %d", "%2$d: %1$s", ""),
        ("java-printf-format", "%tY", "%tY-%<tm", ""),
        ("java-printf-format", "%d", "%#d",
         "the target is not a valid Java format string: “%#d” has a flag, width or precision "
         "that its conversion does not allow"),
        ("lua-format", "%q", "%s", "format argument 1 has a different type in the source"),
        ("object-pascal-format", "%s %d", "%1:d %0:s", ""),
        ("object-pascal-format", "%*.*f", "%.*f", "the format argument “2” is missing from the target"),
        ("object-pascal-format", "%s", "%1:s", "the format argument “1” is not in the source"),
        ("csharp-format", "{0} {1}", "{1:N} {0}", ""),
        ("csharp-format", "{0}", "{1}", "the source needs 1 format argument, but the target needs 2"),
        ("perl-brace-format", "{a}", "{a} {b}", ""),
        ("perl-brace-format", "{a}", "{b}", "the format argument “a” is missing from the target"),
        ("python-brace-format", "{n}", "{n",
         "the target is not a valid Python format string: “{n” does not begin with a valid field in braces"),
    ],
)  # fmt: skip
def test_format_strings(flag, source, target, message):
    assert str(SYNTAX_BY_FLAG[flag].error_message(source, target, may_omit=False)) == message


def test_few_numbers_need_no_argument_and_forms_are_counted(tmp_path):
    text, _ = make_catalogue([("c-format", ["one file", "%d files"], ["jeden soubor", "%d soubory", "soubory"])])
    path = tmp_path / "a.po"
    path.write_text(text)
    rows = view_qa_results(View(corpus_from_documents([read_document(path)], "a")), get_checks(["gettext"]))
    assert [(row.segment, str(row.message)) for row in rows] == [
        (2, "the source has 1 format argument, but the target has 0")
    ]
    text, _ = make_catalogue([("c-format", ["a", "b"], ["c", "d"])])
    path.write_text(text)
    rows = view_qa_results(View(corpus_from_documents([read_document(path)], "a")), get_checks(["gettext"]))
    assert {str(row.message) for row in rows} == {"the header declares 3 plural forms, but the entry has more or fewer"}


@pytest.mark.parametrize("rule", ["", '"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"\n'])
def test_plural_forms_need_a_rule_in_the_header(tmp_path, rule):
    text, _ = make_catalogue([("c-format", ["a", "b"], ["c", "d", "e"])])
    path = tmp_path / "a.po"
    path.write_text(re.sub('"Plural-Forms.*\n', lambda _: rule, text))
    rows = view_qa_results(View(corpus_from_documents([read_document(path)], "a")), get_checks(["gettext"]))
    reason = "the entry has plural forms, but the header has no valid Plural-Forms field"
    assert [str(row.message) for row in rows] == [reason] * 3
    if shutil.which("msgfmt"):
        assert find_msgfmt_errors(path)
    # entries without plural forms need no rule
    path.write_text(re.sub('"Plural-Forms.*\n', lambda _: rule, make_catalogue([("c-format", ["a"], ["b"])])[0]))
    assert find_entries_with_findings(path) == set()


def test_directives_with_a_line_break_are_compared(tmp_path):
    path = tmp_path / "a.po"
    path.write_text(make_catalogue([("lisp-format", ["~1@*~{~a~^, ~}~p~\n"], ["~10,'0d\n"])])[0])
    assert len(find_entries_with_findings(path)) == 1
    if shutil.which("msgfmt"):
        assert len(find_msgfmt_errors(path)) == 1


def test_a_target_of_white_space_is_a_translation(tmp_path):
    path = tmp_path / "a.po"
    path.write_text(make_catalogue([("python-brace-format", ["}}"], ["\n "])])[0])
    assert len(find_entries_with_findings(path)) == 1
    if shutil.which("msgfmt"):
        assert find_msgfmt_errors(path)
    # a missing translation is reported as an empty target; msgfmt accepts it
    path.write_text(make_catalogue([("python-brace-format", ["}}"], [""])])[0])
    assert len(find_entries_with_findings(path)) == 1
    if shutil.which("msgfmt"):
        assert not find_msgfmt_errors(path)


def test_long_texts_are_parsed_in_linear_time():
    for flag, piece in (
        ("c-format", "%0"),
        ("python-format", "%("),
        ("python-brace-format", "{a"),
        ("boost-format", "%|1$"),
        ("lisp-format", "~1,"),
        ("scheme-format", "~{"),
        ("php-format", "%'0"),
        ("javascript-format", "%1"),
        ("java-format", "{0,choice,0#"),
        ("java-format", "{0,number,0;"),
        ("java-format", "{0}'"),
        ("java-printf-format", "%1$"),
        ("lua-format", "%1"),
        ("object-pascal-format", "%*:"),
        ("csharp-format", "{0:"),
        ("perl-brace-format", "{a"),
    ):
        for text in (piece * 50_000, piece + "0" * 100_000, piece + "." * 100_000):
            SYNTAX_BY_FLAG[flag].error_message("", text, may_omit=False)
