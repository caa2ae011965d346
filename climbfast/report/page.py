"""A page in HTML: made from a template with the style and the scripts inside, and written in one step."""

from __future__ import annotations

import base64
import hashlib
import json
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from climbfast.atomic_write import atomic_write, check_writable
from climbfast.errors import OptionError
from climbfast.extras import require
from climbfast.names import name_text

if TYPE_CHECKING:
    import jinja2
    from markupsafe import Markup

__all__ = ["PAGE_SUFFIXES", "check_page", "rendered", "require_packages", "script_json", "write_page"]

PAGE_SUFFIXES = (".html", ".htm")
_TEMPLATES = Path(__file__).parent / "templates"
# What ends a script or begins a comment in it; JSON reads the escapes as the same characters.
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&'\u2028\u2029"}


def rendered(template: str, **values: Any) -> str:
    """Return a page.

    Parameters
    ----------
    template : str
        Name of a file in ``templates``. It extends ``base.html.j2``, which has the blocks ``title`` and ``content``,
        and ``scripts``: in it ``inlined("name.js")`` is the text of a script, and the filter ``script_json`` writes a
        value into ``<script type="application/json">``. The block ``policy`` allows it: ``digest("name.js")``.
    **values
        What the template shows. Text is escaped, wherever it stands.

    Raises
    ------
    MissingPackageError
        If a package of the extra ``report`` is not installed.
    """
    return _environment().get_template(template).render(**values)


def script_json(value: Any) -> Markup:
    """Return a value as JSON that can stand inside of a script: no text in it ends the script."""
    from markupsafe import Markup

    return Markup(json.dumps(value, ensure_ascii=False, separators=(",", ":")).translate(_ESCAPES))


def require_packages() -> None:
    """Check that the packages are installed by which a page is made, and its picture drawn.

    Raises
    ------
    MissingPackageError
        If one is not; the message says which extra to install.
    """
    for module in ("jinja2", "matplotlib"):
        require(module, "report", "a page")


@cache
def _environment() -> jinja2.Environment:
    require_packages()
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["script_json"] = script_json
    environment.globals["inlined"] = _inlined
    environment.globals["digest"] = _digest
    return environment


def _inlined(name: str) -> Markup:
    """Return the text of a style sheet or a script of ours, as it is."""
    from markupsafe import Markup

    return Markup((_TEMPLATES / name).read_text(encoding="utf-8"))


def _digest(name: str) -> str:
    """Return the digest by which the policy of a page allows a script of ours, and no other."""
    digest = hashlib.sha256(_inlined(name).encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def check_page(path: str | os.PathLike[str]) -> Path:
    """Check that a page can be written to a file, before the work that it needs.

    Raises
    ------
    OptionError
        For another suffix, and a file that cannot be written.
    MissingPackageError
        If a package of the extra ``report`` is not installed.
    """
    file = Path(path)
    if file.suffix.lower() not in PAGE_SUFFIXES:
        raise OptionError(f"{name_text(file)}: a page has the suffix .html or .htm")
    require_packages()
    try:
        check_writable(file)
    except (OSError, ValueError) as error:
        raise _cannot_be_written(file, error) from None
    return file


def write_page(path: str | os.PathLike[str], text: str) -> None:
    """Write a page to a file, which is replaced in one step.

    Raises
    ------
    OptionError
        For another suffix, and a file that cannot be written.
    """
    file = check_page(path)
    try:
        with atomic_write(file) as out:
            out.write(text.encode("utf-8", "xmlcharrefreplace"))
    except (OSError, ValueError) as error:
        raise _cannot_be_written(file, error) from None


def _cannot_be_written(file: Path, error: OSError | ValueError) -> OptionError:
    """Return the error for a file; a name that no file can have, such as one with a zero byte, is a ValueError."""
    return OptionError(f"{name_text(file)} cannot be written: {getattr(error, 'strerror', None) or error}")
