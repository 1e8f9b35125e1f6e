import { redactText } from '../core/redaction/redaction.ts'
import { describeOrigin, type Sourced } from './layer.ts'

/**
 * Addresses from files that lie in the folder and that nobody named: whoever wrote the folder, which
 * may be a stranger, chose where keys are sent. Those of this computer are no such choice.
 */
export const addressesFound = (given: readonly Sourced[]): readonly Sourced[] =>
  given.filter(
    ({ at: [section, , key], value, origin }) =>
      section === 'providers' &&
      isFromFile(origin) &&
      (key === 'base_url' ? typeof value === 'string' && !isLoopback(value) : leads(key, value)),
  )

/** What a package takes by names of its own may hold an address, whatever it is called. */
const leads = (key: string | undefined, value: unknown): boolean =>
  key === 'additional' && value !== null

/**
 * The folder's addresses that a key from elsewhere, the user's own, would be sent to.
 *
 * @param known `null`: all; else the keys of providers that get their keys from here; the package of any other looks into
 * the environment itself
 */
export const redirectedKeys = (
  given: readonly Sourced[],
  addresses: readonly Sourced[],
  known: readonly string[] | null,
): readonly string[] =>
  addresses.flatMap(({ at: [, provider], origin }) => {
    const key = given.find(
      ({ at }) => at[0] === 'providers' && at[1] === provider && at[2] === 'api_key',
    )
    const isGiven = key !== undefined && key.value !== null
    if (isGiven ? isFromFile(key.origin) : known?.includes(provider ?? '') !== false) return []
    const address = describeOrigin(origin)
    const secret = isGiven ? describeOrigin(key.origin) : 'one that its package finds itself'
    return [
      `${address}: this address of ${redactText(provider ?? '')} would be sent a key that is not of this folder (${secret}); set the address in the environment too, name the file with --config, or put the key beside the address`,
    ]
  })

const isFromFile = (origin: Sourced['origin']): boolean => 'file' in origin && origin.file !== null

const isLoopback = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(URL.parse(address)?.hostname ?? '')
