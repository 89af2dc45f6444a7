"""Whether a campaign can be set up as its owner wants it; if not, what is wrong, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from qe_desktop.corpus import CAMPAIGN_JOINER, QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.assignment.drafts import Translations
from qe_desktop.ratings.assignment.opaque_names import displayed_texts
from qe_desktop.ratings.campaign import Campaign, CampaignSetup, EvaluationBasis, Passage
from qe_desktop.ratings.protocols import Protocol, get_protocol

MIN_EQUAL_SHARE = 0.9
"""The share of its segments from which on a translation is taken to be the reference itself."""


def check_setup(
    campaign: Campaign,
    setup: CampaignSetup,
    passages: Mapping[int, Passage],
    translations: Translations,
    *,
    reference_rated: bool = False,
) -> None:
    """Raise a QeError for the first thing for which the campaign cannot be set up.

    `reference_rated`: the owner knows that a system is the reference itself, and wants it rated like one.
    """
    protocol = get_protocol(campaign.protocol)
    _check_raters(setup)
    _check_systems(setup, protocol, translations)
    _check_numbers(setup, protocol)
    _check_segments(setup, translations)
    _check_translations(setup, translations)
    if not protocol.target_only:
        _check_passages(campaign.basis, setup, passages)
    _check_reference(campaign, setup, passages, translations, reference_rated=reference_rated)
    if campaign.by_document and not any(
        passages[segment].document for segment in setup.segments if segment in passages
    ):
        raise QeError(
            tr("nothing says which segments form a document"),
            hint=tr("Open the corpus with its documents, or let segments be rated one by one."),
        )


def _check_raters(setup: CampaignSetup) -> None:
    if not setup.raters:
        raise QeError(tr("a campaign needs raters"), hint=tr("Name at least one rater."))
    if any(not name.strip() for name in setup.raters):
        raise QeError(tr("a rater has no name"), hint=tr("Give every rater a name."))
    name, times = _most_common(setup.raters)
    if times > 1:
        raise QeError(
            tr("there are {n} raters called “{name}”", "", times, name=name),
            hint=tr("Give every rater a name of its own."),
        )


def _check_systems(setup: CampaignSetup, protocol: Protocol, translations: Translations) -> None:
    name, times = _most_common(setup.systems)
    if times > 1:
        raise QeError(
            tr("there are {n} systems called “{name}”", "", times, name=name),
            hint=tr("Give every system a name of its own."),
        )
    _check_enough(len(setup.systems), protocol)
    unknown = next((name for name in setup.systems if name not in translations), None)
    if unknown is not None:
        raise QeError(
            tr("there is no translation by “{name}”", name=unknown),
            hint=tr("Add its translation, or leave the system out."),
        )
    joint = next((name for name in setup.systems if protocol.compares and CAMPAIGN_JOINER in name), None)
    if joint is not None:
        raise QeError(
            tr(
                "the system “{name}” has a {sign} in its name, which in rankings joins systems with the same output",
                name=joint,
                sign=CAMPAIGN_JOINER,
            ),
            hint=tr("Give the system another name."),
        )


def _check_enough(systems: int, protocol: Protocol) -> None:
    least = protocol.outputs[0]
    if systems >= least:
        return
    if least == 1:
        raise QeError(
            tr("{protocol} needs a system, and there is none", protocol=protocol.title), hint=tr("Choose a system.")
        )
    raise QeError(
        tr(
            "{protocol} needs at least {least} {least:system|systems}, and there {n:is|are} only {n}",
            "",
            systems,
            protocol=protocol.title,
            least=least,
        )
        if systems
        else tr("{protocol} needs at least {n} systems, and there is none", "", least, protocol=protocol.title),
        hint=tr("Choose at least {n} systems.", "", least),
    )


def _check_numbers(setup: CampaignSetup, protocol: Protocol) -> None:
    for share, said in (
        (setup.overlap, tr("the share of overlap is {share:g}", share=setup.overlap)),
        (setup.repeats, tr("the share of repeats is {share:g}", share=setup.repeats)),
        (setup.controls, tr("the share of controls is {share:g}", share=setup.controls)),
    ):
        if not 0 <= share <= 1:
            raise QeError(said, hint=tr("Give a share from 0 to 1."))
    least, most = protocol.outputs
    if protocol.compares and not least <= setup.per_screen:
        raise QeError(
            tr("a screen with {n} outputs cannot be ranked", "", setup.per_screen),
            hint=tr("Show {least} to {most}.", least=least, most=most),
        )
    if setup.training < 0:
        raise QeError(tr("{n} training items cannot be shown", "", setup.training), hint=tr("Give 0 or more."))
    if setup.seed < 0:
        raise QeError(tr("the seed is {seed}", seed=setup.seed), hint=tr("Give a whole number from 0 on."))


def _check_segments(setup: CampaignSetup, translations: Translations) -> None:
    if not setup.segments:
        raise QeError(tr("the campaign has no segments"), hint=tr("Choose at least one segment."))
    sizes = {name: len(translations[name]) for name in setup.systems}
    if len(set(sizes.values())) > 1:
        some, other = sorted(sizes, key=lambda name: sizes[name])[:: len(sizes) - 1]
        raise QeError(
            tr(
                "“{name}” has {n:,} {n:segment|segments} and “{other}” {size:,}",
                "",
                sizes[some],
                name=some,
                other=other,
                size=sizes[other],
            ),
            hint=tr("All systems need a translation of every segment."),
        )
    size = min(sizes.values())
    outside = next((segment for segment in setup.segments if not 0 <= segment < size), None)
    if outside is not None:
        raise QeError(
            tr("there is no segment {number:,}", number=outside + 1),
            hint=tr("Segments go from 1 to {last:,}.", last=size),
        )
    if len(set(setup.segments)) < len(setup.segments):
        twice = Counter(setup.segments).most_common(1)[0][0]
        raise QeError(tr("segment {number:,} is chosen twice", number=twice + 1), hint=tr("Choose each segment once."))


def _check_translations(setup: CampaignSetup, translations: Translations) -> None:
    for name in setup.systems:
        empty = [segment for segment in setup.segments if not translations[name][segment].strip()]
        if empty:
            first, more = empty[0] + 1, len(empty) - 1
            raise QeError(
                tr(
                    "“{name}” has no translation of segment {number:,} and {n:,} more",
                    "",
                    more,
                    name=name,
                    number=first,
                )
                if more
                else tr("“{name}” has no translation of segment {number:,}", name=name, number=first),
                hint=tr("Complete the file, or leave out these segments or the system."),
            )


def _check_passages(basis: EvaluationBasis, setup: CampaignSetup, passages: Mapping[int, Passage]) -> None:
    shown = [(segment, passages.get(segment, Passage(-1))) for segment in setup.segments]
    empty = [segment for segment, passage in shown if not passage.source.strip()]
    if basis is not EvaluationBasis.REFERENCE and empty:
        first, more = empty[0] + 1, len(empty) - 1
        raise QeError(
            tr("segment {number:,} and {n:,} more have no source to judge against", "", more, number=first)
            if more
            else tr("segment {number:,} has no source to judge against", number=first),
            hint=tr("Open the corpus with its source, leave out these segments, or judge against something else."),
        )
    empty = [segment for segment, passage in shown if not passage.reference.strip()]
    if basis is not EvaluationBasis.SOURCE and empty:
        first, more = empty[0] + 1, len(empty) - 1
        raise QeError(
            tr("segment {number:,} and {n:,} more have no reference to judge against", "", more, number=first)
            if more
            else tr("segment {number:,} has no reference to judge against", number=first),
            hint=tr("Open the corpus with its reference, leave out these segments, or judge against something else."),
        )


def is_reference(translation: Sequence[str], references: Mapping[int, str]) -> bool:
    """Whether a translation is, but for a few segments, the reference; `references` are by segment."""
    known = [(segment, words) for segment, text in references.items() if (words := text.split())]
    alike = sum(translation[segment].split() == words for segment, words in known)
    return bool(known) and alike >= MIN_EQUAL_SHARE * len(known)


def _check_reference(
    campaign: Campaign,
    setup: CampaignSetup,
    passages: Mapping[int, Passage],
    translations: Translations,
    *,
    reference_rated: bool,
) -> None:
    references = {segment: passages[segment].reference for segment in setup.segments if segment in passages}
    shown = displayed_texts(campaign)[1]
    for name in setup.systems if shown or not reference_rated else ():
        if is_reference(translations[name], references):
            raise QeError(
                tr("“{name}” is the reference itself", name=name),
                hint=tr("Leave it out of the systems: it would be judged against itself.")
                if shown
                else tr("Leave it out of the systems, or say that the reference is to be rated like one."),
            )


def _most_common(names: Sequence[str]) -> tuple[str, int]:
    return Counter(names).most_common(1)[0] if names else ("", 0)
