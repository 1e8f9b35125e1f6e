import type { LanguageModelV4 } from '@ai-sdk/provider'
import { EchelonError } from '../core/value/error.ts'
import { type AnyLanguageModel, asLanguageModel } from '../core/model/language-model.ts'
import type { BoundModel } from '../core/model/model.ts'
import type { Tool } from '../core/tool/tool.ts'
import type { Wanted } from '../verify/answer.ts'
import { checkGate } from '../verify/gate.ts'
import type { VerifiedGate } from '../verify/rule-on.ts'
import { Climb, type Ladder } from './climb.ts'
import { CASCADE, type CascadeLimits, ledgerOf, CallBudget } from './call-budget.ts'
import { callVerifierTools, checkVerifierTools, type ToolServices } from './verifier-tools.ts'

/**
 * A model of a cascade: by name, as `provider/model`; of any package of the AI SDK, whose price is unknown;
 * or with its id and price.
 */
export type CascadeModelChoice = string | AnyLanguageModel | BoundModel

export interface CascadeModelOptions extends VerifiedGate {
  /** Hard limits of the model's whole life, over all its calls. Default: none. */
  readonly limits?: CascadeLimits
  /** Hard limits of one call, with all that is asked for its answer. Default: none. */
  readonly perCall?: CascadeLimits
  /**
   * Models of the roles that the verifier asks, such as `{ opinion: 'openai/gpt-5-nano' }`. `small` is the
   * model that answered. A role without a model fails, and the verifier is told so.
   */
  readonly ask?: Readonly<Record<string, CascadeModelChoice>>
  /** Tools that the verifier may call, such as its checks. No model is offered them. */
  readonly tools?: readonly Tool[]
  /** The kind of an answer in words. Default: JSON where JSON is asked for, else text. */
  readonly wanted?: Wanted
  /** Whether the next model is told why the answer before was not accepted. Default true. */
  readonly passEvidence?: boolean
  /** The id that it reports. Default: the models' names. */
  readonly modelId?: string
}

/** Total spending of a cascade since it was created. */
export interface CascadeSpending {
  /** Calls of models. */
  readonly calls: number
  /** Tokens in and out; those of unknown usage at their worst case, where a limit made one known. */
  readonly tokens: number
  /** US dollars, without the unpriced calls. */
  readonly money: number
  /** Calls of unknown cost. */
  readonly unpriced: number
}

/** A model of the AI SDK that asks several, the smallest first. */
export interface CascadeModel extends LanguageModelV4 {
  readonly spent: CascadeSpending
}

/** The ports of a cascade. */
export interface CascadeServices {
  readonly resolve: (name: string) => Promise<BoundModel>
  /** For the tools of a verifier. */
  readonly tools: ToolServices
}

/**
 * Makes several models one model of the AI SDK. They are loaded at the first call.
 * @throws EchelonError INVALID_CONFIG for fewer than two models, or options that cannot work
 */
export function cascadeOf(
  models: readonly CascadeModelChoice[],
  options: CascadeModelOptions,
  services: CascadeServices,
): CascadeModel {
  check(models, options)
  const life = ledgerOf(options.limits)
  let loading: Promise<Ladder> | undefined
  const climb = async (call: Parameters<LanguageModelV4['doGenerate']>[0]): Promise<Climb> => {
    loading ??= ladderOf(models, options, services)
    // A missing package or key may be there at the next call.
    loading.catch(() => (loading = undefined))
    return new Climb(await loading, call, new CallBudget(ledgerOf(options.perCall), life))
  }
  return {
    specificationVersion: 'v4',
    provider: 'echelon',
    modelId: options.modelId ?? models.map(nameOf).join(' > '),
    // Empty, so that the SDK downloads files: a URL has no known size, and the worst case needs it.
    supportedUrls: {},
    doGenerate: async (call) => (await climb(call)).generate(),
    doStream: async (call) => (await climb(call)).stream(),
    get spent() {
      const { spent } = life
      return {
        calls: spent[`calls.${CASCADE}`] ?? 0,
        tokens: spent['tokens'] ?? 0,
        money: spent['money'] ?? 0,
        unpriced: spent[`unpriced.${CASCADE}`] ?? 0,
      }
    },
  }
}

async function ladderOf(
  models: readonly CascadeModelChoice[],
  options: CascadeModelOptions,
  services: CascadeServices,
): Promise<Ladder> {
  const { ask = {}, tools, wanted, passEvidence = true, verify, accept, unchecked } = options
  const bind = (choice: CascadeModelChoice): Promise<BoundModel> => bound(choice, services.resolve)
  const [first = await bind(''), ...rest] = await Promise.all(models.map(bind))
  const asked = Object.entries(ask).map(
    async ([role, choice]) => [role, await bind(choice)] as const,
  )
  return {
    models: [first, ...rest],
    ask: Object.fromEntries(await Promise.all(asked)),
    ...(tools !== undefined && {
      callTools: (calls, signal) => callVerifierTools(calls, { ...services.tools, tools }, signal),
    }),
    wanted,
    passEvidence,
    verify,
    accept,
    ...(unchecked !== undefined && { unchecked }),
  }
}

async function bound(
  choice: CascadeModelChoice,
  resolve: CascadeServices['resolve'],
): Promise<BoundModel> {
  if (typeof choice === 'string') return resolve(choice)
  if ('price' in choice) return { ...choice, price: (usage) => priced(choice, usage) }
  return { id: nameOf(choice), model: asLanguageModel(choice), price: () => null }
}

/** A price that throws is unknown: what was reserved must be settled all the same. */
function priced({ price }: BoundModel, usage: Parameters<BoundModel['price']>[0]): number | null {
  try {
    return price(usage)
  } catch {
    return null
  }
}

function nameOf(choice: CascadeModelChoice): string {
  if (typeof choice === 'string') return choice
  return 'price' in choice ? choice.id : `${choice.provider.split('.')[0]}/${choice.modelId}`
}

function check(models: readonly CascadeModelChoice[], options: CascadeModelOptions): void {
  checkGate('cascadeModel', options)
  if (models.length >= 2 && !models.includes('')) {
    ledgerOf(options.perCall)
    checkVerifierTools(options.tools ?? [])
    return
  }
  throw new EchelonError(
    'INVALID_CONFIG',
    'cascadeModel: name at least two models, the smallest first; the last one answers if no smaller one can',
  )
}
