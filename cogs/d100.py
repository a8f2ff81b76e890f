"""/d100: a d100 out of six-sided dice, by the accumulation register or any other way, and with real dice."""

import asyncio
import re
from dataclasses import replace
from typing import Self

import discord
from discord import app_commands
from discord.ext import commands
from discord.ui import Button, Item, View

from bot.client import Evenhand
from bot.core.d100.catalogue import catalogue
from bot.core.d100.physical import SIDES, read_faces
from bot.core.errors import NotAllowed, SpecError
from bot.core.requests.d100 import Real, Start
from bot.core.requests.rolls import REGISTER
from bot.core.systems.register import DICE_LIMIT
from bot.core.systems.register import Register
from bot.render import d100 as render
from bot.render import rolls as render_rolls
from bot.services.d100 import METHODS, D100, is_complete
from bot.services.rolling import Answer, Rolling
from cogs.shared.asking import asked
from cogs.shared.pressing import Press, PressButton
from cogs.shared.telling import tell

Interaction = discord.Interaction[Evenhand]
Dice = app_commands.Range[int, 1, DICE_LIMIT]
