import { isJsonArray, isJsonObject, timestampIn } from 'echelon/internal/value'
import type { Json, JsonObject } from 'echelon/runtime'
import { isDay, MONTHS } from 'echelon/internal/figures'

/**
 * Fills in the names of a template: `{name}`, `{name|date}` ("2025-10-20" becomes "Oct 20"; with `date+30` the day 30 days later, with `date+7b` 7 business days later, and `{name|time}` the time of day; with `over+7b` the same, but only if
 * that day is over at the time `now`, and with `past+30` only if that very time is past), `{name|money}` (29.99
 * becomes "$29.99"; in the currency of the value `currency`) and `{name|list}` ("a, b and c"). A part in `[…]` is
 * omitted if a name within it has no value: `null`, absent or empty. Outside of brackets such a name leaves
 * nothing behind, and no double blank. Values are inserted verbatim, never read as templates; a status such as
 * `in_transit` becomes "in transit".
 */
export function fill(template: string, values: JsonObject): string {
  const pieces: Piece[] = []
  let from = 0
  for (const match of template.matchAll(OPTIONAL)) {
    const [whole, optional = ''] = match
    pieces.push(...filled(template.slice(from, match.index), values))
    pieces.push(...(hasAll(optional, values) ? filled(optional, values) : [GAP]))
    from = match.index + whole.length
  }
  pieces.push(...filled(template.slice(from), values))
  return joined(pieces)
}

const OPTIONAL = /\[([^[\]]*)\]/g
const NAME = /\{\s*([\w.-]+)\s*(?:\|\s*([\w+]+)\s*)?\}/g

/** Text, or a marker for a missing value. */
type Piece = string | typeof GAP
const GAP = null

function filled(template: string, values: JsonObject): readonly Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const match of template.matchAll(NAME)) {
    const [whole, name = '', form] = match
    const value = formed(values, name, form)
    pieces.push(template.slice(from, match.index), value === '' ? GAP : value)
    from = match.index + whole.length
  }
  pieces.push(template.slice(from))
  return pieces.filter((piece) => piece !== '')
}

/** Leaves one blank around a gap, and none before a mark or at either end. */
function joined(pieces: readonly Piece[]): string {
  let said = ''
  let isAfterGap = false
  for (const piece of pieces) {
    if (piece === GAP) isAfterGap = true
    else if (isAfterGap) {
      const isMark = /^\s*[.,;:!?)]/.test(piece)
      const before = isMark ? said.trimEnd() : said
      said = before + (isMark || /(?:^|\s)$/.test(before) ? piece.trimStart() : piece)
      isAfterGap = false
    } else said += piece
  }
  return said.trim()
}

/** Whether each name of a template outside of brackets has a value. */
export const isFilled = (template: string, values: JsonObject): boolean =>
  hasAll(template.replaceAll(OPTIONAL, ''), values)

function hasAll(template: string, values: JsonObject): boolean {
  return [...template.matchAll(NAME)].every(
    ([, name = '', form]) => formed(values, name, form) !== '',
  )
}

function formed(values: JsonObject, name: string, form: string | undefined): string {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  if (value === undefined || value === null) return ''
  if (form === 'date') return dateOf(value)
  if (form === 'time') return timeOf(value)
  const [, kind, days, isBusiness] = /^(date|over|past)\+(\d{1,3})(b?)$/.exec(form ?? '') ?? []
  if (days !== undefined) {
    const later = (isBusiness === 'b' ? businessDaysLater : daysLater)(value, Number(days))
    const over = kind === 'past' ? 0 : DAY
    return kind === 'date' || isOver(later, values['now'], over) ? dateOf(later) : ''
  }
  if (form === 'money') return moneyOf(value, values['currency'])
  return plain(value)
}

function plain(value: Json): string {
  if (typeof value === 'string') return clean(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (isJsonArray(value)) return listOf(value.map(plain).filter((one) => one !== ''))
  if (isJsonObject(value)) return plain(value['name'] ?? value['title'] ?? null)
  return value === null ? '' : String(value)
}

/** Writes an identifier such as `in_transit` as words. */
function clean(text: string): string {
  const said = text.trim()
  return /^[a-z]+(?:_[a-z]+)+$/.test(said) ? said.replaceAll('_', ' ') : said
}

function listOf(items: readonly string[]): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`
}

function daysLater(value: Json, days: number): Json {
  const time = typeof value === 'string' ? Date.parse(value) : NaN
  return Number.isNaN(time) ? value : timestampIn('UTC', time + days * DAY)
}

/** Monday to Friday; holidays are not known. */
function businessDaysLater(value: Json, days: number): Json {
  const time = typeof value === 'string' ? Date.parse(value) : NaN
  if (Number.isNaN(time)) return value
  let at = time
  for (let left = days; left > 0;) {
    at += DAY
    const weekday = new Date(at).getUTCDay()
    if (weekday !== 0 && weekday !== 6) left -= 1
  }
  return timestampIn('UTC', at)
}

/** Whether a day is over at a time; without the time it is not. */
const isOver = (day: Json, now: Json | undefined, lasts: number): boolean =>
  typeof day === 'string' && typeof now === 'string' && Date.parse(day) + lasts < Date.parse(now)

const DAY = 24 * 60 * 60 * 1_000

function dateOf(value: Json): string {
  const said = plain(value)
  const [, , month = '', day = ''] = /^(\d{4})-(\d{2})-(\d{2})(?:$|[T ])/.exec(said) ?? []
  return isDay(Number(month), Number(day)) ? `${MONTHS[Number(month) - 1]} ${Number(day)}` : said
}

/** The time of day of a timestamp: "08:44 UTC". */
function timeOf(value: Json): string {
  const time = typeof value === 'string' ? Date.parse(value) : NaN
  return Number.isNaN(time) ? '' : `${timestampIn('UTC', time).slice(11, 16)} UTC`
}

function moneyOf(value: Json, currency: Json | undefined): string {
  const said = plain(value)
  const amount = typeof value === 'number' ? value : Number(said)
  if (said === '' || !Number.isFinite(amount)) return said
  const known = typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? currency : 'USD'
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: known }).format(amount)
}
