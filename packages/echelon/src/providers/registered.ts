import type { Provider } from '../core/model/model.ts'
import { checkKey } from './provider-key.ts'
import { providerFrom, type VendorModule } from './vendor/vendor.ts'

const all = new Map<string, () => Promise<Provider>>()

/** The providers registered for the whole process, by key. */
export const registered: ReadonlyMap<string, () => Promise<Provider>> = all

/**
 * Registers a provider for the whole process. Every registry, created before or after, finds it
 * unless it has its own provider under that key. A package calls this in a separate entry such as
 * `acme-echelon/register`, which users import for this effect.
 *
 * @throws EchelonError INVALID_CONFIG when the key is already registered or invalid.
 */
export function registerProvider(given: Provider | VendorModule): void {
  checkKey(given.key, all.has(given.key))
  const provider = providerFrom(given)
  all.set(given.key, () => Promise.resolve(provider))
}
