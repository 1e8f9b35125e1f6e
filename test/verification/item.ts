import type { Draw } from './draw.ts'
import { isEqual, type Quantity, toNumber } from './rational.ts'

/** An English reader's reading of a question. */
export type Reading =
  | { readonly type: 'value'; readonly value: number }
  /** `YYYY-MM-DD`. */
  | { readonly type: 'date'; readonly iso: string }
  /** Two sensible readings with different answers, or no reading; any verified answer is a failure. */
  | { readonly type: 'ambiguous'; readonly why: string }

/** A question with its right reading. */
export interface Item {
  readonly kind: string
  readonly text: string
  readonly reading: Reading
  /** Plain and unambiguous: it must be verified, not just never wrong. */
  readonly control: boolean
}

export type Made = Pick<Item, 'text' | 'reading'> | undefined

/** Makes questions of one kind. `undefined` if the drawn numbers make no question. */
export interface Grammar {
  readonly kind: string
  readonly control?: true
  readonly make: (draw: Draw) => Made
}

/** A question with one right number. A plain number counts things, so it must be whole. */
export function worth(text: string, value: Quantity): Made {
  if (typeof value === 'number' && !Number.isInteger(value)) return undefined
  return { text, reading: { type: 'value', value: toNumber(value) } }
}

/** A question with one right date. */
export const onDay = (text: string, iso: string): Made => ({ text, reading: { type: 'date', iso } })

/** A question with several readings. Drop it if all readings have the same answer. */
export function eitherOf(text: string, why: string, readings: readonly Quantity[]): Made {
  const [first, ...others] = readings
  if (first === undefined || others.every((other) => isEqual(other, first))) return undefined
  return unsettled(text, why)
}

/** A question without one answer: information is missing, or it asks for two things. */
export const unsettled = (text: string, why: string): Made => ({
  text,
  reading: { type: 'ambiguous', why },
})
