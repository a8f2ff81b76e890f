"""What a private answer offers a player is not refused to them for want of rights."""

import re
from dataclasses import dataclass, field

from tests.support.realm import LIMITS
from tests.support.table import Table
from tests.support.tongues import told
from tests.support.walking import Tour
from tests.wire.test_permissions import SCRIPT

CALL = "/help > help > help > help > call-new"
"""What help says to game masters, and what tuning found, say so beside their buttons."""


@dataclass(slots=True)
class _Refusals:
    """Notes each press behind which a game master's right was asked for."""

    t: Table
    found: set[str] = field(default_factory=set[str])
    _at: int = 0

    def looks(self, where: str) -> None:
        """Read what was sent since the last step."""
        texts, self._at = told(self.t, self._at), len(self.t.env.backend.http_requests)
        if " > " in where and any(LIMITS in text for text in texts):
            self.found.add(re.sub(r":\S*", "", where))


async def test_players_are_offered_what_they_may(t: Table) -> None:
    """Ann presses all that her commands bring."""
    await t.slash(t.mara, "campaign create", name="Storm")
    await t.slash(t.mara, "campaign create", name="Calm", fresh=True)
    await t.slash(t.mara, "roller fair", name="Luck", dice="2d6")
    await t.slash(t.mara, "save", name="Door", dice="1d6", shared=True)
    refusals = _Refusals(t)
    tour = Tour(t, t.ann, refusals.looks)
    for line in SCRIPT:
        options = {k: t.bob if v == "somebody" else v for k, v in line.options.items()}
        await tour.slash(line.command, **options)
    for command in ("help", "proof", "game list", "save", "campaign list", "roller list", "me", "verify"):
        await tour.slash(command)
    await tour.slash("admin settings")
    await t.slash(t.mara, "proof")
    await tour.slash("game show", game="dnd5")
    await tour.slash("campaign show", name="Storm")

    assert refusals.found == {"/lab tune > tune-dice", "/lab tune > tune-deck", CALL}
