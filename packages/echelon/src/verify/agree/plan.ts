import { EchelonError } from '../../core/value/error.ts'
import type { Way } from './way.ts'

export interface AgreeOptions {
  /** Asked in turn, the first one again after the last. At least one. */
  readonly ways: readonly Way[]
  /** The name of the way in which the answer itself was found; default `words`. */
  readonly own?: string
  /** Opinions that are asked for at most; default the number of ways, at least 2. */
  readonly atMost?: number
  /**
   * Votes for the answer that settle it, its own included; default more than half of `atMost` + 1. It stops asking
   * once they are reached, or can't be reached any more.
   */
  readonly need?: number
  /** Requires a vote by another way than the answer's own; default false. */
  readonly across?: boolean
}

/** The features that do not depend on the ways. */
export const NAMES: readonly string[] = [
  'agree.for',
  'agree.against',
  'agree.same',
  'agree.runnerUp',
  'agree.sharedNumbers',
  'agree.near',
  'agree.across',
]

/** The options, with their defaults. */
export interface Plan extends Required<AgreeOptions> {}

/** @throws EchelonError INVALID_DEFINITION for options that cannot work */
export function planOf({ ways, own = 'words', across = false, ...given }: AgreeOptions): Plan {
  const atMost = given.atMost ?? Math.max(2, ways.length)
  const need = given.need ?? Math.floor((atMost + 1) / 2) + 1
  const names = ways.map(({ name }) => name)
  if (names.length === 0) throw invalid('needs a way to ask')
  if (new Set(names).size < names.length)
    throw invalid(`has two ways of one name: ${names.join(', ')}`)
  const odd = names.find((name) => !/^[\w-]+$/.test(name) || NAMES.includes(`agree.${name}`))
  if (odd !== undefined) throw invalid(`cannot call a way ${JSON.stringify(odd)}`)
  if (!Number.isInteger(atMost) || atMost < 1)
    throw invalid('needs `atMost` as a whole number from 1 on')
  if (!Number.isInteger(need) || need < 2 || need > atMost + 1) {
    throw invalid(`needs \`need\` as a whole number from 2 to ${atMost + 1}`)
  }
  if (across && names.every((name) => name === own)) {
    throw invalid(`has \`across\`, and no way but the answer's own, ${own}`)
  }
  return { ways, own, atMost, need, across }
}

const invalid = (what: string): EchelonError =>
  new EchelonError('INVALID_DEFINITION', `the verifier agree ${what}`)
