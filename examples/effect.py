# %% [markdown]
# # From a table to the size of an effect
# By how much does high blood pressure raise the risk of heart disease? Who eats badly has both more often, the one by
# weight and the other by cholesterol. The graph says what has to be held fixed for a fair comparison.

# %%
import pandas as pd

import climbfast as cf

data = cf.read("data/patients.csv", numbers="auto", missing="test-wise")
known = cf.Knowledge(tiers=[["age", "diet", "smoking"], ["exercise"], ["bmi"], ["blood_pressure"], ["heart_disease"]])
graph = cf.causal_graph(data, knowledge=known).to_dag()  # DoWhy takes directed edges only
print("causes of heart disease:", *graph.parents_of("heart_disease"))
print("causes of blood pressure:", *graph.parents_of("blood_pressure"))
# -> causes of heart disease: blood_pressure cholesterol smoking
# -> causes of blood pressure: age bmi

graph.save("graph.dot")  # for Graphviz and others

# %% [markdown]
# ## The effect, by DoWhy
# It needs an older scipy than other packages: `pip install climbfast dowhy` in an environment of its own. Treatment and
# outcome are 1 or 0 for it, and rows with a blank cell are left out.

# %%
try:
    from dowhy import CausalModel
except ModuleNotFoundError:
    raise SystemExit(
        "DoWhy is not installed; it needs an older scipy, so install both in an environment of their own: "
        "pip install climbfast dowhy"
    ) from None

table = pd.read_csv("data/patients.csv").dropna()
table["blood_pressure"] = (table["blood_pressure"] >= 140).astype(int)
table["heart_disease"] = (table["heart_disease"] == "yes").astype(int)

model = CausalModel(table, "blood_pressure", "heart_disease", graph=graph.to_dowhy())
estimand = model.identify_effect(proceed_when_unidentifiable=True)
print("held fixed:", *sorted(estimand.get_backdoor_variables()))  # at times cholesterol, which will do as well
# -> held fixed: diet

effect = model.estimate_effect(estimand, method_name="backdoor.propensity_score_weighting").value
shares = table.groupby("blood_pressure")["heart_disease"].mean()
print(f"difference of the shares: {shares[1] - shares[0]:.2f}; effect: {effect:.2f}")
# -> difference of the shares: 0.38; effect: 0.37

# %% [markdown]
# With cholesterol it is 0.35, which is also the effect in the network from which the table was drawn.
