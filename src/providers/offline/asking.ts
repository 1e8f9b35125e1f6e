import { evaluate } from 'mathjs'
import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { ANSWERS } from './models.ts'

/** The prompt around a task, as the planner writes it. For tests only. */
export function promptFor(question: string, system: string = SYSTEM): LanguageModelV4Prompt {
  const text = `Today is 2025-09-08 (Monday, September 8, 2025), time zone Asia/Bangkok.\nTask:\n"""\n${question}\n"""\n`
  return [
    { role: 'system', content: system },
    { role: 'user', content: [{ type: 'text', text }] },
  ]
}

const SYSTEM = `Answer with a plan.
- calculator(expr): computes
- calendar(query, today): finds a date
- data_fetch_stock(ticker, n): closing prices
- numeric_analysis(series): averages
- plotter(series, ma7, title): draws`

/** The model's answer to a question, as text. */
export const ask = (model: 'small' | 'big', question: string): string =>
  ANSWERS[model](promptFor(question))
