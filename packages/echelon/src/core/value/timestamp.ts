/** Formats a moment (milliseconds since the epoch) as ISO 8601 in a zone (IANA name), with offset. */
export function timestampIn(timeZone: string, at: number): string {
  const second = Math.floor(at / 1000)
  const known = LAST.get(timeZone)
  const last = known?.second === second ? known : { second, ...formatted(timeZone, second * 1000) }
  LAST.set(timeZone, last)
  const milliseconds = String(Math.floor(at) - second * 1000).padStart(3, '0')
  return `${last.time}.${milliseconds}${last.zone}`
}

/** The last second formatted for each zone: many records of a run share one, and formatting takes 25 times as long. */
const LAST = new Map<string, { second: number; time: string; zone: string }>()

function formatted(timeZone: string, at: number): { readonly time: string; readonly zone: string } {
  const shown = formatOf(timeZone).formatToParts(at)
  const part = (type: Intl.DateTimeFormatPartTypes): string =>
    shown.find((one) => one.type === type)?.value ?? ''
  const zone = part('timeZoneName').slice('GMT'.length)
  const day = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
  const time = `${day}T${part('hour')}:${part('minute')}:${part('second')}`
  return { time, zone: zone === '' ? '+00:00' : zone }
}

/** Cached by zone, of which there are some hundred: creating a formatter is far slower than using it. */
const FORMATS = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = FORMATS.get(timeZone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    timeZoneName: 'longOffset',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  FORMATS.set(timeZone, made)
  return made
}
