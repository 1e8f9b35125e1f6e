import { EchelonError } from 'echelon/internal/value'
import type { RunEvent, Run } from 'echelon/runtime'
import type { AgentResponse } from './agent-response.ts'
import { isOthers, sessionBusy } from './kept-turns.ts'
import type { SupportResult } from './turn/support-result.ts'
import type { SupportState } from './turn/support-state.ts'

/** A turn in progress: iterate it for events (`said` events come as the text is said), await its response. */
export class SupportRun implements AsyncIterable<RunEvent> {
  readonly id: string
  /**
   * The answer. Failures on the way are described in its text; it rejects only if nothing can be stored or the
   * program has a bug.
   * @throws EchelonError INVALID_INPUT for another customer's session; SESSION_BUSY if another process works on a
   * message of the session, or went on with it meanwhile
   */
  readonly response: Promise<AgentResponse>
  readonly #run: Run<SupportResult, SupportState>

  constructor(run: Run<SupportResult, SupportState>, sessionId: string) {
    this.#run = run
    this.id = run.id
    this.response = run.result.then(
      ({ result }) => responseOf(result, run.id, sessionId),
      (error: unknown) => {
        throw isOthers(error) ? sessionBusy(sessionId) : error
      },
    )
    // An unawaited turn must not crash the process.
    this.response.catch(nobodyWaits)
  }

  /** Stops work now; the customer is told that it did not work out. */
  cancel(): void {
    this.#run.cancel()
  }

  [Symbol.asyncIterator](): AsyncIterator<RunEvent, void, undefined> {
    return this.#run[Symbol.asyncIterator]()
  }
}

const nobodyWaits = (): void => undefined

function responseOf(result: SupportResult, runId: string, sessionId: string): AgentResponse {
  const { text, toolResult, needsUserInput, missingParam, execution, refusal } = result
  if (refusal === 'conflict') throw sessionBusy(sessionId)
  if (refusal === 'other-customer') throw otherCustomer(sessionId)
  return { text, toolResult, needsUserInput, missingParam, execution, runId }
}

const otherCustomer = (sessionId: string): EchelonError =>
  new EchelonError(
    'INVALID_INPUT',
    `the session ${sessionId} was begun for another customer; begin one of its own for each`,
  )
