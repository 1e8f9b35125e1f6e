import type { Message } from 'echelon/runtime'
import type { Intent } from './intent/intent.ts'
import type { Plan } from './plan/plan.ts'
import { readReport } from './read-report.ts'
import type { Report } from './report.ts'
import { factsOf } from './session/turn-marks.ts'

/** Answers without a model: a guided reflection on the user's own north stars. Pure. */
export type Reflect = (
  input: string,
  intent: Intent,
  plan: Plan,
  conversation: readonly Message[],
) => string

/** The result of an execution: a draft not shown yet. */
export interface ExecutionResult {
  readonly draft: string
}

/** The parts of an executor. */
export interface ExecutorParts {
  readonly reflect: Reflect
  readonly intent: Intent
  readonly conversation: readonly Message[]
}

/** Answers under a plan and reports what happened. It makes no judgment on meaning. */
export class Executor {
  readonly #parts: ExecutorParts

  constructor(parts: ExecutorParts) {
    this.#parts = parts
  }

  /** Drafts an answer by rule. */
  execute(plan: Plan, userInput: string): ExecutionResult {
    const { reflect, intent, conversation } = this.#parts
    return { draft: reflect(userInput, intent, plan, conversation) }
  }

  /**
   * Reports what happened: this turn's words as data, earlier turns as facts.
   * @param draft `null` before there is one
   */
  reportState(userInput: string, draft: string | null): Report {
    return readReport({ user_input: userInput, draft, earlier: factsOf(this.#parts.conversation) })
  }
}
