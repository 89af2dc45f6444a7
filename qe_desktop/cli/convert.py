"""`qe-desktop convert`: convert tags and bilingual files to other formats, and compute tags from post-edits."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from qe_desktop.cli import convert_bilingual, convert_export
from qe_desktop.cli.command_options import add_lines, line_unit_option
from qe_desktop.cli.output import check_not_overwriting, fraction_progress, print_error
from qe_desktop.corpus import AlignmentColumn, Kind, QeError, SourceLocation, TagColumn, TextColumn, TextRole
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
    system_name,
    write_scores,
    write_submission,
    write_tags,
)
from qe_desktop.formats.alignments import read_alignments
from qe_desktop.formats.importing.validation import check_link_range, check_size
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.metrics.tags.post_edit_tags import PostEditResult


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
            "required if all numbers are 0 or 1"
        ),
    )  # fmt: skip
    add_lines(parser)
    threshold = tr("the threshold: a word is BAD if P(BAD) exceeds it (default: 0.5)")
    parser.add_argument("--threshold", type=float, default=0.5, help=threshold)
    add_post_edit_options(parser)
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
    if convert_export.is_review_export(args):
        return convert_export.export_review(args)
    if len(args.files) > 2:
        return convert_export.export_bilingual(args)
    if args.into is not None:
        return convert_bilingual.insert_targets(args)
    _require_files(args)
    if args.post_edit is not None:
        return convert_post_edit(args)
    check_post_edit_options(args)
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
        # without an MT, tag counts are not checked here; writing checks that segments have one gap tag more than words
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


POST_EDIT_FORMATS = ("words", "gaps", "2n+1", "source", "wmt22", "hter")
"""Formats that a post-edit can be converted to; not `words-eos`, because no rule defines a tag for <EOS>."""
_PROGRESS_TITLE = tr("MT and post-edit")


def add_post_edit_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the post-edit, the source and the alignment."""
    parser.add_argument(
        "--post-edit", metavar="FILE",
        help=tr("the post-edit of the MT in IN; tags and HTER are computed from both, as for WMT18"),
    )  # fmt: skip
    parser.add_argument("--source", metavar="FILE", help=tr("with --to source: the source, whose tokens are tagged"))
    parser.add_argument("--alignments", metavar="FILE", help=tr("with --to source: word alignments of source and MT"))
    help_text = tr(
        "with --to source: word alignments of source and post-edit; source words aligned to words missing from the "
        "MT are BAD, as for WMT18"
    )
    parser.add_argument("--post-edit-alignments", metavar="FILE", help=help_text)


def check_post_edit_options(args: argparse.Namespace) -> None:
    """Raise QeError if an option is specified that requires --post-edit."""
    if args.to == "hter":
        message = tr("HTER needs an MT and its post-edit")
        raise QeError(message, hint=tr("Specify the MT as IN and its post-edit with --post-edit."))
    if args.source or args.alignments or args.post_edit_alignments:
        message = tr("a source and alignments can only be used with a post-edit")
        raise QeError(message, hint=tr("Specify the MT as IN and its post-edit with --post-edit."))


def convert_post_edit(args: argparse.Namespace) -> int:
    """Write tags or HTER; report files, number of values and untokenized text on stderr. Returns exit code 0."""
    output_format, output = _output_format(args), Path(args.output)
    texts = (args.input, args.post_edit, args.source, args.alignments, args.post_edit_alignments)
    check_not_overwriting(output, texts)
    mt, post_edit = read_text(args.input), read_text(args.post_edit)
    check_size(len(post_edit), len(mt), args.post_edit, TextRole.MT)
    from qe_desktop.metrics.tags.post_edit_tags import untokenized_note

    count = (
        _hter(output, mt, post_edit) if output_format == "hter" else _tags(args, output_format, output, mt, post_edit)
    )
    if output_format == "hter":
        message = tr(
            "{input}, {post_edit} -> {output} (HTER): {n:,} {n:score|scores}", "", count,
            input=args.input, post_edit=args.post_edit, output=output,
        )  # fmt: skip
    else:
        message = tr(
            "{input}, {post_edit} -> {output} ({to}): {n:,} {n:tag|tags}", "", count,
            input=args.input, post_edit=args.post_edit, output=output, to=output_format,
        )  # fmt: skip
    print_error(message)
    warning = untokenized_note(mt, post_edit)
    if warning:
        print_error(warning)
    return 0


