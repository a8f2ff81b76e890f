"""An evening at the table, as a script: every command that leaves something in a history, typed by people.

It knows commands, options and buttons, and nothing of the code behind them. All draws come from one seed.
"""

from simcord import ChannelHandle, InteractionResult, MemberActor

from bot.dice.draws import seeded
from tests.golden.calls import calls
from tests.golden.company import Company
from tests.support.proving import proof_off, proof_on, salts
from tests.support.table import Table
from tests.support.wire import reply

DICE = (
    "2d6+3",
    "4d6kh3",
    "8d6!",
    "2d6ro<3",
    "5d10>=7",
    "2d6[fire]+1d8[cold]",
    "4dF",
    "(2d6+3)*2-1d4//2",
    "d%",
    "d20 adv+5",
    "3#2d6",
)
METHODS = (
    *("table", "stream", "again", "first", "folded", "5x5x4", "5x5x2x2", "digits", "wrapped"),
    *("parity7", "parity10", "20d6", "20d6-20", "ranges", "pool", "leftovers"),
    *("table4", "table5", "table10"),
)
LUCKY = '{"system":"fair","base":"1d6","tightness":"inf"}'
STORM = '{"system":"renewal","prd":"0.25","labels":["storm","calm"]}'
BAG = '{"system":"recency","base":"1d7","last":4,"tries":4}'
ISLES = b"region,coin,2d6,place\n,odd,2-12,Isle\n,even,2-12,Reef\n" + b"".join(
    b"%s,%s,%s\n" % (region, slots, place)
    for region in (b"Isle", b"Reef")
    for slots, place in ((b"odd,2-7", b"Port"), (b"odd,8-12", b"Cave"), (b"even,2-12", b"Hut"))
)


def seed(t: Table, word: str) -> None:
    """Have all draws from now on follow from a word."""
    t.supply._register = seeded(word)


async def play(t: Table, company: Company, *, proof: bool = False) -> None:
    """Play the whole evening; in proof mode its draws follow from keys instead."""
    seed(t, "an evening at the table")
    await _begin(t, company)
    if proof:
        await proof_on(t, t.mara)
    await _plain_dice(t)
    await _rollers(t)
    await _cards(t)
    await _hidden(t)
    await _undone(t)
    await _d100(t)
    await _destinations(t)
    await _rules(t)
    await calls(t, company)
    await _checks(t)
    await _elsewhere(t, company)
    await _end(t, company, proof=proof)


async def play_on(t: Table) -> None:
    """Play some rolls of the next month, on what the rollers still remember."""
    seed(t, "a month later")
    for who, dice in ((t.ann, "evil"), (t.bob, "own"), (t.ann, "own"), (t.mara, "1d20"), (t.ann, "tiles")):
        await t.says(who, "roll", dice=dice)
    await t.says(t.ann, "d100 roll")
    await t.slash(t.bob, "roll", dice="evil", visibility="self")
    await t.says(t.bob, "roll", dice="evil")
    await t.says(t.mara, "roller undo", name="own")
    await t.says(t.ann, "roll", dice="vampire 5 hunger 2", times=2)
    await t.says(t.mara, "session end")


async def _begin(t: Table, company: Company) -> None:
    await t.says(t.mara, "campaign create", name="Dragons")
    await t.says(t.mara, "campaign gm add", who=t.bob)
    await t.says(t.mara, "campaign gm add", who=company.keepers)
    await t.says(t.bob, "campaign gm remove", who=t.bob)
    await t.says(t.mara, "campaign rename", new="Dragons of the North")
    await t.says(t.mara, "session start")


async def _plain_dice(t: Table) -> None:
    for dice in DICE:
        await t.says(t.ann, "roll", dice=dice)
    await t.says(t.bob, "roll", dice="2d6", times=4, label="Owl's roll")
    rolled = await t.slash(t.bob, "roll", dice="1d20+2", label="Stealth")
    await t.press(rolled, "Again", t.bob)
    await t.deliver_again()
    # A second delivery may draw for nothing before it is known as one; what follows does not hang on that.
    seed(t, "after a second delivery")
    await t.says(t.bob, "roll", dice="1d20", practice=True)
    for name, dice in (("fire", "8d6"), ("ice", "6d8"), ("old", "1d4")):
        await t.whispers(t.ann, "save", name=name, dice=dice)
    await t.ann.select(reply(await t.slash(t.ann, "save")), ["oold"])
    await t.says(t.ann, "roll", dice="fire")


