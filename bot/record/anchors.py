"""What a history was compared with: the checkpoints that somebody kept, and the proofs between them."""

from collections.abc import Mapping, Sequence

from bot.record.checkpoint import Checkpoint, ConsistencyProof
from bot.record.lineage import Broken
from bot.record.proofs import check_consistency


def anchor(
    origin: str, roots: Mapping[int, bytes], given: Sequence[Checkpoint], links: Sequence[ConsistencyProof]
) -> int:
    """Return up to which number given checkpoints, and links between them, bear out a log's own roots.

    It is -1 where none does. Without roots of its own (`origin` "") the links alone are looked at. Raises
    Broken where one of them says otherwise.
    """
    best = -1
    own = [Checkpoint(origin, size, root) for size, root in roots.items()]
    for one in given:
        if origin and one.origin != origin:
            raise Broken(one.size, f"is of another campaign: {one.origin}")
        if roots.get(one.size, one.root) != one.root:
            raise Broken(one.size, "is not what your checkpoint was made of: something up to it was changed")
        if one.size in roots:
            best = max(best, one.size)
    for link in links:
        new = link.checkpoint
        for known in (one for one in (*given, *own) if one.size == link.old):
            if not _goes_on(known, link):
                raise Broken(link.old, "is not what the newer checkpoint goes on from")
            tied = (known in own and new in given) or (known in given and (new in own or not own))
            best = max(best, link.old) if tied else best
    return best


def _goes_on(old: Checkpoint, link: ConsistencyProof) -> bool:
    new = link.checkpoint
    same = old.origin == new.origin and old.size > 0
    return same and check_consistency(old.size, old.root, new.size, new.root, link.path)
