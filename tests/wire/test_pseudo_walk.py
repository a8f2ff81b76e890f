"""Every command, every press and every game in the language for looking: no English, and nothing cut."""

import json
import re
from dataclasses import dataclass, field

import pytest

from bot.parsing.texts import shipped
from bot.words.languages import PSEUDO
from tests.support.pressing import arrives, forms
from tests.support.table import Table
from tests.support.tongues import KEYS, NAMES, english, speak, told
from tests.support.walking import TYPED, Tour
from tests.support.wire import reply
from tests.wire.test_permissions import SCRIPT

_SHEET = json.dumps({"abilities": {"str": 16, "dex": 9}, "prof": 2}).encode()
_WORDS = re.compile("[A-Za-z]+")
_NAMES = {
    *NAMES,
    *_WORDS.findall(f"{TYPED} {_SHEET} score wis int null"),
    *("Dynamic", "Fair", "table", "attack", "savage", "sides"),
}
"""The rollers that the bot makes, what is typed, and the names of settings."""
_SHORT = {"/game list", "/lab tune"}
"""What shows names without their ends: games without their edition, and lines in a chart's legend."""


@dataclass(slots=True)
class _Reader:
    """Reads all that the bot has sent since it was last asked."""

    t: Table
    names: set[str]
    left: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """The English that was found, by where and in what."""
    _at: int = 0

    def looks(self, where: str) -> None:
        """Read on."""
        texts, self._at = told(self.t, self._at), len(self.t.env.backend.http_requests)
        for text in texts:
            known = KEYS.sub(" ", text)
            found = [word for word in english(known) if word not in self.names]
            if text.count("⟦") != text.count("⟧") and where.partition(" > ")[0] not in _SHORT:
                found.append("cut")
            if found:
                self.left[f"{where}: {text}"] = found


def _reader(t: Table) -> _Reader:
    """Everything in the language for looking from now on, and who reads it."""
    speak(t, PSEUDO, PSEUDO)
    reader = _Reader(t, {word for line in SCRIPT for word in _WORDS.findall(str(line.options))} | _NAMES)
    reader.looks("before")
    reader.left.clear()
    return reader


async def _runs_the_script(t: Table, tour: Tour, *leaving: str) -> None:
    for line in SCRIPT:
        if line.command not in leaving:
            options = {k: t.bob if v == "somebody" else v for k, v in line.options.items()}
            await tour.slash(line.command, **options)


