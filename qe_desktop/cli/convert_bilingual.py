"""`qe-desktop convert` for bilingual files: extract texts with one segment per line, and insert new targets."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.output import check_not_overwriting, print_error
from qe_desktop.corpus import Kind, QeError, ReviewStatus, SourceLocation
from qe_desktop.corpus.languages import split_language_pair
from qe_desktop.formats.atomic_write import make_folder, write_text
from qe_desktop.formats.bilingual.file_signatures import (
    SIGNATURE_BYTES,
    foreign_kind,
    has_text_headers,
    may_be_bilingual,
)
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, LINE_BREAK_PATTERN
from qe_desktop.formats.file_format import read_text
from qe_desktop.formats.files import display_name, read_bytes, read_head
from qe_desktop.formats.importing.bilingual_detection import TABLE_SUFFIXES
from qe_desktop.formats.text_files import GZIP_SIGNATURE, STANDARD_INPUT, named_path, open_file
from qe_desktop.i18n.messages import join_localized, tr

if TYPE_CHECKING:
    from qe_desktop.formats.bilingual import ColumnChoice, Document, RewrittenDocument


MIN_RATINGS_CONFIDENCE = 0.5
"""Minimum confidence at which a table is considered to contain ratings instead of texts."""


def add_bilingual_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that write into a bilingual file, include unconfirmed segments, or select columns."""
    into_help = tr(
        "a bilingual file: OUT is a copy of it with the lines of IN as targets; all other bytes stay the same"
    )
    parser.add_argument("--into", metavar="JOB", help=into_help)
    parser.add_argument("-o", "--output", dest="into_output", metavar="OUT", help=tr("with --into: the file to write"))
    its_help = tr(
        "with --into JOB (XLIFF): a file with one tag per word of the targets; BAD words are marked as ITS 2.0 issues. "
        "The words are the tokens in NAME.mt_tok, which convert writes if JOB has issues on words. IN may be omitted"
    )
    parser.add_argument("--its", metavar="TAGS", help=its_help)
    notes_help = tr(
        "with --into: a file with the reviewer's notes, one line per segment; an empty line removes the note. IN may "
        "be omitted"
    )
    parser.add_argument("--notes", metavar="NOTES", help=notes_help)
    statuses_help = tr(
        "with --into: a file with one status per line (open, confirmed or rejected); an empty line keeps the status. "
        "IN may be omitted"
    )
    parser.add_argument("--statuses", metavar="STATUSES", help=statuses_help)
    add_missing_help = tr("with --statuses: add a missing state or approved attribute, and fill in empty status cells")
    parser.add_argument("--add-missing", action="store_true", help=add_missing_help)
    unconfirmed_help = tr("when converting to TMX: include segments that are not confirmed")
    parser.add_argument("--unconfirmed", action="store_true", help=unconfirmed_help)
    add_columns_option(parser)


def reject_into_options(args: argparse.Namespace) -> None:
    """Raise QeError if an option is specified that requires --into."""
    names = {"--its": "its", "--notes": "notes", "--statuses": "statuses", "--add-missing": "add_missing"}
    used = next((option for option, name in names.items() if getattr(args, name)), None)
    if used is not None:
        raise QeError(tr("{option} needs --into", option=used), hint=tr("Specify --into JOB -o OUT."))
    if args.into_output is not None:
        raise QeError(tr("-o is only for --into"), hint=tr("Specify the output file after the inputs."))


def add_columns_option(parser: argparse.ArgumentParser) -> None:
    """Add the option for the source and target columns of a table or workbook."""
    parser.add_argument(
        "--columns", nargs=2, metavar=("SOURCE", "TARGET"),
        help=tr("the names of the source and target columns of a table, if they cannot be detected"),
    )  # fmt: skip


def is_bilingual_file(argument: str) -> bool:
    """Return whether an argument names a bilingual file. Raises QeError if the file cannot be read."""
    path = named_path(argument)
    if path is STANDARD_INPUT or not path.is_file():
        return False
    head = read_head(path, SIGNATURE_BYTES)
    if not may_be_bilingual(head):
        return _is_table(path, head)
    from qe_desktop.formats.bilingual.registry import detect_dialect

    return detect_dialect(path) is not None


