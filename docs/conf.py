"""How the site is built: ``python3 run.py docs``."""

import os
import shutil
import sys
from pathlib import Path

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))
os.environ.setdefault("MPLBACKEND", "agg")

from generators import write  # noqa: E402  # from the folder above

import climbfast as cf  # noqa: E402  # after the backend of matplotlib is chosen

project = "climbfast"
author = "The climbfast founders"
copyright = "The climbfast founders"  # noqa: A001  # Sphinx's name
version = release = cf.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_design",
]
exclude_patterns = ["generators", "generated/run"]
templates_path = ["templates"]

nitpicky = True
autosummary_ignore_module_all = False
autosummary_filename_map = {  # files whose names differ by case alone are one file on some systems
    "climbfast.bootstrap": "climbfast.bootstrap_function",
    "climbfast.test": "climbfast.test_function",
}
autodoc_typehints = "none"  # the docstrings say the types in words
autodoc_member_order = "groupwise"
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

myst_enable_extensions = ["deflist", "colon_fence", "dollarmath"]
myst_heading_anchors = 4
smartquotes = False  # they would make one dash of the two of an option
suppress_warnings = []

html_theme = "pydata_sphinx_theme"
html_title = "climbfast"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {
    "navbar_align": "left",
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_toc_level": 2,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_exclude = ".linenos, .gp, .go"


def setup(app):
    """Write the pages that come from commands, scripts and data before Sphinx looks for pages."""
    shutil.rmtree(FOLDER / "generated", ignore_errors=True)
    write(FOLDER / "generated")
    app.connect("autodoc-process-signature", show_empty_mappings)


def show_empty_mappings(app, what, name, of, options, signature, returned):
    """Show the default of a field that is made anew each time, which always is an empty mapping."""
    return signature and (signature.replace("<factory>", "{}"), returned)
