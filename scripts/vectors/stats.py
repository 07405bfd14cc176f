"""Writes what scipy and statsmodels make of fixed samples, with the samples.

    python3 -m venv judge && judge/bin/pip install scipy==1.17.1 statsmodels==0.15.0
    judge/bin/python scripts/vectors/stats.py

The result is Tests/Golden/statistics.json.
"""

import json
import pathlib

import numpy as np
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint
from statsmodels.stats.weightstats import DescrStatsW

TARGET = pathlib.Path(__file__).parents[2] / "Tests/Golden/statistics.json"
SIDES = {"greater": "greater", "less": "less", "twoSided": "two-sided"}


def rounded(values, digits=6):
    return [round(float(value), digits) for value in values]


def bootstrap(random):
    """Skewed and even samples; 95 % intervals of the mean and of the deviation."""
    cases = []
    for values in [random.exponential(3, 25), random.normal(1, 2, 12), random.lognormal(0, 1, 40)]:
        values = rounded(values)
        for method in ["percentile", "bca"]:
            for name, statistic in [("mean", np.mean), ("deviation", lambda x, axis: np.std(
                    x, axis=axis, ddof=1))]:
                ends = stats.bootstrap(
                    (values,), statistic, n_resamples=200_000, method=method, batch=5000,
                    rng=np.random.default_rng(2)).confidence_interval
                cases.append(dict(values=values, method=method, statistic=name,
                                  lower=ends.low, upper=ends.high))
    return cases


def sign_flip(random):
    cases = []
    for count, shift in [(5, 1.0), (10, 0.5), (14, -0.4), (30, 0.3)]:
        values = rounded(random.normal(shift, 1, count))
        for ours, theirs in SIDES.items():
            p = stats.permutation_test(
                (values,), np.mean, permutation_type="samples", alternative=theirs,
                n_resamples=199_999 if count > 16 else np.inf,
                rng=np.random.default_rng(3)).pvalue
            cases.append(dict(values=values, alternative=ours, p=p))
    return cases


def equivalence(random):
    cases = []
    for count, shift, margin in [(8, 0.1, 1.0), (20, -0.3, 0.5), (15, 0.0, 0.2)]:
        values = rounded(random.normal(shift, 0.6, count))
        p, lower, upper = DescrStatsW(values).ttost_mean(-margin, margin)
        cases.append(dict(values=values, margin=margin, p=p, pLower=lower[1], pUpper=upper[1]))
    return cases


def pareto(random):
    cases = []
    for shape, scale, count in [(0.25, 2.0, 400), (0.0, 1.0, 150), (-0.2, 3.0, 300),
                                (0.7, 0.01, 1000)]:
        values = rounded(stats.genpareto.rvs(shape, scale=scale, size=count, random_state=random),
                         8)
        # Several starts, as the search of scipy can stop early.
        fits = [stats.genpareto.fit(values, start, floc=0) for start in (-0.2, 0.1, 0.5)]
        best = min(fits, key=lambda fit: stats.genpareto.nnlf(fit, np.array(values)))
        cases.append(dict(values=values, shape=best[0], scale=best[2],
                          cost=stats.genpareto.nnlf(best, np.array(values)),
                          q999=stats.genpareto.ppf(0.999, best[0], scale=best[2])))
    return cases


def proportions():
    cases = []
    for k, n, other_k, other_n, chance in [(0, 12, 3, 15, 0.5), (7, 10, 2, 11, 0.5),
                                           (16, 16, 9, 20, 1 / 3), (120, 1000, 90, 950, 0.1),
                                           (3, 40, 3, 40, 0.05)]:
        wilson = proportion_confint(k, n, method="wilson")
        exact = proportion_confint(k, n, method="beta")
        newcombe = confint_proportions_2indep(k, n, other_k, other_n, method="newcomb")
        cases.append(dict(
            k=k, n=n, otherK=other_k, otherN=other_n, chance=chance, wilson=wilson,
            clopperPearson=exact, newcombe=newcombe,
            p=stats.binomtest(k, n, chance).pvalue,
            pGreater=stats.binomtest(k, n, chance, alternative="greater").pvalue,
            fisher=stats.fisher_exact([[k, n - k], [other_k, other_n - other_k]]).pvalue))
    return cases


def holm(random):
    cases = []
    for count in [1, 4, 12]:
        p = rounded(random.random(count) ** 2)
        cases.append(dict(p=p, adjusted=list(multipletests(p, method="holm")[1])))
    return cases


def noncentrality(level, count, power=0.95):
    """Of the t of so many differences that is found at a two-sided level with this power."""
    reach = stats.t.ppf(1 - level / 2, count - 1)
    return optimize.brentq(
        lambda away: stats.nct.sf(reach, count - 1, away) - power, 0.1, 3 * reach, xtol=1e-12)


def student(random):
    """Of five to thirty differences: p-value, interval, and what would nearly surely be found."""
    cases = []
    for count, shift in [(5, 1.5), (8, -0.3), (30, 0.4)]:
        values = rounded(random.normal(shift, 1, count))
        test = stats.ttest_1samp(values, 0)
        ends = test.confidence_interval(0.95)
        effects = [noncentrality(level, count) * stats.sem(values) for level in (0.05, 0.05 / 100)]
        cases.append(dict(values=values, p=test.pvalue, lower=ends.low, upper=ends.high,
                          smallest=effects[0], smallestOfHundred=effects[1]))
    return cases


def rank_sum(random):
    """Two groups, with and without ties; by all permutations, or many of them for the last."""
    cases = []
    for first, second, digits in [(5, 5, 6), (8, 6, 0), (9, 10, 1), (40, 45, 1)]:
        values, others = rounded(random.normal(0.6, 1, first), digits), rounded(random.normal(0, 1, second), digits)
        ranks = stats.rankdata(values + others)
        p = stats.permutation_test(
            (ranks[:first], ranks[first:]), lambda a, b, axis: np.sum(a, axis=axis), alternative="greater",
            vectorized=True, n_resamples=np.inf if first < 20 else 199_999, batch=5000,
            rng=np.random.default_rng(4)).pvalue
        cases.append(dict(values=values, others=others, p=p))
    return cases


def main():
    random = np.random.default_rng(1)
    vectors = dict(
        bootstrap=bootstrap(random), signFlip=sign_flip(random), equivalence=equivalence(random),
        pareto=pareto(random), proportions=proportions(), holm=holm(random),
        student=student(random), rankSum=rank_sum(random))
    TARGET.write_text(json.dumps(vectors, default=float, separators=(",", ":")) + "\n")


main()
