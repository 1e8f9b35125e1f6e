import { EchelonError, isRecord } from 'echelon/internal/value'
import type { Json, Clock } from 'echelon/runtime'
import type { RunStatus, RunStore, RunSummary } from 'echelon/internal/store'
import { SUPPORT } from './turn/support-definition.ts'
import type { SupportInput } from './turn/support-input.ts'

/** Interval for checking a turn that another process works on. */
const LOOK_MS = 50

/** Maximum wait; by then the turn's own limits have ended it, or its process is dead. */
const MOST_WAIT_MS = 60_000

const UNFINISHED: readonly RunStatus[] = ['running', 'waiting', 'interrupted']

/** Turns on record: this message's own, and an interrupted one. */
export class KeptTurns {
  readonly #runs: Pick<RunStore, 'find' | 'list'>
  readonly #clock: Clock

  constructor(runs: Pick<RunStore, 'find' | 'list'>, clock: Clock) {
    this.#runs = runs
    this.#clock = clock
  }

  /**
   * The turn that this message started in any process, once no process works on it; undefined for a new one.
   * @throws EchelonError KEY_REUSED if the id belongs to another message; SESSION_BUSY if it takes too long
   */
  async own(runId: string, input: SupportInput): Promise<RunSummary | undefined> {
    const until = this.#clock.now() + MOST_WAIT_MS
    for (;;) {
      const turn = await this.#runs.find(runId)
      if (turn === undefined) return undefined
      if (turn.status === 'damaged') throw damagedTurn(runId)
      mustBeSame(input, inputIn(turn.input))
      if (turn.status !== 'running') return turn
      if (this.#clock.now() >= until) throw sessionBusy(input.sessionId)
      await new Promise<void>((resolve) => void this.#clock.after(LOOK_MS, resolve))
    }
  }

  /**
   * An interrupted turn of an earlier message that no process works on. It must be finished before another turn
   * can start.
   * @throws EchelonError SESSION_BUSY while another process works on one
   */
  async cutOff(
    sessionId: string,
  ): Promise<{ readonly runId: string; readonly input: SupportInput } | undefined> {
    const filter = { session: sessionId, agent: SUPPORT.name, status: UNFINISHED, limit: 1 }
    const [turn] = await this.#runs.list(filter)
    if (turn === undefined) return undefined
    const input = inputIn(turn.input)
    if (turn.status === 'running' || input === undefined) throw sessionBusy(sessionId)
    return { runId: turn.id, input }
  }
}

const damagedTurn = (run: string): EchelonError =>
  new EchelonError(
    'STORE_DAMAGED',
    `the turn ${run} is damaged in the store and cannot continue; restore a backup, or send the message again under another id`,
    { details: { run } },
  )

export const sessionBusy = (sessionId: string): EchelonError =>
  new EchelonError(
    'SESSION_BUSY',
    `somebody else works on a message of the session ${sessionId}; nothing was done, send the message again`,
    { details: { session: sessionId } },
  )

/** Whether another process was faster: the turn could not be started or resumed. */
export function isOthers(error: unknown): boolean {
  if (!(error instanceof EchelonError)) return false
  const { code, details } = error
  // The store's error if a run is started twice at the same time.
  const isBegun = code === 'INVALID_INPUT' && typeof details['run'] === 'string'
  return isBegun || code === 'RUN_BUSY' || code === 'SESSION_BUSY'
}

/** One id is one message: a customer never gets the answer to another's. */
function mustBeSame(given: SupportInput, kept: SupportInput | undefined): void {
  const isSame =
    kept?.interaction.text === given.interaction.text &&
    kept.interaction.customerId === given.interaction.customerId &&
    kept.review?.approved === given.review?.approved
  if (isSame) return
  throw new EchelonError(
    'KEY_REUSED',
    `the interaction ${given.interaction.id} of the session ${given.sessionId} was another one before; give each message an id of its own`,
  )
}

/** The stored input of a turn. */
export function inputIn(value: Json): SupportInput | undefined {
  return isInput(value) ? value : undefined
}

function isInput(value: unknown): value is SupportInput {
  if (!isRecord(value)) return false
  const { sessionId, interaction, review } = value
  if (!isRecord(interaction) || typeof sessionId !== 'string') return false
  const { id, text, customerId, context } = interaction
  return (
    typeof id === 'string' &&
    typeof text === 'string' &&
    (customerId === null || typeof customerId === 'string') &&
    isContext(context) &&
    (review === null || isReview(review))
  )
}

const isContext = (value: unknown): boolean => isRecord(value) && !Array.isArray(value)

function isReview(value: unknown): boolean {
  if (!isRecord(value)) return false
  const { approved, by, reason } = value
  return typeof approved === 'boolean' && typeof by === 'string' && typeof reason === 'string'
}
