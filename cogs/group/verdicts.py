"""Texts of a call's verdict under its rule."""

from fractions import Fraction

from bot.campaign.call_terms import Form, Rule, Terms, Verdict
from bot.campaign.calls import Standing
from bot.words.saying import read_table, say, say_many
from bot.words.text import rounded

YES_OR_NO = {Rule.HALF, Rule.ALL, Rule.ANY}
_TEXTS = read_table(__file__, "texts")


def summary(standing: Standing, *, over: bool) -> str:
    """Return the line of a check's verdict, so far or final; "" if there is none."""
    terms, verdict = standing.call.terms, standing.verdict
    if terms.form is not Form.CHECK or not verdict.rolled:
        return ""
    alone = over and verdict.passed is None
    text = figures(terms, verdict, alone=alone)
    if not text:
        return ""
    if not over:
        return say("So far: {figures}.", figures=text)
    if alone:
        return f"**{text}.**"
    template = "**The group succeeds**: {figures}." if verdict.passed else "**The group fails**: {figures}."
    return say(template, figures=text)


def figures(terms: Terms, verdict: Verdict, *, alone: bool = False) -> str:
    """Return the figures of a verdict, such as "2 of 3 pass", or "". `alone` starts with a capital."""
    if verdict.value is None or terms.rule in YES_OR_NO:
        if verdict.succeeded is None:
            return ""
        return say("{passed} of {rolled} pass", passed=verdict.succeeded, rolled=verdict.rolled)
    if terms.rule is Rule.SUCCESSES:
        singular, plural = "{n} success of {needed} needed", "{n} successes of {needed} needed"
        value = say_many(singular, plural, verdict.value, needed=terms.needed)
    else:
        value = say(_TEXTS["alone" if alone else "beside"][terms.rule], value=_figure(verdict.value))
    return ", ".join(filter(None, (value, _margin(verdict.margin, under=terms.under))))


def _margin(margin: Fraction | None, *, under: bool) -> str:
    if margin is None:
        return ""
    if not margin:
        return say("just enough")
    lower = "{margin} under" if under else "{margin} short"
    return say("{margin} over" if (margin > 0) is not under else lower, margin=_figure(abs(margin)))


def _figure(value: Fraction) -> str:
    """Return a number with two decimals at most; only zero itself reads 0."""
    text = rounded(value)
    return say("less than {least}", least=0.01) if value and text in {"0", "-0"} else text
