import { EchelonError } from '../../core/value/error.ts'
import { isRecord } from '../../core/value/json.ts'
import type { Provider } from '../../core/model/model.ts'
import { nearest } from '../../core/value/nearest.ts'
import { optionalPackage } from '../../core/value/optional-package.ts'
import { unknownKey } from '../model-name.ts'
import { providerFrom, type VendorConfig, type VendorService } from './vendor.ts'

/** Restricts the key to package names inside the scope. */
const VENDOR_KEY = /^[a-z0-9][a-z0-9-]{0,50}$/

/** Whether the vendor's AI SDK package is installed, so that its key is a provider's key. */
export function hasVendorPackage(key: string): boolean {
  if (!VENDOR_KEY.test(key)) return false
  try {
    return URL.canParse(import.meta.resolve(`@ai-sdk/${key}`))
  } catch {
    return false
  }
}

/**
 * The provider for an unregistered key: the AI SDK package with that name.
 *
 * @param known existing keys, for a hint about a misspelled key
 * @throws EchelonError UNKNOWN_MODEL when the key cannot be a vendor's or nearly matches a known
 * key; MISSING_PACKAGE when the package is not installed; INVALID_CONFIG when it makes no models
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

/** The user may have meant a known provider or a package. */
const unknownVendor = (cause: EchelonError, key: string, known: readonly string[]): EchelonError =>
  new EchelonError(
    'MISSING_PACKAGE',
    `no provider is called ${key}, and ${cause.message}; known are ${known.join(', ') || 'none'}`,
    { details: { ...cause.details, known }, cause },
  )

/**
 * Created with the function named after the vendor, such as `createMistral`, or another one that
 * works.
 */
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

const isService = (value: unknown): value is VendorService =>
  (typeof value === 'function' || isRecord(value)) &&
  'languageModel' in value &&
  typeof value['languageModel'] === 'function'
