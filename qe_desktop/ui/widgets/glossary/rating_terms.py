"""Definitions of the terms of campaigns and ratings."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.glossary.glossary_term import RATINGS, GlossaryTerm

RATING_TERMS = (
    GlossaryTerm(
        "campaign",
        tr("campaign"),
        tr(
            "A set of translations to rate, with its raters, protocol and settings. A project can have several "
            "campaigns."
        ),
        RATINGS,
    ),
    GlossaryTerm(
        "owner",
        tr("project owner"),
        tr(
            "The person who sets up the campaigns of a project and collects the ratings. Owners also see progress and "
            "results; raters see only their items."
        ),
        RATINGS,
    ),
    GlossaryTerm(
        "item",
        tr("item"),
        tr("What a rater rates at one time: a segment with one translation, or with several to compare."),
        RATINGS,
    ),
    GlossaryTerm(
        "protocol",
        tr("protocol"),
        tr("What raters do: rate adequacy or fluency, rank or compare translations, or score them from 0 to 100."),
        RATINGS,
    ),
    GlossaryTerm(
        "adequacy",
        tr("adequacy, fluency, total"),
        tr(
            "Adequacy: how much of the meaning of the source is in the translation. Fluency: how well the translation "
            "reads, whatever it means. The total is their sum."
        ),
        RATINGS,
    ),
    GlossaryTerm(
        "wmt",
        tr("WMT"),
        tr(
            "The yearly conference on machine translation, whose shared tasks compare systems by human ratings. "
            "Many protocols and statistics of this program follow it."
        ),
        RATINGS,
    ),
    GlossaryTerm(
        "direct-assessment",
        tr("direct assessment (DA)"),
        tr("A protocol: raters score one translation at a time from 0 to 100, as at WMT."),
        RATINGS,
    ),
    GlossaryTerm(
        "context",
        tr("context"),
        tr(
            "Segments before and after the segment to rate, which raters also see. Fluency alone is rated without "
            "context."
        ),
        RATINGS,
    ),
    GlossaryTerm(
        "event",
        tr("event"),
        tr("One action of a rater, such as a rating, a comment or a skipped item. An item can have several events."),
        RATINGS,
    ),
    GlossaryTerm(
        "overlap",
        tr("overlap, repeats and training"),
        tr(
            "Overlap: the share of items that all raters rate, to measure their agreement. Repeats: items that "
            "a rater rates twice. Training: items at the start that do not count; some show the expected ratings."
        ),
        RATINGS,
    ),
    GlossaryTerm(
        "quality-control",
        tr("quality control"),
        tr("Items with a degraded translation. Careful raters rate them lower than the unchanged translations."),
        RATINGS,
    ),
    GlossaryTerm(
        "campaign-seed",
        tr("seed of a campaign"),
        tr("The number from which random choices are computed. The same seed selects the same random segments."),
        RATINGS,
    ),
    GlossaryTerm(
        "inter-annotator",
        tr("inter-annotator and intra-annotator agreement"),
        tr(
            "How similar the ratings of the same items are: by different raters (inter-annotator), or by one rater who "
            "rated them twice (intra-annotator)."
        ),
        RATINGS,
    ),
    GlossaryTerm(
        "median",
        tr("median, mean and standard deviation (SD)"),
        tr(
            "Median: the middle value, with as many values below as above it. Mean: the sum of the values divided by "
            "their number. Standard deviation: how far values typically are from their mean."
        ),
        RATINGS,
    ),
    GlossaryTerm(
        "krippendorff",
        tr("Krippendorff's alpha, kappa"),
        tr(
            "Agreement of raters, corrected for chance: 1 is full agreement, 0 is the agreement expected by chance. "
            "Alpha is for any number of raters, who need not rate all items; Cohen's kappa is for two raters."
        ),
        RATINGS,
    ),
    GlossaryTerm(
        "kappa-shares",
        tr("P(A), P(E), as published"),
        tr(
            "P(A): the share of pairs of judgements that agree. P(E): the share expected by chance. Kappa is the "
            "difference of the two, divided by 1 − P(E). As published: computed as WMT did, only from judgements that "
            "showed the two outputs in the same order."
        ),
        RATINGS,
    ),
    GlossaryTerm(
        "win-rate",
        tr("win rate, expected wins"),
        tr(
            "How often raters preferred a system. ≥ others: it was better or tied. > others: it was better. No ties: "
            "ties are left out. Half ties: a tie is half a win. Expected wins: the mean share of wins against each "
            "other system, without ties."
        ),
        RATINGS,
    ),
    GlossaryTerm(
        "trueskill",
        tr("TrueSkill, Bradley–Terry"),
        tr(
            "Two models that estimate the strength of each system from all comparisons; higher is better. They take "
            "into account how strong the other systems are. WMT used TrueSkill to rank systems."
        ),
        RATINGS,
    ),
    GlossaryTerm(
        "design-hash",
        tr("hash (checksum)"),
        tr(
            "A code computed from data. If the data changes, so does the code. The hash of a campaign's design shows "
            "whether the design was changed after rating began."
        ),
        RATINGS,
    ),
    GlossaryTerm(
        "blind",
        tr("blind and unblind"),
        tr("Blind: systems are shown as letters. Unblind: the owner reveals their names, which is logged."),
        RATINGS,
    ),
    GlossaryTerm(
        "z-score",
        tr("z-score, z"),
        tr(
            "A rating minus the mean of its rater, divided by the rater's standard deviation, so that strict and "
            "lenient raters can be compared."
        ),
        RATINGS,
    ),
)
"""Terms of the group `RATINGS`, in display order."""
