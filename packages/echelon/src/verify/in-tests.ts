import type { ToolCall, ToolOutcome } from '../core/tool/tool-call.ts'
import type { Json } from '../core/value/json.ts'
import type { Attempt, VerifiedTask, Wanted } from './answer.ts'
import type { AskModel, Judgment, Observed, Verifier, VerifierEffect } from './verifier.ts'

/** An attempt in words, for tests. */
export const attempt = (
  question: string,
  text: string,
  wanted: Wanted = { kind: 'text' },
): Attempt => ({ task: { question, wanted }, answer: { type: 'text', text }, made: [] })

/** An attempt that calls tools, for tests: `{ tool: input }` or `[tool, input]` for each call. */
export const calling = (
  question: string,
  tools: VerifiedTask['tools'],
  calls: readonly (readonly [string, Json])[],
): Attempt => ({
  task: { question, wanted: { kind: 'calls' }, tools: tools ?? [] },
  answer: { type: 'calls', calls: toolCalls(calls) },
  made: [],
})

const toolCalls = (calls: readonly (readonly [string, Json])[]): readonly ToolCall[] =>
  calls.map(([tool, input], at) => ({ id: `call-${at}`, tool, input }))

/** A model's answer, for tests. */
export const said = (text: string, calls: readonly (readonly [string, Json])[] = []): Observed => ({
  type: 'generated',
  text,
  calls: toolCalls(calls),
  finish: calls.length > 0 ? 'tools' : 'stop',
  model: 'test/opinion',
  usage: { input: 10, output: 10 },
  cost: 0,
})

export const computed = (...values: readonly Json[]): Observed => ({
  type: 'tools-called',
  outcomes: values.map((value): ToolOutcome => ({ type: 'ok', value })),
})

export const budgetRefused: Observed = {
  type: 'refused',
  by: 'budget',
  limit: 'cost',
  message: 'the budget is used up',
}

export const modelFailed: Observed = {
  type: 'failed',
  error: { code: 'unavailable', message: 'the model is down', retryable: true, attempts: 3 },
}

/** Judges an attempt, with each effect answered in turn; fails if it asks for more than there is. */
export function judgedWith(
  verifier: Verifier,
  attempt: Attempt,
  answers: readonly Observed[] = [],
): { readonly judgment: Judgment; readonly asked: readonly VerifierEffect[] } {
  const asked: VerifierEffect[] = []
  for (;;) {
    const answer = verifier.verify(attempt, answers.slice(0, asked.length))
    if (answer.verdict !== 'ask') return { judgment: answer, asked }
    asked.push(...answer.effects)
    if (asked.length > answers.length) throw new Error(`it asks ${asked.length} times`)
  }
}

/** All text of the messages that a model is asked with. */
export const promptOf = ({ messages }: AskModel): string =>
  messages
    .toArray()
    .map(({ content }) =>
      typeof content === 'string'
        ? content
        : content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    )
    .join('\n')
