"""The evening's calls: checks under every rule, initiatives, hands of cards, and rolls for monsters."""

from tests.golden.company import Company
from tests.support.groups import adds, call, leads, named, plays, rolls
from tests.support.table import Table

RULES = ("each", "half", "all", "any", "highest", "lowest", "sum", "average", "successes")


async def calls(t: Table, company: Company) -> None:
    """All that a game master calls for."""
    await _checks(t)
    await _led(t, company)
    await _hidden(t)
    await _ended(t, company)
    await _with_memory(t)
    await _initiatives(t, company)
    await _hands(t)
    await _monsters(t)
    await _called_only(t)


async def _checks(t: Table) -> None:
    for rule in RULES:
        called = await call(t, "1d20", rule, dc=11, rule=rule)
        for who in (t.ann, t.bob):
            await rolls(t, called, who)
    low = await call(t, "1d20", "Low is good", dc=10, rule="half", under=True, players=named(t.ann, t.bob))
    await adds(t, low, t.ann, "+2")
    await adds(t, low, t.bob, "adv")
    pools = await call(t, "4d10>=7", "Together", rule="successes", needed=4)
    for who in (t.ann, t.bob):
        await rolls(t, pools, who)


async def _led(t: Table, company: Company) -> None:
    led = await call(t, "1d20+1", "Led", dc=12, rule="all", players=named(t.ann, t.bob, company.dan))
    await adds(t, led, t.ann, "fire")
    await leads(t, led, "Close")
    await leads(t, led, "Reopen")
    await leads(t, led, "Roll for the missing")
    form = await leads(t, led, "Add monsters…")
    await t.mara.submit_modal(form, {"names": "Goblin x2, Boss", "dice": "1d20+5"})
    await leads(t, led, "Close")


async def _hidden(t: Table) -> None:
    for hidden in ("gm", "blind"):
        called = await call(t, "1d20", f"Hidden {hidden}", dc=9, rule="any", hidden=hidden)
        await rolls(t, called, t.ann)
        if hidden == "gm":
            await leads(t, called, "Reveal")
            await rolls(t, called, t.bob)
    held = await call(t, "1d20", "Held", players=named(t.ann, t.bob), hold=True)
    for who in (t.ann, t.bob):
        await rolls(t, held, who)


async def _ended(t: Table, company: Company) -> None:
    """Play a call closed by the clock, one for a role alone, and one called off."""
    timed = await call(t, "1d20", "In time", minutes=2, players=named(t.ann, t.bob))
    await rolls(t, timed, t.ann)
    await t.env.advance_time(130)
    of_role = await call(t, "1d20", "Keepers alone", role=company.keepers)
    await rolls(t, of_role, company.dan)
    called_off = await call(t, "1d20", "Called off", dc=5, rule="all")
    await rolls(t, called_off, t.bob)
    await leads(t, called_off, "Call it off")


async def _with_memory(t: Table) -> None:
    """Play calls with each choice of memory: the roller's own, the table's, each player's."""
    for roller, memory in (("evil", ""), ("own", "table"), ("evil", "player")):
        options = {"memory": memory} if memory else {}
        called = await call(t, roller, f"With {roller} {memory}".strip(), dc=4, rule="half", **options)
        await rolls(t, called, t.ann)
        await adds(t, called, t.bob, "dis+1")
    await t.says(t.mara, "roller undo", name="evil")
    await t.says(t.ann, "roll", dice="own")


async def _initiatives(t: Table, company: Company) -> None:
    """With ties and monsters, passed from one to the next; and with a roller."""
    first = await t.slash(t.mara, "group initiative", dice="1d2")
    for who in (t.ann, t.bob, t.mara, company.dan):
        await rolls(t, first, who)
    form = await leads(t, first, "Add monsters…")
    await t.mara.submit_modal(form, {"names": "Wolf x2", "dice": "1d2"})
    for label in ("Begin", "Next turn", "Next turn"):
        await t.press(first, label, t.mara)
    late = await t.slash(t.mara, "group initiative", dice="tiles", players=named(t.ann, t.bob))
    await rolls(t, late, t.bob)


async def _hands(t: Table) -> None:
    await t.says(t.mara, "roller cards", name="Hands", cards="elk 3, owl 3, fox 3")
    await t.slash(t.mara, "group deal", deck="hands", cards=2, players=named(t.ann, t.bob))
    to_all = await t.slash(t.mara, "group deal", deck="hands")
    shown = await t.press(to_all, "My hand", t.ann)
    await t.whispers(t.ann, "deal", deck="hands", hand=5)
    for done in ("Play", "Discard", "Put back", "Play"):
        shown = await plays(t, t.ann, done)
    await t.press(shown, "Take it back", t.ann)
    await t.says(t.bob, "deal", deck="hands")


async def _monsters(t: Table) -> None:
    await t.says(t.mara, "group npc", dice="1d20+4", count=3, names="Orc, Wolf, Boss", label="Ambush")
    await t.says(t.mara, "group npc", dice="even", count=2)
    await t.slash(t.mara, "group npc", dice="1d20", count=2, names="Spy", visibility="gm")


async def _called_only(t: Table) -> None:
    """Roll while only called rolls count: all others are practice."""
    await t.says(t.mara, "admin settings", called_only=True)
    await t.says(t.ann, "roll", dice="evil")
    await t.says(t.ann, "d100 roll")
    called = await call(t, "evil", "Called")
    await rolls(t, called, t.ann)
    await t.says(t.mara, "group npc", dice="evil", count=1, names="Imp")
    await t.says(t.mara, "admin settings", called_only=False)
