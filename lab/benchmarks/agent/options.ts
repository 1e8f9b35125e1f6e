import { parseArgs } from 'node:util'
import type { Contestant } from './contestant.ts'

interface Options {
  /** The only figure to measure, in this process. */
  readonly only: string | undefined
  /** Prints the measurements as JSON. */
  readonly json: boolean
  /** Only Echelon, for a profile. */
  readonly alone: boolean
  /** Against the bare loop only, for the guard. */
  readonly quick: boolean
}

/** @throws TypeError with the allowed options, for an unknown one */
export function readOptions(args: readonly string[] = process.argv.slice(2)): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      alone: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
    },
  })
  return { ...values, only: values.only }
}

/** All contestants; only the first for a profile, the first two for the guard. */
export function entered<Name extends Contestant['name']>(
  contestants: readonly (Contestant & { readonly name: Name })[],
): readonly (Contestant & { readonly name: Name })[] {
  const { alone, quick } = readOptions()
  if (alone) return contestants.slice(0, 1)
  return quick ? contestants.slice(0, 2) : contestants
}
