"""Pages in HTML about results: self-contained, for readers who do not program. They need the extra ``report``."""
