import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { Thread, userMessage } from '../../packages/echelon/src/core/message/thread.ts'
import type { BoundModel, Usage } from '../../packages/echelon/src/core/model/model.ts'
import { utf8Bytes } from '../../packages/echelon/src/core/value/utf8.ts'
import {
  apiError,
  asBound,
  scriptedModel,
} from '../../packages/echelon/src/testing/scripted-model.ts'
import {
  type Judgment,
  proved,
  refuted,
  scored,
  silent,
  type Verifier,
} from '../../packages/echelon/src/verify.ts'

/** The course of one model call. */
interface WildCall {
  readonly comes: 'whole' | 'empty' | 'refused' | 'unauthorized' | 'cut' | 'part' | 'end'
  readonly verdict: 'proved' | 'refuted' | 'silent' | 'high' | 'low' | 'nan' | 'throws'
  /** Whether the verifier asks for a second opinion first. */
  readonly asks: boolean
  /** The usage that the provider reports. */
  readonly usage: 'true' | 'none' | 'zero' | 'huge' | 'negative'
  /** Shares of what it could take. */
  readonly input: number
  readonly output: number
}

/** A model and its calls, in turn. */
interface WildModel {
  readonly price: number | null
  readonly calls: readonly WildCall[]
}

export interface Wild {
  readonly models: readonly WildModel[]
  readonly limits: { readonly money?: number; readonly tokens?: number; readonly calls?: number }
  readonly unchecked: 'promote' | 'accept'
  readonly streams: boolean
  /** The number of concurrent calls, and of rounds. */
  readonly atOnce: number
  readonly rounds: number
}

// Drawn from whole numbers: nearly all doubles between 0 and 1 are nearly 0.
const share = fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100)
const often = <Value>(value: Value, ...others: readonly Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight: others.length + 1, arbitrary: fc.constant(value) }, fc.constantFrom(...others))

const wildCall: fc.Arbitrary<WildCall> = fc.record({
  comes: often('whole', 'empty', 'refused', 'unauthorized', 'cut', 'part', 'end'),
  verdict: fc.constantFrom('proved', 'refuted', 'silent', 'high', 'low', 'nan', 'throws'),
  asks: fc.boolean(),
  usage: often('true', 'none', 'zero', 'huge', 'negative'),
  input: share,
  output: share,
})

/** Ladders of models that fail, break off, lie and cost anything. */
export const wild: fc.Arbitrary<Wild> = fc.record({
  models: fc.array(
    fc.record({
      price: often<number | null>(0.001, 0.01, 0, null),
      calls: fc.array(wildCall, { minLength: 1, maxLength: 4 }),
    }),
    { minLength: 2, maxLength: 4 },
  ),
  limits: fc.record(
    {
      money: fc.integer({ min: 0, max: 1000 }).map((cents) => cents / 100),
      tokens: fc.integer({ min: 0, max: 10_000 }),
      calls: fc.integer({ min: 0, max: 12 }),
    },
    { requiredKeys: [] },
  ),
  unchecked: fc.constantFrom('promote', 'accept'),
  streams: fc.boolean(),
  atOnce: fc.integer({ min: 1, max: 3 }),
  rounds: fc.integer({ min: 1, max: 5 }),
})

/** The providers' true bill, independent of the usage that they report. */
export class Billed {
  calls = 0
  tokens = 0
  money = 0
}

/** Binds the models; each answer names its model and what the verifier is to make of it. */
export function boundModels({ models }: Wild, billed: Billed): readonly BoundModel[] {
  return models.map(({ price, calls }, index) => {
    const cost = ({ input, output }: Usage): number | null =>
      price === null ? null : (input + output) * price
    let made = 0
    const answer = (options: LanguageModelV4CallOptions) => {
      const call = calls[made++ % calls.length] ?? HARMLESS
      billed.calls++
      const rejected = REJECTED[call.comes]
      if (rejected !== undefined) return { error: apiError(rejected) }
      const usage = usageOf(call, options)
      billed.tokens += usage.input + usage.output
      billed.money += cost(usage) ?? 0
      return said(call, `m${index}`, usage)
    }
    return asBound(scriptedModel([], { beyond: answer }), `wild/m${index}`, cost)
  })
}

const REJECTED: Readonly<Partial<Record<WildCall['comes'], number>>> = {
  refused: 429,
  unauthorized: 401,
}

const HARMLESS: WildCall = {
  comes: 'whole',
  verdict: 'high',
  asks: false,
  usage: 'true',
  input: 0,
  output: 0,
}

/** At most a token a byte, and what the call allows. */
function usageOf({ input, output }: WildCall, options: LanguageModelV4CallOptions): Usage {
  const bytes = utf8Bytes(JSON.stringify(options.prompt))
  const most = options.maxOutputTokens ?? 4096
  return {
    input: 1 + Math.floor(input * (bytes - 1)),
    output: Math.max(1, Math.floor(output * most)),
  }
}

function said({ comes, verdict, asks, usage }: WildCall, model: string, taken: Usage) {
  const words = ['I am ', model, ` and ${verdict}`, asks ? ' ask' : '']
  if (comes === 'cut' || comes === 'part' || comes === 'end') {
    return { error: new Error('the line broke'), after: words.slice(0, 2), as: comes }
  }
  return { text: comes === 'empty' ? '' : words, usage: REPORTED[usage](taken) }
}

const REPORTED: Readonly<Record<WildCall['usage'], (taken: Usage) => Usage | null>> = {
  true: (taken) => taken,
  none: () => null,
  zero: () => ({ input: 0, output: 0 }),
  huge: () => ({ input: 1e9, output: 1e9 }),
  negative: () => ({ input: -5, output: -5 }),
}

/** Judges an answer as it says of itself. */
export const verifier: Verifier = {
  name: 'wild',
  features: [],
  verify({ answer }, observed) {
    const text = answer.type === 'text' ? answer.text : ''
    if (text.includes('ask') && observed.length === 0) return { verdict: 'ask', effects: [OPINION] }
    const verdict = /and (?<verdict>\w+)/.exec(text)?.groups?.['verdict'] ?? 'none'
    return (JUDGED.get(verdict) ?? throws)()
  },
}

const OPINION = {
  type: 'generate',
  role: 'small',
  messages: Thread.of([userMessage('What do you think?')]),
  maxTokens: 20,
} as const

function throws(): Judgment {
  throw new Error('this verifier is broken')
}

const JUDGED = new Map<string, () => Judgment>([
  ['proved', () => proved('p')],
  ['refuted', () => refuted('r')],
  ['silent', () => silent('s')],
  ['high', () => scored(0.9, 'h')],
  ['low', () => scored(0.2, 'l')],
  ['nan', () => scored(NaN, 'n')],
])

/** Whether a text may be shown: the last model said it, or a gate at 0.8 accepts it. */
export function mayBeShown(text: string, { models, unchecked }: Wild): boolean {
  if (text === '' || text.includes(`m${models.length - 1}`)) return true
  const accepted = unchecked === 'accept' ? /and (?:proved|high|silent|nan)/ : /and (?:proved|high)/
  return accepted.test(text)
}
