"use strict"

/* What a count of successes among trials says about the chance of success. All of it is exact: sums
   of the binomial distribution, no approximation; for up to some thousand trials. */

/** The probabilities of 0 … trials successes, if each trial succeeds with probability `share`. */
function binomial(trials, share) {
  const logs = [0]
  for (let k = 1; k <= trials; k += 1) logs.push(logs[k - 1] + Math.log((trials - k + 1) / k))
  return logs.map((choose, k) => Math.exp(choose + power(share, k) + power(1 - share, trials - k)))
}

/** The logarithm of base^exponent, 0 for 0^0. */
function power(base, exponent) {
  return exponent === 0 ? 0 : exponent * Math.log(base)
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}

/** How often guessing gives at least so many successes. */
function chanceOfAtLeast(successes, trials, share = 0.5) {
  return Math.min(1, sum(binomial(trials, share).slice(successes)))
}

/** How often guessing gives a count that is no likelier than this one: two-sided. */
function chanceOfAsUnlikely(successes, trials, share = 0.5) {
  const chances = binomial(trials, share)
  // Rounding must not separate equal probabilities.
  return Math.min(1, sum(chances.filter((chance) => chance <= chances[successes] * (1 + 1e-7))))
}

/** The exact interval for the chance of success.
    Source: Clopper and Pearson, "The use of confidence or fiducial limits", 1934. */
function clopperPearson(successes, trials, confidence = 0.95) {
  const tail = (1 - confidence) / 2
  const atLeast = (share) => chanceOfAtLeast(successes, trials, share)
  const atMost = (share) => sum(binomial(trials, share).slice(0, successes + 1))
  return [
    successes === 0 ? 0 : whereRising((share) => atLeast(share) - tail),
    successes === trials ? 1 : whereRising((share) => tail - atMost(share)),
  ]
}

/** Where a function that rises from below 0 to above it between 0 and 1 is 0: by halving. */
function whereRising(rising) {
  let [low, high] = [0, 1]
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2
    if (rising(middle) < 0) low = middle
    else high = middle
  }
  return (low + high) / 2
}
