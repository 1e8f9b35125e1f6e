import { isJsonObject, type Json } from 'echelon/runtime'
import type { AuditEntry } from '@echelon/telemetry'
import pc from 'picocolors'
import { clean } from './clean.ts'

/**
 * Formats entries, grouped by run.
 * @param columns maximum line width; default 120
 */
export function describeAudit(entries: readonly AuditEntry[], columns = 120): string {
  const digits = String(entries.at(-1)?.seq ?? 0).length
  const who = widest(entries.map(({ actor }) => actor))
  const what = widest(entries.map(({ action }) => action))
  const room = Math.max(LEAST_ROOM, columns - digits - who - what - TIME - 4 * GAP.length)
  let before: string | undefined
  return entries
    .flatMap((entry) => {
      const heading = headingOf(entry)
      const isNew = heading !== before
      before = heading
      const { seq, ts, actor, action } = entry
      const line = [
        pc.dim(String(seq).padStart(digits)),
        pc.dim(ts.slice(11, 11 + TIME)),
        clean(actor).padEnd(who),
        clean(action).padEnd(what),
        clip(detailsOf(entry), room),
      ]
      return [...(isNew ? [pc.bold(heading)] : []), line.join(GAP).trimEnd()]
    })
    .join('\n')
}

const GAP = '  '
/** Width of a time as hh:mm:ss. */
const TIME = 8
const LEAST_ROOM = 30

const widest = (texts: readonly string[]): number =>
  Math.max(...texts.map((text) => clean(text).length))

function headingOf({ run_id, ts }: AuditEntry): string {
  const day = `${ts.slice(0, 10)} ${/(?:[+-]\d\d:\d\d|Z)$/.exec(ts)?.[0] ?? ''}`
  return clean(run_id === null ? `no run  ${day}` : `run ${run_id}  ${day}`)
}

/** Fields shown first, without their names. */
const FIRST = [
  'mode',
  'model',
  'tool',
  'args',
  'decision',
  'status',
  'to',
  'finish_reason',
  'name',
  'error_code',
]

/** Fields left out: shown elsewhere in the line, or meant for programs. */
const LEFT_OUT = [
  'step_id',
  'tier',
  'rung',
  'rungs',
  'checks',
  'sha256',
  'input_sha256',
  'settings_sha256',
  'token_usage',
]

const KNOWN: ReadonlySet<string> = new Set([...FIRST, ...LEFT_OUT])

function detailsOf({ details }: AuditEntry): string {
  const first = FIRST.flatMap((name) => details[name] ?? []).map(plain)
  const more = Object.entries(details)
    .filter(([name, value]) => !KNOWN.has(name) && value !== null)
    .map(([name, value]) => `${name} ${plain(value)}`)
  return [first.join(' '), ...more].filter((text) => text !== '').join(', ')
}

const plain = (value: Json): string =>
  typeof value === 'string' ? value : JSON.stringify(shortened(value))

/** Hexadecimal digits shown of a digest, enough to be unique within a run. */
const DIGITS = 8

/** Shortens digests at any depth. */
function shortened(value: Json): Json {
  if (Array.isArray(value)) return value.map(shortened)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'sha256' && typeof inner === 'string' ? inner.slice(0, DIGITS) : shortened(inner),
    ]),
  )
}

function clip(text: string, room: number): string {
  const shown = clean(text)
  return shown.length <= room ? shown : `${shown.slice(0, room - 1)}…`
}
