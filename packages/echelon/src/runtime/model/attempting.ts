import type { BoundModel } from '../../core/model/model.ts'
import type { Generate } from '../../core/agent/effect.ts'
import type { Message, Thread } from '../../core/message/thread.ts'
import type { ModelSpan } from '../../core/observability/tracing.ts'
import type { Branch } from '../branch.ts'
import type { OfferedTools } from '../tools/offered-tools.ts'
import type { Telling } from '../people/telling.ts'

/** A prepared model call. */
export interface Attempting {
  readonly branch: Branch
  readonly seq: number
  readonly asked: Omit<Generate, 'type' | 'messages'>
  readonly model: BoundModel
  readonly tools: OfferedTools
  readonly thread: Thread
  /** Messages that filters add before and after the conversation. */
  readonly head: readonly Message[] | undefined
  readonly tail: readonly Message[] | undefined
  readonly onText: ((delta: string) => void) | undefined
  /** Aborts the call, in place of the run's cancel. */
  readonly signal: AbortSignal | undefined
  /** Tracks the text shown across all attempts, with middleware around the call. */
  readonly telling: Telling | undefined
  /** `undefined` without tracing. */
  readonly span: ModelSpan | undefined
  /** Whether a part of the answer was shown to the user. */
  spoke: boolean
}
