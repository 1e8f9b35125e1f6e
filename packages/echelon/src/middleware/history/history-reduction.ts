import { defineMiddleware } from '../../core/extension/define-middleware.ts'
import { EchelonError } from '../../core/value/error.ts'
import type { Layer, MiddlewareHooks, MiddlewareHost } from '../../core/extension/middleware.ts'
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

/** Of the conversation, at four bytes a token; 200 at least. */
interface ByTokens extends HistoryTokens {
  readonly by: 'tokens'
  /** What is sent of a conversation. */
  readonly maxTokens: number
  /** Of its newest part that is left when it grows longer. Default: half. */
  readonly keepTokens?: number
}

interface BySummary extends SummarisingOptions {
  readonly by: 'summary'
}

interface ByToolResults extends HistoryTokens {
  readonly by: 'tool-results'
  /** What is sent of a conversation. */
  readonly maxTokens: number
  /** Of its newest part, in which results stay whole. Default: half. */
  readonly keepTokens?: number
  /** Characters that stay of an older result, from its beginning. Default 600. */
  readonly head?: number
  /** And from its end. Default 200. */
  readonly tail?: number
}

/**
 * `tokens`: the oldest exchanges are left out. `summary`: they go into one summary that rolls along, as
 * `summarising` does it. `tool-results`: older results of tools are cut to head and tail, and if that is
 * not enough the oldest exchanges are left out as well.
 */
export type HistoryReductionOptions = ByTokens | BySummary | ByToolResults

/**
 * Keeps what a model is sent of a conversation within a number of tokens. Never is a tool's call parted
 * from its result; messages of the system (not counted), the newest message of the user's and the last
 * exchange are always sent. Where these alone are longer it tells `too-long`. What is left out is told
 * to the model, which can read it back by the tool `history_read`, by turn or by words: what the agent
 * itself keeps of the conversation stays whole.
 *
 * Tells `dropped`, `trimmed` or `summarised` when it shortens more than before. Where it shortened is on
 * record with the conversation, so that what is sent begins alike from call to call and after a restart.
 * Stands around model calls, behind all filters of the prompt. Of a turn that is resumed `history_read`
 * knows what was before that turn, and the rest from its next model call on.
 * @throws EchelonError INVALID_CONFIG for a limit that cannot be held
 */
export function historyReduction(
  options: HistoryReductionOptions,
): Layer<'historyReduction', SummaryState> {
  const reduce = reductionOf(options)
  const whole = new WeakMap<MiddlewareHost, readonly Message[]>()
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
