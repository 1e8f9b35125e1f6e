import type { Intent } from '../../../../packages/support/src/intent.ts'
import { IntentsRegistry } from '../../../../packages/support/src/intents-registry.ts'
import { airlineTools } from '../airline/airline-tools.ts'
import { retailTools } from '../retail/retail-tools.ts'
import type { TauTool } from './tau-tool.ts'

/** A domain of tau-bench: the files of its database, and its tools. */
export interface Domain {
  readonly name: string
  /** The folder of it among the data. */
  readonly folder: string
  readonly tables: readonly string[]
  readonly tools: readonly TauTool[]
  /** The records that are replayed. */
  readonly records: string
}

export const AIRLINE: Domain = {
  name: 'airline',
  folder: 'tau_airline',
  tables: ['flights', 'reservations', 'users'],
  tools: airlineTools,
  records: 'gpt4o_runs.jsonl',
}

export const RETAIL: Domain = {
  name: 'retail',
  folder: 'tau_retail',
  tables: ['orders', 'products', 'users'],
  tools: retailTools,
  records: 'gold_actions.jsonl',
}

/** A domain with all tools that a record calls, including unknown ones, which answer with an error. */
export function offering(domain: Domain, names: readonly string[]): Domain {
  const known = new Set(domain.tools.map(({ name }) => name))
  const unknown = [...new Set(names)].filter((name) => !known.has(name))
  const tools = unknown.map((name): TauTool => ({
    name,
    description: 'There is no such tool.',
    parameters: {},
    run: () => `Unknown action ${name}`,
  }))
  return { ...domain, tools: [...domain.tools, ...tools] }
}

/** The one intent of a domain: the model plans call after call until it answers. */
export function intentsOf({ name, tools }: Domain): IntentsRegistry {
  const [first = { name: '' }] = tools
  const intent: Intent = {
    id: name,
    description: `whatever a customer of the ${name} domain asks for`,
    requiredParams: [],
    optionalParams: [],
    params: {},
    tool: first.name,
    tools: tools.map((tool) => tool.name),
    examples: [],
    confirm: false,
    constraints: { channels: [], rollout: 100, minTier: null },
    wording: { pre: '', post: 'Done.', postByStatus: {}, confirm: '' },
  }
  return new IntentsRegistry({ intents: [intent], tiers: [], redactedParams: [] })
}
