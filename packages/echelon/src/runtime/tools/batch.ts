import type { ToolOutcome } from '../../core/tool/tool-call.ts'
import type { ToolSpan } from '../../core/observability/tracing.ts'
import type { ThrownError } from '../../core/value/thrown-error.ts'
import type { Branch } from '../branch.ts'

/** The tool calls of one effect, in progress. */
export interface Batch {
  readonly branch: Branch
  readonly seq: number
  /** Number of its first call within the step. */
  readonly firstCall: number
  /** The counter for the actor's calls. */
  readonly meter: 'tools' | 'checks'
  /** Outcomes at their places in plan order. */
  readonly outcomes: (ToolOutcome | undefined)[]
  /** Number of attempts that the effect still allows. */
  left: number
  /** Whether a person was asked about one of its calls. Outcomes are then recorded at once. */
  waits: boolean
  /** Numbers of the acting calls that were started. */
  intended?: Set<number>
  /** Spans of its calls by number, if the run is traced. */
  spans?: Map<number, ToolSpan>
  /** Last error of each call by number, if a listener wants it. */
  thrown?: Map<number, ThrownError>
}
