"""What several commands take: single options as annotated types, and groups of options as dataclasses.

A group is declared once, knows what its options mean, and stands in a command's signature as one parameter; see
`climbfast.cli.options.groups`.
"""
