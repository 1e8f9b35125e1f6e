import { EchelonError } from '../../core/error.ts'
import { isJsonObject } from '../../core/json.ts'
import type { Run } from '../../runtime/run.ts'
import { startRun } from '../../runtime/run.ts'
import { readRun } from '../../runtime/read-run.ts'
import { resumeRun } from '../../runtime/resume.ts'
import { NOTHING_SAID } from '../../core/thread.ts'
import type { AgentResponse } from './agent-response.ts'
import { NO_DIALOGUE } from './dialogue.ts'
import type { GivenInteraction } from './interaction.ts'
import { interactionOf } from './interaction-check.ts'
import { dialogueIn } from './kept-history.ts'
import type { Message } from './message.ts'
import { plain } from './plain-data.ts'
import { type RouterParts, RouterWorld } from './router-world.ts'
import type { RouterOptions } from './router-options.ts'
import { supportAgent } from './support-definition.ts'
import type { Review, SupportInput } from './support-input.ts'
import type { SupportResult } from './support-result.ts'
import { SupportRun } from './support-run.ts'
import type { SupportState } from './support-state.ts'
import { HANDED_BACK } from './wording/sentences.ts'

export interface ResolveOptions {
  /** Aborting it cancels the turn. */
  readonly signal?: AbortSignal
}

/**
 * Resolves what customers write, turn by turn: reads it, plans, asks the rules, acts, and answers.
 *
 * **What may be shared.** One router serves any number of sessions at the same time. Messages of one
 * session wait for each other; the same session in two processes at once is refused.
 */
export class SupportRouter {
  readonly #options: RouterOptions
  readonly #parts: RouterParts
  /** The last turn of each session that is under way. */
  readonly #turns = new Map<string, Promise<unknown>>()
  #world: Promise<RouterWorld> | undefined

  /** Loads nothing: what is not given is made at the first message. */
  constructor(options: RouterOptions, parts: RouterParts) {
    this.#options = options
    this.#parts = parts
  }

  /**
   * Answers one message. The same id in the same session is the same message: what was done for it is
   * not done again.
   * @throws EchelonError INVALID_INPUT for an interaction that is none; INVALID_CONFIG for an intents'
   * file that cannot be used; SESSION_BUSY where another process has the session
   */
  async resolve(
    interaction: GivenInteraction,
    sessionId: string,
    options?: ResolveOptions,
  ): Promise<AgentResponse> {
    return (await this.start(interaction, sessionId, options)).response
  }

  /** The same, for callers that want to watch it. It begins when the turn before it is over. */
  async start(
    interaction: GivenInteraction,
    sessionId: string,
    options: ResolveOptions = {},
  ): Promise<SupportRun> {
    const given = interactionOf(interaction, sessionId, this.#parts.ids)
    return this.#inTurn({ sessionId, interaction: { ...given }, review: null }, options)
  }

  /**
   * Tells what a person decided about the plan of a session that waits longest for one. An approved plan
   * is carried out; the rules are asked again, and what they forbid stays forbidden.
   */
  async review(
    sessionId: string,
    review: Partial<Review> & Pick<Review, 'approved' | 'by'>,
    options: ResolveOptions = {},
  ): Promise<AgentResponse> {
    const { reason = 'a colleague did not approve it', approved, by } = review
    const { memory } = await this.#ready()
    const history = await memory.getHistory(sessionId)
    const [waiting] = dialogueIn(history).blocked
    const asked = history.findLast(({ role }) => role === 'user')?.metadata
    const { customerId, context } = asked ?? {}
    const interaction = interactionOf(
      {
        id: `${waiting?.execution.planId ?? this.#parts.ids.next()}:review`,
        text: '',
        customerId: typeof customerId === 'string' ? customerId : null,
        context: isJsonObject(context) ? context : {},
      },
      sessionId,
      this.#parts.ids,
    )
    const input = { sessionId, interaction: { ...interaction }, review: { approved, by, reason } }
    return (await this.#inTurn(input, options)).response
  }

  /** What was said in a session. */
  async history(sessionId: string): Promise<readonly Message[]> {
    return (await this.#ready()).memory.getHistory(sessionId)
  }

  /** Gives a conversation that a person has taken over back to the agent. */
  async handBack(sessionId: string): Promise<void> {
    const { memory, now } = await this.#ready()
    const before = dialogueIn(await memory.getHistory(sessionId))
    if (before.handedOver === null) return
    await memory.append(sessionId, {
      role: 'agent',
      text: HANDED_BACK,
      timestamp: now(),
      metadata: plain({ dialogue: NO_DIALOGUE }),
    })
  }

  #ready(): Promise<RouterWorld> {
    const made = (this.#world ??= RouterWorld.make(this.#options, this.#parts))
    // What could not be read the first time is read again.
    made.catch(() => (this.#world = undefined))
    return made
  }

  async #inTurn(input: SupportInput, options: ResolveOptions): Promise<SupportRun> {
    const { sessionId } = input
    const before = this.#turns.get(sessionId)
    const begun = (async () => {
      await before?.catch(nobodyWaits)
      return this.#begin(await this.#ready(), input, options)
    })()
    const over = begun.then(({ response }) => response)
    this.#turns.set(sessionId, over)
    const forget = (): void => {
      if (this.#turns.get(sessionId) === over) this.#turns.delete(sessionId)
    }
    over.then(forget, forget)
    return begun
  }

  async #begin(
    world: RouterWorld,
    input: SupportInput,
    { signal }: ResolveOptions,
  ): Promise<SupportRun> {
    const definition = supportAgent(world.settings)
    const turn: { run?: Run<SupportResult, SupportState> } = {}
    const standing = (): SupportState => {
      if (turn.run !== undefined) return turn.run.state
      throw new EchelonError('INVALID_DEFINITION', 'the turn has not begun')
    }
    const services = world.servicesFor(input, standing)
    const { sessionId, interaction } = input
    const session = { id: sessionId, history: NOTHING_SAID }
    const { store } = this.#options
    if (store === undefined) {
      const runId = this.#parts.ids.next()
      turn.run = startRun(definition, input, services, { runId, ...(signal && { signal }) })
      return new SupportRun(turn.run, sessionId)
    }
    const runId = `${sessionId}/${interaction.id}`
    const isBegun = (await store.runs.read(runId)).length > 0
    turn.run = isBegun
      ? resumeRun(definition, await readRun(store.runs, runId, definition), {
          services,
          session,
          ...(signal && { signal }),
        })
      : startRun(definition, input, services, { runId, session, ...(signal && { signal }) })
    return new SupportRun(turn.run, sessionId)
  }
}

const nobodyWaits = (): void => undefined
