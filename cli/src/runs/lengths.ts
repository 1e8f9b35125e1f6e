import { InvalidArgumentError } from 'commander'

const MS: Readonly<Record<string, number>> = {
  m: 60 * 1000,
  h: 60 * 60 * 1000,
  d: 24 * 60 * 60 * 1000,
  w: 7 * 24 * 60 * 60 * 1000,
}

/** `30d`, `12h` and the like, in milliseconds. */
export function lengthOfTime(text: string): number {
  const { number, unit = '' } = /^(?<number>\d{1,6})(?<unit>[mhdw])$/.exec(text)?.groups ?? {}
  const ms = MS[unit]
  if (number !== undefined && ms !== undefined) return Number(number) * ms
  throw new InvalidArgumentError(
    'It must be a number with m, h, d or w (minutes, hours, days, weeks), such as 30d.',
  )
}
