"""The look back on an evening: who stood out, if anybody did."""

from dataclasses import replace
from fractions import Fraction

from bot.campaign.histories import Session
from bot.campaign.kinds import Words
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.stats.best import BestRoll, Streak
from bot.stats.evenings import EveningSummary, Player, PlayerStreak, look_back
from bot.words.cards import CardButton, Picture, plain
from bot.words.recap import card, details, pictured, ranks_alt
from tests.support.play import Campaign

SESSION = Session(3, 0.0, 9, 60.0)
ANN, BOB, CID = Player(1, 80, 58.2, 6.4, 3, 1), Player(2, 9, 70.0, 19.0), Player(3, 60, 47.0, 7.0)
LOW = Player(4, 90, 40.0, 6.0)


def told(*players: Player, run: PlayerStreak | None = None, best: BestRoll | None = None) -> str:
    """The recap of these players."""
    return recap(EveningSummary(players, 20, 15, run, best))


def recap(evening: EveningSummary) -> str:
    """The card of an evening as text."""
    return plain(card(SESSION, evening, Picture("session.png", ""), "Foot", CardButton("recap", (3,))))


def test_who_left_the_band_is_named() -> None:
    """Above and below; few dice never are."""
    words = told(ANN, CID, LOW, BOB)
    more = plain(details(SESSION, EveningSummary((ANN, CID, LOW, BOB), 20, 15, None)))

    assert words.startswith("**An uneven night** · <t:0:f> to <t:60:t> · 20 rolls\n")
    assert "Luckiest: <@1>, average rank **58** of 100 (usual: 44 to 56)" in words
    assert "Unluckiest: <@4>, average rank **40** of 100 (usual: 44 to 56)" in words
    assert "Natural 20s: <@1> 3\n" in words
    assert "<@1>: 58 over 80 dice (usual: 44 to 56); 3 natural 20s and 1 natural 1" in more
    assert "<@2>: 70 over 9 dice (too few to tell)" in more
    assert "15 of 20 rolls" in more


def test_nobody_need_stand_out() -> None:
    """Somebody is always the luckiest; that alone is no reason to say so."""
    assert told(CID, BOB).startswith("**An ordinary night** · ")
    assert "Nobody's luck stood out" in told(CID, BOB)
    assert "uckiest" not in told(CID, BOB)
    assert "Unluckiest" not in told(ANN, CID)
    assert "too few to say who was lucky" in told(BOB)


def test_the_best_roll_and_the_rarest_streak() -> None:
    """Both with how common they are, the streak among all that were looked at."""
    event = Campaign().ask(RollDice("3d6"), seeded(0), 1)
    run = PlayerStreak(2, "d20", Streak("17", 3, 40, 0.04).of(12))
    words = told(ANN, run=run, best=BestRoll(event, "18", Fraction(1, 216)))

    assert f"Best roll: <@1>, **18** on `3d6`, #{event.seq} (about 1 in 216 rolls get that far)" in words
    assert "Streak of the night: <@2>, 3 × `17` in a row on `d20` (about 1 in 3" in words
    assert "Streak" not in told(ANN, run=PlayerStreak(2, "d20", Streak("17", 2, 40, 0.6)))
    assert "Best roll" not in told(ANN, best=BestRoll(event, "9", Fraction(5, 8)))


def test_the_best_of_contests_says_how_it_ended() -> None:
    """A margin alone would be the total of no dice."""
    event = Campaign().ask(RollDice("1d20 vs 1d20"), seeded(0), 1)

    assert "Best roll: <@1>, **wins by 17** on `1d20 vs 1d20`" in told(
        ANN, best=BestRoll(event, "17", Fraction(6, 400))
    )


def test_characters_are_named() -> None:
    """Before their players, wherever these are."""
    event = replace(Campaign().ask(RollDice("3d6"), seeded(0), 1), words=Words(character="Mi*ra"))
    run = PlayerStreak(2, "d20", Streak("17", 3, 40, 0.04).of(12), "Bors")
    ann = replace(ANN, character="Mira")
    words = told(ann, CID, run=run, best=BestRoll(event, "18", Fraction(1, 216)))

    assert "Luckiest: **Mira** <@1>, average rank" in words
    assert "Natural 20s: **Mira** <@1> 3" in words
    assert "Best roll: **Mi\\*ra** <@1>, **18**" in words
    assert "Streak of the night: **Bors** <@2>, 3 ×" in words


def test_a_player_of_one_character_is_named_by_it() -> None:
    """Not who played two, or one beside themselves."""
    table = Campaign()
    rolled = [
        (replace(table.ask(RollDice("9d6"), seeded(seq), user), words=Words(character=name)), True)
        for seq, (user, name) in enumerate([(1, "Mira"), (1, "Mira"), (2, "Mira"), (2, "")])
    ]

    assert {one.user_id: one.character for one in look_back(rolled).players} == {1: "Mira", 2: ""}


def test_the_chart_is_told() -> None:
    """Its description names each player."""
    assert ranks_alt(["Ann", "player 2"], [ANN, BOB]) == (
        "Everybody's dice this session: average rank of each player's dice. "
        "Ann 58 (usual 50 ± 6); player 2 70 (usual 50 ± 19)."
    )


def test_a_roller_that_was_not_judged_is_named() -> None:
    """In one sentence; without one there is none."""
    evening = EveningSummary((ANN,), 20, 15, None, unjudged={"Luck": KeyError("9"), "Pity": ValueError()})

    assert recap(evening).endswith(
        "\n-# I could not judge the rolls of `Luck`, `Pity`, so they don't count.\n-# Foot"
    )
    assert "could not judge" not in told(ANN)


def test_all_players_are_listed_or_counted() -> None:
    """As many as fit into a message of text, and how many more there are; the chart has both ends."""
    players = tuple(replace(ANN, user_id=10**18 + n) for n in range(40))
    note = "The picture shows the luckiest and the unluckiest of 40 players."
    *lines, last = plain(details(SESSION, EveningSummary(players, 20, 15, None))).splitlines()[2:-1]

    assert len(lines) > 12
    assert last == f"… and {40 - len(lines)} more"
    assert len("\n".join(lines)) < 1_600
    assert pictured(players) == (*players[:6], *players[-6:])
    assert (note in told(*players), note in told(*players[:12])) == (True, False)
    assert pictured(players[:12]) == players[:12]
