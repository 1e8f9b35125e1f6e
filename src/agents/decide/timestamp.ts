/** A moment (milliseconds since the epoch) as ISO 8601 in a zone (IANA name), offset included. */
export function timestampIn(timeZone: string, at: number): string {
  const shown = new Intl.DateTimeFormat('en-US', {
    timeZone,
    timeZoneName: 'longOffset',
    year: 'numeric',
  })
    .formatToParts(at)
    .find((part) => part.type === 'timeZoneName')?.value
  const offset = shown === undefined || shown === 'GMT' ? '+00:00' : shown.slice('GMT'.length)
  const local = new Date(at + offsetMs(offset)).toISOString()
  return `${local.slice(0, -1)}${offset}`
}

function offsetMs(offset: string): number {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
