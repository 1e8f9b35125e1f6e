import type { Context } from 'hono'
import { type Principal, sessionIn } from '../access/principal.ts'
import type { ServedAgent } from '../agents/served-agent.ts'
import { jsonBody } from '../http/json-body.ts'
import { HttpProblem } from '../http/problem.ts'
import type { Env } from '../http/server-context.ts'
import type { Piece } from './answer-pieces.ts'
import {
  agentOf,
  collected,
  continueExchange,
  type Exchange,
  piecesOf,
  type Shared,
  startExchange,
  streamed,
} from './exchange.ts'
import { unknownResponse, unusable } from './openai-problem.ts'
import { responseEvents } from './response-events.ts'
import { type ResponseBase, responseId, runOfResponse, wholeResponse } from './response-form.ts'
import { readResponseRequest, type ResponseRequest } from './responses-request.ts'
import { lastResults, turnOf } from './said.ts'
import { headersOf } from './told.ts'

/** `POST /v1/responses`. */
export async function responses(c: Context<Env>, shared: Shared): Promise<Response> {
  const request = readResponseRequest(await jsonBody(c))
  const exchange = await exchangeOf(c, shared, request)
  const { isStream, output, model, echo } = request
  const { run } = exchange
  const isObject = output !== undefined
  const pieces = piecesOf(shared, exchange, { isHeld: !isStream, isObject })
  const base: ResponseBase = {
    id: responseId(run.id, exchange.responses),
    created_at: Math.floor(shared.context.clock.now() / 1000),
    model,
    echo,
  }
  // A question within a run cannot be answered here; the next message of the conversation is one of a new run.
  const onLast = ({ type }: Exclude<Piece, { readonly type: 'text' }>): void => {
    if (type === 'question') run.cancel()
  }
  if (isStream) {
    const frames = (all: AsyncIterable<Piece>): AsyncGenerator<string, void> =>
      responseEvents(all, { base, run, onLast })
    return streamed(shared, pieces, { headers: headersOf(run), frames })
  }
  const answered = await collected(c, pieces)
  onLast(answered.last)
  const end = answered.last.type === 'done' ? answered.last.end : undefined
  return c.json(wholeResponse(base, run, answered), 200, headersOf(run, end))
}

/** Continues the run that waits for results, or the conversation of a response, or begins one. */
async function exchangeOf(
  c: Context<Env>,
  shared: Shared,
  request: ResponseRequest,
): Promise<Exchange> {
  const { model, said, previous, isStored, tools, output } = request
  const principal = c.get('principal')
  const agent = agentOf(shared, model, principal)
  const results = lastResults(said)
  const waits = shared.waiting.find(results.keys(), principal, agent.name)
  if (waits !== undefined) return continueExchange(shared, waits, results)
  const session = await sessionOf(shared, { agent, previous, isStored, principal })
  if (previous !== undefined && said.at(-1)?.role === 'tool') {
    throw unusable(
      'input',
      'nothing waits for these results any more; send the conversation instead',
    )
  }
  const input = await turnOf(agent, { said, tools, output, continues: previous !== undefined })
  return startExchange(c, shared, { agent, input, session })
}

interface Continuing {
  readonly agent: ServedAgent
  readonly previous: string | undefined
  readonly isStored: boolean
  readonly principal: Principal
}

/**
 * The conversation of a request.
 * @throws HttpProblem 400 for a response that cannot be continued, such as another user's
 */
async function sessionOf(
  { context }: Shared,
  { agent, previous, isStored, principal }: Continuing,
): Promise<string | undefined> {
  const { hub, ids } = context
  if (previous === undefined) {
    return isStored && agent.accepts.sessions ? ids.next() : undefined
  }
  const id = runOfResponse(previous)
  if (id === undefined) throw unknownResponse(previous)
  // A run that still waits for results that never came is canceled.
  const live = hub.live(id, principal)
  if (live !== undefined && live.end === undefined) {
    live.cancel()
    await live.outcome
  }
  const run = await hub.find(id, principal).catch((error: unknown) => {
    throw error instanceof HttpProblem ? unknownResponse(previous) : error
  })
  const session = run.session === null ? undefined : sessionIn(run.session)
  const isTheirs = session?.owner === principal.name && session.agent === agent.name
  if (!isTheirs || run.session === null) throw unknownResponse(previous)
  const [newest] = await context.store.runs.list({ session: run.session, limit: 1 })
  if (newest !== undefined && newest.id !== id) {
    throw unusable(
      'previous_response_id',
      'the conversation went on after this response; continue its last one, or send the messages',
    )
  }
  return session.id
}
