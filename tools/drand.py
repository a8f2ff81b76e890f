# /// script
# requires-python = ">=3.11"
# dependencies = ["py-ecc==8.0.0"]
# ///
"""Check that drand signed a round: `pipx run tools/drand.py ROUND SIGNATURE`, or with `uv run`.

Needs py-ecc, which pipx and uv fetch into an environment of its own; asks nobody else. The chain is quicknet:
BLS12-381, signatures in G1 over SHA-256 of the round as eight bytes (bls-unchained-g1-rfc9380).
"""

import hashlib
import sys
from typing import Any

PUBLIC_KEY = (
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
)
DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
_BROKEN, _UNREADABLE = 1, 2


def is_signed(number: int, signature: bytes) -> bool:
    """Return whether a signature is drand's of that round; ValueError for what is no point of the curve."""
    from py_ecc.bls import g2_primitives, hash_to_curve  # pyright: ignore[reportMissingImports]
    from py_ecc.optimized_bls12_381 import (  # pyright: ignore[reportMissingImports]
        FQ12,
        G2,
        final_exponentiate,
        neg,
        pairing,
    )

    # py-ecc names its functions after Ethereum's keys in G1 and signatures in G2; here it is the other way.
    point: Any = g2_primitives.pubkey_to_G1(signature)
    key: Any = g2_primitives.signature_to_G2(bytes.fromhex(PUBLIC_KEY))
    if not g2_primitives.subgroup_check(point) or g2_primitives.is_inf(point):
        return False
    message = hashlib.sha256(number.to_bytes(8, "big")).digest()
    hashed: Any = hash_to_curve.hash_to_G1(message, DOMAIN, hashlib.sha256)
    both = pairing(key, hashed, final_exponentiate=False) * pairing(neg(G2), point, final_exponentiate=False)
    return final_exponentiate(both) == FQ12.one()


def main(number: str, signature: str) -> int:
    """Say whether drand signed the round, and give the exit code: 0, 1, or 2 for what can't be read."""
    try:
        signed = is_signed(int(number), bytes.fromhex(signature))
    except (ValueError, OverflowError) as error:
        sys.stdout.write(f"Unreadable: {error}.\n")
        return _UNREADABLE
    verdict = "signed by drand (quicknet)" if signed else "not drand's signature of it"
    sys.stdout.write(f"Round {number}: {verdict}.\n")
    return 0 if signed else _BROKEN


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("Usage: pipx run tools/drand.py ROUND SIGNATURE")
    sys.exit(main(*sys.argv[1:]))
