import assert from 'node:assert/strict'
import type { BoundModel, ProviderSettings } from '../../core/model/model.ts'
import { casesOf, type ContractCase, frozen } from '../contract.ts'
import { checkPrice, refuses } from './provider-contract.ts'

/** A source of models by name: `AgentOptions.registry`. */
export interface ModelSourceToTry {
  resolve(name: string, settings?: Readonly<Record<string, ProviderSettings>>): Promise<BoundModel>
}

/** A name that a source knows, and one that it does not. */
export interface ModelSourceTrial {
  /** The name of a model that it has, such as `acme/fast`. */
  readonly model: string
  /** A name that it does not have. */
  readonly unknown: string
  /** Provider settings with keys, by provider key. Default: none. */
  readonly settings?: Readonly<Record<string, ProviderSettings>>
}

/**
 * The requirements of every source of models, including registries: `for (const { name, holds } of
 * modelSourceContract(open, { … })) test(name, holds)`.
 * @param open creates the source for each case
 */
export function modelSourceContract(
  open: () => ModelSourceToTry | Promise<ModelSourceToTry>,
  { model, unknown, settings = {} }: ModelSourceTrial,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a name resolves to a callable model with provider and id', async (source) => {
      const bound = await source.resolve(model, settings)
      assert.match(bound.id, /^[^/]+\/.+$/)
      assert.equal(bound.model.specificationVersion, 'v4')
      checkPrice(bound)
    }),
    caseOf('the same name resolves to the same model', async (source) => {
      const [one, other] = await Promise.all([
        source.resolve(model, settings),
        source.resolve(model, settings),
      ])
      assert.equal(one.id, other.id)
      assert.equal(one.model.modelId, other.model.modelId)
    }),
    caseOf('settings are not changed', async (source) => {
      await source.resolve(model, frozen(structuredClone(settings)))
    }),
    caseOf('an unknown name is refused with advice', async (source) => {
      for (const name of [unknown, '', '/', 'no slash']) {
        await refuses(source.resolve(name, settings), CODES)
      }
    }),
  ]
}

const CODES = ['UNKNOWN_MODEL', 'MISSING_PACKAGE', 'MISSING_KEY', 'INVALID_CONFIG'] as const
