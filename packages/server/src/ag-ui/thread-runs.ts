import type { AGUIEvent } from '@ag-ui/core'
import { digestText } from 'echelon/internal/value'
import { isJsonObject, type Clock, type Json } from 'echelon/runtime'
import type { ClientResult } from '../agents/client-tools.ts'
import { HttpProblem, notFound, problemOf } from '../http/problem.ts'
import type { TurnPart } from '../runs/turn-part.ts'
import { AgUiEvents, type Pause } from './ag-ui-events.ts'
import {
  knows1,
  type ResumeEntry,
  type RunInput,
  sentMessages,
  textIn,
  turnInputOf,
} from './run-input.ts'
import type { ThreadTurns } from './thread-turns.ts'

/** A run of ours that waits for the client of a thread. */
interface Waiting {
  readonly run: string
  readonly pause: Pause
  /** Number of its parts that the client has seen. */
  readonly seen: number
  /** Client calls of the run that have a result. */
  readonly answered: ReadonlySet<string>
}

/** The content of a stream: a run, from its begin or from the request that the client answered. */
interface Segment {
  readonly run: string
  /** The request that the client answered, if it continues a run. */
  readonly after: string | undefined
  /** Number of parts that the client has already seen. If that was forgotten, those up to the request. */
  readonly skip?: number | undefined
  readonly answered: ReadonlySet<string>
  /** Of the client's request, so that an equal one is the same client that lost its connection. */
  readonly digest: number
}

export interface ThreadRunsOptions {
  readonly clock: Clock
  /** After so many milliseconds without a reader, a run that works is canceled; `null` for never. */
  readonly lingerMs: number | null
  /** Receives faults of the program. */
  readonly onFault: (error: unknown) => void
}

/** Threads and streams that are remembered; the oldest are forgotten first. */
const MOST_REMEMBERED = 10_000

/**
 * The threads of AG-UI clients. A run of the client is one request; a run of ours that waits for the user or
 * for the client's tools spans several.
 */
export class ThreadRuns {
  readonly #options: ThreadRunsOptions
  readonly #waiting = new Map<string, Waiting>()
  readonly #segments = new Map<string, Segment>()
  readonly #readers = new Map<string, number>()

  constructor(options: ThreadRunsOptions) {
    this.#options = options
  }

