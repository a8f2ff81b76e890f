"""Check cards in hands and on offer, and chosen dice. Part of verify.py; numbers are format.md sections."""

import json
from typing import Any

from proofs import need

LIMIT = 1_000
"""Most draws and departures that are kept, so that a long file can't fill the memory."""
MOVES = {"play", "discard", "return", "choose"}


class Hands:
    """5.5: the cards that were drawn, and the events with which they left."""

    def __init__(self) -> None:
        # Event to player, cards, True if in a hand, and owner of the memory (None if closed).
        self.drawn = dict[int, tuple[str | None, list[str], bool, str | None]]()
        self.departures = dict[int, int]()  # event with which a card left to its draw

    def skip(self) -> None:
        """Forget which cards left, since a withheld event may have brought them back."""
        self.departures.clear()

    def cards(self, seq: int) -> list[str]:
        """Return the cards that an event drew; none if they are not known."""
        return self.drawn[seq][1] if seq in self.drawn else []

    def check_event(self, event: dict[str, Any], parts: dict[str, Any]) -> None:
        """Check the next event, and note what it does with a card."""
        kind, seq, target = event["kind"], event["seq"], event.get("target", 0)
        what, user = parts.get("what", {}), parts.get("who", {}).get("user")
        if kind == "roll" and what.keys() & {"hand", "offer"}:
            self.drawn[seq] = user, what["results"], "hand" in what, parts.get("how", {}).get("whose")
        owner, cards, in_hand, whose = self.drawn.get(target, (None, [], False, None))
        if kind == "undo" and self.departures.pop(target, None) is None and cards:
            self.departures[seq] = target
        if kind in MOVES and (in_hand or kind != "return"):
            need(target not in self.departures.values(), f"is about a card that left #{target} before", seq)
            self.departures[seq] = target
        openly = event["see"] == "public" or kind not in {"play", "discard"}
        need(openly, "is of a hand, and seen by others than it may be", seq)
        same = None in {owner, user} or owner == user
        if kind == "play" and "what" in parts:
            played = what.get("results", [])
            fits = len(played) == 1 and cards in ([], played) and same
            need(fits, "plays another card than was drawn", seq)
        need(kind != "discard" or "results" not in what, "tells a card that it throws away", seq)
        if kind == "choose" and "what" in parts:
            choice = what.get("choice")
            fits = type(choice) is int and 0 <= choice < (len(cards) or choice + 1)
            need(fits, "chooses none of the cards", seq)
        if kind == "return" and "what" in parts and target in self.drawn:
            fits = what.get("offered", False) is not in_hand
            need(fits, "returns a card that was in another place", seq)
        if kind == "return" and "how" in parts:
            place, new_owner = parts["how"].get("place"), parts["how"].get("whose")
            need(type(place) is int and place >= 0, "returns no card", seq)
            need(new_owner in {"table", "player"}, "returns a card to nobody's memory", seq)
            need(
                same and whose in {None, new_owner}, "returns a card to another memory than it came from", seq
            )
        for entries in (self.drawn, self.departures):
            if len(entries) > LIMIT:
                del entries[next(iter(entries))]


class Chosen:
    """5.8: rolls of games, and later pushes that keep some of their dice."""

    def __init__(self) -> None:
        self.rolls = dict[int, tuple[str | None, str, list[int] | None]]()  # event to player, game and faces

    def check_event(self, seq: int, parts: dict[str, Any]) -> None:
        """Check the next roll, and note the faces of a game's roll."""
        what, how = parts.get("what", {}), parts.get("how", {})
        spec = json.loads(what.get("spec", "{}"))
        if not how or spec.get("system") != "game":
            return
        user, game = parts.get("who", {}).get("user"), spec["game"]
        if kept_dice := how.get("stood"):
            kept_faces = [face for pool in kept_dice for die in pool for face in die]
            owner, pushed_game, faces = self.rolls.get(what["pushes"], (None, game, kept_faces))
            same = pushed_game == game and (None in {owner, user} or owner == user)
            why = f"pushes #{what['pushes']}, which is no roll of that player's in that game"
            need(same, why, seq)
            remaining = iter(faces or ())
            places = what["pushes"] not in self.rolls or max(what.get("again", [0])) < len(faces or ())
            fits = faces is not None and places and all(face in remaining for face in kept_faces)
            need(fits, f"keeps dice that did not fall so in #{what['pushes']}", seq)
        self.rolls[seq] = user, game, None if kept_dice else [face for _, face in how.get("draws", [])]
        if len(self.rolls) > LIMIT:
            del self.rolls[next(iter(self.rolls))]