def _output_format(args: argparse.Namespace) -> str:
    """Return the format to write. Raises QeError if options are missing or contradict each other."""
    for option, value in (("--mt", args.mt), ("--gaps", args.gaps), ("--pieces", args.pieces)):
        if value:
            message = tr("{option} cannot be used with --post-edit", option=option)
            raise QeError(message, hint=tr("Specify the MT as IN, without {option}.", option=option))
    suffix = Path(args.output[:-3] if args.output.endswith(".gz") else args.output).suffix
    to: str = args.to or ("hter" if suffix == ".hter" else "2n+1")
    if to not in POST_EDIT_FORMATS:
        message = tr("tags for <EOS> cannot be computed from a post-edit")
        raise QeError(message, hint=tr("Use --to words, or --to 2n+1, which tags missing words too."))
    alignment_files = [name for name in (args.alignments, args.post_edit_alignments) if name]
    if to == "source" and (not args.source or len(alignment_files) != 1):
        message = tr("source tags need the source tokens and one file of alignments")
        hint = tr("Specify --source and either --alignments or --post-edit-alignments.")
        raise QeError(message, hint=hint)
    if to != "source" and (args.source or alignment_files):
        message = tr("a source and alignments can only be used for source tags")
        raise QeError(message, hint=tr("Use --to source."))
    return to


def _hter(output: Path, mt: TextColumn, post_edit: TextColumn) -> int:
    from qe_desktop.metrics.tags.post_edit_tags import segment_hter

    with fraction_progress(_PROGRESS_TITLE) as on_progress:
        rates = segment_hter(mt, post_edit, on_progress=on_progress)
    write_scores(output, rates)
    return len(rates)


def _tags(args: argparse.Namespace, output_format: str, output: Path, mt: TextColumn, post_edit: TextColumn) -> int:
    """Compute and write tags of the MT or of the source; return the number of tags."""
    from qe_desktop.metrics.tags.post_edit_tags import compare_post_edits

    # errors in the source are reported before the long computation
    source = _source(args, mt, post_edit) if output_format == "source" else None
    with fraction_progress(_PROGRESS_TITLE) as on_progress:
        comparison = compare_post_edits(mt, post_edit, on_progress)
    if source is not None:
        return _source_tags(args, output, comparison, *source)
    if output_format == "2n+1":
        write_tags(output, comparison.words, gaps=comparison.gaps)
        return len(comparison.words.values) + len(comparison.gaps.values)
    if output_format == "wmt22":
        method = args.method or system_name(Path(args.post_edit))
        write_submission(output, comparison.words, mt, language_pair=args.language_pair, method=method)
        return len(comparison.words.values)
    column = comparison.words if output_format == "words" else comparison.gaps
    write_tags(output, column)
    return len(column.values)


def _source(args: argparse.Namespace, mt: TextColumn, post_edit: TextColumn) -> tuple[TextColumn, AlignmentColumn]:
    """Read the source and its word alignments. Raises QeError if they do not match the MT or the post-edit."""
    source, alignment_file = read_text(args.source), args.alignments or args.post_edit_alignments
    alignments = read_alignments(open_file(alignment_file))
    check_size(len(source), len(mt), args.source, TextRole.MT)
    check_size(len(alignments), len(mt), alignment_file, TextRole.MT)
    if args.alignments:
        check_link_range(alignments, source, mt, alignment_file)
    else:
        check_link_range(alignments, source, post_edit, alignment_file, TextRole.POST_EDIT)
    return source, alignments


def _source_tags(
    args: argparse.Namespace, output: Path, result: PostEditResult, source: TextColumn, alignments: AlignmentColumn
) -> int:
    from qe_desktop.metrics.tags.post_edit_tags import source_tags

    column = source_tags(result, source, alignments, "MT" if args.alignments else "post-edit")
    write_tags(output, column)
    return len(column.values)
