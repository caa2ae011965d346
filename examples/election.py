# %% [markdown]
# # From a real survey to what decides a vote
# 944 Americans were asked before the election of 1996 whether they would vote for Clinton or for Dole, which party they
# identify with (`PID`), where between left and right they see themselves and both candidates (`selfLR`, `ClinLR`,
# `DoleLR`), and about themselves. The table is a part of the American National Election Studies, in the public domain;
# statsmodels has it.

# %%
from statsmodels.datasets import anes96

import climbfast as cf

table = anes96.load_pandas().data.drop(columns="logpopul")  # the logarithm of another column
table["vote"] = table["vote"].map({0: "Clinton", 1: "Dole"})
print(cf.inspect(table))
# -> 944 rows, 10 columns
# -> check: whole numbers of more than 20 levels, their order unused: columns 'popul', 'age', 'income'; cut them into intervals with numbers='auto'
# -> note: 1 of 944 rows are equal to an earlier one; as it has to be in a table of few levels; if it is an error, leave them out of the table

# %% [markdown]
# The inspection advises to cut whole numbers with many values, such as age, into intervals. In which order most columns
# can act on each other is known: income changes nobody's age, and the vote comes last.

# %%
data = cf.Dataset.from_frame(table, numbers="auto")
known = cf.Knowledge(
    tiers=[["age"], ["educ"], ["income", "popul"], ["TVnews", "PID", "selfLR", "ClinLR", "DoleLR"], ["vote"]]
)

# %% [markdown]
# ## What decides the vote?

# %%
blanket = cf.markov_blanket(data, "vote", method="best", knowledge=known)
print(blanket)
# -> vote: parents: ClinLR, PID; children: none; spouses: none

# %% [markdown]
# The party, and how far left Clinton seems. The vote depends on income, too, but only by way of the party: once the
# party is given, fewer than 0 bits are left.

# %%
for given in ([], ["PID"]):
    print("income and vote given", given, f"{cf.test(data, 'income', 'vote', given).sci:.1f} bits")
# -> income and vote given [] 16.2 bits
# -> income and vote given ['PID'] -0.3 bits

# %% [markdown]
# ## How sure is that?
# How often each edge to the vote is found in 50 tables of rows drawn anew:

# %%
sure = cf.bootstrap(data, "best", replicates=50, knowledge=known, progress=False)
for edge in sure.to_frame().sort("edge", descending=True).iter_rows(named=True):
    if edge["y"] == "vote":
        print(f"{edge['x']}: {edge['edge']:.0%}")
# -> PID: 100%
# -> ClinLR: 78%
# -> DoleLR: 6%
# -> income: 4%
# -> selfLR: 2%

# %% [markdown]
# The party is certain; the view of Clinton is found in most tables, and may be the effect of something that was not
# asked: nobody can rule out that an unseen opinion is behind two of these answers.
#
# ## How does everything hang together?

# %%
graph = cf.causal_graph(data, knowledge=known)
graph.save("election.svg")
