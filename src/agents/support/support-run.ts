import type { RunEvent } from '../../core/event.ts'
import type { Run } from '../../runtime/run.ts'
import type { AgentResponse } from './agent-response.ts'
import { isOthers, sessionBusy } from './kept-turns.ts'
import type { SupportResult } from './turn/support-result.ts'
import type { SupportState } from './turn/support-state.ts'

/** A turn under way: iterate it for events (what is `said` comes as it is said), await its response. */
export class SupportRun implements AsyncIterable<RunEvent> {
  readonly id: string
  /**
   * The answer. What goes wrong on the way is in its words; it rejects only when nothing can be kept or
   * the program has a mistake.
   * @throws EchelonError SESSION_BUSY where somebody else works on a message of the session, or went on with it meanwhile
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
    // A turn that nobody waits for must not end the program.
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
  const { text, toolResult, needsUserInput, missingParam, execution, isConflict } = result
  if (isConflict) throw sessionBusy(sessionId)
  return { text, toolResult, needsUserInput, missingParam, execution, runId }
}
