let inWords: Intl.DateTimeFormat | undefined

/** An ISO date such as `Monday, September 8, 2025`, in English regardless of the system locale. */
export function dateInWords(iso: string): string {
  // Created once, on first use: creating a format takes milliseconds.
  inWords ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' })
  return inWords.format(Date.parse(`${iso}T00:00:00Z`))
}

/** The ISO date of a moment (milliseconds since the epoch) in a zone (IANA name). */
export function dateIn(timeZone: string, at: number): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes): string =>
    parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}
