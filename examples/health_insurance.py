# %% [markdown]
# # From a real experiment to what bears on visits to a doctor
# From 1974 to 1982 the RAND Health Insurance Experiment drew by lot which part of its doctors' bills a family paid
# itself. The table has the visits of a person in a year (`mdvis`), the plan (`lncoins`, `idp` and two amounts of
# money), and health. It is in the public domain, from Cameron and Trivedi, Microeconometrics (2005); statsmodels has
# it.

# %%
from statsmodels.datasets import randhie

import climbfast as cf

years = randhie.load_pandas().data
others = years.drop(columns="mdvis")
persons = years[(others != others.shift()).any(axis=1)]
print(f"{len(persons):,} of {len(years):,} rows")
# -> 5,294 of 20,190 rows

# %% [markdown]
# A row is a year of a person, and the years of one person are not independent. Nothing in the table says who it is,
# so that of rows in succession that differ in nothing but the visits the first is kept (which is one for all members
# of a family who are alike).
#
# ## Columns that say what they mean
# Most values of `disea` are percentages in steps of 1/29, or of 1/23; we take them for shares of lists of so many
# diseases, and make numbers of diseases of both. The others have many decimals and look like averages that were
# filled in, as do the fractions in `physlm`: they become blank.

# %%
of_29, of_23 = (persons["disea"] * 0.29).round(), (persons["disea"] * 0.23).round()
diseases = of_29.where((of_29 / 0.29).round(1) == persons["disea"])
diseases = diseases.fillna(of_23.where((of_23 / 0.23).round(1) == persons["disea"]))
print(f"number of diseases: blank in {diseases.isna().mean():.0%} of the rows")
# -> number of diseases: blank in 36% of the rows

is_free = (persons["lncoins"] == 0) & (persons["idp"] == 0)
grade = persons["hlthg"] + 2 * persons["hlthf"] + 3 * persons["hlthp"]
table = {
    "visits": persons["mdvis"],
    "care": is_free.map({True: "free", False: "paid in part"}),
    "diseases": diseases,
    "limited": persons["physlm"].map({0: "no", 1: "yes"}),
    "health": grade.map({0: "excellent", 1: "good", 2: "fair", 3: "poor"}),
}
cuts = {"visits": [1, 3, 6], "diseases": [1, 3, 5]}
data = cf.Dataset.from_frame(table, numbers=cuts, missing="test-wise")

# %% [markdown]
# ## Was the lot fair?
# If so, care does not depend on health. No test finds that it does: all bits are below 0.

# %%
for column in ("diseases", "limited", "health"):
    print(f"care and {column}: {cf.test(data, 'care', column).sci:.1f} bits")
# -> care and diseases: -13.4 bits
# -> care and limited: -4.2 bits
# -> care and health: -10.2 bits

# %% [markdown]
# ## What bears on the visits?
# What was drawn by lot has no cause in the table: it is a root. Visits come last, we take it, and before them how
# people rate their health, which does not make them ill. How often is each edge found in 50 tables of rows drawn
# anew?

# %%
known = cf.Knowledge(roots=["care"], tiers=[["diseases", "limited"], ["health"], ["visits"]])
print(cf.markov_blanket(data, "visits", method="best", knowledge=known))
# -> visits: parents: care, diseases; children: none; spouses: none

sure = cf.bootstrap(data, "best", replicates=50, knowledge=known, progress=False)
print(sure)
# -> 50 replicates of best, 7 pairs
# -> care - visits: 1.00 (-> 1.00, <- 0.00)
# -> diseases - health: 1.00 (-> 1.00, <- 0.00)
# -> diseases - limited: 1.00 (-> 0.04, <- 0.96)
# -> diseases - visits: 1.00 (-> 1.00, <- 0.00)
# -> health - limited: 1.00 (-> 0.00, <- 1.00)
# -> limited - visits: 0.08 (-> 0.08, <- 0.00)
# -> care - limited: 0.06 (-> 0.06, <- 0.00)

# %% [markdown]
# Who pays, and the number of diseases, are found in all of them. A limitation (`limited`) and how people rate their
# health tell hardly more about the visits. What is the difference of free care?

# %%
for care, visits in persons["mdvis"].groupby(table["care"]):
    print(f"{care}: {visits.mean():.1f} visits in the year")
# -> free: 3.7 visits in the year
# -> paid in part: 2.8 visits in the year

# %% [markdown]
# Because of the lot this may be read as an effect of care. But it was drawn for families, not persons, and within
# each place and month of entry, which the table does not have. Diseases were not drawn by lot: age, which it does not
# have either, may be behind them and the visits. And that a limitation brings diseases, not diseases a limitation, is
# chosen by a score: an open head in the picture, on which nobody should build.
#
# ## How does everything hang together?

# %%
graph = sure.added_to(cf.causal_graph(data, knowledge=known))
graph.save("health_insurance.svg")
