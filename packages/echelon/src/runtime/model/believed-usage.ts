import { isRecord } from '../../core/value/json.ts'
import type { BoundModel, Usage } from '../../core/model/model.ts'
import type { Message } from '../../core/message/thread.ts'
import { utf8Bytes } from '../../core/value/utf8.ts'
import type { Attempting } from './attempting.ts'
import type { OfferedTools } from '../tools/offered-tools.ts'
import type { ModelAnswer } from './model-answer.ts'
import { inputBound } from './worst-case.ts'

/** A provider's usage report of one call: plausible usage, why it is implausible, or nothing. */
export type ReportedUsage =
  | { readonly type: 'plausible'; readonly usage: Usage }
  | { readonly type: 'impossible'; readonly why: string }
  | { readonly type: 'absent' }

const ABSENT: ReportedUsage = { type: 'absent' }
const impossible = (why: string): ReportedUsage => ({ type: 'impossible', why })

/** The most bytes of one token in any tokenizer in use. */
const MOST_BYTES_PER_TOKEN = 128
/** More than any model reads or writes in one call, or an agent in one task. */
const MOST_TOKENS = 20_000_000
/** Chat templates, built-in prompts and small images add tokens that were not sent as bytes. */
const ADDED_INPUT = 16_384

/**
 * Checks a usage report against itself. It comes from outside, so its type is not trusted: each count
 * must be a whole number, its parts must fit into it, and the sum that some providers report must agree.
 */
export function readUsage(reported: unknown): ReportedUsage {
  const { inputTokens, outputTokens, raw } = recordOf(reported)
  const input = recordOf(inputTokens)
  const output = recordOf(outputTokens)
  if (isAbsent(input['total']) || isAbsent(output['total'])) return ABSENT
  const problem = problemOf('input', input) ?? problemOf('output', output)
  if (problem !== undefined) return impossible(problem)
  return withTotal(
    { input: Number(input['total']), output: Number(output['total']) },
    reasoningOf(output, recordOf(raw)),
    recordOf(raw),
  )
}

const NOTHING: Readonly<Record<string, unknown>> = {}
const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  isRecord(value) ? value : NOTHING

const isAbsent = (count: unknown): boolean => count === undefined || count === null

const isCount = (count: unknown): count is number =>
  typeof count === 'number' && Number.isSafeInteger(count) && count >= 0

const PARTS = ['noCache', 'cacheRead', 'cacheWrite', 'text'] as const

function problemOf(name: string, counts: Readonly<Record<string, unknown>>): string | undefined {
  const { total } = counts
  if (!isCount(total)) return `${name} is ${shown(total)}`
  if (total > MOST_TOKENS) return `${name} is ${shown(total)}`
  for (const part of PARTS) {
    const count = counts[part]
    if (isAbsent(count)) continue
    if (!isCount(count) || count > total) return `${part} is ${shown(count)} of ${total} ${name}`
  }
  const { reasoning } = counts
  return isAbsent(reasoning) || isCount(reasoning) ? undefined : `reasoning is ${shown(reasoning)}`
}

/** Cuts a reported value, which may be long. */
const shown = (count: unknown): string => (typeof count === 'number' ? String(count) : typeof count)

function reasoningOf(
  { reasoning }: Readonly<Record<string, unknown>>,
  raw: Readonly<Record<string, unknown>>,
): number {
  if (isCount(reasoning)) return reasoning
  const told = recordOf(raw['completion_tokens_details'])['reasoning_tokens']
  return isCount(told) ? told : 0
}

/**
 * Some servers count reasoning in addition to the output: only their total shows it, and it is billed
 * like output.
 */
function withTotal(
  usage: Usage,
  reasoning: number,
  raw: Readonly<Record<string, unknown>>,
): ReportedUsage {
  const { input, output } = usage
  const total = raw['total_tokens'] ?? raw['totalTokenCount'] ?? undefined
  const isBeside = total === input + output + reasoning
  if (total !== undefined && total !== input + output && !isBeside) {
    return impossible(`its total is ${shown(total)} for ${input} input and ${output} output`)
  }
  if (isBeside && output + reasoning > MOST_TOKENS) {
    return impossible(`reasoning is ${reasoning} beside its output`)
  }
  if (isBeside) return { type: 'plausible', usage: { input, output: output + reasoning } }
  if (reasoning <= output) return { type: 'plausible', usage }
  return impossible(`reasoning is ${reasoning} of ${output} output`)
}

/** A call as far as its usage depends on it. */
export interface CallWithUsage extends Pick<
  Attempting,
  'asked' | 'model' | 'thread' | 'head' | 'tail'
> {
  readonly tools: Pick<OfferedTools, 'bytes'>
}

/**
 * Checks a usage report against the call: the prompt, the limits and the answer. A server can then
 * neither report a call as free nor use up a budget with one number.
 *
 * @returns why it is implausible; undefined if it is plausible
 */
export function whyUnbelievable(
  { input, output }: Usage,
  call: CallWithUsage,
  { answer, maxTokens }: { readonly answer: ModelAnswer; readonly maxTokens: number },
): string | undefined {
  if (input === 0) return 'input is 0'
  const least =
    Math.ceil(answer.text.length / MOST_BYTES_PER_TOKEN) || Math.min(1, answer.calls.length)
  if (output < least) return `output is ${output} for an answer of at least ${least}`
  if (call.model.sumsCalls === true) return undefined
  if (output > maxTokens && output > maxTokens + bytesOf(answer)) {
    return `output is ${output} where ${maxTokens} were allowed`
  }
  return input > ADDED_INPUT && input > mostInput(call, answer)
    ? `input is ${input}, more than was sent`
    : undefined
}

/** Extra characters: some models apply the token limit to text only, or exceed it a little. */
const ROOM = 65_536

/** Returns the maximum characters of an answer of `maxTokens` tokens. Arguments count twice. */
export const mostCharacters = (
  { sumsCalls }: Pick<BoundModel, 'sumsCalls'>,
  maxTokens: number,
): number => (sumsCalls === true ? Infinity : 2 * MOST_BYTES_PER_TOKEN * maxTokens + ROOM)

const bytesOf = ({ text, calls, content }: ModelAnswer): number =>
  utf8Bytes(JSON.stringify([text, calls, content]))

/** The input from a provider's own tools, or from a file, is not bounded by the bytes that were sent. */
function mostInput(call: CallWithUsage, { content = [] }: ModelAnswer): number {
  const { thread, head = [], tail = [], asked } = call
  const messages = [...head, ...thread.toArray(), ...tail]
  const isUnknown =
    asked.continues !== undefined || messages.some(hasFile) || content.some(isOfProvider)
  return isUnknown
    ? MOST_TOKENS
    : 2 * inputBound(asked, { ...call, known: NONE_KNOWN }) + ADDED_INPUT
}

const NONE_KNOWN = { length: 0, tokens: 0 }

const isOfProvider = (part: { readonly type: string }): boolean =>
  part.type === 'tool-result' || ('providerExecuted' in part && part.providerExecuted === true)

/** Whether a message holds a file, or a tool's result with one. */
export const hasFile = ({ content }: Message): boolean =>
  typeof content !== 'string' &&
  content.some(
    (part) =>
      part.type === 'file' ||
      (part.type === 'tool-result' &&
        part.output.type === 'content' &&
        part.output.value.some(({ type }) => type === 'file')),
  )
