"""The commands: one module for each, with the page that it alone shows."""
