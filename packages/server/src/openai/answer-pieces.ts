import type { Json } from 'echelon/runtime'
import type { Principal } from '../access/principal.ts'
import type { TurnEnd } from '../agents/served-agent.ts'
import { HttpProblem } from '../http/problem.ts'
import { callIdOf } from '../runs/call-id.ts'
import type { PlacedPart } from '../runs/follow-parts.ts'
import type { LiveRun } from '../runs/live-run.ts'
import type { RunHub } from '../runs/run-hub.ts'
import type { TurnPart } from '../runs/turn-part.ts'
import { untilWait } from '../runs/until-wait.ts'
import { SpokenText } from './spoken-text.ts'
import type { WaitingRun } from './waiting-calls.ts'

/** A call for the client. */
export interface GivenCall {
  readonly id: string
  readonly tool: string
  readonly input: Json
}

export type Finish = 'stop' | 'length' | 'content_filter' | 'tool_calls'

/** The parts of an answer that both APIs send, in a neutral form. The last piece is `calls`, `question` or `done`. */
export type Piece =
  | { readonly type: 'text'; readonly delta: string }
  | {
      readonly type: 'calls'
      readonly calls: readonly GivenCall[]
      readonly waiting: Pick<WaitingRun, 'request' | 'place' | 'calls'>
    }
  | { readonly type: 'question'; readonly request: string; readonly place: PlacedPart['place'] }
  | {
      readonly type: 'done'
      readonly finish: Finish
      readonly end: TurnEnd
      /** The reason why the run has no answer. */
      readonly refusal: string | null
    }

export interface AnswerOptions {
  readonly hub: RunHub
  readonly run: LiveRun
  readonly principal: Principal
  readonly signal: AbortSignal
  readonly after?: PlacedPart['place']
  /** Whether text is sent only at the end. */
  readonly isHeld: boolean
  /** Whether the answer is the object that a schema asked for. */
  readonly isObject: boolean
}

/**
 * The answer of a run, up to its end or to a call that the client has to execute. These APIs have no
 * approvals, so a call that needs an approval is denied; the model is told so and continues.
 * @throws HttpProblem if the run has no answer, or took back an answer that was already sent
 */
export async function* answerPieces(options: AnswerOptions): AsyncGenerator<Piece, void> {
  const { hub, run, principal, signal, after, isHeld, isObject } = options
  const text = new SpokenText({ isHeld: isHeld || isObject })
  const calls = new Map<string, GivenCall>()
  const following = { principal, signal, ...(after !== undefined && { after }) }
  const parts = untilWait(hub, run.id, following, ({ type }) => type !== 'approval')
  for await (const { place, part } of parts) {
    const said = textOf(part, text)
    if (said !== '') yield { type: 'text', delta: said }
    if (part.type === 'tool-call' && part.byClient) {
      calls.set(part.id, { id: callIdOf(run.id, part.id), tool: part.tool, input: part.input })
    } else if (part.type === 'approval') {
      if (run.waitsFor(part.request)) run.respond(part.request, 'deny')
    } else if (part.type === 'client-turn' && run.waitsFor(part.request)) {
      if (text.rest !== '' && !isObject) yield { type: 'text', delta: text.rest }
      yield callsOf(run.id, part, calls, place)
    } else if (part.type === 'question' && run.waitsFor(part.request)) {
      const asked = [text.rest, part.question].filter((one) => one !== '').join('\n\n')
      yield { type: 'text', delta: asked }
      yield { type: 'question', request: part.request, place }
    } else if (part.type === 'suspended') throw suspended()
    else if (part.type === 'end') {
      const done = doneOf(part.end, isObject)
      if (!text.settles) throw retracted()
      const rest = isObject ? objectOf(part.end, done.refusal) : text.rest
      if (rest !== '') yield { type: 'text', delta: rest }
      yield done
    }
  }
}

/**
 * @returns what to send of a part
 * @throws HttpProblem for text that was sent and does not hold
 */
function textOf(part: TurnPart, text: SpokenText): string {
  const { type } = part
  if (type === 'text-start') return text.start()
  if (type === 'text-delta') return text.add(part.delta)
  if (type === 'text-drop') text.drop()
  // Not at the end of a step: one that failed has a better error, which comes with the end.
  if (type === 'step-start' && part.depth === 0 && !text.settles) throw retracted()
  return ''
}

/** Calls are given again in the order of their step, even those that an earlier response has shown. */
function callsOf(
  run: string,
  { request, calls, places }: Extract<TurnPart, { readonly type: 'client-turn' }>,
  known: ReadonlyMap<string, GivenCall>,
  place: PlacedPart['place'],
): Piece {
  const given = calls.flatMap((id) => known.get(id) ?? [])
  const numbers = new Map(calls.map((id, at) => [callIdOf(run, id), places[at] ?? 0]))
  return { type: 'calls', calls: given, waiting: { request, place, calls: numbers } }
}

function doneOf(end: TurnEnd, isObject: boolean): Extract<Piece, { readonly type: 'done' }> {
  const { status, reason, detail, text } = end
  const done = { type: 'done', end } as const
  if (reason === 'filter') return { ...done, finish: 'content_filter', refusal: null }
  if (status === 'canceled') throw new HttpProblem(400, 'canceled', 'the run was canceled')
  if (status === 'failed') throw failed(reason)
  if (reason === 'length') return { ...done, finish: 'length', refusal: null }
  if (isObject && end.output === undefined) {
    if (detail === null || reason === 'invalid-output') throw noObject()
  }
  if (detail === null) return { ...done, finish: 'stop', refusal: null }
  const isEmpty = text === ''
  return { ...done, finish: isEmpty ? 'stop' : 'length', refusal: isEmpty ? detail : null }
}

const objectOf = ({ output, text }: TurnEnd, refusal: string | null): string =>
  refusal !== null ? '' : output === undefined ? text : JSON.stringify(output)

const RETRY_SECONDS = 5

/** Failures of a model that are not the server's. */
const FAILURES: Readonly<Record<string, HttpProblem>> = {
  'rate-limit': new HttpProblem(429, 'rate_limit', 'the model of the agent asked to slow down', {
    retryAfter: RETRY_SECONDS,
  }),
  'context-length': new HttpProblem(
    400,
    'context_length_exceeded',
    'the messages are too long for the model of the agent',
  ),
  'content-filter': new HttpProblem(400, 'content_filter', 'the provider refused the content'),
}

/** The provider's own words stay in the log, since they may repeat a prompt. */
const failed = (reason: string): HttpProblem =>
  FAILURES[reason] ?? new HttpProblem(502, reason, `the model of the agent failed: ${reason}`)

const noObject = (): HttpProblem =>
  new HttpProblem(
    502,
    'invalid_output',
    'the answer does not fit the schema of the response format',
  )

const retracted = (): HttpProblem =>
  new HttpProblem(
    502,
    'text_retracted',
    'the text so far was withdrawn, which this protocol cannot show; ask again, or ask without streaming',
  )

const suspended = (): HttpProblem =>
  new HttpProblem(503, 'stopping', 'the server is stopping; try again soon', { retryAfter: 2 })
