"""What the commands of graphs share: files, pages, and the searches of ``climbfast graph`` with their options."""