def _is_table(path: Path, head: bytes) -> bool:
    """Return whether a file that begins with `head` is a table of source and target texts, not of scores or ratings."""
    if not has_text_headers(head):
        return False
    from qe_desktop.formats.ratings import detect_rating_format
    from qe_desktop.formats.registry import detect_format
    from qe_desktop.formats.text_files import open_beginning

    try:
        opened = open_beginning(path, SIGNATURE_BYTES)
    except QeError:
        # tables may have encodings that corpus files cannot have
        return True
    return detect_format(opened).name == "text" and detect_rating_format(opened)[1] < MIN_RATINGS_CONFIDENCE


def check_bilingual(argument: str) -> None:
    """Raise QeError if a file is of a known type that the program cannot read; the message names the type."""
    path = named_path(argument)
    if path is STANDARD_INPUT or not path.is_file():
        return
    data = read_head(path, SIGNATURE_BYTES)
    kind = "" if data.startswith(GZIP_SIGNATURE) else foreign_kind(data)
    if kind:
        message = tr("this is {kind}, which cannot be read", kind=kind)
        hint = tr("Open it in the program that created it, and export it as text, XLIFF, TMX or PO.")
        raise QeError(message, hint=hint, place=SourceLocation(display_name(path)))


def require_columns(argument: str) -> None:
    """Raise QeError if a file is a table of texts whose source and target columns cannot be detected."""
    path = named_path(argument)
    if path is STANDARD_INPUT or not path.is_file() or not path.name.lower().endswith(TABLE_SUFFIXES):
        return
    from qe_desktop.formats.bilingual.tabular.delimited_tables import unknown_columns_error
    from qe_desktop.formats.file_format import TEXT
    from qe_desktop.formats.importing.file_classification import classify_file

    file = classify_file(path)
    if file.format == TEXT.name and file.column_options is not None:
        raise unknown_columns_error(display_name(path), file.column_options.names)


def extract_texts(args: argparse.Namespace) -> int:
    """Write source, target, tags, scores and notes of a bilingual file into a folder, as NAME.src, NAME.mt, etc.

    Raises QeError if the file cannot be read, if the folder cannot be created, or if an output file exists with
    different contents.
    """
    from qe_desktop.formats.bilingual import read_document

    job, folder = Path(args.input), Path(args.output)
    document = read_document(job, column_choice_from(args))
    texts = {f"{job.stem}.{ending}": text for ending, text in _texts(document).items()}
    _write(folder, texts)
    message = tr(
        "{input} ({form}) -> {folder}: {n:,} {n:segment|segments} in {files}", "", len(document.segments),
        input=args.input, form=document.dialect_name, folder=folder, files=join_localized(", ", list(texts)),
    )  # fmt: skip
    print_error(join_localized("; ", [message, *document.notes]))
    return 0


def _texts(document: Document) -> dict[str, str]:
    """Return the contents of the files to write, by suffix: source, target, and any tags, scores and notes.

    The notes of the reviewer and the notes of others are in separate files.
    """
    from qe_desktop.formats.bilingual.document_corpus import issue_tags, quality_scores
    from qe_desktop.formats.bilingual.inline_codes import content_text
    from qe_desktop.formats.bilingual.word_tokenization import tokenize_column

    segments = document.segments
    texts = {
        "src": _lines(segment.source_line for segment in segments),
        "mt": _lines(segment.target_line for segment in segments),
    }
    if any(issue.is_on_words and not issue.is_in_source for segment in segments for issue in segment.issues):
        targets = [content_text(segment.target or ()) for segment in segments]
        tags = issue_tags(segments, of_source=False)
        if tags is not None:
            texts["mt_tok"] = _lines(tokenize_column(targets).lines())
            texts["tags"] = _lines(" ".join("BAD" if tag else "OK" for tag in tags[row]) for row in range(len(tags)))
    if scores := quality_scores([segment.qualities for segment in segments]):
        rows = zip(*scores.values(), strict=True)
        cells = (
            [str(row), *("" if isnan(score) else f"{score:g}" for score in segment_scores)]
            for row, segment_scores in enumerate(rows, 1)
        )
        texts["scores.tsv"] = _lines("\t".join(row) for row in (["segment", *scores], *cells))
    # in separate files, because --notes writes every line as a note of the reviewer
    for suffix, notes in (
        ("notes", [segment.note for segment in segments]),
        ("other_notes", [LINE_BREAK.join(segment.notes) for segment in segments]),
    ):
        if any(notes):
            texts[suffix] = _lines(LINE_BREAK_PATTERN.sub(LINE_BREAK, note) for note in notes)
    return texts


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _write(folder: Path, texts: dict[str, str]) -> None:
    """Write texts, which are keyed by file name, into a folder, which is created if it does not exist.

    Raises QeError if one of the files exists with different contents.
    """
    make_folder(folder)
    for name, text in texts.items():
        path = folder / name
        if path.exists() and read_bytes(path) != text.encode():
            message = tr("this file exists with different contents, so it is not overwritten")
            raise QeError(message, hint=tr("Use another folder."), place=SourceLocation(display_name(path)))
    for name, text in texts.items():
        write_text(folder / name, text)


