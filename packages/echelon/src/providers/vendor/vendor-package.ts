import { EchelonError } from '../../core/value/error.ts'
import { isRecord } from '../../core/value/json.ts'
import type { Provider } from '../../core/model/model.ts'
import { nearest } from '../../core/value/nearest.ts'
import { optionalPackage } from '../../core/value/optional-package.ts'
import { unknownKey } from '../model-name.ts'
import { providerFrom, type VendorConfig, type VendorService } from './vendor.ts'

/** Nothing but a package of that scope is ever named by it. */
const VENDOR_KEY = /^[a-z0-9][a-z0-9-]{0,50}$/

/** Whether the package of a vendor's is installed, so that its key is that of a provider. */
export function hasVendorPackage(key: string): boolean {
  if (!VENDOR_KEY.test(key)) return false
  try {
    return URL.canParse(import.meta.resolve(`@ai-sdk/${key}`))
  } catch {
    return false
  }
}

/**
 * The provider of a key that nobody registered: the package of the AI SDK by that name.
 *
 * @param known keys that there are, for a hint to whoever mistyped one
 * @throws EchelonError UNKNOWN_MODEL where the key can be no vendor's or is nearly one that there
 * is; MISSING_PACKAGE where the package is not installed; INVALID_CONFIG where it makes no models
 */
export async function installedVendor(key: string, known: readonly string[]): Promise<Provider> {
  const isVendors = VENDOR_KEY.test(key)
  if (!isVendors || (nearest(key, known) !== null && !hasVendorPackage(key))) {
    throw unknownKey(`${key}/…`, key, known)
  }
  const exported: unknown = await optionalPackage(
    `@ai-sdk/${key}@latest`,
    () => import(`@ai-sdk/${key}`),
  ).catch((error: unknown) => {
    throw isMissing(error) ? unknownVendor(error, key, known) : error
  })
  const summary = `models of @ai-sdk/${key}`
  return providerFrom({ key, summary, create: (config) => serviceOf(exported, key, config) })
}

const isMissing = (error: unknown): error is EchelonError =>
  error instanceof EchelonError && error.code === 'MISSING_PACKAGE'

/** Whoever names it may mean a provider that there is, or a package. */
const unknownVendor = (cause: EchelonError, key: string, known: readonly string[]): EchelonError =>
  new EchelonError(
    'MISSING_PACKAGE',
    `no provider is called ${key}, and ${cause.message}; known are ${known.join(', ') || 'none'}`,
    { details: { ...cause.details, known }, cause },
  )

/** Made by the function with the vendor's name, such as `createMistral`, or another that can. */
function serviceOf(exported: unknown, key: string, config: VendorConfig): VendorService {
  const own = `create${key.replaceAll('-', '')}`
  const makers = Object.entries(isRecord(exported) ? exported : {})
    .filter(([name]) => /^create[A-Z]/.test(name))
    .toSorted(([a], [b]) => Number(b.toLowerCase() === own) - Number(a.toLowerCase() === own))
  for (const [, make] of makers) {
    const service: unknown = typeof make === 'function' ? make(config) : undefined
    if (isService(service)) return service
  }
  throw new EchelonError(
    'INVALID_CONFIG',
    `@ai-sdk/${key} makes no language models; name another provider, or register one for ${key}`,
  )
}

const isService = (made: unknown): made is VendorService =>
  (typeof made === 'function' || isRecord(made)) &&
  'languageModel' in made &&
  typeof made['languageModel'] === 'function'
