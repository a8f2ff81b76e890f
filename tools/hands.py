"""Cards in hands and on offer. Stands beside verify.py; numbers are sections of docs/format.md."""

from typing import Any

from proofs import need

KEPT = 1_000
"""So many cards are kept in mind, and so many that left."""
MOVES = {"play", "discard", "return", "choose"}


class Hands:
    """5.5: what was drawn, and what became of it."""

    def __init__(self) -> None:
        self.drawn = dict[int, tuple[str | None, list[str], bool]]()  # who drew which; if it is in a hand
        self.left = dict[int, int]()  # by the event with which a card left

    def skip(self) -> None:
        """Forget what left: an event that is withheld may have brought it back."""
        self.left.clear()

    def see(self, event: dict[str, Any], parts: dict[str, Any]) -> None:
        """Check the next event, and keep in mind what it does with a card."""
        kind, seq, target = event["kind"], event["seq"], event.get("target", 0)
        what, user = parts.get("what", {}), parts.get("who", {}).get("user")
        if kind == "roll" and what.keys() & {"hand", "offer"}:
            self.drawn[seq] = user, what["results"], "hand" in what
        owner, cards, in_hand = self.drawn.get(target, (None, [], False))
        if kind == "undo" and self.left.pop(target, None) is None and cards:
            self.left[seq] = target
        if kind in MOVES and (in_hand or kind != "return"):
            need(target not in self.left.values(), f"is about a card that left #{target} before", seq)
            self.left[seq] = target
        openly = event["see"] == "public" or kind not in {"play", "discard"}
        need(openly, "is of a hand, and seen by others than it may be", seq)
        if kind == "play" and "what" in parts:
            told, same = what.get("results", []), None in {owner, user} or owner == user
            fits = len(told) == 1 and cards in ([], told) and same
            need(fits, "plays another card than was drawn", seq)
        need(kind != "discard" or "results" not in what, "tells a card that it throws away", seq)
        if kind == "choose" and "what" in parts:
            choice = what.get("choice")
            fits = type(choice) is int and 0 <= choice < (len(cards) or choice + 1)
            need(fits, "chooses none of the cards", seq)
        if kind == "return" and "how" in parts:
            place = parts["how"].get("place")
            need(type(place) is int and place >= 0, "returns no card", seq)
        for kept in (self.drawn, self.left):
            if len(kept) > KEPT:
                del kept[next(iter(kept))]
