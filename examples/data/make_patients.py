"""Make patients.csv: 1,500 invented patients, drawn from climbfast's example network.

The network has levels only. Here age, body mass index and blood pressure become numbers within their levels, and
three columns get blank cells at random, so that the table is like one from a hospital.
"""

from pathlib import Path

import numpy as np
import polars as pl

import climbfast as cf

ROWS, SEED = 1_500, 1
RANGES = {
    "age": {"under_40": (20, 40), "40_to_60": (40, 60), "over_60": (60, 90)},  # years
    "bmi": {"normal": (18.5, 25), "overweight": (25, 30), "obese": (30, 40)},  # kg/m²
    "blood_pressure": {"normal": (100, 130), "raised": (130, 140), "high": (140, 180)},  # systolic, mmHg
}
BLANK = {"bmi": 0.03, "smoking": 0.02, "blood_pressure": 0.01}  # shares of the rows


def table() -> pl.DataFrame:
    """Return the table; the same at every call."""
    draw = np.random.default_rng(SEED)
    frame = cf.load_example().sample(ROWS, seed=SEED).to_frame().rename({"weight": "bmi"}).cast(pl.String)
    for name, ranges in RANGES.items():
        low, high = np.array([ranges[level] for level in frame[name]]).T
        numbers = low + (high - low) * draw.random(ROWS)
        cells = np.floor(numbers * 10) / 10 if name == "bmi" else np.floor(numbers).astype(int)
        frame = frame.with_columns(pl.Series(name, cells))
    for name, share in BLANK.items():
        is_blank = pl.Series(draw.random(ROWS) < share)
        frame = frame.with_columns(pl.when(~is_blank).then(pl.col(name)).alias(name))
    return frame


if __name__ == "__main__":
    table().write_csv(Path(__file__).with_name("patients.csv"))
