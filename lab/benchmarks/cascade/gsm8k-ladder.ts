import type { BoundModel, Usage } from '../../../packages/echelon/src/core/model/model.ts'
import { loadPrices } from '../../../packages/echelon/src/providers/prices.ts'
import type { Gsm8kRow, RecordedAnswer } from './gsm8k-rows.ts'
import { estimatedTokens, type RecordedAnswers, recordedAnswers } from './recorded-answers.ts'

/** The recorded models of GSM8K as a ladder, with the prices of the price list. */
export interface Gsm8kLadder {
  readonly small: BoundModel
  readonly big: BoundModel
}

/** The ladder of Mixtral 8x7B and GPT-4. The record holds no tokens: they are estimated from the texts' lengths. */
export async function gsm8kLadder(rows: readonly Gsm8kRow[]): Promise<Gsm8kLadder> {
  const prices = await loadPrices()
  const model = (
    [provider, name]: readonly [string, string],
    answerOf: (row: Gsm8kRow) => RecordedAnswer,
  ): BoundModel =>
    recordedAnswers(
      `${provider}/${name}`,
      answersOf(rows, answerOf),
      prices.priceOf(provider, name),
    )
  return {
    small: model(['mistral', 'open-mixtral-8x7b'], ({ small }) => small),
    big: model(['openai', 'gpt-4-1106-preview'], ({ big }) => big),
  }
}

const answersOf = (
  rows: readonly Gsm8kRow[],
  answerOf: (row: Gsm8kRow) => RecordedAnswer,
): RecordedAnswers =>
  new Map(
    rows.map((row) => {
      const { text } = answerOf(row)
      return [row.question, [{ text, usage: usageOf(row.question, text) }]]
    }),
  )

const usageOf = (question: string, answer: string): Usage => ({
  input: estimatedTokens(question),
  output: estimatedTokens(answer),
})

/** Asks a model of the ladder a question, and returns what it said and cost in dollars. */
export async function ask(
  { model, price }: BoundModel,
  question: string,
): Promise<{ readonly text: string; readonly dollars: number }> {
  const { content, usage } = await model.doGenerate({
    prompt: [{ role: 'user', content: [{ type: 'text', text: question }] }],
  })
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const tokens = { input: usage.inputTokens.total ?? 0, output: usage.outputTokens.total ?? 0 }
  return { text, dollars: price(tokens) ?? Number.NaN }
}
