import type { RunEvent } from '../agent/event.ts'
import { isJson, type Json, type JsonObject } from '../value/json.ts'
import { factsOf, nameIn, type LogLevel, type LogRecord } from './log.ts'
import type { Observation } from '../agent/observation.ts'
import type { ModelOutcome } from '../extension/middleware.ts'
import type { Problem } from '../model/problem.ts'
import { isApproval } from '../agent/permission.ts'
import type { ToolOutcome } from '../tool/tool-call.ts'

/** Points where an agent decides something or something goes wrong. */
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
  'run-suspended',
  'run-end',
])

/**
 * Returns the log record of an event, or undefined for an event without a decision.
 * @param content whether to include text: input and output of tools, error messages, text in notes
 */
export function logRecordOf(event: RunEvent, content: boolean): LogRecord | undefined {
  switch (event.type) {
    case 'run-start':
      return info('run.start', 'run begun', { run: event.runId, agent: event.agent })
    case 'step-start': {
      const { seq: step, effect, actor, targets, role, prompt } = event
      const names = effect === 'call-tools' ? targets.map(nameIn) : targets
      const named = { ...(role !== undefined && { role }), ...(prompt !== undefined && { prompt }) }
      return info('step.start', 'step begun', { step, effect, actor, targets: names, ...named })
    }
    case 'step-end':
      return seenRecord(event.seen, content)
    case 'note': {
      const { stage, data } = event.note
      // The note's own `event` is renamed, since a record has one already.
      const { event: what, ...rest } = data
      const noted = what === undefined ? rest : { what, ...rest }
      return info(stage, stage, content ? noted : factsOf(noted))
    }
    case 'tool-end':
      return withThrown(toolRecord(event.call.tool, event.outcome, content), event, content)
    case 'middleware':
      return middlewareRecord(event, content)
    case 'run-end': {
      const { status, reason, spent } = event
      return info('run.end', 'run ended', {
        status,
        ...(content ? { reason } : factsOf({ reason })),
        spent,
      })
    }
    case 'run-suspended': {
      const { requests, wakeAt } = event
      return info('run.suspend', 'run suspended', { requests, wakeAt })
    }
    case 'model-switch': {
      const { role, model } = event
      return info('model.switch', 'model switched', { role, model })
    }
    case 'schema-changed': {
      const { before, now, migrated } = event
      const data = { before, now, migrated: plain(migrated) }
      return warning('states.change', 'states changed', data)
    }
    case 'request-open':
    case 'request-close':
      return requestRecord(event)
    case 'retry-wait':
    case 'text-drop':
    case 'model-warning':
    case 'log':
      return troubleRecord(event, content)
    case 'text-delta':
    case 'output-partial':
    case 'tool-start':
    case 'tool-progress':
    case 'said':
      return undefined
  }
}

/** The outcome of a model call. */
export function modelRecord(outcome: ModelOutcome, content: boolean): LogRecord {
  switch (outcome.type) {
    case 'generated': {
      const { model, finish, usage, cost, calls, text } = outcome
      const tools = calls.map(({ tool }) => nameIn(tool))
      const said = content ? { text, input: plain(calls) } : {}
      const { input, output } = usage
      const data = { model, finish, calls: tools, tokens: { input, output }, cost, ...said }
      return info('model.end', 'model answered', data)
    }
    case 'refused': {
      const { by, limit } = outcome
      return warning('model.end', 'model call refused', { outcome: 'refused', by, limit })
    }
    case 'failed': {
      const problem = problemData(outcome.error, content)
      return warning('model.end', 'model call failed', { outcome: 'failed', ...problem })
    }
  }
}

/** The outcome of a tool call. */
export function toolRecord(called: string, outcome: ToolOutcome, content: boolean): LogRecord {
  const tool = nameIn(called)
  const whole = content ? { result: plain(outcome) } : {}
  if (outcome.type === 'ok') return info('tool.end', 'tool called', { tool, ...whole })
  const why = {
    ...(outcome.type === 'error' && { code: outcome.code }),
    ...(outcome.type === 'refused' && { limit: outcome.limit }),
  }
  const data = { tool, outcome: outcome.type, ...why, ...whole }
  return warning('tool.end', 'tool call failed', data)
}

