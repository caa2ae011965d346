"""A Chromium without a window, driven by playwright: pages are opened in it as a reader opens them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",  # which needs rights that a container does not give
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def browser_program() -> str | None:
    """Return the path of a browser; None if there is none."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


@contextmanager
def open_browser() -> Iterator[Any]:
    """Yield a playwright browser.

    Raises
    ------
    FileNotFoundError
        If there is none on the path.
    """
    from playwright.sync_api import sync_playwright

    program = browser_program()
    if program is None:
        raise FileNotFoundError(f"no browser: none of {', '.join(PROGRAMS)} is on the path")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()
