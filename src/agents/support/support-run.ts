import { EchelonError } from '../../core/error.ts'
import type { RunEvent } from '../../core/event.ts'
import type { Run } from '../../runtime/run.ts'
import type { AgentResponse } from './agent-response.ts'
import type { SupportResult } from './support-result.ts'
import type { SupportState } from './support-state.ts'

/** A turn under way: iterate it for events (what is `said` comes as it is said), await its response. */
export class SupportRun implements AsyncIterable<RunEvent> {
  readonly id: string
  /**
   * The answer. What goes wrong on the way is in its words; it rejects only when nothing can be kept or
   * the program has a mistake.
   * @throws EchelonError SESSION_BUSY where somebody else went on with the conversation meanwhile
   */
  readonly response: Promise<AgentResponse>
  readonly #run: Run<SupportResult, SupportState>

  constructor(run: Run<SupportResult, SupportState>, sessionId: string) {
    this.#run = run
    this.id = run.id
    this.response = run.result.then(({ result }) => responseOf(result, run.id, sessionId))
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
  if (isConflict) {
    throw new EchelonError(
      'SESSION_BUSY',
      `somebody else went on with the session ${sessionId} meanwhile; nothing was done, send the message again`,
    )
  }
  return { text, toolResult, needsUserInput, missingParam, execution, runId }
}
