import type { ToolOutcome } from '../../core/tool/tool-call.ts'
import type { ToolSpan } from '../../core/observability/tracing.ts'
import type { ThrownError } from '../../core/value/thrown-error.ts'
import type { Branch } from '../branch.ts'

/** The calls of one effect, on their way. */
export interface Batch {
  readonly branch: Branch
  readonly seq: number
  /** Number of its first call within the step. */
  readonly firstCall: number
  /** The counter that the actor's calls are booked under. */
  readonly meter: 'tools' | 'checks'
  /** In plan order, as they come. */
  readonly outcomes: (ToolOutcome | undefined)[]
  /** Attempts that the effect still allows. */
  left: number
  /** Whether a person was asked about one of its calls: what is done is then put on record. */
  waits: boolean
  /** Numbers of the acting calls that were begun. */
  intended?: Set<number>
  /** Of its calls, by number, where the run is traced. */
  spans?: Map<number, ToolSpan>
  /** What tools threw last, by number of the call, where somebody hears of it. */
  thrown?: Map<number, ThrownError>
}
