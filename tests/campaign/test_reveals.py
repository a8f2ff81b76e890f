"""Who may see a hidden roll, and show it to everybody."""

import pytest

from bot.campaign.command import RollOptions
from bot.campaign.followups import Reveal, may_see
from bot.campaign.kinds import Visibility
from bot.campaign.rolls import RollDice
from bot.dice.draws import seeded
from bot.dice.errors import DiceError, NotAllowed
from tests.support.play import Campaign

MAY_SEE = {
    Visibility.PUBLIC: {"roller", "gm", "roller who is gm", "other"},
    Visibility.SELF: {"roller", "roller who is gm"},
    Visibility.GM: {"roller", "gm", "roller who is gm"},
    Visibility.BLIND: {"gm", "roller who is gm"},
}


@pytest.mark.parametrize("visibility", Visibility)
def test_who_may_see_may_reveal(visibility: Visibility) -> None:
    """A hidden roll is seen, and revealed once, by whom its visibility names, and by nobody else."""
    people = {"roller": (1, False), "gm": (2, True), "roller who is gm": (1, True), "other": (2, False)}
    for who, (user, is_gm) in people.items():
        campaign = Campaign()
        command = RollDice("2d6", options=RollOptions(visibility=visibility))
        event, reveal = campaign.ask(command, seeded(0), 1), Reveal(1, is_gm=is_gm)

        assert may_see(event, user, is_gm=is_gm) == (who in MAY_SEE[visibility])
        if visibility is Visibility.PUBLIC:
            continue
        if who in MAY_SEE[visibility]:
            assert campaign.ask(reveal, seeded(0), user).target == 1
            with pytest.raises(DiceError, match="#1 is revealed already"):
                campaign.ask(reveal, seeded(0), user)
        else:
            with pytest.raises(NotAllowed, match="#1 is hidden from you"):
                campaign.ask(reveal, seeded(0), user)
