"""Build the list of sources from the settings, in order of preference."""

from bot.dice.errors import LocalizedError
from bot.entropy.config import EntropyConfig
from bot.entropy.quantum import Anu, Aqn, Lfd, Outshift, Qrandom
from bot.entropy.random_org import RandomOrg, RandomOrgRpc
from bot.entropy.service import RemoteService, ServiceState, ServiceStatus, WebService

_NO_ADDRESS = LocalizedError("switched off in the settings")
_NO_KEY = LocalizedError("needs a key")
_NO_EMAIL = LocalizedError("needs the operator's e-mail address")


def sources(config: EntropyConfig) -> tuple[RemoteService | ServiceStatus, ...]:
    """Return every source, those of each kind in order of preference; a status for one that is off."""
    c = config
    return (
        _build_keyed(RandomOrgRpc, c.random_org_rpc_url, c.patient_timeout, c.random_org_key),
        _build(RandomOrg, c.random_org_url, c.patient_timeout, None if c.operator_email else _NO_EMAIL),
        _build_keyed(Aqn, c.aqn_url, c.timeout, c.aqn_key),
        _build_keyed(Outshift, c.outshift_url, c.timeout, c.outshift_key),
        _build(Lfd, c.lfd_url, c.timeout),
        _build(Anu, c.anu_url, c.timeout),
        _build(Qrandom, c.qrandom_url, c.timeout),
    )


def _build_keyed(
    make: type[WebService], url: str | None, timeout: float, key: str | None
) -> RemoteService | ServiceStatus:
    return _build(make, url, timeout, None if key else _NO_KEY, key or "")


def _build(
    make: type[WebService], url: str | None, timeout: float, lack: LocalizedError | None = None, key: str = ""
) -> RemoteService | ServiceStatus:
    """Return a source, or its status if it has no address or something else is missing (`lack`)."""
    if url and not lack:
        return make(url, timeout, key)
    return ServiceStatus(make.name, make.kind, ServiceState.OFF, lack if url else _NO_ADDRESS)
