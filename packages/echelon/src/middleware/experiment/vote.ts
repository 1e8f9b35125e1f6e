import { MOST_ANSWER_CHARACTERS } from '../../core/model/answer-length.ts'
import { canonicalJson } from '../../core/value/canonical-json.ts'
import { isJson, type Json } from '../../core/value/json.ts'
import type { ModelCall } from '../../core/extension/middleware.ts'
import type { Generated } from '../../core/agent/observation.ts'
import type { Contender } from './contender.ts'

/** Those who gave the same answer, in the order that they were asked in. */
export type Party = readonly [Contender, ...Contender[]]

/**
 * By what answers are the same: tools and their input where it calls some, a value where JSON was
 * asked for, else the text without the blanks around it.
 */
export function answerKey(
  { text, calls }: Generated,
  { schema }: Pick<ModelCall, 'schema'>,
): string {
  // What no text is, for a text may be written as a call is.
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

/** The most frequent first; of two as frequent the one that was given by who was asked earlier. */
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

/** Whether whoever has not voted yet can change nothing. */
export const isDecided = (
  [first, second]: readonly Party[],
  { open, quorum }: { readonly open: number; readonly quorum: number },
): boolean =>
  first !== undefined && first.length >= quorum && first.length > (second?.length ?? 0) + open
