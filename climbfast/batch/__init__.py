"""All targets: runs over many columns, in parallel, with a journal."""
