"""Which services are asked, where, and with which keys; read from no environment, only given."""

from dataclasses import dataclass, field, fields, replace


@dataclass(frozen=True, slots=True)
class EntropyConfig:
    """The settings of the random sources. An address of None switches a source off.

    random.org's plain interface is asked only once `operator_email` is set, for its rules want somebody to
    write to. A source that needs a key is asked only once it has one. Keys are left out of the repr.
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
    """Feeds no roll: it is asked where proof mode takes one of its public rounds as salt."""

    timeout: float = 15.0
    """Seconds that a service may take."""
    patient_timeout: float = 180.0
    """Seconds that random.org may take; its rules ask for minutes."""

    @property
    def agent(self) -> str:
        """Return how we call ourselves: the name, and where its operator is to be found."""
        contact = [f"+{self.contact_url}"] if self.contact_url else []
        contact += [self.operator_email] if self.operator_email else []
        return f"Evenhand ({'; '.join(contact)})" if contact else "Evenhand"

    @classmethod
    def offline(cls) -> "EntropyConfig":
        """No source at all: rolls are fed by this machine's own bits."""
        return replace(cls(), **{one.name: None for one in fields(cls) if one.name.endswith("_url")})