async def _presses_the_rest(t: Table, tour: Tour) -> None:
    """What only comes about in its own way; what is named is left alone there, for what comes behind it."""
    everybody = "".join(actor.mention for actor in t.world.actors)
    stays = "call-close", "call-off", "call-missing", "call-names"
    await tour.slash("roller cards", name="Cards", cards="elk 3, owl 3")
    await tour.slash("roller fair", name="Luck", dice="2d6")
    await tour.slash("roller fair", name="Luck", dice="3d6")
    await tour.slash("deal", "take", deck="Cards", offer=2)
    await tour.slash("deal", deck="Cards", offer=2)
    await tour.slash("deal", deck="Cards", hand=2)
    await tour.slash("campaign create", name="Storm")
    await tour.slash("campaign use")
    await tour.slash("campaign list")
    await tour.slash("help")
    await tour.slash("roll", dice="1d20", visibility="gm")
    for dice in ("yearzero roll 20", "savage 8", "1d20+wis"):
        await tour.slash("roll", dice=dice)
    await tour.slash("group call", check="Stealth", dice="1d20+int")
    await tour.slash("group call", check="Stealth", dice="1w20")
    await tour.slash("group npc", dice="1w20", count=2)
    await tour.slash("odds", what="1w20")
    await tour.slash("group call", *stays, check="Stealth", dice="1d20", players=everybody)
    await tour.slash("group call", check="Stealth", dice="1d20", dc=12, rule="half", players=everybody)
    await tour.slash("group call", "call-cancel", check="Stealth", dice="1d20", hidden="gm")
    await tour.slash("group call", "call-off", "call-reopen", check="Stealth", dice="1d20")
    for added in ("call-with", "call-own-dice"):
        others = {"call-with", "call-own-dice", "call-roll"} - {added}
        await tour.slash("group call", *others, *stays, check="Stealth", dice="1d20")
    crowd = "".join(f"<@{10**17 + n}>" for n in range(26))
    first = {"call-places", "call-turn", *stays} - {"call-missing"}
    await tour.slash("group initiative", *first, players=crowd)
    await tour.slash("group initiative", "call-turn", *stays)
    await tour.slash("group show", "call-turn", *stays)
    await tour.slash("group show", "call-turn", "call-in", "call-out", *stays)
    await tour.slash("game use", game="dnd5")
    await tour.slash("save", name="attack", dice="1d6")
    await tour.slash("save", name="Stealth", dice="1w20")
    await tour.slash("me", file=("mira.json", _SHEET))
    await tour.slash("me", "me-keep", file=("mira.json", _SHEET))
    await tour.slash("me", "me-remove", new="Bob")
    await tour.slash("me", "me-remove")
    await tour.slash("lab tune", dice="1d3+1d2", samples=6)
    await tour.slash("session start")
    await tour.slash("roll", dice="1d6", times=20)
    await tour.slash("stats", roller="d6")
    await tour.slash("session end")
    await tour.slash("proof")
    await tour.slash("proof", "proof-off")
    await tour.slash("roll", dice="1d6")
    await tour.slash("proof")
    await tour.slash("admin settings", log=t.guild.create_text_channel("log"))
    await tour.slash("roll", dice="1d20", visibility="gm")
    await tour.slash("group show")


@pytest.mark.drawn
async def test_every_press_has_no_english_left(t: Table) -> None:
    """A game master's, and a player's where all see it; a new button, list or form needs a way here.

    What opens a form says so by dots at its end, but *Roll* under a call that asks: it asks once alone.
    """
    reader = _reader(t)
    tour = Tour(t, t.mara, reader.looks, t.ann)
    await _runs_the_script(t, tour)
    await _presses_the_rest(t, tour)
    await t.env.settle()
    reader.looks("at last")

    assert reader.left == {}
    assert forms(t).keys() - tour.tried == set()
    assert tour.unsaid == {"call-ask"}


async def test_a_player_is_refused_in_their_language(t: Table) -> None:
    """Every command, for who may do little, and the presses that come of it."""
    reader = _reader(t)
    await _runs_the_script(t, Tour(t, t.ann, reader.looks), "admin settings")

    assert reader.left == {}


async def test_every_form_is_refused_in_its_language(t: Table) -> None:
    """Presses of what is not there, and forms with what nobody can read."""
    reader = _reader(t)
    carrier = reply(await t.slash(t.mara, "buttons", set="d20"))
    unread = dict.fromkeys([*TYPED, "thrown", "value"], "?!")
    for (kind, word), form in forms(t).items():
        for value in ("1", "999", "x"):
            custom_id = ":".join([word, *[value] * len(form.fields)])
            await arrives(t, t.mara, kind, custom_id, carrier, **unread)
            reader.looks(custom_id)

    assert reader.left == {}


async def test_every_game_has_no_english_left(t: Table) -> None:
    """How each is told, chosen, and rolled with its own keys; and what is no game."""
    reader = _reader(t)
    reader.names |= {"open", *_WORDS.findall(" ".join(shipped()))}
    await t.slash(t.ann, "game use", game="dnd5")
    for data in (b"{", b"{}", b"[]", b'{"rolls": {"x": 1}}', b'{"rolls": {"x": {}}, "key": 3}'):
        await t.slash(t.mara, "game import", file=("game.json", data))
    for key, game in shipped().items():
        await t.slash(t.mara, "game show", game=key)
        await t.slash(t.mara, "game use", game=key)
        for text in game.buttons:
            await t.slash(t.ann, "roll", dice=text)
        reader.looks(key)
    await t.slash(t.mara, "game stop")
    reader.looks("stop")

    assert reader.left == {}
