import { EchelonError } from 'echelon/runtime'
import type { AssistantOptions } from '@echelon/assist'
import { type Config, firstModelOf } from 'echelon/config'
import { createRegistry, standardProviders, withReasoning } from 'echelon/providers'
import { configFor, type GlobalOptions } from '../configuration.ts'
import type { Io } from '../io.ts'

/** Who plays which layer, as the command line says it. */
export interface AssistModelChoice extends GlobalOptions {
  readonly model?: string
  readonly big?: string
  readonly planner?: string
  readonly evaluator?: string
  readonly baseUrl?: string
  readonly maxCost?: number
}

/** Models of the layers; none where they work by rule. */
export interface AssistModels {
  readonly options: Pick<AssistantOptions, 'executor' | 'planner' | 'evaluator' | 'limits'>
  /** Who answers, for a person. */
  readonly name: string
}

/**
 * Loads the models: the executor's is the small one of the configuration, and planner and evaluator have
 * the same unless others are named. Models that work offline understand no reflection: then all is done by rule.
 * @throws EchelonError INVALID_INPUT, and what loading a model throws
 */
export async function assistModels(io: Io, choice: AssistModelChoice): Promise<AssistModels> {
  const config = await configFor(io, choice, { call: await settingsOf(choice) })
  const executor = choice.model ?? firstModelOf(config.settings.models)
  const above = choice.big ?? executor
  const names = {
    executor,
    planner: choice.planner ?? above,
    evaluator: choice.evaluator ?? above,
  }
  const registry = createRegistry(standardProviders)
  const load = async (name: string): Promise<AssistantOptions['executor']> =>
    isRule(name) ? null : registry.resolve(name, withReasoning(config.providers, name, 'least'))
  const [answers, plans, evaluates] = await Promise.all([
    load(names.executor),
    load(names.planner),
    load(names.evaluator),
  ])
  return {
    options: {
      executor: answers ?? null,
      planner: plans ?? null,
      evaluator: evaluates ?? null,
      ...limitsOf(config),
    },
    name: isRule(names.executor) ? 'no model: rules and north stars' : names.executor,
  }
}

/** `none`, and the offline models, which plan tools and reflect on nothing. */
const isRule = (name: string): boolean => name === 'none' || name.startsWith('offline/')

const limitsOf = ({ settings }: Config): Pick<AssistantOptions, 'limits'> =>
  settings.budget.max_cost_usd === null ? {} : { limits: { usd: settings.budget.max_cost_usd } }

async function settingsOf({ model, baseUrl, maxCost }: AssistModelChoice): Promise<object> {
  return {
    ...(maxCost === undefined ? {} : { budget: { max_cost_usd: maxCost } }),
    ...(baseUrl === undefined ? {} : { providers: serverOf(baseUrl, model) }),
  }
}

/** The server belongs to the provider of the model. */
function serverOf(baseUrl: string, model: string | undefined): object {
  const [key = ''] = model?.split('/') ?? []
  if (key !== '' && key !== 'none' && key !== 'offline') return { [key]: { base_url: baseUrl } }
  throw new EchelonError(
    'INVALID_INPUT',
    '--base-url names a server but no model; add --model openai-compatible/<model>',
  )
}
