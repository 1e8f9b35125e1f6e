import type { Generate } from '../../core/agent/effect.ts'
import { type Amounts, left, type Ledger } from '../../core/agent/budget.ts'
import type { BoundModel } from '../../core/model/model.ts'
import type { Refused } from '../../core/agent/observation.ts'
import type { Message, Thread } from '../../core/message/thread.ts'
import { utf8Bytes } from '../../core/value/utf8.ts'
import { hasAbsentFile } from '../tools/absent-file.ts'
import { countersOf, priceOf } from './model-amounts.ts'
import type { OfferedTools } from '../tools/offered-tools.ts'

/** Tokens that a provider may add around each message. */
const TOKENS_PER_MESSAGE = 8
/** Minimum tokens for an answer, unless fewer are requested: the call is refused instead. */
const LEAST_OUTPUT = 16
/** Share of the remaining money to use, so that rounding cannot exceed a limit. */
const NEARLY_ALL = 1 - 1e-9
/** Default maximum tokens of an answer. */
export const DEFAULT_MAX_TOKENS = 4096

export type WorstCase =
  | { readonly ok: true; readonly hold: Amounts; readonly maxTokens: number }
  | ({ readonly ok: false } & Pick<Refused, 'limit' | 'message' | 'cause'>)

interface Purse {
  readonly ledger: Ledger
  readonly model: BoundModel
  readonly tools: Pick<OfferedTools, 'bytes'>
  readonly known: { readonly length: number; readonly tokens: number }
  readonly thread: Thread
  /** Messages that filters add before and after the conversation. */
  readonly head: readonly Message[] | undefined
  readonly tail: readonly Message[] | undefined
}

type Asked = Omit<Generate, 'type' | 'messages'>

/**
 * The maximum cost of a model call. A token is at least one byte, so the UTF-8 bytes of the request bound
 * the input; a prefix of known usage counts at that usage (`Tree.learnTokens`). A file given by URL has no bound, and the call
 * is refused. The answer is clamped to the remaining tokens and money, and the clamped maximum is sent.
 */
export function worstCase(call: Asked, purse: Purse): WorstCase {
  const { ledger, model } = purse
  const { calls, oneCall } = countersOf(call.role)
  const wanted = call.maxTokens ?? DEFAULT_MAX_TOKENS
  const { limits } = ledger
  if (limits['tokens'] === undefined && limits['money'] === undefined) {
    return { ok: true, hold: oneCall, maxTokens: wanted }
  }
  if (isUnbounded(purse)) {
    return refusal(limits['tokens'] === undefined ? 'money' : 'tokens', UNBOUNDED)
  }
  const input = inputBound(call, purse)
  const maxTokens = affordable(input, wanted, { ledger, model })
  if (typeof maxTokens !== 'number') return maxTokens
  const money = priceOf(model, { input, output: maxTokens })
  return {
    ok: true,
    hold: { [calls]: 1, tokens: input + maxTokens, ...(money === null ? {} : { money }) },
    maxTokens,
  }
}

const UNBOUNDED =
  'a file is given by its address, so its number of tokens is unknown; give its data instead, or remove the limits of tokens and money'

/** Tokens that a model has counted are known, files included. */
function isUnbounded({ known, thread, head, tail }: Purse): boolean {
  for (let index = known.length; index < thread.length; index++) {
    const message = thread.at(index)
    if (message !== undefined && hasAbsentFile(message)) return true
  }
  return head?.some(hasAbsentFile) === true || tail?.some(hasAbsentFile) === true
}

/** The maximum tokens of a request: a token is at least one byte. */
export function inputBound(
  call: Asked,
  { tools, known, thread, head, tail }: Pick<Purse, 'tools' | 'known' | 'thread' | 'head' | 'tail'>,
): number {
  const added = (head?.length ?? 0) + (tail?.length ?? 0)
  const addedBytes = added === 0 ? 0 : utf8Bytes(JSON.stringify([head, tail]))
  const newMessages = thread.length - known.length + added
  return (
    known.tokens +
    thread.bytesFrom(known.length) +
    newMessages * TOKENS_PER_MESSAGE +
    addedBytes +
    tools.bytes +
    utf8Bytes(JSON.stringify(call.schema ?? null))
  )
}

function affordable(
  input: number,
  wanted: number,
  { ledger, model }: Pick<Purse, 'ledger' | 'model'>,
): number | Extract<WorstCase, { ok: false }> {
  const least = Math.min(wanted, LEAST_OUTPUT)
  const byTokens = left(ledger, 'tokens') - input
  if (byTokens < least) return refusal('tokens', 'the tokens left do not cover another call')
  const most = Math.min(wanted, byTokens)
  if (ledger.limits['money'] === undefined) return most
  const forInput = priceOf(model, { input, output: 0 })
  // Together with the input, since a long one may raise the price of the output.
  const withThousand = priceOf(model, { input, output: 1000 })
  if (forInput === null || withThousand === null) {
    return { ...refusal('money', unknownPrice(model.id)), cause: 'unknown-price' }
  }
  const money = left(ledger, 'money') * NEARLY_ALL
  const perToken = (withThousand - forInput) / 1000
  const byMoney = perToken === 0 ? Infinity : Math.floor((money - forInput) / perToken)
  if (forInput > money || byMoney < least) {
    return refusal('money', 'the money left does not cover another call')
  }
  return Math.min(most, byMoney)
}

function unknownPrice(model: string): string {
  const [provider = model] = model.split('/')
  const row = `providers.${provider}.input_usd_per_million and output_usd_per_million`
  return `the price of ${model} is unknown, so a limit of money refuses it; state it with ${row}`
}

const refusal = (limit: string, message: string): Extract<WorstCase, { ok: false }> => ({
  ok: false,
  limit,
  message,
})
