import { Tooltip } from '@mantine/core'
import { useInterval } from '@mantine/hooks'
import { useState } from 'react'

const FULL = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })
const RELATIVE = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto', style: 'short' })

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** How long ago it was, such as `3 min. ago`. */
function ago(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000)
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.round(seconds / size), unit)
  }
  return Math.abs(seconds) < 5 ? 'just now' : RELATIVE.format(seconds, 'second')
}

/** A time as a person says it; the exact one is shown when pointed at. */
export function Ago({ at }: { readonly at: string | number }) {
  const [now, setNow] = useState(Date.now)
  useInterval(() => setNow(Date.now()), 10_000, { autoInvoke: true })
  const time = new Date(at)
  return (
    <Tooltip label={FULL.format(time)}>
      <time dateTime={time.toISOString()}>{ago(time.getTime(), now)}</time>
    </Tooltip>
  )
}

/** A duration, such as `4.1 s`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  return `${minutes} min ${Math.round((ms % 60_000) / 1000)} s`
}
