"""`qe-desktop tag`: tag and score MT with the user's QE systems and with rule-based QA checks."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.convert_bilingual import add_columns_option, column_choice_from, is_bilingual_file
from qe_desktop.cli.output import fraction_progress, print_error
from qe_desktop.corpus import Corpus, Kind, Layer, QeError, TextRole, View
from qe_desktop.corpus.progress import OnProgress, OnStep
from qe_desktop.escaping import display_csv_cell, safe_file_name
from qe_desktop.formats.text_files import STDIN_ARGUMENT
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.local_qe.external.command import QeCommand, parse_commands

if TYPE_CHECKING:
    from qe_desktop.local_qe.qa_checks.check import Check
    from qe_desktop.local_qe.qa_checks.word_lists import WordLists

_SUFFIXES = {
    Kind.WORDS: "tags",
    Kind.GAPS: "gap_tags",
    Kind.SOURCE: "source_tags",
    Kind.PROBABILITIES: "probabilities",
    Kind.SCORES: "scores",
}
_EPILOG = tr(
    "The command of a QE system has placeholders for the files that it reads and writes. It must contain {out} and "
    "{mt} or {mt_tokens}; {source} and {source_tokens} are optional. {source} and {mt} have one segment per line, as "
    "raw text if available; {source_tokens} and {mt_tokens} are tokenized. {out} must have one line per segment: a "
    "score, or a tag or P(BAD) for each token. It may also be the JSON of comet-score --to_json. The command runs "
    "without a shell, so it cannot contain pipes or variables. The results of a system are written to the folder OUT "
    "as NAME.tags, NAME.gap_tags, NAME.source_tags, NAME.probabilities and NAME.scores, as available. The reasons for "
    "BAD tags, if any, are written to NAME.reasons.tsv. For QA checks, NAME is “checks”. QA checks also write "
    "checks.findings.tsv and checks.html, with one row per segment and problem. For a bilingual file, the tokens of "
    "the MT are written to JOB.mt_tok, where JOB is the file name without the suffix."
)


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `tag` and its options."""
    parser = subparsers.add_parser("tag", help=tr("run local QE systems and QA checks"), epilog=_EPILOG)
    parser.add_argument("input", metavar="FOLDER|JOB", help=tr("a folder with source and MT, or a bilingual file"))
    qe_help = tr("a QE system to run, as NAME='COMMAND {source} {mt} {out}'; may be repeated")
    parser.add_argument("--qe", action="append", default=[], metavar="NAME=COMMAND", help=qe_help)
    checks_help = tr("run the named QA checks, or all checks if none is named")
    parser.add_argument("--checks", nargs="*", metavar="CHECK", help=checks_help)
    terms_help = tr("a CSV or TSV file of source and target terms for the QA checks")
    parser.add_argument("--terms", metavar="FILE", help=terms_help)
    forbidden_help = tr("a file of words that the QA checks forbid in targets, one per line")
    parser.add_argument("--forbidden", metavar="FILE", help=forbidden_help)
    parser.add_argument(
        "--minutes", type=float, metavar="N", help=tr("the time limit per system in minutes (default: 60)")
    )
    parser.add_argument("--language-pair", metavar="LP", default="", help=tr("the language pair, such as en-de"))
    add_columns_option(parser)
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help=tr("the folder to write to"))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Run the requested QE systems and QA checks, and write their output. Raises QeError at the first failure."""
    from qe_desktop.formats.atomic_write import make_folder
    from qe_desktop.local_qe.qa_checks.runner import CHECKS, CHECKS_NAME, configure_checks, get_checks, run_checks

    commands = parse_commands(args.qe, os.getcwd())
    if args.minutes is not None:
        commands = tuple(replace(command, minutes=args.minutes) for command in commands)
    if not commands and args.checks is None:
        message = tr("there is nothing to run")
        raise QeError(message, hint=tr("Specify --checks, or a QE system with --qe NAME='COMMAND'."))
    checks = () if args.checks is None else get_checks(args.checks) if args.checks else CHECKS
    checks = configure_checks(checks, _word_lists(args))
    corpus = _read_corpus(args)
    names = [command.name for command in commands] + ([CHECKS_NAME] if checks else [])
    _reject_same_files(names)
    folder = Path(args.output)
    make_folder(folder)
    if checks:
        with fraction_progress(CHECKS_NAME) as show:
            _write_layers(folder, CHECKS_NAME, run_checks(corpus, checks, _make_progress(show)))
        _write_qa_results(folder, Path(args.input).name, corpus, checks)
    for command in commands:
        _write_layers(folder, command.name, _run_qe_command(command, corpus))
    if _is_bilingual_input(args):
        _write_tokens(folder / f"{Path(args.input).stem}.mt_tok", corpus)
    return 0


def _word_lists(args: argparse.Namespace) -> WordLists:
    from qe_desktop.local_qe.qa_checks.word_lists import WordLists, read_forbidden_words, read_terms

    return WordLists(
        read_terms(args.terms) if args.terms else (), read_forbidden_words(args.forbidden) if args.forbidden else ()
    )


def _write_qa_results(folder: Path, name: str, corpus: Corpus, checks: Sequence[Check]) -> None:
    """Write the results of QA checks as a TSV file and an HTML page; the title of the page contains `name`."""
    from qe_desktop.formats.atomic_write import write_text
    from qe_desktop.local_qe.qa_checks.check_results import view_qa_results
    from qe_desktop.local_qe.qa_checks.runner import CHECKS_NAME
    from qe_desktop.report.qa_results import qa_results_html, qa_results_tsv

    results = view_qa_results(View(corpus), checks)
    write_text(folder / f"{CHECKS_NAME}.findings.tsv", qa_results_tsv(results))
    page = qa_results_html(results, tr("QA checks of {name}", name=name), corpus=corpus)
    write_text(folder / f"{CHECKS_NAME}.html", page)


def _run_qe_command(command: QeCommand, corpus: Corpus) -> tuple[Layer, ...]:
    from qe_desktop.local_qe.external.command_runner import run_command

    with fraction_progress(command.name) as show:
        return run_command(command, corpus, _make_progress(show))


def _make_progress(show: OnProgress | None) -> OnStep:
    return lambda fraction, text: None if show is None else show(fraction)


def _read_corpus(args: argparse.Namespace) -> Corpus:
    """Read the corpus in a folder or a bilingual file. Raises QeError unless there is exactly one corpus."""
    name, pair = args.input, args.language_pair
    if name == STDIN_ARGUMENT:
        raise QeError(tr("standard input is not a folder"), hint=tr("Specify a folder or a file."))
    if _is_bilingual_input(args):
        from qe_desktop.formats.bilingual import read_document
        from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents

        document = read_document(Path(name), column_choice_from(args))
        return corpus_from_documents([document], document.name)
    from qe_desktop.cli.convert_export import plan_of_folder
    from qe_desktop.formats import build_corpus

    corpus = build_corpus(plan_of_folder(name, pair))
    return replace(corpus, language_pair=pair) if pair else corpus


def _is_bilingual_input(args: argparse.Namespace) -> bool:
    return bool(args.columns) or is_bilingual_file(args.input)


def _reject_same_files(names: Sequence[str]) -> None:
    files = [safe_file_name(name, "system") for name in names]
    for index, file in enumerate(files):
        if file in files[:index]:
            message = tr("two results would be written to files named {name}", name=file)
            raise QeError(message, hint=tr("Use a different name for each QE system."))


def _write_layers(folder: Path, name: str, layers: Sequence[Layer]) -> None:
    """Write one file per layer of a system, and one with the reasons for tags; print a summary on stderr."""
    from qe_desktop.formats import write_scores, write_tags
    from qe_desktop.formats.atomic_write import write_text

    stem = safe_file_name(name, "system")
    messages: list[str] = []
    reasons: list[str] = []
    for layer in layers:
        kind = layer.key.kind
        path = folder / f"{stem}.{_SUFFIXES[kind]}"
        if kind.is_tags:
            write_tags(path, layer.tags)
            bad, total = int(layer.tags.values.sum()), len(layer.tags.values)
            messages.append(
                tr("{file}: {n:,} of {total:,} {total:tag|tags} {n:is|are} BAD", "", bad, file=path, total=total)
            )
            for segment, findings in (layer.reasons.by_segment if layer.reasons else {}).items():
                cells = (
                    (segment + 1, kind.value, finding.position + 1, display_csv_cell(finding.text))
                    for finding in findings
                )
                reasons += ["\t".join(map(str, row)) for row in cells]
        elif kind is Kind.PROBABILITIES:
            numbers = layer.numbers
            lines = (" ".join(f"{number:.6g}" for number in numbers[row]) for row in range(len(numbers)))
            write_text(path, "".join(f"{line}\n" for line in lines))
            messages.append(tr("{file}: {n:,} {n:probability|probabilities}", "", len(numbers.values), file=path))
        else:
            write_scores(path, layer.scores)
            messages.append(tr("{file}: {n:,} {n:score|scores}", "", len(layer.scores), file=path))
    if reasons:
        write_text(
            folder / f"{stem}.reasons.tsv", "segment\tkind\tplace\treason\n" + "".join(f"{row}\n" for row in reasons)
        )
    notes = dict.fromkeys(note for layer in layers for note in layer.notes)
    print_error(join_localized("; ", [*messages, *notes]))


def _write_tokens(path: Path, corpus: Corpus) -> None:
    """Write the MT tokens to which the tags belong, one segment per line; a bilingual file does not contain tokens."""
    from qe_desktop.formats.atomic_write import write_text

    write_text(path, "".join(f"{line}\n" for line in corpus.texts[TextRole.MT].lines()))
