# %% [markdown]
# # From a table to a page that can be passed on
# One file that opens in any browser, also offline: the picture, every column in words, bars of the counts, what was done
# to the data, and how to make the page again.

# %%
import climbfast as cf

data = cf.read("data/patients.csv", numbers="auto", missing="test-wise")

# %% [markdown]
# ## One column

# %%
blanket = cf.markov_blanket(data, "heart_disease", method="best")
blanket.report("heart_disease.html")
print(blanket)
# -> heart_disease: parents: blood_pressure, cholesterol, smoking; children: breathlessness, chest_pain, ecg, fatigue; spouses: lung_disease, reflux, sleep

# %% [markdown]
# ## All columns
# A table of all blankets, to search and to sort; a click shows the members of one.

# %%
blankets = cf.markov_blankets(data, method="best", progress=False)
blankets.report("all_columns.html")
print(len(blankets), "columns;", sum(len(blanket.members) for blanket in blankets.values()), "members")
# -> 15 columns; 52 members

# %% [markdown]
# ## The same in two commands
# In a shell, without Python:
#
#     climbfast report data/patients.csv --target heart_disease --method best --numbers auto --missing test-wise --out heart_disease.html
#     climbfast report data/patients.csv --method best --numbers auto --missing test-wise --out all_columns.html
