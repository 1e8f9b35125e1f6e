import { EchelonError, isJsonObject } from 'echelon/internal/value'
import type { Entry, StateHolder, Run } from 'echelon/runtime'
import { findStarted, startRun, readRun, resumeRun } from 'echelon/internal/runtime'
import { NOTHING_SAID } from 'echelon/internal/message'
import type { AgentResponse } from './agent-response.ts'
import { NO_DIALOGUE, type OpenIntent } from './turn/dialogue.ts'
import type { GivenInteraction } from './interaction.ts'
import { interactionOf } from './interaction-check.ts'
import { dialogueIn } from './turn/kept-history.ts'
import { inputIn, isOthers, KeptTurns } from './kept-turns.ts'
import type { Message } from './message.ts'
import { checkOptions } from './options-check.ts'
import { type RouterParts, RouterWorld } from './router-world.ts'
import type { RouterOptions } from './router-options.ts'
import { SUPPORT, supportAgent } from './turn/support-definition.ts'
import type { Review, SupportInput } from './turn/support-input.ts'
import type { SupportResult } from './turn/support-result.ts'
import { SupportRun } from './support-run.ts'
import type { SupportState } from './turn/support-state.ts'
import { HANDED_BACK } from './wording/sentences.ts'
import { turnId } from './turn-id.ts'
import { type WaitingPlan, waitingIn } from './dialogue/waiting-plan.ts'

export interface ResolveOptions {
  /** Aborting it cancels the turn. */
  readonly signal?: AbortSignal
}

/**
 * Resolves customers' messages turn by turn: reads, plans, asks the rules, acts, and answers.
 *
 * **Sharing.** One router serves any number of sessions at the same time. Messages of one session wait for each
 * other; the same session in two processes at once is refused.
 */
export class SupportRouter {
  readonly #options: RouterOptions
  readonly #parts: RouterParts
  /** The latest turn in progress of each session. */
  readonly #turns = new Map<string, Promise<unknown>>()
  #world: Promise<RouterWorld> | undefined

  /**
   * Loads nothing: default parts are created on the first message.
   * @throws EchelonError INVALID_CONFIG for an unknown option
   */
  constructor(options: RouterOptions, parts: RouterParts) {
    checkOptions(options)
    this.#options = options
    this.#parts = parts
  }

