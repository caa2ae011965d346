# %% [markdown]
# # From a real questionnaire to a page for a reader
# 6,366 married women answered a questionnaire of the magazine Redbook in 1974: how they rate their marriage, for how
# many years they have been married, how religious they are, and whether they had an affair. The table is that of
# Fair, "A Theory of Extramarital Affairs", Journal of Political Economy (1978); statsmodels has it with the
# permission of the author.

# %%
from statsmodels.datasets import fair

import climbfast as cf

table = fair.load_pandas().data
# Of the measure of the time spent in affairs, whether there was any.
table["affair"] = (table.pop("affairs") > 0).map({True: "yes", False: "no"})
data = cf.Dataset.from_frame(table, numbers="auto")
for column in ("rate_marriage", "yrs_married"):
    print(column, *data.levels[column])
# -> rate_marriage 1 2 3 4 5
# -> yrs_married (-inf, 4.25) [4.25, 7.5) [7.5, 14.75) [14.75, inf)

# %% [markdown]
# All columns but `affair` are numbers. Whole numbers of few values, such as marks from 1 to 5, stay as they are;
# columns with fractions, such as years, become intervals.
#
# ## What goes with an affair?
# Nothing in the table changes the age, and we take work, schooling, children and the years of marriage as given
# before the affair and the mark for the marriage. How religious a woman is can be a cause or an effect: it is in no
# tier.

# %%
known = cf.Knowledge(
    tiers=[
        ["age"],
        ["educ", "occupation", "occupation_husb", "yrs_married", "children"],
        ["rate_marriage", "affair"],
    ]
)
blanket = cf.markov_blanket(data, "affair", method="best", knowledge=known)
print(blanket)
# -> affair: parents: religious, yrs_married; children: rate_marriage; spouses: children

# %% [markdown]
# ## How sure is that?
# In 50 tables of rows drawn anew:

# %%
often = cf.bootstrap(data, "blanket", target="affair", method="best", knowledge=known, replicates=50, progress=False)
print(often)
# -> 50 replicates of blanket, 7 members
# -> affair: rate_marriage: 1.00 (parent 0.02, child 0.98)
# -> affair: religious: 1.00 (parent 0.36, child 0.64)
# -> affair: yrs_married: 1.00 (parent 1.00)
# -> affair: children: 0.80 (spouse 0.80)
# -> affair: occupation: 0.46 (parent 0.46)
# -> affair: age: 0.26 (parent 0.18, spouse 0.08)
# -> affair: educ: 0.02 (parent 0.02)

# %% [markdown]
# Three columns are always there. With the years of marriage there was also more time for an affair: that direction
# was known. For religion the data leave it open: a parent in the table, a child in most of those drawn anew. The mark
# for the marriage is nearly always a child, because of how it goes with the number of children; that holds if no
# unseen cause acts on both. A bad marriage may lead to an affair, and an affair to a bad marriage, and no graph
# without cycles can say both. Those who answered were no random sample of women, and told what they wanted to tell.
#
# ## The page
# It has the picture, the shares in words and bars, the frequencies, and why no other column is a member.

# %%
often.added_to(blanket).report("affairs.html", title="What goes with an affair? A questionnaire of 1974")
