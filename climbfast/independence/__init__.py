"""Tests of conditional independence.

- ``tests``: SCI, G², X² and CMI with their options, and what a search asks of any test
- ``tester``: one of them on one data set, by the compiled kernels
- ``screen``: all pairs of columns tested marginally
- ``single``: one test with all its figures
"""
