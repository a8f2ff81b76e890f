"""No answer, however strange, becomes anything but the right number of bytes or a refusal."""

import base64
import json
import secrets
from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.entropy.config import EntropyConfig
from bot.entropy.health import BLOCK
from bot.entropy.opening import sources
from bot.entropy.service import Fetched, RemoteService, ServiceStatus
from bot.entropy.web import Refused, Reply, Web
from tests.entropy.clocks import FakeClock

CONFIG = replace(EntropyConfig(), operator_email="a@b", random_org_key="k", aqn_key="k", outshift_key="k")
SOURCES = {source.name: source for source in sources(CONFIG) if not isinstance(source, ServiceStatus)}
_LONGEST = 100
"""Characters of a reason, which stands in a message beside others."""


class Canned(Web):
    """Gives one and the same reply to everything."""

    def __init__(self, reply: Reply) -> None:
        self.clock = FakeClock()
        self._reply = reply

    async def get(self, *_: object, **options: object) -> Reply:  # noqa: ARG002
        """The reply."""
        return self._reply

    post = get


def fetched(source: RemoteService, reply: Reply) -> Fetched | Refused:
    """What the source's client makes of the reply; any other exception is the test's failure."""
    fetching = source.fetch(Canned(reply), BLOCK)
    try:
        # A canned reply is never waited for, so one step is all there is.
        fetching.send(None)
    except StopIteration as done:
        return cast("Fetched", done.value)
    except Refused as refused:
        return refused
    raise AssertionError("it waited for something")


things = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(10**4_000) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
blocks = st.lists(st.integers(0, 255) | things, min_size=0, max_size=3).map(
    lambda odd: odd + [7] * (BLOCK - len(odd))
)
members = st.fixed_dictionaries(
    {},
    optional={
        "success": things | st.just(value=True),
        "length": things | st.just(BLOCK),
        "type": st.just("uint8") | things,
        "data": blocks | things,
        "numbers": blocks | things,
        "random_numbers": things | st.lists(st.fixed_dictionaries({"decimal": things}), max_size=3),
        "qrn": st.just("ab" * BLOCK) | things,
        "result": st.fixed_dictionaries({"random": st.fixed_dictionaries({"data": things})}) | things,
        "error": st.fixed_dictionaries({"code": things}) | things,
        "id": things,
    },
)
bodies = st.one_of(
    members.map(lambda value: json.dumps(value).encode()),
    things.map(lambda value: json.dumps(value).encode()),
    st.binary(max_size=60),
    st.just(b"[" * 60_000),
    st.just(b"9" * 60_000),
    st.just(b"7b\n" * BLOCK),
)
replies = st.builds(
    Reply,
    status=st.sampled_from([200, 200, 200, 204, 403, 500]),
    kind=st.sampled_from(["application/json", "application/json", "text/plain", "text/html", ""]),
    body=bodies,
    wait=st.none() | st.floats(0, 100),
)


@given(st.sampled_from([*SOURCES.values()]), replies)
def test_any_reply_is_exactly_one_block_or_a_refusal(source: RemoteService, reply: Reply) -> None:
    """Nothing but Refused is ever raised, and bytes come 1,024 at a time out of a 200 alone."""
    outcome = fetched(source, reply)

    if isinstance(outcome, Fetched):
        assert len(outcome.data) == BLOCK
        assert reply.status == 200
    else:
        assert len(str(outcome)) <= _LONGEST


def refusal(name: str, body: object, kind: str = "application/json") -> str:
    """Why a service's good answer with this body, bytes or JSON, is refused."""
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    outcome = fetched(SOURCES[name], Reply(200, kind, sent))
    assert isinstance(outcome, Refused)
    return str(outcome)


