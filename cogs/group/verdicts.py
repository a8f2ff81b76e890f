"""What a call comes to under its rule, in words."""

from fractions import Fraction

from bot.campaign.call_terms import Form, Rule, Terms, Verdict
from bot.campaign.calls import Standing
from bot.words.text import capital, successes

YES_OR_NO = {Rule.HALF, Rule.ALL, Rule.ANY}


def summary(standing: Standing, *, over: bool) -> str:
    """Return the line that says what it comes to under its rule, so far or in the end."""
    terms, verdict = standing.call.terms, standing.verdict
    if terms.form is not Form.CHECK or not verdict.rolled:
        return ""
    said = figures(terms, verdict)
    if not said:
        return ""
    if not over:
        return f"So far: {said}."
    if verdict.passed is None:
        return f"**{capital(said)}.**"
    word = "The group succeeds" if verdict.passed else "The group fails"
    return f"**{word}**: {said}."


def figures(terms: Terms, verdict: Verdict) -> str:
    """Return the figures of a verdict, "2 of 3 pass"; "" for none."""
    passed = "" if verdict.succeeded is None else f"{verdict.succeeded} of {verdict.rolled} pass"
    if verdict.value is None or terms.rule in YES_OR_NO:
        return passed
    if terms.rule is Rule.SUCCESSES:
        return f"{successes(verdict.value)} of {terms.needed} needed{_margin(verdict.margin)}"
    return f"the {terms.rule} is {_figure(verdict.value)}{_margin(verdict.margin)}"


def _margin(margin: Fraction | None) -> str:
    if margin is None:
        return ""
    if not margin:
        return ", just enough"
    return f", {_figure(margin)} over" if margin > 0 else f", {_figure(-margin)} short"


def _figure(value: Fraction) -> str:
    """Return a number with two decimals at most; only zero itself reads 0."""
    text = f"{float(value):.2f}".rstrip("0").removesuffix(".")
    return "less than 0.01" if value and text in {"0", "-0"} else text
