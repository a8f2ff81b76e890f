"""What is seen on a page in the language for looking: no English, nothing cut, nothing beyond its edge."""

import re
from collections.abc import Sequence

from playwright.async_api import Page

BEYOND = """() => [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 0.5)
    .filter((one) => !one.parentElement.closest("pre, .again:not(.starters)")) // which scroll
    .map((one) => one.outerHTML.slice(0, 120))"""
READ = """() => {
    const other = "noscript, code, kbd, pre, time, svg, .mention, [role=option] b, #hint strong"
        + ", article option, article .text strong"; // the names of settings
    const names = ["aria-label", "title", "placeholder", "alt"];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [document.title];
    while (texts.nextNode()) {
        const { parentElement: around, data } = texts.currentNode;
        if (around.checkVisibility() && !around.closest(other)) found.push(data);
    }
    for (const one of document.querySelectorAll("body *"))
        if (one.checkVisibility() && !one.matches("time"))
            found.push(...names.map((name) => one.getAttribute(name)).filter((text) => text));
    return found;
}"""
CUT = """() => {
    const pen = document.createElement("canvas").getContext("2d"), found = [];
    const fits = (one, text, more) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(one);
        pen.font = font;
        const wide = pen.measureText(text).width + parseFloat(paddingLeft) + parseFloat(paddingRight) + more;
        if (wide > one.clientWidth + 1) found.push(text);
    };
    const hides = (one) => getComputedStyle(one).overflowX !== "visible";
    const other = "pre, .unseen, .again, textarea, input"; // what scrolls, or is for readers alone
    for (const one of [...document.querySelectorAll("body *")].filter((each) => each.checkVisibility())) {
        if (one.matches("select:not([multiple])")) fits(one, one.selectedOptions[0].text, 16);
        else if (one.matches(".composer [type=text]")) one.value || fits(one, one.placeholder, 0);
        else if (!one.matches(other) && hides(one) && one.scrollWidth > one.clientWidth + 1)
            found.push(one.outerHTML.slice(0, 120));
    }
    return found;
}"""
KEPT = re.compile(
    r"\b(Mara|Anna?|Bob|Dana?|Eve|Cem|Greta|Bia|Bartholomew Unbearable|Wolfeschlegelsteinhausen|w{20,})\b"
    r"|\b(Evenhand|Perception|[\w-]+\.(png|txt|jsonl?)|(thread|channel)-\w+)\b"
    r"|\b(nobody|xx|public, self, gm, blind|twice)\b"
    r"|https?://\S+|/[a-z]\w*( [a-z]+)?|\b\d*d\d+\S*|\badv\b|(?<=’š )[a-z]+"
    r"|\b(times|practice|dice|player|visibility|call|deal|initiative|npc|show)\b"
    r"|English|Deutsch|Português \(Brasil\)|Français|Español"
)
"""Names, what people type, and what languages call themselves."""


async def looked(page: Page, *widths: int, typed: Sequence[str] = ()) -> None:
    """See that a page has no English but what was typed, and nothing that is cut or wider than the window."""
    before = page.viewport_size
    kept = re.compile("|".join([KEPT.pattern, *(rf"\b{word}\b" for word in typed)]))
    for width in widths or (390, 320):
        await page.set_viewport_size({"width": width, "height": 844})
        english = {
            text for text in await page.evaluate(READ) if re.search("[A-Za-z]{2}", kept.sub(" ", text))
        }
        found = english, await page.evaluate(CUT), await page.evaluate(BEYOND)
        assert found == (set(), [], []), found
    if before:
        await page.set_viewport_size(before)
