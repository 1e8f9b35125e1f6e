import { parseArgs } from 'node:util'
import type { Contestant } from './contestant.ts'

interface Options {
  /** The one figure to be measured, in this process. */
  readonly only: string | undefined
  /** What was measured is printed as JSON. */
  readonly json: boolean
  /** Echelon without anybody to compare it with, for a profile. */
  readonly alone: boolean
  /** Against the bare loop only, for the guard. */
  readonly quick: boolean
}

/** @throws TypeError, with what is allowed, for an option that does not exist */
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

/** All of them; in a profile the first alone, for the guard the first two. */
export function entered<Name extends Contestant['name']>(
  contestants: readonly (Contestant & { readonly name: Name })[],
): readonly (Contestant & { readonly name: Name })[] {
  const { alone, quick } = readOptions()
  if (alone) return contestants.slice(0, 1)
  return quick ? contestants.slice(0, 2) : contestants
}
