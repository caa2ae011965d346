"""The options that several commands share: single ones as annotated types, groups of them as dataclasses.

``reading`` has those of reading data, ``tests`` those of tests, ``blanket_searches`` and ``graph_searches`` those of
searches. A group is declared once and is one parameter in the signature of a command: see ``groups``.
"""
