import { canonicalJson } from '../core/value/canonical-json.ts'
import { type AuditAct, type AuditEntry, chain, type Head, lineOf, sha256 } from './audit-entry.ts'
import { LONGEST_LINE } from './longest-line.ts'

/** Who says something about the log itself. */
export const RECORDER = 'recorder'
/** Says how many entries before it could not be kept. */
export const ENTRIES_LOST = 'entries_lost'
/** The action that stands after a line that a process was killed in. */
export const TORN_LINE = 'torn_line'
/** The action that stands after lines that are no entries, and that no crash left. */
export const DAMAGE = 'damage'

/** Longer details are told by their digest. In bytes, as canonical JSON. */
const MOST_DETAILS = 64 * 1024

/**
 * Acts as lines, each chained to the one before, without their newlines.
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

/** That entries before it could not be kept. */
export const lostAct = (ts: string, entries: number): AuditAct => ({
  ts,
  run_id: null,
  task_id: null,
  actor: RECORDER,
  action: ENTRIES_LOST,
  details: { entries },
})

/** That what stands before it is no entry. */
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