  /**
   * Starts or continues a run for a client's request.
   * @returns its events, to the end of the client's run
   * @throws HttpProblem and EchelonError for a request that can't be served
   */
  async open(
    input: RunInput,
    turns: ThreadTurns,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<AGUIEvent, void>> {
    const { threadId, runId } = input
    const thread = keyOf([turns.owner, turns.agent.name, threadId])
    const stream = keyOf([turns.owner, turns.agent.name, threadId, runId])
    const digest = digestText(JSON.stringify([input.messages, input.resume ?? []]))
    const known = this.#segments.get(stream)
    const segment =
      known?.digest === digest ? known : { ...(await this.#begin(input, turns, thread)), digest }
    remember(this.#segments, stream, segment)
    return this.#events(input, turns, { thread, segment, signal })
  }

  async #begin(
    input: RunInput,
    turns: ThreadTurns,
    thread: string,
  ): Promise<Omit<Segment, 'digest'>> {
    const { threadId, resume = [] } = input
    const waiting = await this.#stillWaiting(thread, threadId, turns)
    if (resume.length > 0) return this.#resumed(resume, turns, { thread, threadId, waiting })
    if (waiting?.pause.type === 'interrupt') throw mustResume(waiting.pause.request)
    if (waiting?.pause.type === 'client-turn') {
      const results = resultsIn(input, waiting.pause.places)
      if (results.size > 0) return this.#withResults(results, turns, { thread, waiting })
      // The user went on without the client's tools.
      await turns.cancel(waiting.run)
      this.#waiting.delete(thread)
    }
    const isNew = !(await turns.isKept(threadId))
    const run = await turns.start(turnInputOf(input, turns.agent, { isNew }), threadId)
    return { run, after: undefined, answered: NOTHING }
  }

  /** Somebody else may have answered, or the run may have ended. */
  async #stillWaiting(
    thread: string,
    threadId: string,
    turns: ThreadTurns,
  ): Promise<Waiting | undefined> {
    const waiting = this.#waiting.get(thread)
    if (waiting === undefined) return undefined
    const open = await turns.openRequests(waiting.run, threadId)
    if (open.includes(waiting.pause.request)) return waiting
    this.#waiting.delete(thread)
    return undefined
  }

  async #resumed(
    resume: readonly ResumeEntry[],
    turns: ThreadTurns,
    {
      thread,
      threadId,
      waiting,
    }: {
      readonly thread: string
      readonly threadId: string
      readonly waiting: Waiting | undefined
    },
  ): Promise<Omit<Segment, 'digest'>> {
    const entry =
      resume.find(({ interruptId }) => interruptId === waiting?.pause.request) ?? resume[0]
    if (entry === undefined) throw notFound('interrupt')
    const { interruptId } = entry
    // A request's id begins with its run's, by which it is found after a restart.
    const run = interruptId.slice(0, interruptId.lastIndexOf(':'))
    const open = await turns.openRequests(run, threadId)
    if (!open.includes(interruptId)) throw notFound(`open interrupt ${interruptId}`)
    const asked = await partOf(interruptId, run, turns)
    if (asked === undefined) throw notFound(`open interrupt ${interruptId}`)
    const reply = replyOf(entry, asked)
    if (reply === undefined) void turns.cancel(run)
    else await turns.answer(run, interruptId, reply)
    this.#waiting.delete(thread)
    const skip = waiting?.run === run ? waiting.seen : undefined
    return { run, after: interruptId, skip, answered: waiting?.answered ?? NOTHING }
  }

  #withResults(
    results: ReadonlyMap<string, ClientResult>,
    turns: ThreadTurns,
    { thread, waiting }: { readonly thread: string; readonly waiting: Waiting },
  ): Omit<Segment, 'digest'> {
    const { run, pause, seen: skip, answered } = waiting
    const places = pause.type === 'client-turn' ? pause.places : NOWHERE
    const byPlace = new Map<number, ClientResult>()
    for (const [id, result] of results) {
      const place = places.get(id)
      if (place !== undefined) byPlace.set(place, result)
    }
    turns.giveResults(run, pause.request, byPlace)
    this.#waiting.delete(thread)
    const all = new Set([...answered, ...results.keys()])
    return { run, after: pause.request, skip, answered: all }
  }

  async *#events(
    input: RunInput,
    turns: ThreadTurns,
    {
      thread,
      segment,
      signal,
    }: { readonly thread: string; readonly segment: Segment; readonly signal: AbortSignal },
  ): AsyncGenerator<AGUIEvent, void> {
    const { run, after, skip, answered } = segment
    const { threadId, runId, state } = input
    const { name: agent, models: ladder } = turns.agent
    const events = new AgUiEvents({
      threadId,
      runId,
      run,
      agent,
      ladder,
      knows1: knows1(input),
      messages: sentMessages(input),
      answered,
      ...(state !== undefined && { state }),
    })
    let seen = 0
    this.#count(run, 1)
    try {
      if (after === undefined) yield* events.begin()
      let isBegun = after === undefined
      const parts = turns.follow(run, signal)[Symbol.asyncIterator]()
      for await (const part of this.#unlessHeld(parts, events)) {
        if (part === HELD) yield* events.release()
        else {
          seen++
          yield* events.of(part)
          const isNext = skip === undefined ? isRequest(part, after) : seen === skip
          if (!isBegun && isNext) {
            isBegun = true
            yield* events.begin()
          }
        }
        if (events.isOver) break
      }
      if (!events.isOver && !signal.aborted) yield* events.fail('lost', 'the run is no longer here')
    } catch (error) {
      const { code, message, status } = problemOf(error)
      if (status >= 500) this.#options.onFault(error)
      yield* events.fail(code, message)
    } finally {
      if (events.pause !== undefined && !this.#waiting.has(thread)) {
        remember(this.#waiting, thread, { run, pause: events.pause, seen, answered })
      }
      this.#left(run, turns, events.isOver)
    }
  }

  /** The parts, or `HELD` when a client waits for calls of the server that take long. */
  async *#unlessHeld(
    parts: AsyncIterator<TurnPart, void>,
    events: AgUiEvents,
  ): AsyncGenerator<TurnPart | typeof HELD, void> {
    try {
      for (;;) {
        const next = parts.next()
        const first = events.isHeld ? await this.#within(next) : await next
        if (first === HELD) return yield HELD
        if (first.done === true) return
        yield first.value
      }
    } finally {
      // Not awaited: a part that is still on its way would be awaited too.
      void parts.return?.()
    }
  }

  async #within<Value>(value: Promise<Value>): Promise<Value | typeof HELD> {
    let forget = (): void => undefined
    const held = new Promise<typeof HELD>((resolve) => {
      forget = this.#options.clock.after(HELD_MS, () => resolve(HELD))
    })
    try {
      return await Promise.race([value, held])
    } finally {
      forget()
    }
  }

  /** If the client does not come back, the run is canceled. */
  #left(run: string, turns: ThreadTurns, isOver: boolean): void {
    this.#count(run, -1)
    const { lingerMs, clock } = this.#options
    if (isOver || lingerMs === null || this.#readers.has(run)) return
    const cancel = (): void => {
      if (!this.#readers.has(run)) turns.cancel(run).catch(this.#options.onFault)
    }
    if (lingerMs === 0) cancel()
    else clock.after(lingerMs, cancel)
  }

  #count(run: string, change: number): void {
    const count = (this.#readers.get(run) ?? 0) + change
    if (count > 0) this.#readers.set(run, count)
    else this.#readers.delete(run)
  }
}

