import {
  type BigNumber,
  create,
  isFraction,
  isFunctionNode,
  isSymbolNode,
  type MathNode,
} from './mathjs.ts'
import { refuse } from './refuse.ts'
import type { Value } from './value.ts'

const math = create({})

/**
 * Below this limit the Miller-Rabin test with the primes up to 41 is a proof (Sorenson and Webster,
 * Strong pseudoprimes to twelve prime bases, 2015). It takes about a millisecond.
 */
const LIMIT = 3_317_044_064_679_887_385_961_981n

/** The argument of `isPrime(…)`, if that is the whole expression. */
export function primeArgument(node: MathNode): MathNode | undefined {
  const isCall = isFunctionNode(node) && isSymbolNode(node.fn) && node.fn.name === 'isPrime'
  if (!isCall) return undefined
  const [number, ...others] = node.args
  if (number !== undefined && others.length === 0) return number
  throw refuse(`isPrime takes 1 argument, not ${node.args.length}`)
}

/**
 * Returns `yes` if a number is prime, otherwise `no`. Negative numbers, 0, 1 and fractions are not
 * prime.
 * @throws ToolError INVALID_ARGS for a number that is not exact or too large for a proof
 */
export function primality(value: Value | undefined): 'yes' | 'no' {
  if (value === undefined || !isFraction(value)) {
    throw refuse('isPrime needs an exact number, such as 17077')
  }
  if (value.d !== 1n || value.s < 0n || value.n < 2n) return 'no'
  if (value.n % 2n === 0n) return value.n === 2n ? 'yes' : 'no'
  if (value.n >= LIMIT) {
    throw refuse('isPrime takes numbers of up to 24 digits; a larger one would take too long')
  }
  const number: BigNumber = math.bignumber(String(value.n))
  return math.isPrime(number) ? 'yes' : 'no'
}