def insert_targets(args: argparse.Namespace) -> int:
    """Write a copy of a bilingual file JOB with new targets, notes and statuses, and with issues on words tagged BAD.

    Returns the exit code: 1 if a line could not be written to its segment, which is then unchanged; otherwise 0. Raises
    QeError if options are missing or contradict each other, if a file cannot be read or does not match JOB, or if OUT
    is an input other than JOB.
    """
    from qe_desktop.formats.bilingual import parse_document, read_document, save_document

    if args.output is not None or args.into_output is None:
        message = tr("--into needs an output file (-o OUT), and takes at most one IN")
        raise QeError(message, hint=tr("For example: qe-desktop convert TEXT --into JOB -o OUT"))
    has_lines = any(name is not None for name in (args.input, args.notes, args.statuses))
    if not has_lines and args.its is None:
        hint = tr("Specify IN (a text with one line per segment), --notes, --statuses or --its.")
        raise QeError(tr("there is nothing to write into the file"), hint=hint)
    job, output = Path(args.into), Path(args.into_output)
    check_not_overwriting(output, (args.input, args.its, args.notes, args.statuses))
    document = original = read_document(job, column_choice_from(args))
    messages = []
    rewritten = None
    unchanged: dict[int, str] = {}
    if has_lines:
        rewritten, unchanged = _with_lines(args, document)
        for number, reason in sorted(unchanged.items()):
            print_error(tr("segment {number:,} is unchanged: {reason}", number=number + 1, reason=reason))
        messages.append(tr(
            "{input} -> {output}: {n:,} {n:segment|segments} changed, {bytes:,} {bytes:byte|bytes} unchanged",
            "", rewritten.changed_segments, input=args.input or args.notes or args.statuses, output=output,
            bytes=rewritten.unchanged_bytes,
        ))  # fmt: skip
        messages += _unsupported_messages(rewritten)
    if args.its is not None:
        if rewritten is not None:
            document = parse_document(rewritten.data, original.name, column_choice_from(args))
        rewritten, issues = _with_tags(args, _with_target_language(args, document))
        messages.append(tr(
            "{input} -> {output}: {n:,} {n:word issue|word issues}, {bytes:,} {bytes:byte|bytes} unchanged",
            "", issues, input=args.its, output=output, bytes=rewritten.unchanged_bytes,
        ))  # fmt: skip
    if rewritten is not None:
        save_document(rewritten, original, job, output)
    print_error(join_localized("; ", [*messages, *document.notes]))
    return 1 if unchanged else 0


def _unsupported_messages(rewritten: RewrittenDocument) -> list[str]:
    """Return messages about statuses and notes that the bilingual file cannot store."""
    messages = []
    if rewritten.unsupported_statuses:
        message = tr(
            "the file cannot store the status of {n:,} {n:segment|segments}", "", len(rewritten.unsupported_statuses)
        )
        messages.append(message)
    if rewritten.addable_statuses:
        message = tr(
            "with --add-missing, the status of {n:,} {n:segment|segments} can be stored",
            "", len(rewritten.addable_statuses),
        )  # fmt: skip
        messages.append(message)
    if rewritten.unsupported_notes:
        message = tr("the file cannot store {n:,} {n:note|notes}", "", len(rewritten.unsupported_notes))
        messages.append(message)
    return messages


