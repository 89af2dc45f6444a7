"""Whether a campaign can be set up as its owner wants it; if not, what is wrong, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from qe_desktop.corpus import TOGETHER, QeError
from qe_desktop.ratings.assignment.drafts import Translations
from qe_desktop.ratings.assignment.naming import texts_shown
from qe_desktop.ratings.campaign import Basis, Campaign, Passage, Setup
from qe_desktop.ratings.protocols import Protocol, protocol_of

ALIKE = 0.9
"""The share of its segments from which on a translation is taken to be the reference itself."""


def check(
    campaign: Campaign,
    setup: Setup,
    passages: Mapping[int, Passage],
    translations: Translations,
    *,
    reference_rated: bool = False,
) -> None:
    """Raise a QeError for the first thing for which the campaign cannot be set up.

    `reference_rated`: the owner knows that a system is the reference itself, and wants it rated like one.
    """
    protocol = protocol_of(campaign.protocol)
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
            "nothing says which segments form a document",
            hint="Open the corpus with its documents, or let segments be rated one by one.",
        )


def _check_raters(setup: Setup) -> None:
    if not setup.raters:
        raise QeError("a campaign needs raters", hint="Name at least one rater.")
    if any(not name.strip() for name in setup.raters):
        raise QeError("a rater has no name", hint="Give every rater a name.")
    _check_unique(setup.raters, "rater")


def _check_systems(setup: Setup, protocol: Protocol, translations: Translations) -> None:
    _check_unique(setup.systems, "system")
    least = protocol.outputs[0]
    if len(setup.systems) < least:
        wanted = "a system" if least == 1 else f"at least {least} systems"
        raise QeError(
            f"{protocol.title} needs {wanted}, and there {_are(len(setup.systems))}", hint=f"Choose {wanted}."
        )
    unknown = next((name for name in setup.systems if name not in translations), None)
    if unknown is not None:
        raise QeError(f"there is no translation by “{unknown}”", hint="Add its translation, or leave the system out.")
    joint = next((name for name in setup.systems if protocol.compares and TOGETHER in name), None)
    if joint is not None:
        raise QeError(
            f"the system “{joint}” has a {TOGETHER} in its name, which in rankings joins systems with the same output",
            hint="Give the system another name.",
        )


def _check_numbers(setup: Setup, protocol: Protocol) -> None:
    for name, share in (("overlap", setup.overlap), ("repeats", setup.repeats), ("controls", setup.controls)):
        if not 0 <= share <= 1:
            raise QeError(f"the share of {name} is {share:g}", hint="Give a share from 0 to 1.")
    least, most = protocol.outputs
    if protocol.compares and not least <= setup.per_screen:
        raise QeError(f"a screen with {setup.per_screen} outputs cannot be ranked", hint=f"Show {least} to {most}.")
    if setup.training < 0:
        raise QeError(f"{setup.training} training items cannot be shown", hint="Give 0 or more.")
    if setup.seed < 0:
        raise QeError(f"the seed is {setup.seed}", hint="Give a whole number from 0 on.")


def _check_segments(setup: Setup, translations: Translations) -> None:
    if not setup.segments:
        raise QeError("the campaign has no segments", hint="Choose at least one segment.")
    sizes = {name: len(translations[name]) for name in setup.systems}
    if len(set(sizes.values())) > 1:
        some, other = sorted(sizes, key=lambda name: sizes[name])[:: len(sizes) - 1]
        raise QeError(
            f"“{some}” has {sizes[some]:,} segments and “{other}” {sizes[other]:,}",
            hint="All systems need a translation of every segment.",
        )
    size = min(sizes.values())
    outside = next((segment for segment in setup.segments if not 0 <= segment < size), None)
    if outside is not None:
        raise QeError(f"there is no segment {outside + 1:,}", hint=f"Segments go from 1 to {size:,}.")
    if len(set(setup.segments)) < len(setup.segments):
        twice = Counter(setup.segments).most_common(1)[0][0]
        raise QeError(f"segment {twice + 1:,} is chosen twice", hint="Choose each segment once.")


def _check_translations(setup: Setup, translations: Translations) -> None:
    for name in setup.systems:
        empty = [segment for segment in setup.segments if not translations[name][segment].strip()]
        if empty:
            raise QeError(
                f"“{name}” has no translation of {_segments(empty)}",
                hint="Complete the file, or leave out these segments or the system.",
            )


def _check_passages(basis: Basis, setup: Setup, passages: Mapping[int, Passage]) -> None:
    nothing = Passage(-1)
    texts = {"source": basis is not Basis.REFERENCE, "reference": basis is not Basis.SOURCE}
    for name in (name for name, wanted in texts.items() if wanted):
        empty = [segment for segment in setup.segments if not getattr(passages.get(segment, nothing), name).strip()]
        if empty:
            raise QeError(
                f"{_segments(empty)} {'has' if len(empty) == 1 else 'have'} no {name} to judge against",
                hint=f"Open the corpus with its {name}, leave out these segments, or judge against something else.",
            )


def is_reference(translation: Sequence[str], references: Mapping[int, str]) -> bool:
    """Whether a translation is, but for a few segments, the reference; `references` are by segment."""
    known = [(segment, words) for segment, text in references.items() if (words := text.split())]
    alike = sum(translation[segment].split() == words for segment, words in known)
    return bool(known) and alike >= ALIKE * len(known)


def _check_reference(
    campaign: Campaign,
    setup: Setup,
    passages: Mapping[int, Passage],
    translations: Translations,
    *,
    reference_rated: bool,
) -> None:
    references = {segment: passages[segment].reference for segment in setup.segments if segment in passages}
    shown = texts_shown(campaign)[1]
    for name in setup.systems if shown or not reference_rated else ():
        if is_reference(translations[name], references):
            raise QeError(
                f"“{name}” is the reference itself",
                hint="Leave it out of the systems: it would be judged against itself."
                if shown
                else "Leave it out of the systems, or say that the reference is to be rated like one.",
            )


def _check_unique(names: Sequence[str], thing: str) -> None:
    name, times = Counter(names).most_common(1)[0] if names else ("", 0)
    if times > 1:
        raise QeError(f"there are {times} {thing}s called “{name}”", hint=f"Give every {thing} a name of its own.")


def _segments(segments: Sequence[int]) -> str:
    rest = f" and {len(segments) - 1:,} more" if len(segments) > 1 else ""
    return f"segment {segments[0] + 1:,}{rest}"


def _are(count: int) -> str:
    return "is none" if count == 0 else f"{'is' if count == 1 else 'are'} only {count}"
