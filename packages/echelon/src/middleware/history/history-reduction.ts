import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Middleware } from '../../core/extension/defined-middleware.ts'
import type { MiddlewareHooks, MiddlewareRun } from '../../core/extension/middleware.ts'
import type { Message } from '../../core/message/thread.ts'
import { droppedOldest, newestThatFit } from './dropped-oldest.ts'
import { type HistoryTokens, historyLimits } from './history-limits.ts'
import { HISTORY_READ, historyAnswer, historyReadTool } from './history-read.ts'
import { Keepable } from './kept-messages.ts'
import { sizeOf } from './message-text.ts'
import { conversationOf, withMessages } from './shortened-call.ts'
import { bySummary, type SummarisingOptions } from './summarising.ts'
import {
  coveredOf,
  NOTHING_SUMMARISED,
  summarised,
  SUMMARY_SCHEMA,
  type SummaryState,
} from './summary-state.ts'
import { withTrimmedResults } from './trimmed-results.ts'

/** Maximum tokens of the conversation, at four bytes a token; at least 200. */
interface ByTokens extends HistoryTokens {
  readonly by: 'tokens'
  /** Maximum tokens of the conversation that is sent. */
  readonly maxTokens: number
  /** Tokens of its newest part that stay when it grows longer. Default: half. */
  readonly keepTokens?: number
}

interface BySummary extends SummarisingOptions {
  readonly by: 'summary'
}

interface ByToolResults extends HistoryTokens {
  readonly by: 'tool-results'
  /** Maximum tokens of the conversation that is sent. */
  readonly maxTokens: number
  /** Tokens of its newest part, in which results stay whole. Default: half. */
  readonly keepTokens?: number
  /** Characters to keep of an older result, from its beginning. Default 600. */
  readonly head?: number
  /** And from its end. Default 200. */
  readonly tail?: number
}

/**
 * `tokens`: leaves out the oldest exchanges. `summary`: replaces them by one summary that is extended
 * over time, like `summarising`. `tool-results`: cuts older tool results to head and tail, and if that is
 * not enough leaves out the oldest exchanges too.
 */
export type HistoryReductionOptions = ByTokens | BySummary | ByToolResults

/**
 * Limits how many tokens of a conversation a model is sent. A tool call is never separated from its
 * result; system messages (not counted), the newest user message and the last exchange are always sent,
 * and if these alone are too long it emits `too-long`. The model is told what is left out and can read it
 * with the tool `history_read`, by turn or by words: the agent's own conversation stays whole.
 *
 * Emits `dropped`, `trimmed` or `summarised` when it shortens more than before. The cut is recorded with
 * the conversation, so that requests share their prefix from call to call and after a restart. It wraps
 * model calls, inside all prompt filters. In a resumed turn `history_read` knows what came before that
 * turn, and the rest from its next model call on.
 * @throws EchelonError INVALID_CONFIG for an invalid limit
 */
export function historyReduction(
  options: HistoryReductionOptions,
): Middleware<'historyReduction', SummaryState> {
  const reduce = reductionOf(options)
  const whole = new WeakMap<MiddlewareRun, readonly Message[]>()
  return defineMiddleware({
    name: 'historyReduction',
    namespace: 'echelon',
    state: { scope: 'session', version: 1, schema: SUMMARY_SCHEMA, initial: NOTHING_SUMMARISED },
    tools: [historyReadTool()],
    turn(turn, next, { run }) {
      whole.set(run, [...turn.history.toArray(), ...turn.messages])
      return next(turn)
    },
    generate(call, next, context) {
      whole.set(context.run, call.prompt.thread.toArray())
      return reduce(call, next, context)
    },
    async tool(call, next, { run }) {
      const outcome = await next(call)
      if (call.tool !== HISTORY_READ || outcome.type !== 'ok') return outcome
      return historyAnswer(whole.get(run) ?? [], outcome.value, (tool) => run.tool(tool)?.origin)
    },
  })()
}

type Reduce = NonNullable<MiddlewareHooks<SummaryState>['generate']>

function reductionOf(options: HistoryReductionOptions): Reduce {
  switch (options.by) {
    case 'summary':
      return bySummary(NAME, options)
    case 'tokens':
      return byTokens(options)
    case 'tool-results':
      return byToolResults(options)
    default:
      throw unknownWay(options)
  }
}

const NAME = 'historyReduction'

function byTokens(options: ByTokens): Reduce {
  const limits = historyLimits(NAME, options)
  return async (call, next, context) => {
    const messages = conversationOf(call)
    if (sizeOf(messages) <= limits.most) return next(call)
    return next(withMessages(call, droppedOldest(messages, limits, context)))
  }
}

function byToolResults(options: ByToolResults): Reduce {
  const limits = historyLimits(NAME, options)
  const { head = 600, tail = 200 } = options
  checkCharacters({ head, tail })
  return async (call, next, context) => {
    const messages = conversationOf(call)
    if (sizeOf(messages) <= limits.most) return next(call)
    const before = coveredOf(context.state, messages)
    const asBefore = withTrimmedResults(messages, before, { head, tail })
    if (before > 0 && sizeOf(asBefore) <= limits.most) return next(withMessages(call, asBefore))
    const start = new Keepable(messages).start(limits.keep, before)
    const trimmed = withTrimmedResults(messages, start, { head, tail })
    if (start > before) {
      context.update(() => summarised('', messages, start))
      context.emit('trimmed', { bytes: sizeOf(asBefore) - sizeOf(trimmed) })
    }
    const fits = sizeOf(trimmed) <= limits.most
    return next(withMessages(call, fits ? trimmed : newestThatFit(trimmed, limits, context)))
  }
}

function checkCharacters(given: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(given)) {
    if (Number.isInteger(value) && value >= 0) continue
    throw new EchelonError(
      'INVALID_CONFIG',
      `${NAME}: ${name} cannot be ${value}; give a whole number of characters from 0 on`,
    )
  }
}

const unknownWay = ({ by }: { readonly by?: unknown }): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    `${NAME}: by cannot be ${JSON.stringify(by)}; give tokens, summary or tool-results`,
  )
