"""Write docs/verify.html, the JavaScript verifier and its page in one file: `python -m tools.page`."""

import base64
import hashlib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "verify.html"


def page() -> str:
    """Return the page; its policy allows its own script and the worker that it starts, and no request."""
    template = (ROOT / "tools" / "verify.html").read_text("utf-8")
    verifier = (ROOT / "tools" / "verify.js").read_text("utf-8").replace("</script", "<\\/script")
    script = template.partition("<script>")[2].partition("</script>")[0]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    scripts = f"script-src 'sha256-{digest}'; worker-src blob:"
    policy = f"default-src 'none'; {scripts}; style-src 'unsafe-inline'; img-src data:"
    return template.replace("POLICY", policy).replace("VERIFIER", verifier)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
