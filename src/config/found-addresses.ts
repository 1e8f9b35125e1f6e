import { redactText } from '../core/redaction.ts'
import { describeOrigin, type Sourced } from './layer.ts'

/**
 * Addresses from files that lie in the folder and that nobody named: whoever wrote the folder, which
 * may be a stranger, chose where keys are sent. Those of this computer are no such choice.
 */
export const addressesFound = (given: readonly Sourced[]): readonly Sourced[] =>
  given.filter(
    ({ at: [section, , key], value, origin }) =>
      section === 'providers' &&
      key === 'base_url' &&
      isFromFile(origin) &&
      typeof value === 'string' &&
      !isLoopback(value),
  )

/** The folder's addresses that a key from elsewhere, the user's own, would be sent to. */
export const redirectedKeys = (
  given: readonly Sourced[],
  addresses: readonly Sourced[],
): readonly string[] =>
  addresses.flatMap(({ at: [, provider], origin }) => {
    const key = given.find(
      ({ at }) => at[0] === 'providers' && at[1] === provider && at[2] === 'api_key',
    )
    if (key === undefined || key.value === null || isFromFile(key.origin)) return []
    const [address, secret] = [describeOrigin(origin), describeOrigin(key.origin)]
    return [
      `${address}: this address of ${redactText(provider ?? '')} would be sent a key that is not of this folder (${secret}); set the address in the environment too, name the file with --config, or put the key beside the address`,
    ]
  })

const isFromFile = (origin: Sourced['origin']): boolean => 'file' in origin && origin.file !== null

const isLoopback = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(URL.parse(address)?.hostname ?? '')
