import type { Amounts, RunEvent, Run } from 'echelon/runtime'
import { modelFailed } from 'echelon/internal/model'
import type { AssistResult } from '../assist-result.ts'
import type { AssistState } from '../assist-state.ts'

/**
 * A turn in progress: iterate it for events, await its result. Everything `said` was evaluated; model text, above
 * all drafts, is in no event here, so events may be passed on to the user.
 */
export class AssistRun implements AsyncIterable<RunEvent> {
  readonly id: string
  /**
   * The result of the turn. Rejects with MODEL_FAILED if the answering model could not be asked or withheld its
   * answer (`details.problem` says why), and whenever `outcome` rejects. A limit, a stop and a cancel are
   * outcomes.
   */
  readonly result: Promise<AssistResult>
  /**
   * Like `result`, but resolves whatever happened to the model: `problem` says it, and `text` is what the user was
   * told. Rejects if nothing can be stored, a model cannot be loaded, the conversation has an unfinished turn
   * (RUN_BUSY) or went on elsewhere (SESSION_BUSY), or the program has a bug.
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
    // An unawaited turn must not crash the process.
    this.outcome.catch(nobodyWaits)
    this.result.catch(nobodyWaits)
  }

  /** Spending so far, by counter. */
  get spent(): Amounts {
    return this.#run.spent
  }

  /** Stops work now; nothing unevaluated is shown. */
  cancel(): void {
    this.#run.cancel()
  }

  /**
   * Adds a message during the turn; a stop ends it.
   * @throws EchelonError INVALID_INPUT if it has ended
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
  // Turns that an older version ended have no `problem`.
  return { ...result, problem: result.problem ?? null }
}

const nobodyWaits = (): void => undefined
