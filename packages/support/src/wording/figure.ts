import type { CalendarDay } from './calendar.ts'

/** Something in a text that is right or wrong: a claim that can be looked up. */
export type Figure = { readonly said: string } & (
  | {
      readonly kind: 'number'
      /** More than one where it can be read in two ways: `1.234`. */
      readonly values: readonly number[]
      /** ISO 4217; `null` where none is said. */
      readonly currency: string | null
      readonly isPercent: boolean
      /** Whether things are counted that a list holds: `3 items`. */
      readonly counts: boolean
    }
  /** More than one where it can be read in two ways: `03/04/2025`. */
  | { readonly kind: 'date'; readonly days: readonly CalendarDay[] }
  /** A month of a year, or of any. */
  | { readonly kind: 'month'; readonly month: number; readonly year: number | null }
  /** `the 20th`. */
  | { readonly kind: 'day'; readonly day: number }
  /** 0 is Sunday. */
  | { readonly kind: 'weekday'; readonly weekday: number }
  /** Minutes since midnight. */
  | { readonly kind: 'time'; readonly minutes: number }
  /** An id, a link or an address, in lower case. */
  | { readonly kind: 'id'; readonly id: string }
  /** `3-5`: either so, or each of the two. */
  | { readonly kind: 'span'; readonly id: string; readonly values: readonly number[] }
  /** A day that depends on which one today is, in lower case: no figure of any data. */
  | { readonly kind: 'relative'; readonly word: string }
)
