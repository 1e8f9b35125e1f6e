import type { AssistantOptions } from '@echelon/assist'
import { type Config, firstModelOf } from 'echelon/config'
import { createRegistry, standardProviders, withReasoning } from 'echelon/providers'
import { serverOf } from '../chat/chat-config.ts'
import { configFor, type GlobalOptions } from '../configuration.ts'
import type { Io } from '../io.ts'

/** The models of the layers, as the command line names them. */
export interface AssistModelChoice extends GlobalOptions {
  readonly model?: string
  readonly big?: string
  readonly planner?: string
  readonly evaluator?: string
  readonly baseUrl?: string
  readonly maxCost?: number
}

/** The models of the layers; null for a layer that works by rules. */
export interface AssistModels {
  readonly options: Pick<AssistantOptions, 'executor' | 'planner' | 'evaluator' | 'limits'>
  readonly config: Config
  /** The model that answers, in words. */
  readonly name: string
}

/**
 * Loads the models. The executor gets the small model of the configuration; planner and evaluator get
 * the same one unless others are named. Offline models cannot reflect, so they are replaced by rules.
 * @throws EchelonError INVALID_INPUT, and the errors of loading a model
 */
export async function assistModels(io: Io, choice: AssistModelChoice): Promise<AssistModels> {
  const { model, baseUrl, maxCost } = choice
  const config = await configFor(io, choice, {
    call: {
      ...(maxCost !== undefined && { budget: { max_cost_usd: maxCost } }),
      ...(baseUrl !== undefined && { providers: await serverOf(io, baseUrl, choice) }),
    },
  })
  const executor = model ?? firstModelOf(config.settings.models)
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
    config,
    name: isRule(names.executor) ? 'no model: rules and north stars' : names.executor,
  }
}

/** Whether the layer works by rules: with `none`, and with offline models. */
const isRule = (name: string): boolean => name === 'none' || name.startsWith('offline/')

const limitsOf = ({ settings }: Config): Pick<AssistantOptions, 'limits'> =>
  settings.budget.max_cost_usd === null ? {} : { limits: { usd: settings.budget.max_cost_usd } }
