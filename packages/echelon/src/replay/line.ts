import type { Artifact } from '../core/tool/artifact.ts'
import type { Entry } from '../core/journal/journal.ts'
import { isJson, isRecord, type Json } from '../core/value/json.ts'
import { TOOL_ERRORS, type ToolErrorCode } from '../core/tool/tool-call.ts'
import type { ToolEnd } from '../core/tool/tool-end.ts'

/** An arrival whose content is recorded elsewhere: the end of a model call, or a timer. */
interface EventLine {
  readonly kind: 'event'
  readonly key: string
  readonly at: number
}

/** A clock reading with no other arrival: a run began. */
interface TimeLine {
  readonly kind: 'time'
  readonly at: number
}

/** A caller's action on a run. */
export type ActLine = Done & { readonly kind: 'act'; readonly run: string; readonly at: number }

export type Done =
  | { readonly act: 'respond'; readonly request: string; readonly reply: Json }
  | { readonly act: 'hear'; readonly text: string }
  | { readonly act: 'cancel' }

/** The start of a tool call. `key` is the call's id with the number of the attempt. */
export interface ToolLine {
  readonly kind: 'tool'
  readonly key: string
  readonly tool: string
  readonly input: Json
}

/** The end of a tool call. */
export interface ToolEndLine {
  readonly kind: 'tool-end'
  readonly key: string
  readonly end: ToolEnd
  readonly at: number
}

/** A use of its context by a tool, before the tool ended. */
export type ToolAct =
  | { readonly act: 'progress'; readonly data: Json }
  | { readonly act: 'ask'; readonly question: string; readonly schema: Json }
  | {
      readonly act: 'write'
      readonly name: string
      readonly artifact: Artifact
      /** Base64; `null` for a file that is too large to keep. */
      readonly content: string | null
    }

export interface ToolActLine {
  readonly kind: 'tool-act'
  /** The key of the call with the number of the act. */
  readonly key: string
  readonly call: string
  readonly does: ToolAct
  readonly at: number
}

/** A sub-agent started with these models by role. */
export interface ChildLine {
  readonly kind: 'child'
  readonly key: string
  readonly models: Readonly<Record<string, string>>
}

/** A read of shared state whose result differs from what the run knew. */
export interface StateLine {
  readonly kind: 'state'
  /** The name of the store. */
  readonly store: string
  readonly key: string
  /** The number of this read of the key, from 1. */
  readonly read: number
  /** Absent if the key did not exist. */
  readonly state?: Json
}

export type RunLine =
  | EventLine
  | TimeLine
  | ActLine
  | ToolLine
  | ToolEndLine
  | ToolActLine
  | ChildLine
  | StateLine
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'entries'; readonly run: string; readonly entries: readonly Entry[] }
  /** A value that a program keeps for its own replay. */
  | { readonly kind: 'note'; readonly note: Json }
  /** The last line; if it is missing, the recording was interrupted. */
  | { readonly kind: 'end'; readonly problem: string | null }

/** One arrival, in recorded order. */
export type Moment =
  | { readonly kind: 'event'; readonly key: string; readonly at: number }
  | { readonly kind: 'time'; readonly key?: undefined; readonly at: number }
  | (ActLine & { readonly key?: undefined })

/** Parses one line, checking the fields that a replay relies on; undefined if it is invalid. */
export function readRunLine(value: unknown): RunLine | undefined {
  if (!isRecord(value)) return undefined
  const { kind, key, at, id, run, note } = value
  switch (kind) {
    case 'event':
      return isText(key) && isTime(at) ? { kind, key, at } : undefined
    case 'time':
      return isTime(at) ? { kind, at } : undefined
    case 'act':
      return isText(run) && isTime(at) ? readAct(value, { run, at }) : undefined
    case 'tool':
      return isText(key) ? readTool(value, key) : undefined
    case 'tool-end':
      return isText(key) && isTime(at) ? readToolEnd(value, { key, at }) : undefined
    case 'tool-act':
      return isText(key) && isTime(at) ? readToolAct(value, { key, at }) : undefined
    case 'child':
      return isText(key) ? readChild(value, key) : undefined
    case 'id':
      return isText(id) ? { kind, id } : undefined
    case 'state':
      return isText(key) ? readState(value, key) : undefined
    case 'entries':
      return isText(run) ? readEntries(value, run) : undefined
    case 'note':
      return isJson(note, DEEPEST) ? { kind, note } : undefined
    case 'end':
      return { kind, problem: isText(value['problem']) ? value['problem'] : null }
    default:
      return undefined
  }
}