def _with_lines(args: argparse.Namespace, document: Document) -> tuple[RewrittenDocument, dict[int, str]]:
    """Return a document with new targets, notes and statuses from files with one line per segment.

    Also returns the reason why each rejected segment is unchanged, by 0-based segment number. Raises QeError if a file
    does not have one line per segment, if a status is unknown, or if the format requires a target language and there is
    none.
    """
    from qe_desktop.formats.bilingual import TargetsRejectedError

    targets, notes = _segment_lines(args, args.input, document), _segment_lines(args, args.notes, document)
    statuses = _statuses(args, document)
    _, language = split_language_pair(args.language_pair) if args.language_pair else ("", "")
    unchanged: dict[int, str] = {}
    while True:
        try:
            rewritten = document.with_targets(
                targets, statuses, notes, add_missing=args.add_missing, language=language
            )  # fmt: skip
            break
        except TargetsRejectedError as error:
            unchanged |= error.segments
            for values in (targets, notes, statuses):
                for number in error.segments:
                    values.pop(number, None)
    if rewritten.lacks_language and rewritten.data != document.text.data:
        raise _missing_language(document)
    return rewritten, unchanged


def _missing_language(document: Document) -> QeError:
    message = tr("the targets have no language (trgLang), which XLIFF 2 requires; nothing was written")
    hint = tr("Specify the language pair, for example --language-pair en-de.")
    return QeError(message, hint=hint, place=SourceLocation(document.name))


def _with_target_language(args: argparse.Namespace, document: Document) -> Document:
    """Return the document; if it lacks a required target language, add the language that `--language-pair` specifies.

    Raises QeError if a required language is neither in the document nor specified.
    """
    from qe_desktop.formats.bilingual import RewrittenDocument, parse_document

    if not document.faults:
        return document
    _, language = split_language_pair(args.language_pair) if args.language_pair else ("", "")
    if not language:
        raise _missing_language(document)
    unchanged = RewrittenDocument(document.text.data, 0, len(document.text.data))
    return parse_document(document.with_language(unchanged, language).data, document.name, column_choice_from(args))


def _segment_lines(args: argparse.Namespace, name: str | None, document: Document) -> dict[int, str]:
    """Return the lines of a text file by 0-based segment number; empty if `name` is None.

    Raises QeError if the file does not have one line per segment.
    """
    if name is None:
        return {}
    lines = read_text(open_file(named_path(name)))
    if len(lines) != len(document.segments):
        message = tr(
            "the text has {n:,} {n:line|lines}, but {job} has {segments:,} {segments:segment|segments}",
            "", len(lines), job=args.into, segments=len(document.segments),
        )  # fmt: skip
        raise QeError(message, hint=tr("Use a text with one line per segment."), place=SourceLocation(name))
    return dict(enumerate(lines.lines()))


def _statuses(args: argparse.Namespace, document: Document) -> dict[int, ReviewStatus]:
    """Return the statuses in the file of `--statuses` by 0-based segment number; empty lines are skipped.

    Raises QeError if a line is not a status that users can set, or if the file does not have one line per segment.
    """
    status_by_name = {
        status.name.lower(): status for status in (ReviewStatus.OPEN, ReviewStatus.CONFIRMED, ReviewStatus.REJECTED)
    }
    statuses: dict[int, ReviewStatus] = {}
    for number, line in _segment_lines(args, args.statuses, document).items():
        name = line.strip()
        if name and name not in status_by_name:
            message = tr("{name} is not a status that can be set", name=name)
            hint = tr("Use open, confirmed, rejected or an empty line.")
            raise QeError(message, hint=hint, place=SourceLocation(args.statuses, number + 1))
        if name:
            statuses[number] = status_by_name[name]
    return statuses


def _with_tags(args: argparse.Namespace, document: Document) -> tuple[RewrittenDocument, int]:
    """Return the document with issues on the words that are tagged BAD, and the number of these issues."""
    from qe_desktop.formats.bilingual.inline_codes import content_text
    from qe_desktop.formats.bilingual.word_tokenization import tokenize_column
    from qe_desktop.formats.bilingual.xml.its_writer import issues_from_tags, with_issues
    from qe_desktop.formats.tags.tag_reader import read_tags

    mt = tokenize_column([content_text(segment.target or ()) for segment in document.segments])
    parsed = read_tags(args.its, Kind.WORDS, mt=mt, language_pair=args.language_pair)
    tags = parsed.columns[Kind.WORDS]
    issues = issues_from_tags(document, tags.without_last() if parsed.eos else tags)
    return with_issues(document, issues, args.method or parsed.name), sum(map(len, issues.values()))


def column_choice_from(args: argparse.Namespace) -> ColumnChoice:
    """Return the source and target columns or languages that the options specify."""
    from qe_desktop.formats.bilingual import ColumnChoice

    return ColumnChoice(*(args.columns or split_language_pair(args.language_pair)))