async def _rollers(t: Table) -> None:
    made: list[tuple[str, dict[str, object]]] = [
        ("dice", {"name": "sword", "dice": "1d8+3"}),
        ("fair", {"name": "evil", "dice": "2d6"}),
        ("fair", {"name": "own", "dice": "1d6", "tightness": "2", "memory": "player"}),
        ("dynamic", {"name": "even", "factor": "0.5"}),
        ("deck", {"name": "tiles", "dice": "1d6", "refill": 1}),
        ("deck", {"name": "pack", "dice": "1d4", "size": 2, "refill": 3, "mode": "reset"}),
        ("chart", {"name": "woods", "dice": "1d4", "chart": "1-3 bandits; 4 treasure"}),
        ("chart", {"name": "weather", "dice": "2d4", "chart": "2-4 rain; 5-8 sun", "tightness": "1.5"}),
        ("import", {"name": "lucky", "json": LUCKY}),
        ("import", {"name": "storm", "json": STORM}),
        ("import", {"name": "bag", "json": BAG}),
    ]
    for kind, options in made:
        await t.says(t.mara, f"roller {kind}", **options)
    for _, options in made:
        for who in (t.ann, t.bob, t.ann):
            await t.says(who, "roll", dice=str(options["name"]))
        await t.says(t.bob, "roll", dice=str(options["name"]), times=3)
        await t.says(t.ann, "roll", dice=str(options["name"]), practice=True)
    await t.says(t.mara, "roller fair", name="Evil", dice="2d6", tightness="2")
    await t.says(t.ann, "roll", dice="evil")
    await t.says(t.mara, "roller remove", name="lucky")
    await t.says(t.mara, "roller dynamic", name="lucky", dice="1d6")
    await t.says(t.ann, "roll", dice="lucky", times=2)


async def _cards(t: Table) -> None:
    await t.says(t.mara, "roller cards", name="Fate", cards="boon 2, bane 2, blank 3")
    await t.says(t.mara, "roller cards", name="Spies", cards="spy 3, thief 3", no_repeat=True)
    await t.says(t.mara, "roller decks", name="Offers", decks="attack: sword 2, bow; other: spy, thief 2")
    await t.says(t.mara, "roller blocks", name="Land", categories="road: r1, r2; farm: f1, f2", block=3)
    for deck in ("fate", "spies", "offers", "land"):
        await t.says(t.ann, "deal", deck=deck)
        await t.says(t.bob, "deal", deck=deck, cards=3)
        await t.says(t.bob, "deal", deck=deck, cards=2, practice=True)
    held = await t.slash(t.ann, "deal", deck="fate", visibility="self")
    await t.press(held, "Reveal", t.ann)
    await t.slash(t.bob, "deal", deck="spies", visibility="self")
    await t.says(t.ann, "deal", deck="spies")


async def _hidden(t: Table) -> None:
    """Play rolls that stay hidden, and the rolls after them, which must not betray them."""
    for visibility in ("self", "gm", "blind"):
        await t.slash(t.ann, "roll", dice="1d20", visibility=visibility, label="Sneak")
        await t.slash(t.bob, "roll", dice="even", visibility=visibility)
        await t.says(t.ann, "roll", dice="even")
    for visibility, who in (("self", t.ann), ("gm", t.ann), ("blind", t.mara)):
        rolled = await t.slash(t.ann, "roll", dice="own", visibility=visibility)
        await t.press(rolled, "Reveal", who)
    await t.slash(t.bob, "roll", dice="own", visibility="self")
    await t.says(t.bob, "roll", dice="own")


