"""Build the list of sources from the settings, in the order in which they are asked."""

from dataclasses import dataclass

from bot.dice.errors import Said
from bot.entropy.anu import Anu, Aqn
from bot.entropy.config import EntropyConfig
from bot.entropy.lfd import Lfd
from bot.entropy.outshift import Outshift
from bot.entropy.qrandom import Qrandom
from bot.entropy.random_org import RandomOrg, RandomOrgRpc
from bot.entropy.service import Physics, RemoteService, WebService

_NO_ADDRESS = Said("switched off in the settings")
_NO_KEY = Said("needs a key")
_NO_EMAIL = Said("needs the operator's e-mail address")


@dataclass(frozen=True, slots=True)
class Off:
    """A source that is not asked, and why."""

    name: str
    kind: Physics
    reason: Said


def sources(config: EntropyConfig) -> tuple[RemoteService | Off, ...]:
    """Return every source there is, on or off, the first choice of each kind first."""
    c = config
    return (
        _keyed(RandomOrgRpc, c.random_org_rpc_url, c.patient_timeout, c.random_org_key),
        _random_org(c),
        _keyed(Aqn, c.aqn_url, c.timeout, c.aqn_key),
        _keyed(Outshift, c.outshift_url, c.timeout, c.outshift_key),
        _open(Lfd, c.lfd_url, c.timeout),
        _open(Anu, c.anu_url, c.timeout),
        _open(Qrandom, c.qrandom_url, c.timeout),
    )


def _open(make: type[WebService], url: str | None, timeout: float, key: str = "") -> RemoteService | Off:
    return make(url, timeout, key) if url else Off(make.name, make.kind, _NO_ADDRESS)


def _keyed(make: type[WebService], url: str | None, timeout: float, key: str | None) -> RemoteService | Off:
    return Off(make.name, make.kind, _NO_KEY) if url and not key else _open(make, url, timeout, key or "")


def _random_org(config: EntropyConfig) -> RemoteService | Off:
    url = config.random_org_url and config.random_org_url.rstrip("/")
    if url and not config.operator_email:
        return Off(RandomOrg.name, RandomOrg.kind, _NO_EMAIL)
    return _open(RandomOrg, url, config.patient_timeout)
