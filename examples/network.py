# %% [markdown]
# # From a table to a Bayesian network that answers questions
# `fit` estimates how likely each level of a column is, given its parents in the graph. Edges without a direction are
# directed first, in a way that changes no answer.

# %%
import climbfast as cf

data = cf.read("data/patients.csv", numbers="auto", missing="test-wise")
graph = cf.causal_graph(data)
network = graph.fit(data)
print(network)
# -> <Network: fitted, 15 nodes, 18 arcs>

# %% [markdown]
# ## A file that other programs open

# %%
network.write_bif("patients.bif")

# %% [markdown]
# ## How likely is heart disease? Ask pgmpy
# The levels of numbers are intervals; `data.levels` has them.

# %%
from pgmpy.inference import VariableElimination

highest = data.levels["blood_pressure"][-1]
print(highest)
# -> [138.5, inf)

inference = VariableElimination(network.to_pgmpy())
answer = inference.query(["heart_disease"], {"blood_pressure": highest, "smoking": "current"}, show_progress=False)
print(f"by the network: {answer.get_value(heart_disease='yes'):.0%}")
# -> by the network: 82%

# %% [markdown]
# ## The same share, counted in the table
# The network answers as well where few rows, or none, are like the question.

# %%
table = data.to_frame().to_pandas()
alike = table[(table["blood_pressure"] == highest) & (table["smoking"] == "current")]
print(f"in the table: {(alike['heart_disease'] == 'yes').mean():.0%} of {len(alike)} patients")
# -> in the table: 82% of 99 patients
