# %% [markdown]
# # From a table to a picture
# The table has numbers (age, body mass index, blood pressure) and blank cells: `numbers="auto"` cuts the numbers into
# intervals, and with `missing="test-wise"` every test uses the rows that have all of its columns.

# %%
import climbfast as cf

data = cf.read("data/patients.csv", numbers="auto", missing="test-wise")
print(data)
# -> <Dataset: 1,500 rows, 15 columns, up to 3 levels>

# %% [markdown]
# ## What is around heart disease?
# Parents are direct causes, children direct effects, and spouses the other causes of these effects.

# %%
blanket = cf.markov_blanket(data, "heart_disease", method="best")
print("parents: ", *blanket.parents)
print("children:", *blanket.children)
print("spouses: ", *blanket.spouses)
# -> parents:  blood_pressure cholesterol smoking
# -> children: breathlessness chest_pain ecg fatigue
# -> spouses:  lung_disease reflux sleep

# %%
blanket.plot()  # in a notebook the picture is shown
blanket.save("heart_disease.svg")

# %% [markdown]
# ## How does everything hang together?
# Lines without a head are edges whose direction these data do not show.

# %%
graph = cf.causal_graph(data)
print(len(graph.directed), "directed edges; without direction:", graph.undirected)
# -> 15 directed edges; without direction: (('age', 'exercise'), ('cholesterol', 'diet'), ('lung_disease', 'smoking'))

# %%
graph.plot()
graph.save("graph.svg")  # or .png, .pdf