RPC = {"random": {"data": [base64.b64encode(bytes(BLOCK)).decode()]}, "bitsLeft": 99_999, "advisoryDelay": 5}
GOOD: dict[str, dict[str, object]] = {
    "ANU": {"type": "uint8", "length": BLOCK, "success": True, "data": [7] * BLOCK},
    "lfdr.de": {"qrn": "ab" * BLOCK, "length": BLOCK},
    "qrandom.io": {"numbers": [7] * (BLOCK // 2)},
    "Outshift (key)": {"random_numbers": [{"decimal": "7"}] * (BLOCK // 2)},
}


@pytest.mark.parametrize("code", [-(10**4_000), 10**4_000], ids=["below", "above"])
def test_a_long_number_is_left_out(code: int) -> None:
    """A reason stands in a message, among others."""
    assert len(refusal("random.org (key)", {"error": {"code": code}})) <= _LONGEST


@pytest.mark.parametrize("wrong", ["bitsLeft", "advisoryDelay"])
def test_a_figure_that_can_be_none_is_refused(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A quota of 4,000 digits would not fit a message, and nobody waits for so many seconds."""
    monkeypatch.setattr(secrets, "randbits", int)

    assert refusal("random.org (key)", {"result": {**RPC, wrong: 10**4_000}, "id": 31}) == (
        "its answer lacks a part"
    )


@pytest.mark.parametrize("item", [True, -1, 256, 1.0, "7", None, [7], 10**30])
def test_a_number_that_is_no_byte_spoils_the_block(item: object) -> None:
    """One `true`, one 256 or one 7.0 among good numbers, and the whole block is refused."""
    assert refusal("ANU", GOOD["ANU"] | {"data": [7] * (BLOCK - 1) + [item]})


@pytest.mark.parametrize("success", [False, None, 1, "true"])
def test_only_true_is_success(success: object) -> None:
    """ANU's numbers count only beside a `success` that is true itself."""
    assert refusal("ANU", GOOD["ANU"] | {"success": success}) == "it reports a failure"


@pytest.mark.parametrize(
    "digits", ["ab" * BLOCK + " ", "0x" + "ab" * (BLOCK - 1), "٣" * 2 * BLOCK, "ab" * (BLOCK - 1)]
)
def test_hex_digits_are_counted_and_nothing_else(digits: str) -> None:
    """Blanks, prefixes, foreign digits and a missing byte are refused, though Python reads some of them."""
    assert "hex digits" in refusal("lfdr.de", GOOD["lfdr.de"] | {"qrn": digits})


@pytest.mark.parametrize(
    "body", [b"7b\n" * (BLOCK - 1) + b"7\n", b"7B\n" * BLOCK, b"0x7b\n" * BLOCK, b"123\n" * BLOCK]
)
def test_random_orgs_lines_have_two_hex_digits(body: bytes) -> None:
    """A line of one digit, of three, or in another dress spoils the block."""
    assert refusal("random.org", body, "text/plain")


@pytest.mark.parametrize("name", GOOD)
@pytest.mark.parametrize("kind", ["text/html", "text/plain", ""])
def test_a_good_body_of_the_wrong_type_is_refused(name: str, kind: str) -> None:
    """What is not sent as JSON is not read as JSON, however well it would read."""
    body = json.dumps(GOOD[name]).encode()

    assert isinstance(fetched(SOURCES[name], Reply(200, "application/json", body)), Fetched)
    assert refusal(name, body, kind) == "its answer is of the wrong type"


@pytest.mark.parametrize(
    ("name", "wrong"), [("ANU", {"length": 7}), ("ANU", {"type": "hex16"}), ("lfdr.de", {"length": 7})]
)
def test_an_answer_to_another_question_is_refused(name: str, wrong: dict[str, object]) -> None:
    """The right number of bytes beside a wrong length or type is somebody else's answer."""
    assert refusal(name, GOOD[name] | wrong) == "it answered another question"


@pytest.mark.parametrize("number", [None, "1", -1, 2**40])
def test_json_rpc_wants_its_own_number_back(number: object) -> None:
    """A cached answer, or one to somebody else, has another id."""
    assert refusal("random.org (key)", {"result": RPC, "id": number}) == "it answered another question"
