import { EchelonError } from 'echelon/internal/value'

/**
 * The day of a timestamp (ISO 8601 with an offset) in a zone (IANA name), as 2026-11-22.
 * @throws EchelonError INVALID_CONFIG for an unknown zone
 */
export function daysIn(timeZone: string): (ts: string) => string {
  const format = formatIn(timeZone)
  return (ts) => {
    const parts = format.formatToParts(new Date(ts))
    const part = (type: Intl.DateTimeFormatPartTypes): string =>
      parts.find((one) => one.type === type)?.value ?? ''
    return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
  }
}

function formatIn(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    })
  } catch (cause) {
    throw new EchelonError(
      'INVALID_CONFIG',
      `${timeZone} is not a time zone; use an IANA name such as Asia/Bangkok`,
      { cause },
    )
  }
}
