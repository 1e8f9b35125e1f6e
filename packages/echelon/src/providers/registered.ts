import type { Provider } from '../core/model/model.ts'
import { checkKey } from './provider-key.ts'
import { providerFrom, type VendorModule } from './vendor/vendor.ts'

const all = new Map<string, () => Promise<Provider>>()

/** What was registered for the whole process, by key. */
export const registered: ReadonlyMap<string, () => Promise<Provider>> = all

/**
 * Adds a provider for the whole process: every registry, made before or after, knows it, unless it
 * has one of its own under that key. A package calls it in an entry of its own, such as
 * `acme-echelon/register`, which is imported for that alone.
 *
 * @throws EchelonError INVALID_CONFIG when the key is registered already, or is no word without a
 * slash.
 */
export function registerProvider(given: Provider | VendorModule): void {
  checkKey(given.key, all.has(given.key))
  const provider = providerFrom(given)
  all.set(given.key, () => Promise.resolve(provider))
}
