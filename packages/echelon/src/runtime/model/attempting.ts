import type { BoundModel } from '../../core/model/model.ts'
import type { Generate } from '../../core/agent/effect.ts'
import type { Message, Thread } from '../../core/message/thread.ts'
import type { ModelSpan } from '../../core/observability/tracing.ts'
import type { Branch } from '../branch.ts'
import type { OfferedTools } from '../tools/offered-tools.ts'
import type { Telling } from '../people/telling.ts'

/** A model call on its way to the wire. */
export interface Attempting {
  readonly branch: Branch
  readonly seq: number
  readonly asked: Omit<Generate, 'type' | 'messages'>
  readonly model: BoundModel
  readonly tools: OfferedTools
  readonly thread: Thread
  /** What filters put before and after the conversation. */
  readonly head: readonly Message[] | undefined
  readonly tail: readonly Message[] | undefined
  readonly onText: ((delta: string) => void) | undefined
  /** What gives the call up instead of the run's cancel. */
  readonly signal: AbortSignal | undefined
  /** Knows what was shown of all attempts, where middleware makes them. */
  readonly telling: Telling | undefined
  /** Nothing where nobody traces it. */
  readonly span: ModelSpan | undefined
  /** Whether the user has seen a part of an answer. */
  spoke: boolean
}