const HELD = Symbol('held')
/** Time that a client waits for calls of the server beside its own. */
const HELD_MS = 250

const isRequest = (part: TurnPart, request: string | undefined): boolean =>
  (part.type === 'approval' || part.type === 'question' || part.type === 'client-turn') &&
  part.request === request

const NOTHING: ReadonlySet<string> = new Set()
const NOWHERE: ReadonlyMap<string, number> = new Map()

/** No name that a client chooses can be another's. */
const keyOf = (names: readonly string[]): string => JSON.stringify(names)

function remember<Value>(memory: Map<string, Value>, key: string, value: Value): void {
  memory.delete(key)
  memory.set(key, value)
  const [oldest] = memory.keys()
  if (memory.size > MOST_REMEMBERED && oldest !== undefined) memory.delete(oldest)
}

const mustResume = (request: string): HttpProblem =>
  new HttpProblem(
    409,
    'interrupted',
    `the thread waits for an answer; send resume with the interrupt ${request}`,
  )

type Asked = Extract<TurnPart, { readonly type: 'approval' | 'question' }>

/** The part in which a run asked. */
async function partOf(
  request: string,
  run: string,
  turns: ThreadTurns,
): Promise<Asked | undefined> {
  const enough = new AbortController()
  try {
    for await (const part of turns.follow(run, enough.signal)) {
      const isAsked = part.type === 'approval' || part.type === 'question'
      if (isAsked && part.request === request) return part
    }
    return undefined
  } finally {
    enough.abort()
  }
}

/** The reply that an entry gives; `undefined` if the user gave up a question, which ends the run. */
function replyOf({ status, payload = null }: ResumeEntry, asked: Asked): Json | undefined {
  if (asked.type === 'question') return status === 'cancelled' ? undefined : payload
  if (status === 'cancelled') return 'deny'
  const { approved, choice } = isJsonObject(payload) ? payload : {}
  // Silence is not consent: it is refused as no choice, and the run waits on.
  const yes = payload === true || approved === true
  const no = payload === false || approved === false
  if (choice === undefined && yes) return 'once'
  return choice === undefined && no ? 'deny' : payload
}

/** Results of client calls among the messages, by the ids of the calls. */
function resultsIn(
  { messages }: RunInput,
  places: ReadonlyMap<string, number>,
): ReadonlyMap<string, ClientResult> {
  const results = new Map<string, ClientResult>()
  for (const sent of messages) {
    if (sent.role !== 'tool' || !places.has(sent.toolCallId)) continue
    const { toolCallId, error } = sent
    const value = textIn(sent.content)
    results.set(
      toolCallId,
      error === undefined ? { type: 'result', value } : { type: 'error', message: error },
    )
  }
  return results
}
