import type { MiddlewareContext } from '../../core/extension/middleware.ts'
import { type Message, userMessage } from '../../core/message/thread.ts'
import type { HistoryLimits } from './history-limits.ts'
import { Keepable } from './kept-messages.ts'
import { sizeOf } from './message-text.ts'
import { coveredOf, summarised, type SummaryState } from './summary-state.ts'

/**
 * Sends the newest part of a conversation that is too long, after a line that says how much is left out.
 * The cut stays in place until the limit is reached again, so that requests share their prefix from call
 * to call.
 */
export function droppedOldest(
  messages: readonly Message[],
  limits: HistoryLimits,
  context: MiddlewareContext<SummaryState>,
): readonly Message[] {
  const all = new Keepable(messages)
  const before = coveredOf(context.state, messages)
  const asBefore = [...noteOf(before), ...all.from(before)]
  if (before > 0 && sizeOf(asBefore) <= limits.most) return asBefore
  const start = all.start(limits.keep, before)
  if (start > before) {
    context.update(() => summarised('', messages, start))
    context.emit('dropped', { messages: start - before })
  }
  return fitting(all, start, limits, context)
}

/** The newest messages that fit, for this call only; the next call tries again. */
export function newestThatFit(
  messages: readonly Message[],
  limits: HistoryLimits,
  context: MiddlewareContext<SummaryState>,
): readonly Message[] {
  const all = new Keepable(messages)
  const start = all.start(limits.most - sizeOf(noteOf(messages.length)), 0)
  if (start > 0) context.emit('dropped', { messages: start })
  return fitting(all, start, limits, context)
}

/** As a last resort the note is left out too; messages that must be kept stay. */
function fitting(
  all: Keepable,
  start: number,
  { most }: HistoryLimits,
  { emit }: MiddlewareContext<SummaryState>,
): readonly Message[] {
  const kept = all.from(start)
  const whole = [...noteOf(start), ...kept]
  if (sizeOf(whole) <= most) return whole
  const bytes = sizeOf(kept)
  if (bytes > most) emit('too-long', { bytes, most })
  return kept
}

const noteOf = (dropped: number): readonly Message[] =>
  dropped === 0
    ? []
    : [
        userMessage(
          `<earlier_conversation>\n(${dropped} earlier messages are left out here; history_read gives them)\n</earlier_conversation>`,
        ),
      ]
