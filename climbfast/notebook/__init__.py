"""What results show of themselves in a notebook: a line, the picture of a small one, and the first rows of a table.

- ``elements``: tables, lines and pictures in HTML, with escaped text.
- ``data``: data, cuts and inspections; ``targets``: around targets; ``graphs``: graphs, networks, frequencies;
  ``single``: tests, knowledge and journals.

Nothing is searched or counted for it, and nothing is raised: where it fails, the notebook shows the text of the result.
"""
