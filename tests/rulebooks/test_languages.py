"""Games in other languages: their words are texts for translators, read and shown, and never kept."""

import json
from gettext import NullTranslations
from pathlib import Path
from typing import ClassVar

import pytest

from bot.campaign.campaigns import USUAL
from bot.campaign.events import Event
from bot.campaign.replay import read_roll
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.dice.errors import SpecError
from bot.parsing.texts import in_english, is_word, read_as
from bot.rulebooks.words import understand
from bot.systems.game import game_roll
from bot.words.games import face_name, shipped, spoken
from bot.words.languages import Language, language, speaking
from bot.words.rolls import brief, result
from bot.words.saying import refusal
from tests.support.play import Campaign
from tools.messages import Sentence, every_sentence

GAMES = sorted(Path("bot/games").glob("*.json"))
OWN = {"dsa", "splittermond"}


def texts() -> dict[str, Sentence]:
    """What translators have, by the English text."""
    return {one.one: one for one in every_sentence()}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_word_of_a_game_is_a_text_for_translators(path: Path) -> None:
    """Its name, what is said of it and its rolls, and their words, those that are typed for themselves."""
    game = json.loads(path.read_text("utf-8"))
    mark = f" {game['key']}" if game["key"] in OWN else ""
    wanted = {game["name"], game["help"]}
    for name, roll in game["rolls"].items():
        shown = [*roll.get("classes", ()), *roll.get("notes", ()), *roll.get("show", ())]
        wanted |= {roll["help"], *(f"game{mark}\4{word.replace('_', ' ')}" for word in shown)}
        wanted |= {f"typed{mark}\4{word}" for word in (name, *roll.get("options", ()))}

    assert wanted - texts().keys() == set()


def test_translators_are_told_what_a_word_is() -> None:
    """Of which games, and of how many more."""
    found = texts()
    assert found["game dsa\4botch"].note == "outcome: The Dark Eye (fifth edition)"
    assert found["game dsa\4botch"].path == "bot/games/dsa.json"
    assert found["typed\4bonus"].note.startswith("option: AGE System (Fantasy, Modern, Expanse), ")
    assert found["game\4failure"].note.rpartition(" and ")[2].removesuffix(" more").isdecimal()
    assert found["game\4failure"].path == "bot/games"


class German(NullTranslations):
    """A few words of D&D and of The Dark Eye."""

    typed: ClassVar = {
        "attack": "angriff",
        "ac": "rk",
        "adv": "vorteil",
        "dis": "vorteil",
        "check": "probe",
        "damage": "Schäden",
        "bonus": "dc",
    }
    names: ClassVar = {
        "hit": "Treffer",
        "natural 20": "natürliche 20",
        "damage": "Schaden",
        "quality": "QS",
    }

    def pgettext(self, context: str, message: str) -> str:
        """Return a word."""
        words = {"typed": self.typed, "game": self.names, "game dsa": {"success": "geschafft"}}
        return words.get(context, {}).get(message, message)


GERMAN = Language("de", German())


def test_dice_that_were_typed_are_told_as_dice() -> None:
    """In a roll's rule too: as damage 2d6+3, and not at all where there were none."""
    told: list[str] = []
    for dice in ("damage 2d6+3", "damage 1d8", ""):
        asked = understand(f"dnd5 attack +5 {dice}", shipped(), None)
        assert asked
        told.append(game_roll(asked).words)

    assert [words.partition(" damage ")[2].partition(" ")[0] for words in told] == ["2d6+3", "1d8", ""]
    assert "_d" not in "".join(told)
    with speaking(GERMAN):
        assert " Schäden 2d6+3" in spoken(told[0])


def test_games_are_in_the_order_of_the_names_that_are_shown() -> None:
    """Whatever their English ones are; marks and capitals do not part letters."""
    with speaking(language("de")):
        german = [game.name.partition(" (")[0] for game in shipped().values()]
    english = [game.name for game in shipped().values()]

    assert german.index("D&D") + 3 == german.index("Das Schwarze Auge")
    assert german.index("Mörk Borg") + 1 == german.index("Mothership")
    assert english.index("Heart and Spire") < english.index("HERO System")