/** Stacks contain paths and text of the program, so they count as content. */
function withThrown(
  record: LogRecord,
  { error }: Extract<RunEvent, { type: 'tool-end' }>,
  content: boolean,
): LogRecord {
  if (error === undefined || !content) return record
  return { ...record, data: { ...record.data, error: plain(error) } }
}

function seenRecord(seen: Observation, content: boolean): LogRecord | undefined {
  switch (seen.type) {
    case 'generated':
    case 'refused':
    case 'failed':
      return modelRecord(seen, content)
    case 'canceled':
      return info('run.cancel', 'run canceled', { reason: seen.by })
    case 'heard':
      return info('user.heard', 'user heard', content ? { text: seen.text } : {})
    case 'tools-called':
      return deniedRecord(seen.outcomes, content)
    case 'permitted':
    case 'answered':
    case 'unanswered':
    case 'said':
    case 'woke':
    case 'recalled':
    case 'remembered':
    case 'together':
      return undefined
  }
}

/** Calls that were not made and have no other event. */
function deniedRecord(outcomes: readonly ToolOutcome[], content: boolean): LogRecord | undefined {
  const denied = outcomes.filter(({ type }) => type === 'denied')
  const refused = outcomes.filter(({ type }) => type === 'refused')
  if (denied.length + refused.length === 0) return undefined
  const why = content ? { results: plain([...denied, ...refused]) } : {}
  const data = { denied: denied.length, refused: refused.length, ...why }
  return warning('tool.denied', 'tool calls not made', data)
}

type Event<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>

function middlewareRecord(
  { middleware, event, data }: Event<'middleware'>,
  content: boolean,
): LogRecord {
  const given: JsonObject = isObject(data) ? data : { value: data }
  const told = content ? given : factsOf(given)
  return info(`${middleware}.${event}`, `${middleware}: ${event}`, told)
}

function requestRecord(event: Event<'request-open' | 'request-close'>): LogRecord {
  const { request } = event
  if (event.type === 'request-close') {
    return event.reply === null
      ? info('request.close', 'request closed', { request })
      : info('request.close', 'request answered', { request })
  }
  // Nothing of a question: it is addressed to the user and is not redacted.
  const about = isApproval(event.about) ? aboutOf(event.about) : {}
  return info('request.open', 'request opened', { request, ...about })
}

function troubleRecord(
  event: Event<'retry-wait' | 'text-drop' | 'model-warning' | 'log'>,
  content: boolean,
): LogRecord {
  switch (event.type) {
    case 'retry-wait': {
      const data = { ...problemData(event.problem, content), waitMs: event.waitMs }
      return warning('model.retry', 'tried again', data)
    }
    case 'text-drop':
      return warning('text.drop', 'answer broke off', { step: event.seq })
    case 'model-warning':
      return warning('model.warning', 'model warned', content ? { warning: event.message } : {})
    case 'log': {
      const { level, message, detail } = event
      return leveled(level)('log', message, content && detail !== undefined ? { detail } : {})
    }
  }
}

const aboutOf = ({ tool, call }: { readonly tool: string; readonly call: string }): JsonObject => ({
  tool: nameIn(tool),
  ...factsOf({ call }),
})

/** Providers quote what they were sent. */
const problemData = (
  { code, attempts, message, retryable }: Problem,
  content: boolean,
): JsonObject => ({ code, attempts, retryable, ...(content && { problem: message }) })

const isObject = (value: Json): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const leveled =
  (level: LogLevel) =>
  (event: string, message: string, data: JsonObject): LogRecord => ({ level, event, message, data })

const info = leveled('info')
const warning = leveled('warning')

const plain = (value: unknown): Json => (isJson(value) ? value : null)
