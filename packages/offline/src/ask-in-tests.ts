import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import math from 'mathjs/lib/browser/math.js'
import { isRecord } from '../../echelon/src/core/value/json.ts'
import { ANSWERS } from './models.ts'

const ALL_TOOLS = `Answer with a plan.
- calculator(expr): computes
- calendar(query, today): finds a date
- data_fetch_stock(ticker, n): closing prices
- numeric_analysis(series): averages
- plotter(series, ma7, title): draws`

/** The prompt around a task, as a planner writes it. */
export function promptFor(question: string, system: string = ALL_TOOLS): LanguageModelV4Prompt {
  const text = `Today is 2025-09-08 (Monday, September 8, 2025), time zone Asia/Bangkok.
Task:
"""
${question}
"""
`
  return [
    { role: 'system', content: system },
    { role: 'user', content: [{ type: 'text', text }] },
  ]
}

/** A model's answer, parsed. */
export const ask = (model: 'small' | 'big', question: string, system?: string): unknown =>
  JSON.parse(ANSWERS[model](promptFor(question, system)))

/** The actions of an answer as `tool(args)`; null for a refusal. */
export function actionsOf(answer: unknown): readonly string[] | null {
  if (!isRecord(answer) || !Array.isArray(answer['actions'])) return null
  return answer['actions'].map((action: unknown) => {
    if (!isRecord(action) || !isRecord(action['args'])) throw new Error('this is not an action')
    return `${String(action['tool'])}(${Object.values(action['args']).join(', ')})`
  })
}

/** The value of the answer's single calculation, by mathjs; null without one. */
export function valueOf(answer: unknown): number | null {
  const actions = actionsOf(answer) ?? []
  const expression = /^calculator\((.*)\)$/.exec(actions[0] ?? '')?.[1]
  return actions.length === 1 && expression !== undefined ? Number(math.evaluate(expression)) : null
}
