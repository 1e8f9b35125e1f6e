import { EchelonError } from 'echelon/internal/value'

/**
 * Parses a JSON column. PostgreSQL sums its pages, but a row may have been changed by hand.
 * @param what names the row
 * @throws EchelonError STORE_DAMAGED without the text, which is personal data
 */
export function keptJson(
  place: string,
  what: string,
  text: unknown,
): ReturnType<typeof JSON.parse> {
  try {
    return JSON.parse(String(text))
  } catch {
    throw damagedRow(place, what)
  }
}

/** @param what names what is damaged, without any of its content */
export const damagedRow = (place: string, what: string): EchelonError =>
  new EchelonError(
    'STORE_DAMAGED',
    `${what} is damaged in ${place} and was not used; the rest is intact: restore a backup to get it back`,
    { details: { damaged: what } },
  )