/** Written values may be nested as deep as a prompt, plus their place in the line. */
const DEEPEST = 128

const isText = (value: unknown): value is string => typeof value === 'string'
const isTime = (value: unknown): value is number => typeof value === 'number'

type Fields = Readonly<Record<string, unknown>>

function readAct(
  { act, request, reply, text }: Fields,
  of: { readonly run: string; readonly at: number },
): ActLine | undefined {
  if (act === 'cancel') return { kind: 'act', ...of, act }
  if (act === 'hear') return isText(text) ? { kind: 'act', ...of, act, text } : undefined
  if (act !== 'respond' || !isText(request) || !isJson(reply, DEEPEST)) return undefined
  return { kind: 'act', ...of, act, request, reply }
}

function readTool({ tool, input }: Fields, key: string): ToolLine | undefined {
  if (!isText(tool) || !isJson(input, DEEPEST)) return undefined
  return { kind: 'tool', key, tool, input }
}

function readToolEnd(
  { end }: Fields,
  of: { readonly key: string; readonly at: number },
): ToolEndLine | undefined {
  const read = isRecord(end) ? readEnd(end) : undefined
  return read && { kind: 'tool-end', ...of, end: read }
}

function readEnd({ type, value, code, message, mayHaveActed }: Fields): ToolEnd | undefined {
  if (type === 'ok') return isJson(value, DEEPEST) ? { type, value } : undefined
  if (type !== 'error' || !isText(message)) return undefined
  const read = { type, message, code: isCode(code) ? code : null } as const
  return mayHaveActed === true ? { ...read, mayHaveActed } : read
}

const isCode = (value: unknown): value is ToolErrorCode =>
  isText(value) && Object.hasOwn(TOOL_ERRORS, value)

function readToolAct(
  { call, does }: Fields,
  of: { readonly key: string; readonly at: number },
): ToolActLine | undefined {
  const read = isRecord(does) ? readDoes(does) : undefined
  if (!isText(call) || read === undefined) return undefined
  return { kind: 'tool-act', ...of, call, does: read }
}

function readDoes(fields: Fields): ToolAct | undefined {
  const { act, data, question, schema, name, artifact, content } = fields
  if (act === 'progress') return isJson(data, DEEPEST) ? { act, data } : undefined
  if (act === 'ask') {
    return isText(question) && isJson(schema, DEEPEST) ? { act, question, schema } : undefined
  }
  if (act !== 'write' || !isText(name) || !isArtifact(artifact)) return undefined
  return { act, name, artifact, content: isText(content) ? content : null }
}

function isArtifact(value: unknown): value is Artifact {
  if (!isRecord(value)) return false
  const { name, path, mediaType, bytes, sha256 } = value
  return [name, path, mediaType, sha256].every(isText) && typeof bytes === 'number'
}

function readChild({ models }: Fields, key: string): ChildLine | undefined {
  if (!isRecord(models)) return undefined
  const named = Object.entries(models).flatMap(([role, id]) => (isText(id) ? [[role, id]] : []))
  return { kind: 'child', key, models: Object.fromEntries(named) }
}

function readState({ store, read, state }: Fields, key: string): StateLine | undefined {
  if (!isText(store) || typeof read !== 'number') return undefined
  const line = { kind: 'state', store, key, read } as const
  if (state === undefined) return line
  return isJson(state, DEEPEST) ? { ...line, state } : undefined
}

function readEntries({ entries }: Fields, run: string): RunLine | undefined {
  if (!isEntries(entries)) return undefined
  return { kind: 'entries', run, entries }
}

/**
 * Entries are not checked here: the fold checks them against the agent and rejects foreign ones.
 */
const isEntries = (value: unknown): value is readonly Entry[] =>
  Array.isArray(value) && value.every((one) => isRecord(one) && isText(one['type']))
