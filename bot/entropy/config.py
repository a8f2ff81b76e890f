"""Settings of the random sources: addresses, keys and timeouts; a value, read from no environment."""

from dataclasses import dataclass, field, fields, replace


@dataclass(frozen=True, slots=True)
class EntropyConfig:
    """Settings of the random sources; an address of None switches a source off.

    random.org's plain interface is used only if `operator_email` is set, for its rules require a contact. A
    source that needs a key is used only with one. Keys are left out of the repr.
    """

    operator_email: str | None = None
    contact_url: str | None = None

    random_org_url: str | None = "https://www.random.org"
    random_org_rpc_url: str | None = "https://api.random.org/json-rpc/4/invoke"
    random_org_key: str | None = field(default=None, repr=False)

    aqn_url: str | None = "https://api.quantumnumbers.anu.edu.au"
    aqn_key: str | None = field(default=None, repr=False)
    outshift_url: str | None = "https://api.qrng.outshift.com/api/v1/random_numbers"
    outshift_key: str | None = field(default=None, repr=False)
    lfd_url: str | None = "https://lfdr.de/qrng_api/qrng"
    anu_url: str | None = "https://qrng.anu.edu.au/API/jsonI.php"
    qrandom_url: str | None = "https://qrandom.io/api/random/ints"

    drand_url: str | None = "https://api.drand.sh"
    """Not a source of bits: proof mode uses its public rounds as salt."""

    timeout: float = 15.0
    """Timeout of a request in seconds."""
    patient_timeout: float = 180.0
    """Timeout of a request to random.org in seconds; its rules ask for minutes."""

    @property
    def agent(self) -> str:
        """Return the User-Agent: the name, and the operator's contact."""
        contact = [f"+{self.contact_url}"] if self.contact_url else []
        contact += [self.operator_email] if self.operator_email else []
        return f"Evenhand ({'; '.join(contact)})" if contact else "Evenhand"

    @classmethod
    def offline(cls) -> "EntropyConfig":
        """Return settings without any source: rolls use this machine's own bits."""
        return replace(cls(), **{item.name: None for item in fields(cls) if item.name.endswith("_url")})