  /**
   * Answers one message. The same id in the same session is the same message: its completed work is not repeated.
   * @throws EchelonError INVALID_INPUT for an invalid interaction; INVALID_CONFIG for an unusable intents file;
   * SESSION_BUSY if another process has the session; KEY_REUSED if the id belongs to another message
   */
  async resolve(
    interaction: GivenInteraction,
    sessionId: string,
    options?: ResolveOptions,
  ): Promise<AgentResponse> {
    // The same message in every attempt.
    const given = interactionOf(interaction, sessionId, this.#parts.ids)
    const input = { sessionId, interaction: given, review: null }
    for (let tries = 1; ; tries++) {
      try {
        return await (
          await this.#inTurn(input, options ?? {})
        ).response
      } catch (error) {
        // Another process got the same message at the same time: both share its answer.
        if (tries === MOST_TRIES || !(await this.#isBegun(error, input))) throw error
      }
    }
  }

  /**
   * Like `resolve`, but returns the run for callers that want to follow it. It starts when the previous turn has
   * ended.
   */
  async start(
    interaction: GivenInteraction,
    sessionId: string,
    options: ResolveOptions = {},
  ): Promise<SupportRun> {
    const given = interactionOf(interaction, sessionId, this.#parts.ids)
    return this.#inTurn({ sessionId, interaction: given, review: null }, options)
  }

  /**
   * The run of a turn that has ended, from the store: nothing of it is done again.
   * @throws EchelonError UNKNOWN_RUN without a store, or for no ended turn of this agent
   */
  async ended(runId: string): Promise<SupportRun> {
    const begun = await this.#entries(runId)
    const { entries = [] } = begun
    const isOver = entries.some((entry) => entry.type === 'ended' && entry.path === '')
    const input = isOver ? inputIn(findStarted(SUPPORT, entries).input) : undefined
    if (input === undefined) {
      throw new EchelonError('UNKNOWN_RUN', `no turn ${runId} has ended here; check its id`)
    }
    return supportRun(this.#turn(await this.#ready(), input, begun), input)
  }

  /**
   * Records a person's decision about a plan of a session: the one named by `planId`, or else the one that has
   * waited longest. An approved plan is executed; the rules are asked again, and what they forbid stays forbidden.
   * If its order has changed since, the person is asked again.
   */
  async review(
    sessionId: string,
    review: GivenReview,
    options: ResolveOptions = {},
  ): Promise<AgentResponse> {
    return (await this.startReview(sessionId, review, options)).response
  }

  /** Like `review`, but returns the run for callers that want to follow it. */
  async startReview(
    sessionId: string,
    review: GivenReview,
    options: ResolveOptions = {},
  ): Promise<SupportRun> {
    const { reason = 'a colleague did not approve it', approved, by, planId = null } = review
    const { memory } = await this.#ready()
    const history = await memory.getHistory(sessionId)
    const isMeant = ({ execution }: OpenIntent): boolean =>
      planId === null || execution.planId === planId
    const waiting = dialogueIn(history).blocked.find(isMeant)
    const asked = history.findLast(({ role }) => role === 'user')?.metadata
    const { customerId, context } = asked ?? {}
    const given = interactionOf(
      {
        text: '',
        customerId: typeof customerId === 'string' ? customerId : null,
        context: isJsonObject(context) ? context : {},
      },
      sessionId,
      this.#parts.ids,
    )
    // One decision per plan: repeated, it is executed once. A plan's id may be long.
    const own = waiting?.execution.planId ?? null
    const times = waiting === undefined || waiting.failedAsks === 0 ? '' : `:${waiting.failedAsks}`
    const id = own === null ? given.id : `${own}:review${times}`
    const decided = { approved, by, reason, planId: own ?? planId }
    const input = { sessionId, interaction: { ...given, id }, review: decided }
    return this.#inTurn(input, options)
  }

  /** The plans of a session that wait for `review`, the one that has waited longest first. */
  async waiting(sessionId: string): Promise<readonly WaitingPlan[]> {
    const { memory, records } = await this.#ready()
    return waitingIn(await memory.getHistory(sessionId), sessionId, records)
  }

  /** The messages of a session. */
  async history(sessionId: string): Promise<readonly Message[]> {
    return (await this.#ready()).memory.getHistory(sessionId)
  }

  /** Adds what a person answers to a conversation. From then on the customer cannot take the hand-over back. */
  async reply(
    sessionId: string,
    { text, by }: { readonly text: string; readonly by: string },
  ): Promise<void> {
    const answer = async (): Promise<void> => {
      const { memory, now } = await this.#ready()
      const dialogue = dialogueIn(await memory.getHistory(sessionId))
      await memory.append(sessionId, {
        role: 'agent',
        text,
        timestamp: now(),
        metadata: { dialogue, by },
      })
    }
    // A turn in progress would write over it.
    await this.#afterOthers(sessionId, answer, async () => undefined)
  }

  /** Returns a conversation from a person to the agent. Plans that wait for a decision keep waiting. */
  async handBack(sessionId: string): Promise<void> {
    const giveBack = async (): Promise<void> => {
      const { memory, now } = await this.#ready()
      const { handedOver, blocked } = dialogueIn(await memory.getHistory(sessionId))
      if (handedOver === null) return
      await memory.append(sessionId, {
        role: 'agent',
        text: HANDED_BACK,
        timestamp: now(),
        metadata: { dialogue: { ...NO_DIALOGUE, blocked } },
      })
    }
    // A turn in progress would write over it.
    await this.#afterOthers(sessionId, giveBack, async () => undefined)
  }

  /** The agent's definition, for checking stored turns, as `echelon state doctor` does. */
  async holder(): Promise<StateHolder> {
    return { definition: supportAgent((await this.#ready()).settings), middlewares: [] }
  }

  async #isBegun(error: unknown, input: SupportInput): Promise<boolean> {
    const { store } = this.#options
    if (store === undefined || !isOthers(error)) return false
    return (await store.runs.find(turnId(input.sessionId, input.interaction.id))) !== undefined
  }

  #ready(): Promise<RouterWorld> {
    const made = (this.#world ??= RouterWorld.make(this.#options, this.#parts))
    // After a failure, try again next time.
    made.catch(() => (this.#world = undefined))
    return made
  }

  #inTurn(input: SupportInput, options: ResolveOptions): Promise<SupportRun> {
    return this.#afterOthers(
      input.sessionId,
      async () => this.#begin(await this.#ready(), input, options),
      ({ response }) => response,
    )
  }

  /** Starts after the session's current turn; later calls wait in line. */
  async #afterOthers<Begun>(
    sessionId: string,
    begin: () => Promise<Begun>,
    overOf: (begun: Begun) => Promise<unknown>,
  ): Promise<Begun> {
    const before = this.#turns.get(sessionId)
    const begun = (async () => {
      await before?.catch(nobodyWaits)
      return begin()
    })()
    const over = begun.then(overOf)
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
    const { store } = this.#options
    const runId =
      store === undefined ? this.#parts.ids.next() : turnId(input.sessionId, input.interaction.id)
    if (store === undefined) return supportRun(this.#turn(world, input, { runId, signal }), input)
    const kept = new KeptTurns(store.runs, world.clock)
    const own = await kept.own(runId, input)
    // Finish interrupted turns first, as far as the rules still allow: they hold the session.
    for (let left = await this.#cutOff(kept, own, input); left !== undefined;) {
      await this.#turn(world, left.input, await this.#entries(left.runId)).result
      left = await this.#cutOff(kept, own, input)
    }
    const begun = own === undefined ? { runId } : await this.#entries(runId)
    return supportRun(this.#turn(world, input, { ...begun, signal }), input)
  }

  /** An earlier turn that a dead process left. */
  #cutOff(
    kept: KeptTurns,
    own: { readonly status: string } | undefined,
    { sessionId }: SupportInput,
  ): ReturnType<KeptTurns['cutOff']> {
    return own === undefined ? kept.cutOff(sessionId) : Promise.resolve(undefined)
  }

  async #entries(runId: string): Promise<Begun> {
    const { store } = this.#options
    if (store === undefined) return { runId }
    const { version } = SUPPORT
    return { runId, entries: await readRun(store.runs, runId, { version }) }
  }

  /** Starts or resumes a turn. */
  #turn(
    world: RouterWorld,
    input: SupportInput,
    { runId, entries, signal }: Begun,
  ): Run<SupportResult, SupportState> {
    const definition = supportAgent(world.settings)
    const turn: { run?: Run<SupportResult, SupportState> } = {}
    const standing = (): SupportState => {
      if (turn.run !== undefined) return turn.run.state
      throw new EchelonError('INVALID_DEFINITION', 'the turn has not begun')
    }
    const services = world.servicesFor(input, standing)
    const isKept = this.#options.store !== undefined
    const session = isKept ? { session: { id: input.sessionId, history: NOTHING_SAID } } : {}
    const given = { ...session, ...(signal && { signal }) }
    turn.run =
      entries === undefined
        ? startRun(definition, input, services, { runId, ...given })
        : resumeRun(definition, entries, { services, ...given })
    return turn.run
  }
}

/** What a person decided; `review` names the defaults. */
type GivenReview = Partial<Review> & Pick<Review, 'approved' | 'by'>

/** A new turn, or one on record with its entries. */
interface Begun {
  readonly runId: string
  readonly entries?: readonly Entry[]
  readonly signal?: AbortSignal | undefined
}

const supportRun = (
  run: Run<SupportResult, SupportState>,
  { sessionId }: SupportInput,
): SupportRun => new SupportRun(run, sessionId)

/** Attempts against another process with the same message. */
const MOST_TRIES = 3

const nobodyWaits = (): void => undefined