async def _undone(t: Table) -> None:
    await t.says(t.mara, "roller undo", name="evil")
    await t.says(t.mara, "roller undo", name="evil")
    await t.says(t.bob, "roll", dice="evil")
    asked = await t.slash(t.mara, "roller reset", name="tiles")
    await t.press(asked, "Reset it", t.mara)
    await t.says(t.ann, "roll", dice="tiles", times=2)
    for _ in range(2):
        await t.says(t.mara, "roller undo", name="tiles")
    await t.says(t.ann, "roll", dice="tiles")
    await t.says(t.mara, "roller remove", name="pack")
    await t.says(t.mara, "roller undo", name="pack")
    await t.says(t.ann, "roll", dice="pack")
    await t.says(t.mara, "roller remove", name="sword")
    await t.says(t.mara, "roller dice", name="sword", dice="1d10")
    await t.says(t.mara, "roller remove", name="woods")
    for scope, roller in (("roller", "evil"), ("campaign", "")):
        done = await _reset(t, scope, roller)
        await t.press(done, "Undo", t.mara)
    await t.says(t.ann, "roll", dice="evil")
    await _reset(t, "roller", "weather")
    await t.says(t.bob, "roll", dice="weather")


async def _reset(t: Table, scope: str, roller: str) -> InteractionResult:
    question = await t.slash(t.mara, "admin reset", scope=scope, **({"roller": roller} if roller else {}))
    form = await t.press(question, "Reset…", t.mara)
    return await t.mara.submit_modal(form, {"why": "A new season", "who": "Ann"})


async def _d100(t: Table) -> None:
    for who in (t.ann, t.bob, t.ann):
        await t.says(who, "d100 roll")
    await t.says(t.ann, "d100 roll", dice=6)
    await t.says(t.ann, "d100 roll", practice=True)
    await t.says(t.bob, "d100 physical", dice="3 5 1 6")
    await t.says(t.bob, "d100 physical", dice="6 1 5 4 6", method="table")
    for dice, thrown in (("2d6+3", "5 2"), ("evil", "3 5"), ("evil + 1d4", "6 6 3"), ("4dF", "+ - 0 +")):
        await t.says(t.bob, "roll", dice=dice, thrown=thrown)
    await t.says(t.mara, "admin settings", d6_only=True)
    await t.says(t.ann, "roll", dice="2#1d20+1d4")
    await t.says(t.bob, "roll", dice="2d20kh1", thrown="4 5 1 3")
    await t.says(t.mara, "admin settings", d6_only=False, d100_zero=True)
    await t.says(t.bob, "d100 physical", dice="6 2 4", method="table")
    await t.says(t.bob, "d100 roll", method="leftovers")
    await t.says(t.mara, "admin settings", d100_zero=False)
    await t.says(t.ann, "d100 reset", start="random")
    await t.says(t.ann, "d100 roll")
    await t.says(t.bob, "d100 reset", start="0")
    await t.says(t.mara, "roller undo", name="d100 register")
    await t.says(t.bob, "d100 roll")
    for method in METHODS:
        await t.says(t.ann, "d100 roll", method=method)
    for method in ("pool", "leftovers"):
        await t.says(t.ann, "d100 roll", method=method)
        await t.says(t.ann, "d100 roll", method=method, practice=True)
    await t.says(t.mara, "roller undo", name="d100 pool")
    await t.says(t.ann, "d100 roll", method="pool")


async def _destinations(t: Table) -> None:
    await t.says(t.ann, "destination")
    await t.slash(t.mara, "roller import", name="Isles", file=("isles.csv", ISLES))
    await t.says(t.bob, "destination", map="isles")
    await t.slash(t.bob, "destination", visibility="gm")
    await t.says(t.ann, "destination", region="Northmark")
    await t.says(t.bob, "destination", where="*")
    await t.says(t.bob, "destination", number="47 12")


async def _rules(t: Table) -> None:
    await t.says(t.mara, "admin settings", visibility="gm", makers="everyone")
    await t.slash(t.ann, "roll", dice="1d20", label="As the rules say")
    await t.says(t.ann, "roller fair", name="mine", dice="1d4")
    await t.says(t.mara, "admin settings", visibility="public", odds="gms", retention=30)
    await t.says(t.bob, "roll", dice="mine", times=2)
    await t.says(t.mara, "admin settings", odds="everyone")


