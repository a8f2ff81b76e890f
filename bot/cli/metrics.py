"""Prometheus metrics; they contain no name, id or label of a person."""

from collections.abc import Iterable
from dataclasses import dataclass

from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from bot.answers import AGES, ALREADY_ANSWERED, Replies
from bot.client import Evenhand
from bot.services.health import Vitals

_UNKNOWN_INTERACTION = 10062
_OUTCOMES = {_UNKNOWN_INTERACTION: "too late", ALREADY_ANSWERED: "already answered"}


@dataclass(frozen=True, eq=False)
class Metrics(Collector):
    """Collector of the current figures."""

    vitals: Vitals
    client: Evenhand | None
    backup_age: float | None

    def collect(self) -> Iterable[Metric]:
        """Return all figures."""
        yield from _bot_metrics(self.vitals)
        if (age := self.backup_age) is not None:
            yield GaugeMetricFamily("evenhand_backup_age_seconds", "Age of the newest backup.", age)
        if self.client:
            yield GaugeMetricFamily("evenhand_servers", "Servers.", len(self.client.guilds))
            yield GaugeMetricFamily("evenhand_gateway_seconds", "Gateway latency.", self.client.latency)
            yield from _reply_metrics(self.client.tree.replies)


def _bot_metrics(vitals: Vitals) -> Iterable[Metric]:
    pulse = vitals.pulse
    requests = CounterMetricFamily("evenhand_requests", "Requests to write, by outcome.", labels=["outcome"])
    requests.add_metric(["written"], pulse.requests)
    requests.add_metric(["refused"], pulse.refused)
    yield requests
    yield CounterMetricFamily("evenhand_batches", "Transactions that wrote them.", pulse.batches)
    yield CounterMetricFamily("evenhand_batch_seconds", "Seconds that those took.", pulse.seconds)
    yield GaugeMetricFamily(
        "evenhand_silence_seconds", "Seconds since the last write or trial.", pulse.silence
    )
    yield GaugeMetricFamily("evenhand_queue", "Requests that wait.", vitals.waiting)
    yield GaugeMetricFamily("evenhand_queue_seconds", "Wait of the first one.", vitals.waiting_seconds)
    yield GaugeMetricFamily("evenhand_free_bytes", "Free bytes for the data.", vitals.free_bytes)
    bits = GaugeMetricFamily("evenhand_remote_bits", "Remote bits in store.", labels=["kind"])
    for kind, count in vitals.entropy.bits.items():
        bits.add_metric([kind.value], count)
    yield bits


def _reply_metrics(replies: Replies) -> Iterable[Metric]:
    yield CounterMetricFamily("evenhand_late", "Interactions that came too late.", replies.late)
    refused = CounterMetricFamily(
        "evenhand_replies_refused", "Replies that Discord refused.", labels=["reason"]
    )
    for reason in {*_OUTCOMES.values(), "other"}:
        codes = (n for code, n in replies.refused.items() if _OUTCOMES.get(code, "other") == reason)
        refused.add_metric([reason], sum(codes))
    yield refused
    total, buckets = 0, list[tuple[str, float]]()
    for bound, count in zip([*map(str, AGES), "+Inf"], replies.buckets, strict=True):
        total += count
        buckets.append((bound, total))
    text = "Seconds from the click to the reply."
    yield HistogramMetricFamily("evenhand_reply_seconds", text, buckets=buckets, sum_value=replies.seconds)
