"""`qe-desktop convert` for an MT and its post-edit: tags and HTER by the rules of WMT18."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.output import check_not_overwriting, fraction_progress, print_error
from qe_desktop.corpus import AlignmentColumn, QeError, TextColumn, TextRole
from qe_desktop.formats import open_file, read_text, system_name, write_scores, write_submission, write_tags
from qe_desktop.formats.alignments import read_alignments
from qe_desktop.formats.importing.validation import check_link_range, check_size
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.metrics.tags.post_edit_tags import PostEditResult

POST_EDIT_FORMATS = ("words", "gaps", "2n+1", "source", "wmt22", "hter")
"""Formats that a post-edit can be converted to; not `words-eos`, because no rule defines a tag for <EOS>."""
_PROGRESS_TITLE = tr("MT and post-edit")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the post-edit, the source and the alignment."""
    parser.add_argument(
        "--post-edit", metavar="FILE",
        help=tr("the post-edit of the MT in IN; tags and HTER are computed from both, as for WMT18"),
    )  # fmt: skip
    parser.add_argument("--source", metavar="FILE", help=tr("with --to source: the source, whose tokens are tagged"))
    parser.add_argument("--alignments", metavar="FILE", help=tr("with --to source: word alignments of source and MT"))
    help_text = tr(
        "with --to source: word alignments of source and post-edit; source words aligned to missing words are BAD, as "
        "for WMT18"
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


def run(args: argparse.Namespace) -> int:
    """Write tags or HTER; report on stderr the files, the number of values and any untokenized text."""
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
