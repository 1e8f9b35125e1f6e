import assert from 'node:assert/strict'
import type { ErrorCode } from '../../core/value/error.ts'
import { isRecord } from '../../core/value/json.ts'
import type { BoundModel, Provider, ProviderSettings } from '../../core/model/model.ts'
import { PROBLEMS } from '../../core/model/problem.ts'
import { casesOf, type ContractCase, frozen } from '../contract.ts'

/** Inputs for testing a provider: a model that it has, and what it must reject. */
export interface ProviderTrial {
  /** The id of a model that it has. */
  readonly model: string
  /** Settings with which `model` can be loaded. Default: none. */
  readonly settings?: ProviderSettings
  /** An id that it rejects. Omit it for a provider that accepts any. */
  readonly unknown?: string
  /** Settings without the required key. Omit them for a provider that needs none. */
  readonly withoutKey?: ProviderSettings
  /** Errors of its models that it can classify. */
  readonly errors?: readonly unknown[]
}

/**
 * The requirements of every `Provider`: `for (const { name, holds } of providerContract(open, {
 * model: 'fast' })) test(name, holds)`. Calls no model; test the result of `load` with
 * `modelContract`.
 * @param open creates the provider for each case
 */
export function providerContract(
  open: () => Provider | Promise<Provider>,
  trial: ProviderTrial,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  const { model, settings = {}, unknown, withoutKey, errors = [] } = trial
  return [
    caseOf('has a key without a slash, a one-line summary, and ids without the key', (provider) => {
      assert.match(provider.key, /^[^\s/]+$/)
      assert.match(provider.summary, /^\S.*$/)
      for (const id of provider.models) assert.ok(!id.startsWith(`${provider.key}/`), id)
    }),
    caseOf('a model is loaded under the key and its id', async (provider) => {
      const bound = await provider.load(model, settings)
      assert.equal(bound.id, `${provider.key}/${model}`)
      assert.equal(bound.model.specificationVersion, 'v4')
    }),
    caseOf('settings are not changed', async (provider) => {
      await provider.load(model, frozen({ ...settings }))
    }),
    caseOf('a price is an amount, or null if unknown', async (provider) => {
      checkPrice(await provider.load(model, settings))
    }),
    caseOf(
      'classifying an error returns a meaning or nothing, and never throws',
      async (provider) => {
        const { normalizeError = provider.normalizeError } = await provider.load(model, settings)
        for (const error of [...STRANGE_ERRORS, ...errors]) checkMeaning(normalizeError?.(error))
        for (const error of errors) assert.notEqual(normalizeError?.(error), undefined)
      },
    ),
    ...(unknown === undefined
      ? []
      : [
          caseOf('an unknown model is refused with advice', async (provider) => {
            await refuses(provider.load(unknown, settings), ['UNKNOWN_MODEL'])
          }),
        ]),
    ...(withoutKey === undefined
      ? []
      : [
          caseOf('a missing key is refused with advice', async (provider) => {
            await refuses(provider.load(model, withoutKey), ['MISSING_KEY'])
          }),
        ]),
  ]
}

/** Fails unless a promise rejects with one of these codes and a message. */
export async function refuses(
  promise: Promise<unknown>,
  codes: readonly ErrorCode[],
): Promise<void> {
  await assert.rejects(promise, (error) => {
    // Checks the code and not the class, which may come from another copy of the package.
    assert.ok(isRecord(error) && error['name'] === 'EchelonError', `${String(error)} has no code`)
    assert.ok(
      codes.some((code) => code === error['code']),
      `its code is ${String(error['code'])}`,
    )
    assert.match(String(error['message']), /\S+ \S+/)
    return true
  })
}

const USAGES = [0, 1, 1_000_000].flatMap((input) =>
  [0, 1, 1_000_000].map((output) => ({ input, output })),
)

export function checkPrice({ price }: BoundModel): void {
  for (const usage of USAGES) {
    const cost = price(usage)
    const isAmount = cost === null || (Number.isFinite(cost) && cost >= 0)
    assert.ok(isAmount, `${JSON.stringify(usage)} costs ${cost}`)
  }
}

const circular: { self?: unknown } = {}
circular.self = circular

const STRANGE_ERRORS: readonly unknown[] = [
  undefined,
  null,
  '',
  'socket hang up',
  42,
  {},
  [],
  circular,
  new Error('no idea', { cause: circular }),
  { statusCode: 'many', data: { error: null }, responseBody: '<html>' },
  { name: 'AI_APICallError', statusCode: 429, responseHeaders: null, data: 'none' },
]

function checkMeaning(meaning: unknown): void {
  if (meaning === undefined) return
  assert.ok(isRecord(meaning))
  assert.ok(Object.hasOwn(PROBLEMS, String(meaning['type'])), `type: ${String(meaning['type'])}`)
  assert.match(String(meaning['message']), /\S/)
  const { retryAfterMs = 0 } = meaning
  assert.ok(typeof retryAfterMs === 'number' && retryAfterMs >= 0, 'retryAfterMs is a wait')
}