def typed(text: str, played: str = "") -> str:
    """What a text of somebody who reads German asks for, in English."""
    asked = understand(text, shipped(), shipped().get(played))
    assert asked
    return asked.words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dnd5 angriff +7 rk 15", "dnd5 attack bonus 7 ac 15"),
        ("Angriff +7 RK=15 Vorteil", "dnd5 attack bonus 7 ac 15 adv"),
        ("angriff +7 ac 15 schaden 2d6+3", "dnd5 attack bonus 7 ac 15 2d6+3"),
        ("angriff schäden=1d8", "dnd5 attack 1d8"),
        ("attack bonus 7 dis", "dnd5 attack bonus 7 dis"),
        ("probe 5 dc 12", "dnd5 check bonus 5 dc 12"),
    ],
)
def test_words_of_a_language_are_read_beside_the_english_ones(text: str, words: str) -> None:
    """With and without marks; a word that is another one's in English stays that one's."""
    with speaking(GERMAN):
        assert typed(text, "dnd5") == words
        assert is_word("Angriff +7")
    with pytest.raises(SpecError):
        typed("dnd5 angriff +7")
    assert not is_word("angriff +7")


def test_people_read_how_their_words_are_typed() -> None:
    """In the pattern and in refusals; a word that is taken, or twice the same, is told in English."""
    with speaking(GERMAN):
        game = shipped()["dnd5"]
        how = game.pattern(game.rolls[0])
        with pytest.raises(SpecError) as refused:
            typed("angriff +99", "dnd5")

        assert how == (
            "dnd5 angriff [bonus 0] [rk N] [vorteil] [dis] [crit N] [elven] [halfling] [bless] "
            "[bane] [gwf] [threes] [Schäden 2d6+3]"
        )
        assert "In D&D angriff bonus is -10 to 30" in refusal(refused.value)
        assert spoken("dnd5 attack bonus 7 2d6+3") == "dnd5 angriff bonus 7 2d6+3"
    assert spoken("dnd5 attack bonus 7") == "dnd5 attack bonus 7"


def test_what_is_recorded_is_the_same_in_every_language() -> None:
    """To the byte: who reads German types German words, and the history has the English ones."""
    english, german = Campaign(), Campaign()
    english.ask(RollDice("dnd5 attack +7 ac 15 2d6", by=read_as(USUAL)), seeded(1), 1)
    with speaking(GERMAN):
        german.ask(RollDice("dnd5 angriff +7 ac 15 2d6", by=read_as(USUAL)), seeded(1), 1)

        assert german.events == english.events
    assert [event.seal.leaf for event in german.events] == [event.seal.leaf for event in english.events]
    assert german.events[0].roller == "dnd5 attack bonus 7 ac 15 2d6"


def test_what_is_kept_for_others_is_english() -> None:
    """A saved roll or a key that somebody else presses; what is English already stays as it was typed."""
    with speaking(GERMAN):
        game = shipped()["dnd5"]

        assert in_english("angriff +7 rk 15", game) == "attack +7 ac 15"
        assert in_english("attack +7", game) == "attack +7"
        assert in_english("2d6+3", game) == "2d6+3"


def test_results_are_told_in_the_language_of_who_reads() -> None:
    """Outcomes, values, notes and the number that judged; a game of one's own stays as it was written."""
    rolled = Campaign().ask(RollDice("dnd5 attack +30 2d6 ac 5", by=read_as(USUAL)), seeded(3), 1)
    lucky = next(n for n in range(999) if seeded(n).below(20) == 19)
    noted = Campaign().ask(RollDice("dnd5 attack", by=read_as(USUAL)), seeded(lucky), 1)
    with speaking(GERMAN):
        assert "Treffer" in text_of(rolled)
        assert " · Schaden " in text_of(rolled)
        assert " vs RK 5: Treffer" in text_of(rolled)
        assert "natürliche 20" in text_of(noted)
        assert "natural" not in text_of(noted)
        assert "**Treffer** (" in brief(rolled)
    assert "hit" in text_of(rolled)
    assert "natural 20" in text_of(noted)


def test_a_game_has_its_words_for_itself() -> None:
    """The Dark Eye and others say success in different words."""
    with speaking(GERMAN):
        assert (face_name("dsa", "success"), face_name("dnd5", "success"), face_name("coins", "hit")) == (
            "geschafft",
            "success",
            "hit",
        )


def text_of(event: Event) -> str:
    """What is shown of a roll."""
    return "\n".join(map(str, result(read_roll(event))))
