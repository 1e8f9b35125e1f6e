import assert from 'node:assert/strict'
import type { BoundModel, ProviderSettings } from '../../core/model/model.ts'
import { casesOf, type ContractCase, frozen } from '../contract.ts'
import { checkPrice, refuses } from './provider-contract.ts'

/** Where models come from by name: `AgentOptions.registry`. */
export interface ModelSourceToTry {
  resolve(name: string, settings?: Readonly<Record<string, ProviderSettings>>): Promise<BoundModel>
}

/** A name that a source knows, and one that it does not. */
export interface ModelSourceTrial {
  /** The name of a model that it has, such as `acme/fast`. */
  readonly model: string
  /** One that it does not have. */
  readonly unknown: string
  /** Where providers find their keys, by the provider's key; default none. */
  readonly settings?: Readonly<Record<string, ProviderSettings>>
}

/**
 * What every source of models must do, registries included:
 * `for (const { name, holds } of modelSourceContract(open, { … })) test(name, holds)`.
 * @param open the source, anew for each case
 */
export function modelSourceContract(
  open: () => ModelSourceToTry | Promise<ModelSourceToTry>,
  { model, unknown, settings = {} }: ModelSourceTrial,
): readonly ContractCase[] {
  const caseOf = casesOf(open)
  return [
    caseOf('a name gives a model that can be called, under provider and id', async (source) => {
      const bound = await source.resolve(model, settings)
      assert.match(bound.id, /^[^/]+\/.+$/)
      assert.equal(bound.model.specificationVersion, 'v4')
      checkPrice(bound)
    }),
    caseOf('the same name gives the same model', async (source) => {
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
    caseOf('a name that it does not know is refused with what to do', async (source) => {
      for (const name of [unknown, '', '/', 'no slash']) {
        await refuses(source.resolve(name, settings), CODES)
      }
    }),
  ]
}

const CODES = ['UNKNOWN_MODEL', 'MISSING_PACKAGE', 'MISSING_KEY', 'INVALID_CONFIG'] as const
