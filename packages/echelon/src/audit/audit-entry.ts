import { createHash } from 'node:crypto'
import { canonicalJson } from '../core/value/canonical-json.ts'
import { isJson, isJsonObject, type JsonObject } from '../core/value/json.ts'

/** An action, its actor and its run. */
export interface AuditAct extends JsonObject {
  /** ISO 8601 with an offset. */
  readonly ts: string
  /** Null if no run was started. */
  readonly run_id: string | null
  readonly task_id: string | null
  readonly actor: string
  readonly action: string
  readonly details: JsonObject
}

/**
 * An act at its place in the log. `hash` is the SHA-256, in hexadecimal, of the entry's canonical
 * JSON (RFC 8785, UTF-8) without the field `hash`; `prev` is the hash of the previous entry, and
 * sixty-four zeros in the first; `seq` counts from 1. A line of the file is the canonical JSON of
 * the whole entry.
 */
export interface AuditEntry extends AuditAct {
  readonly seq: number
  readonly prev: string
  readonly hash: string
}

/** The end of the log to which an entry is chained. */
export interface Head {
  readonly seq: number
  readonly hash: string
}

/** The predecessor of the first entry. */
export const BEFORE_FIRST: Head = { seq: 0, hash: '0'.repeat(64) }

export function chain(act: AuditAct, to: Head): AuditEntry {
  const { ts, run_id, task_id, actor, action, details } = act
  const linked = { ts, run_id, task_id, actor, action, details, seq: to.seq + 1, prev: to.hash }
  return { ...linked, hash: sha256(canonicalJson(linked)) }
}

export const lineOf = (entry: AuditEntry): string => canonicalJson(entry)

/** Parses a line; undefined if the line is not byte for byte as written. */
export function entryOf(line: Buffer): AuditEntry | undefined {
  const entry = parse(line.toString('utf8'))
  if (entry === undefined) return undefined
  const same = chain(entry, { seq: entry.seq - 1, hash: entry.prev })
  return Buffer.from(lineOf(same)).equals(line) ? entry : undefined
}

function parse(text: string): AuditEntry | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isEntry(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): value is AuditEntry {
  if (!isJson(value) || !isJsonObject(value)) return false
  const texts = [value['ts'], value['actor'], value['action'], value['prev'], value['hash']]
  const ids = [value['run_id'], value['task_id']]
  return (
    texts.every((text) => typeof text === 'string') &&
    ids.every((id) => id === null || typeof id === 'string') &&
    Number.isSafeInteger(value['seq']) &&
    isJsonObject(value['details'])
  )
}

export const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')
