import type { CalendarDay } from './calendar.ts'

/** A checkable item in a text, such as a number or a date. */
export type Figure = { readonly said: string } & (
  | {
      readonly kind: 'number'
      /** Several if it is ambiguous: `1.234`. */
      readonly values: readonly number[]
      /** ISO 4217; `null` if none is given. */
      readonly currency: string | null
      readonly isPercent: boolean
      /** Whether it counts the items of a list: `3 items`. */
      readonly counts: boolean
    }
  /** Several if it is ambiguous: `03/04/2025`. */
  | { readonly kind: 'date'; readonly days: readonly CalendarDay[] }
  /** A month of one year, or of any. */
  | { readonly kind: 'month'; readonly month: number; readonly year: number | null }
  /** `the 20th`. */
  | { readonly kind: 'day'; readonly day: number }
  /** 0 is Sunday. */
  | { readonly kind: 'weekday'; readonly weekday: number }
  /** Minutes since midnight. */
  | { readonly kind: 'time'; readonly minutes: number }
  /** An id, a link or an address, in lower case. */
  | { readonly kind: 'id'; readonly id: string }
  /** `3-5`: the range as written, or each of the two. */
  | { readonly kind: 'span'; readonly id: string; readonly values: readonly number[] }
  /** A day relative to today, in lower case; never a figure of the data. */
  | { readonly kind: 'relative'; readonly word: string }
)
