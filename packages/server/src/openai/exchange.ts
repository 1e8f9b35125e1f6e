import type { Context } from 'hono'
import { eventStream, sseFrame } from '../http/event-stream.ts'
import { HttpProblem } from '../http/problem.ts'
import type { Env, ServerContext } from '../http/server-context.ts'
import type { Principal } from '../access/principal.ts'
import type { ServedAgent, TurnInput } from '../agents/served-agent.ts'
import type { PlacedPart } from '../runs/follow-parts.ts'
import type { LiveRun } from '../runs/live-run.ts'
import { answerPieces, type Piece } from './answer-pieces.ts'
import { noModel, unusable } from './openai-problem.ts'
import type { WaitingCalls, WaitingRun } from './waiting-calls.ts'

/** Shared by both APIs. */
export interface Shared {
  readonly context: ServerContext
  readonly waiting: WaitingCalls
}

/** A run whose next part is the answer to a request. */
export interface Exchange {
  readonly run: LiveRun
  readonly principal: Principal
  readonly after?: PlacedPart['place']
  /** Number of earlier responses of the run. */
  readonly responses: number
}

/** @throws HttpProblem 404 */
export function agentOf({ context }: Shared, name: string, principal: Principal): ServedAgent {
  const agent = context.hub.agentsOf(principal).find((one) => one.name === name)
  if (agent === undefined) throw noModel(name)
  return agent
}

/** Starts a turn for a request. */
export async function startExchange(
  c: Context<Env>,
  { context }: Shared,
  {
    agent,
    input,
    session,
  }: {
    readonly agent: ServedAgent
    readonly input: TurnInput
    readonly session?: string | undefined
  },
): Promise<Exchange> {
  const principal = c.get('principal')
  const run = await context.hub.start(agent, input, {
    principal,
    ...(session !== undefined && { session }),
    traceparent: c.req.header('traceparent'),
    tracestate: c.req.header('tracestate'),
  })
  return { run, principal, responses: 0 }
}

/**
 * Gives a run the results that it waits for.
 * @throws HttpProblem 400 when one is missing
 */
export function continueExchange(
  { waiting }: Shared,
  found: WaitingRun,
  results: ReadonlyMap<string, string>,
): Exchange {
  const { run, principal, request, place, calls, responses } = found
  const missing = [...calls.keys()].filter((id) => !results.has(id))
  if (missing.length > 0) {
    throw unusable('messages', `the results of the calls ${missing.join(', ')} are missing`)
  }
  waiting.remove(found)
  const given = [...calls].map(
    ([id, index]) => [index, { type: 'result' as const, value: results.get(id) ?? '' }] as const,
  )
  run.giveResults(request, new Map(given))
  return { run, principal, after: place, responses }
}

interface Answering {
  readonly isHeld: boolean
  readonly isObject: boolean
}

/** The pieces of an exchange. A client that leaves before the end cancels the run, since it cannot come back. */
export function piecesOf(
  { context, waiting }: Shared,
  { run, principal, after, responses }: Exchange,
  { isHeld, isObject }: Answering,
): { readonly pieces: AsyncGenerator<Piece, void>; readonly leave: () => void } {
  const leaving = new AbortController()
  let isOver = false
  const leave = (): void => {
    if (isOver) return
    leaving.abort()
    run.cancel()
  }
  const answer = answerPieces({
    hub: context.hub,
    run,
    principal,
    signal: leaving.signal,
    ...(after !== undefined && { after }),
    isHeld,
    isObject,
  })
  const pieces = async function* (): AsyncGenerator<Piece, void> {
    try {
      for await (const piece of answer) {
        if (piece.type === 'calls') {
          waiting.add({ run, principal, responses: responses + 1, ...piece.waiting })
        }
        if (piece.type !== 'text') isOver = true
        yield piece
      }
      // An interrupted stretch has no last piece.
      if (!isOver) throw new HttpProblem(503, 'interrupted', 'the run left this server; try again')
    } finally {
      leave()
    }
  }
  return { pieces: pieces(), leave }
}

/** Pieces for a client that wants one answer. */
export async function collected(
  c: Context<Env>,
  { pieces, leave }: ReturnType<typeof piecesOf>,
): Promise<{ readonly text: string; readonly last: Exclude<Piece, { readonly type: 'text' }> }> {
  const { signal } = c.req.raw
  signal.addEventListener('abort', leave, { once: true })
  try {
    let text = ''
    for await (const piece of pieces) {
      if (piece.type !== 'text') return { text, last: piece }
      text += piece.delta
    }
  } finally {
    signal.removeEventListener('abort', leave)
  }
  throw new HttpProblem(503, 'interrupted', 'the run left this server; try again')
}

/** So long a stream waits with its headers, so that a failure at once has its own status. */
const FIRST_WITHIN_MS = 5000

/** Pieces for a client that wants a stream. @throws HttpProblem of a failure before the first piece */
export async function streamed(
  { context }: Shared,
  { pieces, leave }: ReturnType<typeof piecesOf>,
  {
    headers,
    frames,
  }: {
    readonly headers: Readonly<Record<string, string>>
    readonly frames: (pieces: AsyncIterable<Piece>) => AsyncGenerator<string, void>
  },
): Promise<Response> {
  const first = pieces.next()
  first.catch(() => undefined)
  await new Promise<void>((resolve, reject) => {
    const stop = context.clock.after(FIRST_WITHIN_MS, resolve)
    first.then(() => resolve(), reject).finally(stop)
  })
  const all = async function* (): AsyncGenerator<Piece, void> {
    const { value } = await first
    if (value !== undefined) yield value
    yield* pieces
  }
  return eventStream(frames(all()), { headers, onClose: leave })
}

export const frame = (data: unknown, event?: string): string =>
  sseFrame({ data: JSON.stringify(data), ...(event !== undefined && { event }) })
