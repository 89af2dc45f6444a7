"""`qe-desktop convert`: convert tags and bilingual files to other formats, and compute tags from post-edits."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Literal

from qe_desktop.cli import convert_bilingual, convert_export, convert_post_edits, convert_review
from qe_desktop.cli.inputs.file_options import add_lines, line_unit_option
from qe_desktop.cli.output import check_not_overwriting, print_error
from qe_desktop.corpus import Kind, QeError, SourceLocation, TagColumn, TextColumn
from qe_desktop.formats import (
    ParsedTags,
    ProbabilityOf,
    QuestionAnswers,
    detect_format,
    ends_in_eos,
    open_file,
    read_probabilities,
    read_tags,
    read_text,
    write_submission,
    write_tags,
)
from qe_desktop.i18n.messages import tr

CONVERT_FORMATS = ("words", "words-eos", "gaps", "2n+1", "source", "wmt22", "hter")
_KINDS: dict[str, Kind] = {
    "words": Kind.WORDS,
    "words-eos": Kind.WORDS,
    "gaps": Kind.GAPS,
    "source": Kind.SOURCE,
    "wmt22": Kind.WORDS,
}
_EPILOG = tr(
    "Tags are written in one of these formats. words: one tag per token of the MT; words-eos: also a tag for <EOS>; "
    "gaps: one tag per gap; 2n+1: gaps and words interleaved; source: one tag per source token; wmt22: a submission "
    "with three header lines; hter: for each segment, the number of edits (including shifts) per post-edit token, at "
    "most 1. Bilingual files (XLIFF, TMX, PO …) become NAME.src and NAME.mt in the folder OUT, one segment per line. "
    "Inline codes are written as ⟨1⟩ … ⟨/1⟩ and ⟨2/⟩. --into JOB -o OUT writes such lines back as targets. --its TAGS "
    "marks BAD words as issues in XLIFF. If OUT ends in .xlf (XLIFF 1.2), .xliff (XLIFF 2.1), .tmx, .po, .csv, .tsv "
    "or .xlsx, bilingual files become one file of that format. A project (with its review) or a folder with a corpus "
    "is converted to one file in the same way. If OUT ends in .html, a page with all changes, highlights and notes is "
    "written; if it ends in .statistics.tsv, a table of review statistics."
)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command `convert` and its options."""
    parser = subparsers.add_parser(
        "convert",
        help=tr("convert tags, probabilities and bilingual files to other formats, and post-edits to tags"),
        epilog=_EPILOG,
    )
    files = tr(
        "One or more inputs IN, then OUT. IN is a file (its format is detected), a project, a folder with source and "
        "MT, or, with --post-edit, the MT. OUT is the file to write (compressed if its name ends in .gz), or the "
        "folder for the texts of a bilingual file; see below."
    )
    parser.add_argument("files", metavar="FILE", nargs="*", help=files)
    default = tr(
        "the format to write (default: words; 2n+1 with --gaps or --post-edit; hter with --post-edit if OUT ends in "
        ".hter)"
    )
    parser.add_argument("--to", choices=CONVERT_FORMATS, help=default)
    parser.add_argument(
        "--mt", metavar="FILE",
        help=tr("the tokenized MT, to detect whether a segment with n tokens has n, n+1 or 2n+1 tags"),
    )  # fmt: skip
    parser.add_argument("--gaps", metavar="FILE", help=tr("gap tags to combine with the word tags of IN"))
    pieces = tr("the MT as subword pieces; IN has one log-probability per piece")
    parser.add_argument("--pieces", metavar="FILE", help=pieces)
    parser.add_argument("--language-pair", metavar="LP", default="", help=tr("the language pair, such as en-de"))
    parser.add_argument(
        "--method", metavar="NAME", default="", help=tr("the system name to write in a submission or in ITS issues")
    )
    parser.add_argument(
        "--numbers", choices=("BAD", "OK"), type=str.upper,
        help=tr(
            "the label whose probabilities IN contains (default: BAD, but OK for log-probabilities); "
            "required if all are 0 or 1"
        ),
    )  # fmt: skip
    add_lines(parser)
    threshold = tr("the threshold: a word is BAD if P(BAD) exceeds it (default: 0.5)")
    parser.add_argument("--threshold", type=float, default=0.5, help=threshold)
    convert_post_edits.add_options(parser)
    convert_bilingual.add_bilingual_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Convert the input, and report on stderr what was read, written and left unchanged.

    Returns the exit code: 1 if, with --into, a line could not be written to its segment, otherwise 0.
    """
    args.input = args.files[0] if args.files else None
    args.output = args.files[-1] if len(args.files) > 1 else None
    if args.into is None:
        convert_bilingual.reject_into_options(args)
    if convert_review.is_review_export(args):
        return convert_review.export_review(args)
    if len(args.files) > 2:
        return convert_export.export_bilingual(args)
    if args.into is not None:
        return convert_bilingual.insert_targets(args)
    _require_files(args)
    if args.post_edit is not None:
        return convert_post_edits.run(args)
    convert_post_edits.check_post_edit_options(args)
    if convert_export.is_corpus_export(args.input):
        return convert_export.export_corpus(args)
    convert_bilingual.check_bilingual(args.input)
    if convert_export.is_bilingual_export(args):
        return convert_export.export_bilingual(args)
    if args.columns or convert_bilingual.is_bilingual_file(args.input):
        return convert_bilingual.extract_texts(args)
    convert_bilingual.require_columns(args.input)
    output = Path(args.output)
    check_not_overwriting(output, (args.input, args.mt, args.gaps, args.pieces))
    mt = read_text(args.mt) if args.mt else None
    output_format = args.to or ("2n+1" if args.gaps else "words")
    parsed = _read(args, output_format, mt)
    notes = list(parsed.notes)
    if output_format == "2n+1":
        words, gaps = _words_and_gaps(args, parsed, mt)
        write_tags(output, words, gaps=gaps)
        tag_count = len(words.values) + len(gaps.values)
    elif output_format == "wmt22":
        if mt is None:
            raise QeError(tr("a submission needs the words of the MT"), hint=tr("Specify the MT with --mt."))
        column = parsed.columns[Kind.WORDS]
        write_submission(output, column, mt, language_pair=args.language_pair, method=args.method or parsed.name)
        tag_count = len(column.values)
    else:
        column, column_notes = _column(parsed, output_format, mt, args.input)
        notes += column_notes
        write_tags(output, column)
        tag_count = len(column.values)
    message = tr(
        "{input} ({form}) -> {output} ({to}): {n:,} {n:tag|tags}", "", tag_count,
        input=args.input, form=parsed.form, output=output, to=output_format,
    )  # fmt: skip
    print_error("; ".join([message, *notes]))
    return 0


def _require_files(args: argparse.Namespace) -> None:
    """Raise QeError unless both IN and OUT are specified."""
    if args.input is None:
        raise QeError(tr("no files to convert are specified"), hint=tr("Specify IN and OUT."))
    if args.output is None:
        hint = tr("For example: qe-desktop convert IN OUT")
        raise QeError(tr("the output file must be specified after IN"), hint=hint)


def _read(args: argparse.Namespace, output_format: str, mt: TextColumn | None) -> ParsedTags:
    # if every segment has one word, probabilities look like scores
    if detect_format(open_file(args.input)).name in ("probabilities", "scores"):
        if output_format in ("gaps", "source", "2n+1") and not (output_format == "2n+1" and args.gaps):
            message = tr("word probabilities cannot be converted to the format {to}", to=output_format)
            raise QeError(message, hint=tr("Use --to words, words-eos or wmt22."), place=SourceLocation(args.input))
        return _from_probabilities(args, mt)
    kind: Kind | Literal["all"] = (
        "all" if output_format == "2n+1" and not args.gaps else _KINDS.get(output_format, Kind.WORDS)
    )
    lines = line_unit_option(args.lines)
    return read_tags(args.input, kind, mt=mt, language_pair=args.language_pair, lines=lines)


def _from_probabilities(args: argparse.Namespace, mt: TextColumn | None) -> ParsedTags:
    from qe_desktop.project.corpus_settings import threshold_tags

    if not 0 <= args.threshold <= 1:
        message = tr("the threshold {number} is not a probability", number=args.threshold)
        raise QeError(message, hint=tr("Specify a number from 0 to 1."))
    pieces = read_text(args.pieces) if args.pieces else None
    answers = QuestionAnswers(line_unit_option(args.lines), ProbabilityOf[args.numbers] if args.numbers else None)
    parsed = read_probabilities(args.input, mt=mt, pieces=pieces, answers=answers)
    tags = threshold_tags(parsed.column, args.threshold)
    notes = (*parsed.notes, tr("BAD if P(BAD) > {threshold:g}", threshold=args.threshold))
    form = tr("probabilities, {form}", form=parsed.form)
    return ParsedTags({Kind.WORDS: tags}, form, notes, parsed.name, parsed.eos)


def _words_and_gaps(args: argparse.Namespace, parsed: ParsedTags, mt: TextColumn | None) -> tuple[TagColumn, TagColumn]:
    words, lines = parsed.columns[Kind.WORDS], line_unit_option(args.lines)
    if not args.gaps:
        if Kind.GAPS not in parsed.columns:
            hint = tr("Specify the gap tags with --gaps, or the MT with --mt if IN has word and gap tags.")
            raise QeError(tr("the input has no gap tags"), hint=hint, place=SourceLocation(args.input))
        return words, parsed.columns[Kind.GAPS]
    if parsed.eos:
        words = words.without_last()
    if mt is None:
        # tag lines without an MT are read as they are; writing checks that they have one tag more than the words
        gap_lengths = words.lengths() + 1
        columns = read_tags(args.gaps, None, language_pair=args.language_pair, lines=lines, like=gap_lengths).columns
        return words, columns[Kind.GAPS] if Kind.GAPS in columns else columns[Kind.WORDS]
    read_gaps = read_tags(args.gaps, Kind.GAPS, mt=mt, language_pair=args.language_pair, lines=lines)
    return words, read_gaps.columns[Kind.GAPS]


def _column(parsed: ParsedTags, output_format: str, mt: TextColumn | None, name: str) -> tuple[TagColumn, list[str]]:
    """Return the tags to write, and remarks; the output format must have only one kind of tags.

    Raises QeError if the format includes tags for <EOS> but the input has none.
    """
    column = parsed.columns[_KINDS[output_format]]
    if output_format == "words-eos" and not parsed.eos and not (mt is not None and ends_in_eos(mt)):
        eos_hint, words_hint = (
            tr("Use a file with a tag for <EOS>, and specify the MT with --mt."),
            tr("Use --to words."),
        )
        raise QeError(
            tr("the input has no tags for <EOS>"),
            hint=eos_hint if mt is None else words_hint,
            place=SourceLocation(name),
        )
    if output_format == "words" and parsed.eos:
        return column.without_last(), [tr("the tags for <EOS> were left out")]
    return column, []
