import type { Amounts } from 'echelon/runtime'
import type { RunEvent } from 'echelon/runtime'
import { modelFailed } from 'echelon/internal/model'
import type { Run } from 'echelon/runtime'
import type { AssistResult } from '../assist-result.ts'
import type { AssistState } from '../assist-state.ts'

/**
 * A turn under way: iterate it for events, await its result. What is `said` was evaluated; what models
 * wrote on the way, drafts above all, is in no event here, so that they may be handed on to the user.
 */
export class AssistRun implements AsyncIterable<RunEvent> {
  readonly id: string
  /**
   * What the turn came to. Rejects with MODEL_FAILED when the model that answers could not be asked or
   * withheld its answer; `details.problem` says why. A limit, a stop and a cancel are outcomes. Rejects
   * as well as `outcome` does.
   */
  readonly result: Promise<AssistResult>
  /**
   * The same, whatever happened to the model: `problem` says so, and `text` is what the user was told.
   * Rejects when nothing can be kept, a model cannot be loaded, its conversation has a turn without an
   * end (RUN_BUSY) or others went on with it (SESSION_BUSY), or the program has a mistake.
   */
  readonly outcome: Promise<AssistResult>
  readonly #run: Run<AssistResult, AssistState>

  constructor(run: Run<AssistResult, AssistState>, after: Promise<void> | undefined) {
    this.#run = run
    this.id = run.id
    this.outcome = ended(run, after)
    this.result = this.outcome.then((end) => {
      if (end.problem === null) return end
      throw modelFailed({ run: run.id, problem: end.problem, redact: run.redact })
    })
    // A turn that nobody waits for must not end the program.
    this.outcome.catch(nobodyWaits)
    this.result.catch(nobodyWaits)
  }

  /** What was spent so far, by counter. */
  get spent(): Amounts {
    return this.#run.spent
  }

  /** Stops work now; nothing that was not evaluated is shown. */
  cancel(): void {
    this.#run.cancel()
  }

  /**
   * Says something while the turn is under way; a stop ends it.
   * @throws EchelonError INVALID_INPUT when it has ended
   */
  hear(text: string): void {
    this.#run.hear(text)
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent, void, undefined> {
    const events = this.#run[Symbol.asyncIterator]()
    return {
      async next() {
        const one = await events.next()
        return one.done === true ? one : { done: false, value: withoutDraft(one.value) }
      },
      async return() {
        await events.return?.()
        return { done: true, value: undefined }
      },
    }
  }
}

const withoutDraft = (event: RunEvent): RunEvent =>
  event.type === 'step-end' && event.seen.type === 'generated'
    ? { ...event, seen: { ...event.seen, text: '' } }
    : event

async function ended(
  run: Run<AssistResult, AssistState>,
  after: Promise<void> | undefined,
): Promise<AssistResult> {
  await after
  const { result } = await run.result
  // A turn that an older version ended says nothing of a problem.
  return { ...result, problem: result.problem ?? null }
}

const nobodyWaits = (): void => undefined
