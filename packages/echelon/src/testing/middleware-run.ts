import { pause } from '../core/value/abortable.ts'
import type { Json, JsonObject } from '../core/value/json.ts'
import type { MiddlewareRun, ModelCall, StateCell } from '../core/extension/middleware.ts'
import type { Failed, Generated } from '../core/agent/observation.ts'
import type { SharedStates } from '../core/agent/ports.ts'
import type { ProblemCode } from '../core/model/problem.ts'
import { seededRandom } from '../core/value/random.ts'
import { Thread, userMessage } from '../core/message/thread.ts'
import type { Tool } from '../core/tool/tool.ts'
import { SetClock } from './set-clock.ts'

/** Properties of a simulated run. */
export interface TestRunOptions {
  /** Default `run-1`. */
  readonly runId?: string
  /** Default `test`. */
  readonly agent?: string
  readonly session?: string
  readonly caller?: string
  readonly container?: unknown
  /** Default: a new clock. */
  readonly clock?: SetClock
  readonly tools?: readonly Tool[]
  /** Total milliseconds of the run. Default: no limit. */
  readonly ms?: number
  /** Default: the budget always allows another call. */
  readonly mayCall?: (role: string) => boolean
  /** Seed of the random numbers. Default 1. */
  readonly seed?: number
  /** States recorded before the run begins, by key. */
  readonly saved?: JsonObject
  /** Pass the same object to several runs to share states. Default: empty. */
  readonly shared?: SharedStates
}

/** A run as middleware sees it, controlled by the test. */
export interface TestRun extends MiddlewareRun {
  readonly clock: SetClock
  /** The events of middleware, in order. */
  readonly told: readonly { middleware: string; event: string; data: Json }[]
  /** Cancels the run. */
  cancel(): void
  /** The current states of the run and its session as they would be recorded, by key. */
  record(): JsonObject
}

/** A simulated run for tests of middleware. */
export function testRun(options: TestRunOptions = {}): TestRun {
  const { runId = 'run-1', clock = new SetClock(), ms = Infinity, saved = {}, tools = [] } = options
  const canceled = new AbortController()
  const told: { middleware: string; event: string; data: Json }[] = []
  const cells: StateCell[] = []
  const began = clock.now()
  return {
    runId,
    agent: options.agent ?? 'test',
    session: options.session,
    forSession: options.session,
    caller: options.caller,
    container: options.container,
    tool: (name) => tools.find((tool) => tool.name === name),
    clock,
    signal: canceled.signal,
    get msLeft() {
      return Math.max(0, ms - (clock.now() - began))
    },
    mayCall: options.mayCall ?? (() => true),
    random: seededRandom(options.seed ?? 1),
    pause: (waitMs) => pause(clock, waitMs, canceled.signal),
    tell: (middleware, event, data) => void told.push({ middleware, event, data }),
    contexts: new Map(),
    savedState: (key) => (Object.hasOwn(saved, key) ? saved[key] : undefined),
    opened: (cell) => void cells.push(cell),
    shared: options.shared ?? new Map<string, Json>(),
    told,
    cancel: () => canceled.abort(),
    record: () => Object.fromEntries(cells.map((cell) => [cell.slot.key, cell.save()])),
  }
}

/** A model call as middleware sees it. Default: for a role bound to `test/model`. */
export const modelCall = (more: Partial<ModelCall> = {}): ModelCall => ({
  actor: 'all',
  role: 'small',
  modelId: 'test/model',
  prompt: { head: [], thread: Thread.of([userMessage('how much is 15 * 23?')]), tail: [] },
  ...more,
})

/** An answer. Default: 10 input and 5 output tokens, for one cent. */
export const generated = (text: string, more: Partial<Generated> = {}): Generated => ({
  type: 'generated',
  text,
  calls: [],
  finish: 'stop',
  model: 'test/model',
  usage: { input: 10, output: 5 },
  cost: 0.01,
  ...more,
})

const RETRYABLE: ReadonlySet<ProblemCode> = new Set(['rate-limit', 'timeout', 'unavailable'])

/** A failure after one attempt; retryable if a later attempt usually succeeds. */
export const failed = (code: ProblemCode, more: Partial<Failed['error']> = {}): Failed => ({
  type: 'failed',
  error: { code, message: code, retryable: RETRYABLE.has(code), attempts: 1, ...more },
})
