"""A rater who knows the program, the seed and the systems' names, and what the server shows him, learns no key of it.

What cannot be kept from raters is said in docs/evaluators.md: who knows a system's texts from elsewhere knows them
again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from scipy import stats

from qe_desktop.corpus import QeError
from qe_desktop.project.store import Project
from qe_desktop.project.store.tables.campaign_tables import write_design
from qe_desktop.ratings.assignment.design import design_campaign
from qe_desktop.ratings.assignment.opaque_names import OpaqueNames
from qe_desktop.ratings.campaign import Campaign, CampaignDesign, CampaignSetup, EvaluationBasis, Passage
from tests.project.store.team import Team, rows

SYSTEMS = ("A", "B", "C", "D")
SEED = 4711
SECRET = bytes(range(1, 33))
SCREENS = 192
LEVEL = 1 - 1e-9
"""An attack is no better than chance where what it gets right is within this quantile of guessing: names are
drawn anew in every run, and no run may fail by chance."""
CAMPAIGN = Campaign(
    "192 screens", "192 screens", "direct-assessment", EvaluationBasis.SOURCE, "de", "en", created=1.7e9
)


def a_design(secret: bytes, rater: str, systems: tuple[str, ...] = SYSTEMS) -> CampaignDesign:
    """160 items, 16 repeats and 16 control items; texts that tell nothing of their systems."""
    segments = range(40)
    setup = CampaignSetup(systems, tuple(segments), (rater,), repeats=0.1, controls=0.1, seed=SEED)
    passages = [Passage(segment, f"source {segment}", f"reference {segment}") for segment in segments]
    texts = {
        system: [f"output {(segment * 7 + place * 3) % 11} of {segment} in some words" for segment in segments]
        for place, system in enumerate(systems)
    }
    return design_campaign(replace(CAMPAIGN, raters=(rater,)), setup, passages, texts, secret=secret)


@dataclass(frozen=True)
class Seen:
    """What the rater's own connection shows, in every order that it can be had in."""

    rater: str
    uids: list[str]
    outputs: dict[str, str]
    orders: dict[str, list[str]]


