"""Options of repeated sampling as in Logacheva et al. 2016, and choices that the paper leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import combinations
from typing import Literal

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.significance.corrections import Correction

Mode = Literal["fast", "full"]
Overshoot = Literal["keep", "stop", "partial"]
Mixing = Literal["many", "one"]
Variances = Literal["equal", "unequal"]
DEFAULT_ERROR_SHARES = tuple(map(Decimal, ("30", "30.01", "30.05", "30.1", "30.2")))
DEFAULT_SIZES = (100, 200, 500, 1_000, 2_000, 5_000, 10_000)
MAX_DATA_SETS = 100_000
"""Maximum number of data sets per sample in the simulation mode, and of repetitions in the analytic mode.

In both modes, that many data sets are in memory at once.
"""
MAX_FAST_DATA_SETS = 1_000_000_000
"""Maximum number of data sets per sample in the analytic mode, which does not generate the samples."""
SHARE_DECIMALS = 6
"""Maximum number of decimals of a share in percent; shares are compared exactly, as ratios of integers."""


@dataclass(frozen=True, slots=True)
class SamplingOptions:
    """Protocol of Logacheva et al. 2016, algorithm 1 and table 2, with the choices that the protocol leaves open.

    `errors` are shares of wrong tags in percent, and `sizes` are numbers of data sets; both are ascending. `overshoot`
    states how the segment with which a data set reaches its share is treated. "keep" includes the segment: the share is
    reached or exceeded. "stop" excludes the segment, unless the share is met exactly: the share is never exceeded.
    "partial" includes a fraction of the segment: the share is met exactly. `mixing` states whether the wrong segments
    of a data set come from "many" systems or from "one", which is selected at random. If segments are `repeated`, they
    are sampled with replacement and occur as often as they are sampled. `variances` selects the t-test: with pooled
    variances ("equal") or Welch's ("unequal"). `mode` is analytic ("fast") or a simulation ("full"). `lowers_errors`
    states whether the shares are lowered if samples of the systems' errors cannot reach the highest share.
    """

    errors: tuple[Decimal, ...] = DEFAULT_ERROR_SHARES
    sizes: tuple[int, ...] = DEFAULT_SIZES
    repetitions: int = 1_000
    mode: Mode = "fast"
    seed: int = 1
    overshoot: Overshoot = "keep"
    mixing: Mixing = "many"
    repeated: bool = False
    variances: Variances = "equal"
    correction: Correction = "bonferroni"
    alpha: float = 0.05
    lowers_errors: bool = False

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """All pairs of indices into `errors`, each with the index of the smaller share first."""
        return tuple(combinations(range(len(self.errors)), 2))

    @property
    def share_ratios(self) -> tuple[tuple[int, int], ...]:
        """Each share as a ratio of integers, so that comparisons are exact."""
        return tuple((error / 100).as_integer_ratio() for error in self.errors)

    def difference(self, pair: tuple[int, int]) -> Decimal:
        """Return the difference between the two shares of a pair in percentage points."""
        return self.errors[pair[1]] - self.errors[pair[0]]

    def pair_name(self, pair: tuple[int, int]) -> str:
        """Return the name of a pair of shares as in JSON, such as `30-30.01`."""
        return "-".join(format_share(self.errors[index]) for index in pair)

    def sampling_settings(self) -> dict[str, str | int]:
        """Return all settings that affect samples and unadjusted p-values, by their names in files and messages."""
        return {
            "errors": " ".join(map(format_share, self.errors)),
            "sizes": " ".join(map(str, self.sizes)),
            "seed": self.seed,
            "overshoot": self.overshoot,
            "mixing": self.mixing,
            "replacement": "yes" if self.repeated else "no",
            "variances": self.variances,
        }

    def normalize(self) -> SamplingOptions:
        """Return the options with sorted, distinct shares and sizes.

        Raises QeError for invalid shares, invalid sizes, or too many repetitions.
        """
        errors, sizes = tuple(sorted(set(self.errors))), tuple(sorted(set(self.sizes)))
        wrong = [error for error in errors if not 0 < error < 100]
        if wrong:
            message = tr("an error rate must be above 0 and below 100 %, not {share}", share=format_share(wrong[0]))
            raise QeError(message, hint=tr("Use percentages such as 30, 30.01 and 30.05."))
        if any(-int(error.normalize().as_tuple().exponent) > SHARE_DECIMALS for error in errors):
            message = tr("an error rate can have at most {n} decimals", "", SHARE_DECIMALS)
            raise QeError(message, hint=tr("Use percentages such as 30, 30.01 and 30.05."))
        if len(errors) < 2:
            raise QeError(tr("a comparison needs two error rates"), hint=tr("Specify two or more different rates."))
        if not sizes or sizes[0] < 2:
            message = tr("a t-test needs at least two data sets")
            raise QeError(message, hint=tr("Use at least 2 data sets per error rate."))
        maximum = MAX_FAST_DATA_SETS if self.mode == "fast" else MAX_DATA_SETS
        if sizes[-1] > maximum:
            message = tr("{n:,} data sets are too many for one sample", "", sizes[-1])
            raise QeError(message, hint=tr("Use at most {most:,} data sets per error rate.", most=maximum))
        if self.mode == "fast" and self.repetitions > MAX_DATA_SETS:
            message = tr("{n:,} {n:repetition is|repetitions are} too many for the analytic mode", "", self.repetitions)
            hint = tr("Use up to {most:,}, or the simulation mode.", most=MAX_DATA_SETS)
            command_hint = tr("Use up to {most:,}, or --mode full.", most=MAX_DATA_SETS)
            raise QeError(message, hint=hint, command_hint=command_hint)
        return replace(self, errors=errors, sizes=sizes)


def format_share(number: Decimal) -> str:
    """Format a share without an exponent and without trailing zeros."""
    return format(number.normalize(), "f")


def format_shares(numbers: Sequence[Decimal]) -> str:
    """Format several shares, separated by commas."""
    return ", ".join(map(format_share, numbers))
