/** Chance that a one-sided bound is wrong. */
const ALPHA = 0.05

/**
 * The largest share that a count is still compatible with: the one-sided upper bound of Clopper and Pearson (1934),
 * which never holds less often than it says. 1 if nothing was counted.
 * @param yes how often it was so; a count that stands for dependent cases may be a fraction, and is rounded up
 * @param alpha chance that the share is larger than the bound; default .05
 */
export function upperBound(yes: number, of: number, alpha: number = ALPHA): number {
  const [count, n] = [Math.ceil(yes - 1e-9), Math.floor(of + 1e-9)]
  if (n <= 0 || count >= n) return 1
  const logChoose = logBinomial(n, count)
  let [low, high] = [count / n, 1]
  // Each step halves the bracket; forty leave less than 1e-12.
  for (let step = 0; step < 40; step++) {
    const middle = (low + high) / 2
    if (lowerTail(count, n, middle, logChoose) > alpha) low = middle
    else high = middle
  }
  return high
}

/** The smallest share that a count is still compatible with; 0 if nothing was counted. */
export const lowerBound = (yes: number, of: number, alpha: number = ALPHA): number =>
  1 - upperBound(Math.floor(of + 1e-9) - Math.floor(yes + 1e-9), of, alpha)

/** The probability of at most `count` of `n`, for a share that is not below count / n: terms only fall then. */
function lowerTail(count: number, n: number, share: number, logChoose: number): number {
  if (share >= 1) return 0
  let term = Math.exp(logChoose + count * Math.log(share) + (n - count) * Math.log1p(-share))
  if (count === 0) return (1 - share) ** n
  let sum = term
  for (let at = count; at > 0 && term > sum * 1e-17; at--) {
    term *= (at * (1 - share)) / ((n - at + 1) * share)
    sum += term
  }
  return sum
}

const logBinomial = (n: number, count: number): number =>
  logFactorial(n) - logFactorial(count) - logFactorial(n - count)

/** By Stirling's series, right to 1e-12 from 16 on. */
function logFactorial(n: number): number {
  if (n < 16) {
    let product = 1
    for (let at = 2; at <= n; at++) product *= at
    return Math.log(product)
  }
  const series = 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5)
  return n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + series
}
