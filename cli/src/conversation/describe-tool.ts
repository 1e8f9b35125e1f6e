import { type Json, isJsonObject } from 'echelon/runtime'
import type { ToolCall, ToolOutcome } from 'echelon/chat'
import { clean } from '../terminal/clean.ts'
import { fold } from '../terminal/fold.ts'

type Called = Pick<ToolCall, 'tool' | 'input'>

/** A call with its arguments on one line, such as `calculator(expr: "15 * 23")`. Long values are folded. */
export const describeCall = ({ tool, input }: Called): string =>
  wholeCall({ tool, input: fold(input) })

/** The same with arguments in full. */
export const wholeCall = ({ tool, input }: Called): string => clean(`${tool}(${fields(input)})`)

/** The outcome of a call on one line. */
export function describeOutcome(tool: string, outcome: ToolOutcome): string {
  const name = clean(tool)
  switch (outcome.type) {
    case 'ok':
      return `✓ ${name} ${clean(fields(fold(outcome.value)))}`
    case 'error':
      return `✗ ${name} ${outcome.code}: ${clean(outcome.message)}`
    case 'denied':
      return `✗ ${name} was not run: ${clean(outcome.reason)}`
    case 'refused':
      return `✗ ${name} was not run: the limit of ${outcome.limit} is used up`
    case 'unknown':
      return `? ${name} may or may not have been done: ${clean(outcome.message)}`
  }
}

/** The fields of an object without its braces, and without `kind`, which every built-in tool returns. */
function fields(value: Json): string {
  if (!isJsonObject(value)) return inline(value)
  return Object.entries(value)
    .filter(([name]) => name !== 'kind')
    .map(([name, field]) => `${name}: ${inline(field)}`)
    .join(', ')
}

const inline = (value: Json): string => JSON.stringify(value)
