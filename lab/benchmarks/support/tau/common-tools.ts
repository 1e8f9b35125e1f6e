import { calculate } from '../python/calculate.ts'
import { dumps } from '../python/json.ts'
import { PyError } from '../python/value.ts'
import type { TauTool } from './tau-tool.ts'

/** The tools of both domains. */
export const commonTools: readonly TauTool[] = [
  {
    name: 'calculate',
    description: 'Calculates an expression of numbers, + - * / and brackets.',
    parameters: { expression: 'string' },
    run(_data, args) {
      const expression = args.get('expression')
      if (typeof expression !== 'string') throw new PyError('the expression is not text')
      if (/[^0-9+\-*/(). ]/.test(expression)) return 'Error: invalid characters in expression'
      return calculate(expression)
    },
  },
  {
    name: 'think',
    description: 'Takes a note of a thought; it changes nothing.',
    parameters: { thought: 'string' },
    run: () => '',
  },
  {
    name: 'transfer_to_human_agents',
    description: 'Hands the conversation over to a person, with a summary.',
    parameters: { summary: 'string' },
    ends: true,
    run: () => 'Transfer successful',
  },
]

/** A tool that shows one record. */
export const shows = (
  name: string,
  {
    table,
    key,
    missing,
  }: { readonly table: string; readonly key: string; readonly missing: string },
): TauTool => ({
  name,
  description: `Shows one record of ${table}.`,
  parameters: { [key]: 'string' },
  run(data, args) {
    const record = data.table(table).find(args.get(key))
    return record === undefined ? `Error: ${missing}` : dumps(record)
  },
})
