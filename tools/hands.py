"""Cards in hands, on offer, and chosen dice. Stands beside verify.py; numbers are sections of format.md."""

import json
from typing import Any

from proofs import need

KEPT = 1_000
"""Most cards that are remembered, and most that left."""
MOVES = {"play", "discard", "return", "choose"}


class Hands:
    """5.5: what was drawn, and what became of it."""

    def __init__(self) -> None:
        # Who drew which; if it is in a hand; of whose memory, None where that is closed.
        self.drawn = dict[int, tuple[str | None, list[str], bool, str | None]]()
        self.left = dict[int, int]()  # by the event with which a card left

    def skip(self) -> None:
        """Forget what left: an event that is withheld may have brought it back."""
        self.left.clear()

    def cards(self, seq: int) -> list[str]:
        """Give the cards that an event drew; none where they are not known."""
        return self.drawn[seq][1] if seq in self.drawn else []

    def see(self, event: dict[str, Any], parts: dict[str, Any]) -> None:
        """Check the next event, and keep in mind what it does with a card."""
        kind, seq, target = event["kind"], event["seq"], event.get("target", 0)
        what, user = parts.get("what", {}), parts.get("who", {}).get("user")
        if kind == "roll" and what.keys() & {"hand", "offer"}:
            self.drawn[seq] = user, what["results"], "hand" in what, parts.get("how", {}).get("whose")
        owner, cards, in_hand, whose = self.drawn.get(target, (None, [], False, None))
        if kind == "undo" and self.left.pop(target, None) is None and cards:
            self.left[seq] = target
        if kind in MOVES and (in_hand or kind != "return"):
            need(target not in self.left.values(), f"is about a card that left #{target} before", seq)
            self.left[seq] = target
        openly = event["see"] == "public" or kind not in {"play", "discard"}
        need(openly, "is of a hand, and seen by others than it may be", seq)
        same = None in {owner, user} or owner == user
        if kind == "play" and "what" in parts:
            told = what.get("results", [])
            fits = len(told) == 1 and cards in ([], told) and same
            need(fits, "plays another card than was drawn", seq)
        need(kind != "discard" or "results" not in what, "tells a card that it throws away", seq)
        if kind == "choose" and "what" in parts:
            choice = what.get("choice")
            fits = type(choice) is int and 0 <= choice < (len(cards) or choice + 1)
            need(fits, "chooses none of the cards", seq)
        if kind == "return" and "what" in parts and target in self.drawn:
            there = what.get("offered", False) is not in_hand
            need(there, "returns a card that was in another place", seq)
        if kind == "return" and "how" in parts:
            place, goes = parts["how"].get("place"), parts["how"].get("whose")
            need(type(place) is int and place >= 0, "returns no card", seq)
            need(goes in {"table", "player"}, "returns a card to nobody's memory", seq)
            need(same and whose in {None, goes}, "returns a card to another memory than it came from", seq)
        for kept in (self.drawn, self.left):
            if len(kept) > KEPT:
                del kept[next(iter(kept))]


class Chosen:
    """5.8: rolls of games, and the later ones that keep some of their dice."""

    def __init__(self) -> None:
        self.rolls = dict[int, tuple[str | None, str, list[int] | None]]()  # whose, which game, how it fell

    def see(self, seq: int, parts: dict[str, Any]) -> None:
        """Check the next roll, and keep in mind how a game's fell."""
        what, how = parts.get("what", {}), parts.get("how", {})
        spec = json.loads(what.get("spec", "{}"))
        if not how or spec.get("system") != "game":
            return
        user, game = parts.get("who", {}).get("user"), spec["game"]
        if stood := how.get("stood"):
            lies = [face for pool in stood for die in pool for face in die]
            owner, its, fell = self.rolls.get(what["pushes"], (None, game, lies))
            same = its == game and (None in {owner, user} or owner == user)
            why = f"pushes #{what['pushes']}, which is no roll of that player's in that game"
            need(same, why, seq)
            left = iter(fell or ())
            places = what["pushes"] not in self.rolls or max(what.get("again", [0])) < len(fell or ())
            fits = fell is not None and places and all(face in left for face in lies)
            need(fits, f"keeps dice that did not fall so in #{what['pushes']}", seq)
        self.rolls[seq] = user, game, None if stood else [face for _, face in how.get("draws", [])]
        if len(self.rolls) > KEPT:
            del self.rolls[next(iter(self.rolls))]
