import type { RunEvent } from '../../core/event.ts'
import { isJson, type Json, type JsonObject } from '../../core/json.ts'

/** One line of a log. */
export interface LogRecord {
  readonly level: 'info' | 'warning' | 'error'
  /** Short and the same for all of its kind. */
  readonly message: string
  readonly data: JsonObject
}

/** Where an agent decides something, or something goes wrong. */
export const LOGGED: ReadonlySet<RunEvent['type']> = new Set([
  'run-start',
  'step-start',
  'note',
  'text-drop',
  'retry-wait',
  'model-warning',
  'tool-end',
  'request-open',
  'request-close',
  'model-switch',
  'schema-changed',
  'log',
  'run-end',
])

/** What of an event belongs in a log; nothing of one that decides nothing. */
export function logRecordOf(event: RunEvent): LogRecord | undefined {
  switch (event.type) {
    case 'run-start':
      return info('run begun', { run: event.runId, agent: event.agent })
    case 'step-start':
      return info('step begun', { step: event.seq, effect: event.effect, targets: event.targets })
    case 'note':
      return info(event.note.stage, event.note.data)
    case 'tool-end':
      return event.outcome.type === 'ok'
        ? info('tool called', { tool: event.call.tool })
        : warning('tool call failed', { tool: event.call.tool, outcome: plain(event.outcome) })
    case 'retry-wait':
      return warning('tried again', { problem: plain(event.problem), waitMs: event.waitMs })
    case 'text-drop':
      return warning('answer broke off', { step: event.seq })
    case 'model-warning':
      return warning('model warned', { warning: event.message })
    case 'request-open':
      return info('request opened', { request: event.request })
    case 'request-close':
      return info(event.reply === null ? 'request closed' : 'request answered', {
        request: event.request,
      })
    case 'model-switch':
      return info('model switched', { role: event.role, model: event.model })
    case 'schema-changed':
      return warning('states changed', {
        before: event.before,
        now: event.now,
        migrated: plain(event.migrated),
      })
    case 'log':
      return { level: event.level, message: event.message, data: {} }
    case 'run-end':
      return info('run ended', { status: event.status, reason: event.reason, spent: event.spent })
    case 'step-end':
    case 'text-delta':
    case 'tool-start':
    case 'tool-progress':
    case 'said':
    case 'middleware':
      return undefined
  }
}

const info = (message: string, data: JsonObject): LogRecord => ({ level: 'info', message, data })

const warning = (message: string, data: JsonObject): LogRecord => ({
  level: 'warning',
  message,
  data,
})

const plain = (value: unknown): Json => (isJson(value) ? value : null)
