import { calledModel } from '../core/model/called-model.ts'
import { defineMiddleware } from '../core/extension/define-middleware.ts'
import { isJson, type Json, type JsonObject } from '../core/value/json.ts'
import { factsOf, type Log, nameIn, type LogRecord, writeTo } from '../core/observability/log.ts'
import { modelRecord, toolRecord } from '../core/observability/log-record.ts'
import type { Middleware } from '../core/extension/defined-middleware.ts'
import type { MiddlewareRun, ModelCall } from '../core/extension/middleware.ts'
import type { PermitRequest, Verdict } from '../core/agent/permission.ts'
import { redactText, type Redactor } from '../core/redaction/redaction.ts'
import { type Known, knownOptions } from './option-check.ts'

export interface LoggingOptions {
  /**
   * Also writes content, redacted: the words of the user and the model, tool inputs and results, error
   * messages. Default false: only numbers and names.
   */
  readonly content?: boolean
  /** Hides secrets and personal data in each record. Default: the default policy. */
  readonly redact?: Redactor
}

/**
 * Writes a record at each decision point that middleware sees, with run, session and caller: a turn and
 * how it ended, each model call (model, tokens, cost, milliseconds), each tool call and its outcome,
 * each verdict that is not `allow`. Start records and `allow` verdicts have the level `debug`.
 *
 * Its position decides what it sees: outermost, one record for a model call with all its retries and
 * fallbacks; inside `retry` and `fallback`, one for each attempt. The events of `retry` and `fallback` go to
 * `logRuns`, which listens to a whole run. It keeps no state. On resume: journaled steps are not logged
 * again; a resumed turn is logged as a turn that starts.
 * @throws EchelonError INVALID_CONFIG for an unknown option
 */
export function logging(log: Log, options: LoggingOptions = {}): Middleware<'logging', undefined> {
  knownOptions('logging', options, OPTIONS)
  const { content = false, redact = redactText } = options
  const write = (run: MiddlewareRun, record: LogRecord, more: JsonObject = {}): void => {
    const data = { ...placeOf(run), ...record.data, ...more }
    writeTo(log, { ...record, data: redact(data) })
  }
  return defineMiddleware({
    name: 'logging',
    namespace: 'echelon',
    async turn(turn, next, { run }) {
      const said = content ? { said: plain(turn.messages) } : {}
      write(run, debug('turn.start', 'turn begun', { messages: turn.messages.length, ...said }))
      const took = timer(run)
      const end = await next(turn)
      const { status, reason, text } = end
      const data = { status, ...factsOf({ reason }), ...(content && { reason, text }) }
      write(run, info('turn.end', 'turn ended', data), took())
      return end
    },
    async generate(call, next, { run }) {
      const asked = requestOf(call)
      write(run, debug('model.start', 'model called', asked))
      const took = timer(run)
      const outcome = await next(call)
      write(run, modelRecord(outcome, content), { ...took(), asked: asked.model })
      return outcome
    },
    async permit(request, next, { run }) {
      const verdict = await next(request)
      write(run, verdictRecord(request, verdict, content))
      return verdict
    },
    async tool(call, next, { run }) {
      const { id, tool, input } = call
      const data = { tool: nameIn(tool), ...factsOf({ call: id }), ...(content && { input }) }
      write(run, debug('tool.start', 'tool begun', data))
      const took = timer(run)
      const outcome = await next(call)
      write(run, toolRecord(tool, outcome, content), { ...factsOf({ call: id }), ...took() })
      return outcome
    },
  })()
}

const OPTIONS: Known<LoggingOptions> = { content: true, redact: true }

function placeOf({ runId, session, caller }: MiddlewareRun): JsonObject {
  return {
    run: runId,
    ...(session !== undefined && { session }),
    ...(caller !== undefined && { caller }),
  }
}

const requestOf = (call: ModelCall): JsonObject & { readonly model: string } => ({
  model: calledModel(call),
  role: call.role,
  messages: call.prompt.head.length + call.prompt.thread.length + call.prompt.tail.length,
  tools: call.tools?.length ?? 0,
})

function verdictRecord(request: PermitRequest, verdict: Verdict, content: boolean): LogRecord {
  const about =
    request.type === 'call'
      ? { ...factsOf({ call: request.call.id }), tool: nameIn(request.call.tool) }
      : {}
  const offered = request.type === 'offer' ? { tool: request.tool } : {}
  const data = { request: request.type, ...about, ...offered, verdict: verdict.type }
  if (verdict.type === 'allow') return debug('permission', 'allowed', data)
  const rule = verdict.rule === undefined ? {} : { rule: verdict.rule }
  const reason = verdict.type === 'deny' ? verdict.reason : verdict.why
  const message = verdict.type === 'deny' ? 'denied' : 'to be approved'
  return info('permission', message, { ...data, ...factsOf(rule), ...(content && { reason }) })
}

/** Measures milliseconds since it was created. */
function timer({ clock }: MiddlewareRun): () => { readonly ms: number } {
  const began = clock.now()
  return () => ({ ms: clock.now() - began })
}

const debug = (event: string, message: string, data: JsonObject): LogRecord => ({
  level: 'debug',
  event,
  message,
  data,
})

const info = (event: string, message: string, data: JsonObject): LogRecord => ({
  ...debug(event, message, data),
  level: 'info',
})

const plain = (value: unknown): Json => (isJson(value) ? value : null)