def seen(team: Team) -> Seen:
    with team.as_role("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        mine = f"FROM screens WHERE campaign = '{CAMPAIGN.uid}'"
        held = rows(connection, f"SELECT uid, outputs {mine} ORDER BY position")
        uids = [row[0] for row in held]
        outputs = {row[0]: row[1] for row in held}
        as_it_lies = [row[0] for row in rows(connection, f"SELECT uid {mine}")]
        by_output = dict(rows(connection, "SELECT '[\"' || uid || '\"]', row_number() OVER () FROM outputs"))
    orders = {
        "position": uids,
        "uid": sorted(uids),
        "as it lies": as_it_lies,
        "outputs' names": sorted(uids, key=outputs.__getitem__),
        "outputs as they lie": sorted(uids, key=lambda uid: by_output[outputs[uid]]),
    }
    return Seen(team.roles["ann"], uids, outputs, orders)


Key = dict[str, tuple[str, int]]


def key_of(of: CampaignDesign) -> Key:
    """System and role of each screen."""
    systems = {key.output: key.systems[0] for key in of.output_keys}
    roles = {key.screen: int(key.role) for key in of.screen_keys}
    return {screen.uid: (systems[screen.outputs[0]], roles[screen.uid]) for screen in of.screens}


def drawn_again(what: Seen, secret: bytes) -> Key:
    """The attack that worked: set the campaign up once more, and take each screen for the one of its place."""
    guess = a_design(secret, what.rater)
    return dict(zip(what.uids, key_of(guess).values(), strict=True))


def seeds_that_fit(what: Seen, secret: bytes) -> list[int]:
    """The seeds of 0..9999 with which a screen's name comes out, whatever segment it has."""
    setup, fitting = a_design(b"", what.rater).setup, []
    for seed in range(10_000):
        names = OpaqueNames(CAMPAIGN, replace(setup, seed=seed), secret)
        if any(names.of("screen 0", 0, str(segment)) == what.uids[0] for segment in setup.segments):
            fitting.append(seed)
    return fitting


@pytest.fixture(scope="module")
def campaign(team: Team) -> Callable[[bytes], CampaignDesign]:
    """Puts a campaign of ann's into the project past the program, which takes none without a secret."""
    made: list[CampaignDesign] = []

    def put(secret: bytes) -> CampaignDesign:
        for before in made:
            assert before.secret == secret, "one campaign, once"
        if not made:
            made.append(a_design(secret, team.roles["ann"]))
            with team.project._database.writing() as connection:
                write_design(connection, made[0])
        return made[0]

    return put


def right(guess: Key, truth: Key) -> int:
    return sum(guess[uid] == said for uid, said in truth.items())


def most_by_chance(guess: Key, truth: Key) -> float:
    """What guessing the same systems and roles in any order would get right at most."""
    share = Counter(guess.values())
    chance = sum(share[said] * count for said, count in Counter(truth.values()).items()) / len(truth) ** 2
    return float(stats.binom.ppf(LEVEL, len(truth), chance))


def test_without_a_secret_the_seed_tells_all():
    """The attack is a real one: campaigns as they were drawn at first are laid bare by it."""
    of = a_design(b"", "ann")
    what = Seen("ann", [screen.uid for screen in of.screens], {}, {})
    truth = key_of(of)
    assert len(truth) == SCREENS
    assert right(drawn_again(what, b""), truth) == SCREENS > most_by_chance(drawn_again(what, b""), truth)
    assert seeds_that_fit(what, b"") == [SEED]


def test_the_seed_and_all_that_the_server_shows_tell_no_better_than_chance(team, campaign):
    truth = key_of(campaign(SECRET))
    what = seen(team)
    assert sorted(what.uids) == sorted(truth)
    assert len(truth) == SCREENS
    for secret in (b"", bytes(32), bytes([255] * 32)):
        guess = drawn_again(what, secret)
        assert right(guess, truth) <= most_by_chance(guess, truth)
        assert seeds_that_fit(what, secret) == []
    # the owner, who has the secret, draws all of it again from the seed
    assert right(drawn_again(what, SECRET), truth) == SCREENS


def test_no_order_in_which_rows_can_be_had_goes_with_systems_or_roles(team, campaign):
    """Neither where rows lie nor how they are named: whatever is taken for a hint, four parts of each order hold the
    systems as chance would have them (chi-squared), and so with the roles.
    """
    truth = key_of(campaign(SECRET))
    for name, order in seen(team).orders.items():
        for what in (0, 1):
            parts = [Counter(truth[uid][what] for uid in order[start : start + 48]) for start in range(0, SCREENS, 48)]
            kinds = sorted({truth[uid][what] for uid in order})
            # a repeat comes after its first showing, for everybody to see
            if what == 1 and name == "position":
                continue
            table = [[part[kind] for kind in kinds] for part in parts]
            assert stats.chi2_contingency(table).pvalue > 1 - LEVEL, (name, what)
            turns = [Counter(truth[uid][what] for uid in order[turn::4]) for turn in range(4)]
            table = [[turn[kind] for kind in kinds] for turn in turns]
            assert stats.chi2_contingency(table).pvalue > 1 - LEVEL, (name, what)


def test_the_secret_is_where_no_rater_reads(team, campaign):
    held = campaign(SECRET)
    sought = held.secret.hex()
    with team.as_role("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        public = rows(connection, f"SELECT public FROM campaigns WHERE uid = '{CAMPAIGN.uid}'")[0][0]
        assert sought not in public
        assert held.campaign.design_hash in public
        assert "seed" not in public
        # neither do views, functions, policies, remarks, defaults or statistics
        for catalogue in ("pg_views", "pg_rules", "pg_policies", "pg_description", "pg_proc", "pg_stats", "pg_attrdef",
                          "pg_stat_activity", "pg_settings", "pg_sequences", "pg_trigger"):  # fmt: skip
            said = rows(connection, f"SELECT CAST(t AS text) FROM pg_catalog.{catalogue} t")
            assert not any(sought in (row[0] or "") for row in said), catalogue
    assert sought not in repr(held)


def test_a_campaign_without_a_secret_comes_to_no_server(team):
    with pytest.raises(QeError, match="no secret"):
        team.project.add_campaign(a_design(b"", team.roles["ann"]))


def test_raters_are_not_given_texts_that_they_are_not_shown(team):
    """They judge against the source: the reference would tell them which output is it, or like it."""
    with team.as_role("ann") as connection:
        connection.execute("SET search_path = qe_desktop")
        given = rows(connection, "SELECT source, reference FROM passages WHERE campaign = 'campaign-1'")
    assert given
    assert all(source and not reference for source, reference in given)


def test_two_campaigns_of_one_seed_have_nothing_in_common():
    one, other = (a_design(secret, "ann") for secret in (SECRET, bytes(32)))
    ours, theirs = list(key_of(one).values()), list(key_of(other).values())
    guess = dict(zip(key_of(one), theirs, strict=True))
    assert right(guess, key_of(one)) <= most_by_chance(guess, key_of(one))
    assert Counter(ours) == Counter(theirs)
    assert {screen.uid for screen in one.screens}.isdisjoint({screen.uid for screen in other.screens})


def test_projects_of_a_campaign_keep_its_secret(team, tmp_path, campaign):
    made = campaign(SECRET)
    with team.project.save_as(tmp_path / "copy.qedesk") as copy:
        assert copy.design(CAMPAIGN.uid) == made
    with Project.open(tmp_path / "copy.qedesk", person="ann") as project:
        assert project.design(CAMPAIGN.uid).secret == SECRET
