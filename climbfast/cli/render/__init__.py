"""Pages for people: tables, and how they show members of a blanket."""
