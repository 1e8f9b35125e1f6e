import type { BoundModel, Price, Usage } from '../../../../packages/echelon/src/core/model/model.ts'
import { pause } from '../../../../packages/echelon/src/core/value/abortable.ts'
import { utf8Bytes } from '../../../../packages/echelon/src/core/value/utf8.ts'
import {
  apiError,
  asBound,
  type ScriptedFailure,
  type ScriptedModel,
  type ScriptedReply,
  scriptedModel,
} from '../../../../packages/echelon/src/testing/scripted-model.ts'
import type { Chance } from './chance.ts'
import { lieOf, type Lie, LIES } from './lies.ts'
import { drawPrice } from './prices.ts'
import type { Sent } from './wire.ts'
import type { World } from './world.ts'

type Call = ScriptedModel['calls'][number]

/** The answer of a model without a fault. */
export type Reply = Pick<ScriptedReply, 'text' | 'toolCalls'>

interface Character {
  /** Bytes that its tokenizer takes for one token. */
  readonly bytesPerToken: number
  /** The wrong usage that it may report. */
  readonly lies: readonly [Lie, ...Lie[]]
  /** Rates of failures and of wrong usage reports. */
  readonly failing: number
  readonly lying: number
}

/**
 * A model that fails, stalls, cuts its answer and reports a wrong usage as the seed says, and keeps its bill on
 * the wire. One that reports too little takes at least four bytes a token, as English does: a report that is too
 * low for English is not relied on in a reservation, and one that is too low for a denser text cannot be told from
 * a true one.
 */
export function faultyModel(
  world: World,
  { id, role, reply }: { readonly id: string; readonly role: string; readonly reply: () => Reply },
): BoundModel {
  const { chance, wire } = world
  const character = drawCharacter(chance)
  const price = drawPrice(world)
  const beyond = async (call: Call): Promise<ScriptedReply | ScriptedFailure> => {
    const text = JSON.stringify(call.prompt)
    const input = inputTokens(call, character)
    const maxOutput = call.maxOutputTokens ?? Infinity
    const sent = wire.send({ role, input, maxOutput, price: knownPrice(price), text })
    const failure = chance.happens(character.failing) ? chance.pick(FAILURES) : undefined
    if (failure !== undefined) world.faults.add(failure)
    // Until then the request is under way; one that is given up meanwhile stays at its worst case.
    await untilAnswered(world, call, failure)
    if (failure !== undefined) return fail(world, sent, failure)
    const answer = fitting(reply(), maxOutput * character.bytesPerToken)
    const used = { input, output: outputTokens(answer, character) }
    return { ...answer, usage: report(world, sent, { used, character }) }
  }
  return asBound(scriptedModel([], { modelId: id, beyond }), id, price)
}

async function untilAnswered(
  { chance, clock }: World,
  { abortSignal }: Call,
  failure: Failure | undefined,
): Promise<void> {
  const usual = chance.happens(0.4) ? chance.whole(1, 60) : 0
  const ms = failure === 'no answer in time' ? NEVER : usual
  await pause(clock, ms, abortSignal ?? new AbortController().signal)
  abortSignal?.throwIfAborted()
}

/** Longer than any time limit of a call, in milliseconds. */
const NEVER = 1e6

function drawCharacter(chance: Chance): Character {
  const isHonest = chance.happens(0.5)
  return {
    bytesPerToken: isHonest ? 1 + 5 * chance.share() : 4 + 2 * chance.share(),
    lies: chance.happens(0.5) ? LIES : [chance.pick(LIES)],
    failing: chance.pick([0, 0.1, 0.3, 0.7]),
    lying: isHonest ? 0 : chance.pick([0.2, 0.5, 1]),
  }
}

/** The price in dollars; unknown if it is not a number. */
const knownPrice =
  (price: Price) =>
  (usage: Usage): number | undefined => {
    const money = price(usage)
    return money !== null && Number.isFinite(money) && money >= 0 ? money : undefined
  }

/** The prompt, the tools and the form of the answer, without the punctuation between them. */
function inputTokens(
  { prompt, tools = [], responseFormat }: Call,
  { bytesPerToken }: Character,
): number {
  const schema = responseFormat?.type === 'json' ? (responseFormat.schema ?? null) : null
  const parts = [
    ...prompt,
    ...tools.map((tool) =>
      tool.type === 'function' ? [tool.name, tool.description, tool.inputSchema] : tool,
    ),
    schema,
  ]
  const bytes = parts.reduce<number>((sum, part) => sum + utf8Bytes(JSON.stringify(part)), 0)
  return Math.ceil(bytes / bytesPerToken)
}

const outputTokens = ({ text = '', toolCalls = [] }: Reply, character: Character): number =>
  Math.max(1, Math.floor(bytesOf(text, toolCalls) / character.bytesPerToken))

const bytesOf = (text: NonNullable<Reply['text']>, toolCalls: Reply['toolCalls'] = []): number =>
  [text].flat().join('').length +
  toolCalls.reduce((sum, { tool, input }) => sum + tool.length + JSON.stringify(input).length, 0)

/** An answer that the limit of its tokens allows: calls that do not fit are left out. */
function fitting({ text = '', toolCalls = [] }: Reply, mostBytes: number): Reply {
  if (toolCalls.length > 0 && bytesOf('', toolCalls) <= mostBytes) return { toolCalls }
  const whole = [text].flat().join('') || 'none'
  const cut = whole.slice(0, Math.max(1, Math.floor(mostBytes)))
  return { text: [cut.slice(0, 5), cut.slice(5)].filter((piece) => piece !== '') }
}

/** Failures before an answer, and in the middle of it. */
function fail({ chance }: World, sent: Sent, kind: Failure): ScriptedFailure {
  if (isFree(kind)) sent.free()
  else sent.failed()
  switch (kind) {
    case 'rate limit':
      return { error: apiError(429, { headers: { 'retry-after-ms': '20' } }) }
    case 'request refused':
      return { error: apiError(chance.pick([400, 401, 404])) }
    case 'server not reached':
      return { error: notReached() }
    case 'server error':
      return { error: apiError(chance.pick([500, 503])) }
    case 'connection lost':
      return { error: apiError(undefined) }
    case 'no answer in time':
      return { error: new Error('too late') }
    case 'stream cut':
      return {
        error: apiError(200, { isRetryable: chance.happens(0.5) }),
        after: ['It', ' is'],
        as: chance.pick(['cut', 'part', 'end']),
      }
  }
}

const FAILURES = [
  'rate limit',
  'request refused',
  'server not reached',
  'server error',
  'connection lost',
  'no answer in time',
  'stream cut',
] as const

type Failure = (typeof FAILURES)[number]

/** A provider bills neither a request that it refused nor one that did not reach it. */
const isFree = (kind: Failure): boolean =>
  kind === 'rate limit' || kind === 'request refused' || kind === 'server not reached'

const notReached = (): Error =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
  })

/** The usage that it reports, true or not. */
function report(
  { chance, faults }: World,
  sent: Sent,
  { used, character }: { readonly used: Usage; readonly character: Character },
): Usage | null {
  if (!chance.happens(character.lying)) {
    sent.answered(used, used)
    return used
  }
  const lie = chance.pick(character.lies)
  faults.add(lie)
  const told = lieOf(lie, used, chance)
  sent.answered(isPossible(told) ? told : undefined, used)
  return told
}

/** Whole numbers above 0: what a provider could bill. */
const isPossible = (told: Usage | null): told is Usage =>
  told !== null && [told.input, told.output].every((count) => Number.isInteger(count) && count > 0)
