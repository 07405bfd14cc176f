"""Writes what scipy and statsmodels make of fixed samples, with the samples.

    python3 -m venv judge && judge/bin/pip install scipy==1.17.1 statsmodels==0.15.0
    judge/bin/python scripts/vectors/stats.py

The result is Tests/Golden/statistics.json.
"""

import itertools
import json
import pathlib

import numpy as np
from scipy import stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

TARGET = pathlib.Path(__file__).parents[2] / "Tests/Golden/statistics.json"


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
    """Small groups by all signs. Large ones of the ranks 1 to n, for which Wilcoxon's exact test of signed ranks is
    the same test, down to one in 1e10."""
    cases = []
    for count, shift in [(5, 1.0), (10, 0.5), (14, -0.4)]:
        values = rounded(random.normal(shift, 1, count))
        p = stats.permutation_test(
            (values,), np.mean, permutation_type="samples", alternative="greater", n_resamples=np.inf).pvalue
        cases.append(dict(values=values, p=p))
    for count in [20, 40, 60]:
        for negative in [0.5, 0.3, 0.2, 0.1]:
            values = [-rank if random.random() < negative else rank for rank in range(1, count + 1)]
            p = stats.wilcoxon(values, alternative="greater", method="exact").pvalue
            cases.append(dict(values=values, p=p))
    return cases


def exchange(random):
    """One to three groups of both sides' values, by every exchange within them; the last holds counts, with ties."""
    cases = []
    for sizes, shift in [([(4, 4)], 1.0), ([(5, 5), (3, 4)], 0.7), ([(5, 5)] * 3, 2.0), ([(5, 5)] * 3, -0.5), (
            [(5, 5)] * 3, None)]:
        groups, sums = [], np.zeros(1)
        for before, after in sizes:
            values = (rounded(random.poisson([2] * before + [4] * after)) if shift is None
                      else rounded(random.normal([0] * before + [shift] * after)))
            groups.append(dict(before=values[:before], after=values[before:]))
            total = sum(values)
            chosen = np.array([sum(some) for some in itertools.combinations(values, after)])
            sums = np.add.outer(sums, chosen / after - (total - chosen) / before).ravel()
        found = sum(np.mean(group["after"]) - np.mean(group["before"]) for group in groups)
        cases.append(dict(groups=groups, p=np.mean(sums >= found - 1e-9)))
    return cases


def proportions():
    cases = []
    for k, n, chance in [(0, 12, 0.5), (7, 10, 0.5), (16, 16, 1 / 3), (120, 1000, 0.1), (3, 40, 0.05)]:
        wilson = proportion_confint(k, n, method="wilson")
        exact = proportion_confint(k, n, method="beta")
        # The p-values are for the browser's blind tests (scripts/report/blind.py).
        cases.append(dict(
            k=k, n=n, chance=chance, wilson=wilson, clopperPearson=exact,
            p=stats.binomtest(k, n, chance).pvalue,
            pGreater=stats.binomtest(k, n, chance, alternative="greater").pvalue))
    return cases


def holm(random):
    cases = []
    for count in [1, 4, 12]:
        p = rounded(random.random(count) ** 2)
        cases.append(dict(p=p, adjusted=list(multipletests(p, method="holm")[1])))
    return cases


def student(random):
    """Of five to thirty differences: p-value and interval."""
    cases = []
    for count, shift in [(5, 1.5), (8, -0.3), (30, 0.4)]:
        values = rounded(random.normal(shift, 1, count))
        test = stats.ttest_1samp(values, 0)
        ends = test.confidence_interval(0.95)
        cases.append(dict(values=values, p=test.pvalue, lower=ends.low, upper=ends.high))
    return cases


def main():
    random = np.random.default_rng(1)
    vectors = dict(
        bootstrap=bootstrap(random), signFlip=sign_flip(random),
        proportions=proportions(), holm=holm(random), student=student(random),
        exchange=exchange(random))
    TARGET.write_text(json.dumps(vectors, default=float, separators=(",", ":")) + "\n")


main()
