"""How repeated sampling is made: what the paper fixes, and what it leaves open, each with a default that is stated."""

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
"""Data sets in a sample that is drawn, and repetitions that are of one batch of the fast mode: all are held at once."""
MAX_SET_SEGMENTS = 1_000_000_000
"""Data sets in a sample of which p is only worked out."""
SHARE_DECIMALS = 6
"""Of a share in per cent, at the most: shares are compared exactly, as whole numbers."""


@dataclass(frozen=True, slots=True)
class SamplingOptions:
    """The protocol of Logacheva et al. 2016, algorithm 1 and table 2, and the choices that it leaves open.

    `errors` are shares of wrong tags in per cent, `sizes` numbers of data sets, ascending both. `overshoot` says what
    becomes of the segment with which a data set reaches its share: it is kept ("keep", the share is reached or passed),
    left out ("stop", the share is never passed), or enters with that part of its rows that meets the share ("partial").
    `mixing`: the wrong segments of a data set come from "many" systems, or all from "one", which is drawn. Where
    segments are `repeated`, they are drawn with replacement, and stand in the data set as often as they were drawn.
    `variances` are those of the t-test: pooled ("equal") or Welch's ("unequal").
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

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The places of all pairs of shares, the smaller first."""
        return tuple(combinations(range(len(self.errors)), 2))

    @property
    def needed(self) -> tuple[tuple[int, int], ...]:
        """Each share as a ratio of whole numbers, so that whether it is reached can be said exactly."""
        return tuple((error / 100).as_integer_ratio() for error in self.errors)

    def difference(self, pair: tuple[int, int]) -> Decimal:
        """How far two shares are apart, in points of a per cent."""
        return self.errors[pair[1]] - self.errors[pair[0]]

    def named(self, pair: tuple[int, int]) -> str:
        """A pair as JSON and tables call it: `30-30.01`."""
        return "-".join(format_share(self.errors[place]) for place in pair)

    def drawing(self) -> dict[str, str | int]:
        """All that what is drawn depends on, by the names that files and people know it by."""
        return {
            "errors": " ".join(map(format_share, self.errors)),
            "sizes": " ".join(map(str, self.sizes)),
            "seed": self.seed,
            "overshoot": self.overshoot,
            "mixing": self.mixing,
            "replacement": "yes" if self.repeated else "no",
            "variances": self.variances,
        }

    def checked(self) -> SamplingOptions:
        """The same in order; QeError for shares and sizes of which no study can be made."""
        errors, sizes = tuple(sorted(set(self.errors))), tuple(sorted(set(self.sizes)))
        wrong = [error for error in errors if not 0 < error < 100]
        if wrong:
            message = tr(
                "a share of errors lies between 0 and 100 %, and {share} does not", share=format_share(wrong[0])
            )
            raise QeError(message, hint=tr("Give shares such as 30 30.01 30.05."))
        if any(-int(error.normalize().as_tuple().exponent) > SHARE_DECIMALS for error in errors):
            message = tr("a share of errors has {n} decimals at the most", "", SHARE_DECIMALS)
            raise QeError(message, hint=tr("Give shares such as 30 30.01 30.05."))
        if len(errors) < 2:
            raise QeError(tr("a difference takes two shares of errors"), hint=tr("Give two shares or more."))
        if not sizes or sizes[0] < 2:
            raise QeError(tr("a t-test takes two data sets at the least"), hint=tr("Give sizes from 2."))
        most = MAX_SET_SEGMENTS if self.mode == "fast" else MAX_DATA_SETS
        if sizes[-1] > most:
            message = tr("{n:,} data sets are too many for one sample", "", sizes[-1])
            raise QeError(message, hint=tr("Give sizes up to {most:,}.", most=most))
        if self.mode == "fast" and self.repetitions > MAX_DATA_SETS:
            message = tr("{n:,} {n:repetition is|repetitions are} too many for the fast mode", "", self.repetitions)
            raise QeError(message, hint=tr("Give up to {most:,}, or choose the full mode.", most=MAX_DATA_SETS))
        return replace(self, errors=errors, sizes=sizes)


def format_share(number: Decimal) -> str:
    """A share as people write it: without an exponent and without zeros at its end."""
    return format(number.normalize(), "f")


def format_shares(numbers: Sequence[Decimal]) -> str:
    """Several shares, one after the other."""
    return ", ".join(map(format_share, numbers))
