import { canonicalJson } from '../core/value/canonical-json.ts'
import { type AuditAct, type AuditEntry, chain, type Head, lineOf, sha256 } from './audit-entry.ts'
import { LONGEST_LINE } from './longest-line.ts'

/** The actor of entries about the log itself. */
export const RECORDER = 'recorder'
/** The action that states how many earlier entries could not be written. */
export const ENTRIES_LOST = 'entries_lost'
/** The action after a line that was cut when a process was killed. */
export const TORN_LINE = 'torn_line'
/** The action after invalid lines that no crash explains. */
export const DAMAGE = 'damage'

/** Longer details are replaced by their digest. In bytes, as canonical JSON. */
const MOST_DETAILS = 64 * 1024

/**
 * Formats acts as lines without newlines, each chained to the previous one.
 * @throws Error for an act whose ids are too long for a line
 */
export function chainedLines(acts: readonly AuditAct[], head: Head): readonly string[] {
  let last = head
  return acts.map((act) => {
    const entry = chain(shortened(act), last)
    last = entry
    return lineWithin(entry)
  })
}

/** States that earlier entries could not be written. */
export const lostAct = (ts: string, entries: number): AuditAct => ({
  ts,
  run_id: null,
  task_id: null,
  actor: RECORDER,
  action: ENTRIES_LOST,
  details: { entries },
})

/** States that the lines before it are not entries. */
export const foundAct = (
  broken: Uint8Array,
  { action, ts }: { readonly action: typeof TORN_LINE | typeof DAMAGE; readonly ts: string },
): AuditAct => ({
  ts,
  run_id: null,
  task_id: null,
  actor: RECORDER,
  action,
  details: { bytes: broken.length, sha256: sha256(broken) },
})

function shortened(act: AuditAct): AuditAct {
  const details = canonicalJson(act.details)
  const bytes = Buffer.byteLength(details)
  if (bytes <= MOST_DETAILS) return act
  return { ...act, details: { left_out: { bytes, sha256: sha256(details) } } }
}

function lineWithin(entry: AuditEntry): string {
  const line = lineOf(entry)
  if (Buffer.byteLength(line) <= LONGEST_LINE) return line
  throw new Error(`an entry may have ${LONGEST_LINE} bytes; the ids of this one are too long`)
}
