import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { readArithmetic } from './arithmetic.ts'
import { readDate } from './dates.ts'
import { unframed } from './frame.ts'
import { calculationIn, MISREAD, MAX_CHARACTERS, type ReadCalculation } from './calculation.ts'
import { markNumbers } from './numbers.ts'
import { readPercentage } from './percentages.ts'
import type { Action, Plan, Reader, PlanRequest } from './plan.ts'
import { primeIn } from './primes.ts'
import { readPrompt } from './prompt.ts'
import { readStock } from './stocks.ts'
import { readStory } from './story/read-story.ts'

const calculation =
  (read: ReadCalculation): Reader =>
  ({ question }) => {
    const expression = calculationIn(question, read)
    return expression && [{ tool: 'calculator', args: { expr: expression.text } }]
  }

const prime: Reader = ({ question }) => {
  const number = primeIn(question)
  return number === undefined
    ? undefined
    : [{ tool: 'calculator', args: { expr: `isPrime(${number})` } }]
}

const ask = (query: string | undefined, task: PlanRequest): readonly Action[] | undefined =>
  query === undefined ? undefined : [{ tool: 'calendar', args: { query, today: task.today } }]

const stock: Reader = ({ question }) => readStock(question, markNumbers(question))

const SMALL: readonly Reader[] = [
  prime,
  calculation(readArithmetic),
  calculation(readPercentage),
  (task) => ask(readDate(task.question, { compound: false }), task),
  stock,
]

const BIG: readonly Reader[] = [
  prime,
  calculation(readArithmetic),
  calculation(readPercentage),
  (task) => ask(readDate(task.question, { compound: true }), task),
  stock,
  calculation(readStory),
]

/** The available models. */
export type OfflineModel = 'small' | 'big'

/** The readers of each model. */
const READERS: Readonly<Record<OfflineModel, readonly Reader[]>> = { small: SMALL, big: BIG }

/** From a prompt to a plan as JSON. */
export const ANSWERS: Readonly<
  Record<OfflineModel, (prompt: LanguageModelV4CallOptions['prompt']) => string>
> = {
  small: (prompt) => JSON.stringify(plan(readTask('small', readPrompt(prompt)))),
  big: (prompt) => JSON.stringify(plan(readTask('big', readPrompt(prompt)))),
}

/** The plan for a task, or the reason for having none. */
export type Understanding = { readonly actions: readonly Action[] } | { readonly reason: string }

/** The first reading that uses only offered tools, or a refusal with the reason. */
export function readTask(model: OfflineModel, task: PlanRequest): Understanding {
  if (task.question.length > MAX_CHARACTERS) {
    return { reason: `the task is longer than ${MAX_CHARACTERS} characters` }
  }
  if (MISREAD.test(task.question)) return { reason: 'I cannot read numbers of that kind' }
  const bare = { ...task, question: unframed(task.question) }
  for (const read of READERS[model]) {
    const actions = read(bare)
    if (actions === undefined) continue
    const missing = actions.find(({ tool }) => !task.tools.has(tool))
    return missing ? { reason: `the tool ${missing.tool} is not offered` } : { actions }
  }
  return { reason: `I did not understand all of ${excerpt(task.question)}` }
}

function plan(read: Understanding): Plan {
  if ('actions' in read) return read
  const { reason } = read
  return {
    cannot: `${reason[0]?.toUpperCase() ?? ''}${reason.slice(1)}; I am an offline model that reads arithmetic, dates and the sample stock.`,
  }
}

/** The beginning of the question, quoted, on one line. */
function excerpt(question: string): string {
  const line = question.replaceAll(/\s+/g, ' ')
  return JSON.stringify(line.length > 80 ? `${line.slice(0, 79).toWellFormed()}…` : line)
}
