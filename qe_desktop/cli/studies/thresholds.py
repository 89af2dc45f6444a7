"""`qe-desktop study thresholds`: what metrics say of numbers of words at every threshold."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from qe_desktop.cli.numbers import interval_rounds
from qe_desktop.cli.output import add_output, emit, progress
from qe_desktop.cli.parsing import Parser
from qe_desktop.corpus import Place, QeError
from qe_desktop.wording import side_by_side, tr

if TYPE_CHECKING:
    from qe_desktop.cli.pairs import Answer


def add_parser(kinds: argparse._SubParsersAction[Parser]) -> None:
    """Add `thresholds` to what can be studied."""
    about = tr("which threshold makes the best tags of P(BAD) or other numbers of words, by each metric")
    kinds.add_parser("thresholds", help=about, description=about).fill = _fill


def _fill(parser: Parser) -> None:
    from qe_desktop.cli.numbers import seed
    from qe_desktop.formats.options import add_lines
    from qe_desktop.levels.files import add_language_pair
    from qe_desktop.levels.words import WORDS
    from qe_desktop.levels.words.inputs import WORD_KINDS

    parser.add_argument("--gold", required=True, metavar="FILE", help=tr("gold tags"))
    parser.add_argument(
        "--system", required=True, nargs="+", action="extend", metavar="[NAME=]FILE",
        help=tr("a system's numbers, one for each tag of the gold; a directory stands for its files; may be repeated"),
    )  # fmt: skip
    parser.add_argument(
        "--mt", metavar="FILE", help=tr("the tokenised MT; its token count decides between n, n+1 and 2n+1")
    )
    parser.add_argument("--dev-gold", metavar="FILE", help=tr("gold tags of other data, to choose thresholds on"))
    parser.add_argument(
        "--dev", nargs="+", action="extend", metavar="[NAME=]FILE", default=[],
        help=tr("the same systems' numbers of these data"),
    )  # fmt: skip
    parser.add_argument("--dev-mt", metavar="FILE", help=tr("the tokenised MT of these data"))
    parser.add_argument("--kind", choices=WORD_KINDS, default="words", help=tr("which tags are scored (words)"))
    parser.add_argument(
        "--numbers", choices=("BAD", "OK"), type=str.upper,
        help=tr("what the numbers are probabilities of (BAD); must be said where all are 0 or 1"),
    )  # fmt: skip
    add_language_pair(parser)
    add_lines(parser)
    usual = tr("metrics; {names} when not given", names=", ".join(WORDS.tested))
    parser.add_argument("--metric", nargs="+", action="extend", metavar="M", help=usual)
    parser.add_argument("--seed", type=seed, default=1, help=tr("seed of what is random (1)"))
    parser.add_argument(
        "--interval-rounds", type=interval_rounds, metavar="N",
        help=tr("rounds of drawn intervals (1000; of more than 100,000 segments 200)"),
    )  # fmt: skip
    parser.add_argument(
        "--curves", action="store_true", help=tr("put every threshold into the JSON; TSV always has it")
    )
    add_output(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Study thresholds, of each language pair that is named."""
    from qe_desktop.cli.pairs import of_each_pair

    if bool(args.dev) != (args.dev_gold is not None):
        message = tr("thresholds are chosen on gold tags and numbers, and one of the two is missing")
        raise QeError(message, hint=tr("Give --dev-gold and --dev."), place=Place("--dev"))
    emit(args, of_each_pair(args, _studied))
    return 0


def _studied(args: argparse.Namespace) -> Answer:
    from qe_desktop.cli.pairs import Answer
    from qe_desktop.formats.standard_input import refuse_twice
    from qe_desktop.levels.words.inputs import scoring_of
    from qe_desktop.metrics import metrics_named
    from qe_desktop.report.thresholds import ThresholdsReport
    from qe_desktop.studies.threshold_inputs import read_data, same_systems
    from qe_desktop.studies.threshold_study import study_thresholds

    named = [args.gold, *args.system, args.mt, args.dev_gold, *args.dev, args.dev_mt]
    refuse_twice(one for one in named if one is not None)
    read = read_data(args, args.gold, args.system, args.mt)
    notes, dev = list(read.notes), None
    if args.dev_gold is not None:
        tuned = read_data(args, args.dev_gold, args.dev, args.dev_mt)
        same_systems(read.data.systems, tuned.data.systems)
        dev = tuned.data
        notes += [side_by_side(": ", ("dev", note)) for note in tuned.notes if note not in notes]
    scoring = scoring_of(read.gold.level(args.kind), read.gold.tags, {})
    level = scoring.level
    metrics = metrics_named(args.metric or level.tested, level.metrics, level.items)
    with progress(tr("{n} {n:system|systems}", "", len(read.data.systems))) as watch:
        study = study_thresholds(read.data, metrics, dev, seed=args.seed, rounds=args.interval_rounds, watch=watch)
    return Answer(scoring, ThresholdsReport.made(scoring, study, tuple(notes), curves=args.curves))
