import { MOST_ANSWER_CHARACTERS } from '../../core/model/answer-length.ts'
import { canonicalJson } from '../../core/value/canonical-json.ts'
import { isJson, type Json } from '../../core/value/json.ts'
import type { ModelCall } from '../../core/extension/middleware.ts'
import type { Generated } from '../../core/agent/observation.ts'
import type { Contender } from './contender.ts'

/** The models that gave the same answer, in calling order. */
export type Party = readonly [Contender, ...Contender[]]

/**
 * The key by which answers are equal: tools and their input for tool calls, the value for an answer with
 * a schema, else the trimmed text.
 */
export function answerKey(
  { text, calls }: Generated,
  { schema }: Pick<ModelCall, 'schema'>,
): string {
  // A text may be written like a tool call, so the key must differ from any text.
  if (calls.length > 0) {
    return `calls ${canonicalJson(calls.map(({ tool, input }) => ({ tool, input })))}`
  }
  const value = schema === undefined ? undefined : parsed(text)
  return value === undefined ? `text ${text.trim()}` : `value ${canonicalJson(value)}`
}

function parsed(text: string): Json | undefined {
  if (text.length > MOST_ANSWER_CHARACTERS) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Most frequent first; of equals the one with the earlier model. */
export function partiesOf(
  voters: readonly Contender[],
  keyOf: (voter: Contender) => string | undefined,
): readonly Party[] {
  const parties = new Map<string, Party>()
  for (const voter of voters) {
    const key = keyOf(voter)
    if (key === undefined) continue
    const party = parties.get(key)
    parties.set(key, party === undefined ? [voter] : [...party, voter])
  }
  return [...parties.values()].toSorted((a, b) => b.length - a.length)
}

/** Whether the remaining votes cannot change the result. */
export const isDecided = (
  [first, second]: readonly Party[],
  { open, quorum }: { readonly open: number; readonly quorum: number },
): boolean =>
  first !== undefined && first.length >= quorum && first.length > (second?.length ?? 0) + open