async def _checks(t: Table) -> None:
    """Luck accounts: called checks and one's own, hidden ones, degrees, a contest, and a new session."""
    await t.says(t.mara, "roller luck", name="Luck", feel="kind", own="minor")
    await t.says(t.mara, "roller luck", name="Hits", counts="rank", whose="table", keep="always")
    for who, dc in ((t.ann, 15), (t.bob, 12), (t.mara, 10)):
        await t.says(who, "check", dice="1d20+5", dc=dc, roller="luck", label="Climb")
    await t.says(t.mara, "check", dice="8d6", roller="hits")
    await t.says(t.ann, "check", dice="1d20", dc=11, degrees="fumble, -9 miss, 0 pass, 10 critical")
    rolled = await t.slash(t.ann, "check", dice="1d20+5", against="1d20+3", roller="luck")
    await t.press(rolled, "Again", t.ann)
    await t.slash(t.ann, "check", dice="3d6", dc=10, under=True, roller="luck", visibility="blind")
    called = await t.slash(t.mara, "group call", check="Jump", dice="1d20", dc=13, roller="luck")
    for who in (t.ann, t.bob):
        await t.press(called, "Roll", who)
    await t.says(t.mara, "roller luck", name="Luck", feel="strict")
    await t.says(t.ann, "check", dice="1d20", dc=11, roller="luck")
    await t.says(t.mara, "session end")
    await t.says(t.mara, "session start")
    await t.says(t.mara, "check", dice="1d20", dc=11, roller="luck")
    await t.says(t.mara, "check", dice="2d6", roller="hits")


async def _elsewhere(t: Table, company: Company) -> None:
    """Other campaigns: a channel's own, one that is archived and comes back, one that stays archived."""
    tavern, cellar, attic = company.tavern, company.cellar, company.attic
    await t.mara.slash(tavern, "roller fair", name="ale", dice="1d6", memory="player")
    await t.mara.slash(tavern, "roller deck", name="evil", dice="1d6", refill=1)
    await t.bob.slash(tavern, "roll", dice="ale", times=3)
    await t.ann.slash(tavern, "d100 roll")
    await t.ann.slash(tavern, "save", name="cheers", dice="2d4")
    data = await _export(t.ann, tavern)
    await t.mara.slash(tavern, "admin settings", odds="gms")
    await t.mara.slash(tavern, "campaign rename", new="Tavern")
    await t.mara.slash(t.channel, "export", bring_back=("export.json", data))
    await t.ann.slash(t.channel, "export", bring_back=("export.json", data))
    await t.says(t.ann, "roll", dice="ale")

    await t.mara.slash(cellar, "campaign create", name="Short")
    await t.mara.slash(cellar, "roll", dice="1d6")
    await t.mara.slash(cellar, "campaign archive")
    await t.mara.slash(cellar, "campaign use", name="Short")
    await t.mara.slash(cellar, "roll", dice="1d6")
    await t.ann.slash(attic, "campaign create", name="Gone")
    await t.ann.slash(attic, "roll", dice="1d6")
    await t.ann.slash(attic, "campaign archive")


async def _export(who: MemberActor, where: ChannelHandle) -> bytes:
    answer = reply(await who.slash(where, "export", format="json"))
    return await answer.attachments[0].read()


async def _end(t: Table, company: Company, *, proof: bool) -> None:
    """Dan is erased with all that he said, in the middle of what goes on."""
    await t.says(company.dan, "roll", dice="2d6", label="Dan's last stand")
    await t.says(company.dan, "roll", dice="own", times=2)
    await t.says(company.dan, "roll", dice="evil")
    question = await t.slash(company.dan, "data forget")
    await t.press(question, "Erase me", company.dan)
    await t.says(t.ann, "roll", dice="evil")
    await t.says(t.mara, "session end")
    await t.says(t.mara, "admin settings", pace=20)
    await t.says(t.mara, "session start")
    if not proof:
        await _proved(t)


async def _proved(t: Table) -> None:
    """Proof mode; its bits hang on the log's name, which chance decides, so the die has one side."""
    await proof_on(t, t.mara)
    await salts(t, t.ann, "seven ravens")
    await t.says(t.ann, "roll", dice="1d1+5")
    await proof_off(t, t.mara)
    await proof_on(t, t.mara, drand=True)
    await t.says(t.ann, "roll", dice="1d1+6")
    await proof_off(t, t.mara)
