"""Rolls: plain dice, a channel's roller, the d100 register."""

from dataclasses import dataclass, replace

from bot.campaign.events import Asked, Kind
from bot.campaign.request import THIS, Change, Needs, Scene
from bot.campaign.rollers import Remembers, Roller
from bot.d100.register import Register
from bot.dice import notation
from bot.dice.bases import Json
from bot.dice.draws import Draws, Recorder
from bot.dice.errors import DiceError
from bot.dice.expressions import MAX_DICE, dice_in
from bot.dice.system import OnBase, Outcome, System, step
from bot.dice.throws import roll
from bot.systems.registry import CARD_SYSTEMS, print_spec

REGISTER = "d100 register"
"""The name of every channel's accumulation register."""
TIMES_LIMIT = 20


@dataclass(frozen=True, slots=True)
class RollDice:
    """Roll the channel's roller of that name, else read the text as notation; so many times."""

    text: str
    times: int = 1
    practice: bool = False
    """Whether it touches no memory: plain dice of the roller's base."""

    def needs(self) -> Needs:
        """The roller of that name, if there is one: a name goes before notation."""
        return Needs(roller=self.text.strip().casefold())

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:
        """A roll; NotationError where the text is neither a roller nor notation, DiceError over a limit."""
        check_times(self.times)
        if scene.roller and scene.roller.system:
            system = scene.roller.system
            if self.practice or uncalled(system, asked, scene):
                return practise(scene.roller.name, system, self.times, draws)
            return roll_system(scene.roller, system, self.times, asked, scene, draws)
        expression = notation.parse(self.text).times(self.times)
        record = Recorder(draws)
        results = tuple(str(roll(expression, record).total) for _ in range(expression.repeat))
        return Change(
            Kind.ROLL,
            text=str(expression),
            results=results,
            detail=_drawn(record, practice=self.practice),
        )


@dataclass(frozen=True, slots=True)
class RollRegister:
    """Add so many six-sided dice to the asker's d100 register, so many times."""

    dice: int
    times: int = 1
    practice: bool = False
    """Whether it begins at 0 and the asker's own value stays as it is."""

    def needs(self) -> Needs:
        """The channel's register, which the first roll makes."""
        return Needs(roller=REGISTER)

    def decide(self, asked: Asked, scene: Scene, draws: Draws) -> Change:
        """A roll of the register; SpecError unless there are 1 to 9 dice."""
        check_times(self.times)
        system = Register.from_spec({"dice": self.dice})
        if self.practice or uncalled(system, asked, scene):
            return practise(REGISTER, system, self.times, draws)
        roller = scene.roller or Roller(REGISTER, system, Remembers.PLAYER, epoch=THIS)
        return roll_system(roller, system, self.times, asked, scene, draws)


def roll_system(
    roller: Roller, system: System, times: int, asked: Asked, scene: Scene, draws: Draws
) -> Change:
    """A roll of the roller with this system, so many times; its memory is the scene's."""
    _check_dice(system, times)
    before = memory = system.start() if scene.memory is None else scene.memory
    record = Recorder(draws)
    outcomes: list[Outcome] = []
    for _ in range(times * system.hand):
        outcome, memory = step(system, memory, record)
        outcomes.append(outcome)
    return Change(
        Kind.ROLL,
        roller=roller.name,
        results=tuple(o.face for o in outcomes),
        spec=print_spec(system),
        detail={"draws": [list(d) for d in record.drawn], "before": list(before), "prev": roller.last},
        state=replace(roller, last=THIS),
        memory=(roller.owner(asked.user_id), memory) if system.remembers else None,
    )


def uncalled(system: System, asked: Asked, scene: Scene) -> bool:
    """Whether the campaign's rules keep the roll out of the memory, since no game master called for it."""
    return scene.campaign.rules.called_only and not asked.called and system.remembers


def practise(name: str, system: System, times: int, draws: Draws) -> Change:
    """Rolls that each begin without a memory, and leave none; cards come from one fresh deck together."""
    _check_dice(system, times)
    together = isinstance(system, CARD_SYSTEMS)
    record = Recorder(draws)
    faces: list[str] = []
    memory = system.start()
    for place in range(times * system.hand):
        if not together and place % system.hand == 0:
            memory = system.start()
        outcome, memory = step(system, memory, record)
        faces.append(outcome.face)
    drawn = _drawn(record, practice=True)
    return Change(
        Kind.ROLL,
        roller=name,
        results=tuple(faces),
        spec=print_spec(system),
        detail={**drawn, "together": True} if together else drawn,
    )


def _drawn(record: Recorder, *, practice: bool) -> dict[str, Json]:
    drawn: dict[str, Json] = {"draws": [list(d) for d in record.drawn]}
    return {**drawn, "practice": True} if practice else drawn


def check_times(times: int) -> None:
    """DiceError unless a roll is repeated 1 to 20 times."""
    if not 1 <= times <= TIMES_LIMIT:
        raise DiceError(f"A roll can be repeated 1 to {TIMES_LIMIT} times, not {times}.")


def _check_dice(system: System, times: int) -> None:
    if isinstance(system, OnBase) and system.base.dice:
        dice = times * sum(term.count for term in dice_in(system.base.dice.body))
        if dice > MAX_DICE:
            raise DiceError(f"At most {MAX_DICE} dice in one roll, not {dice:,}.")
