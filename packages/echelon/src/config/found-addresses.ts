import { redactText } from '../core/redaction/redaction.ts'
import { describeOrigin, type Sourced } from './settings-source.ts'

/**
 * Addresses from files that were found in the folder and not named explicitly. The folder's author,
 * possibly a stranger, chose where keys would be sent. Local addresses are excluded.
 */
export const addressesFound = (given: readonly Sourced[]): readonly Sourced[] =>
  given.filter(
    ({ at: [section, , key], value, origin }) =>
      section === 'providers' &&
      isFromFile(origin) &&
      (key === 'base_url' ? typeof value === 'string' && !isLoopback(value) : leads(key, value)),
  )

/** Package options may hold an address under any name. */
const leads = (key: string | undefined, value: unknown): boolean =>
  key === 'additional' && value !== null

/**
 * Addresses from the folder to which a user's key from elsewhere would be sent.
 *
 * @param known `null` for all; otherwise the providers whose keys are read here. Packages of other
 * providers read the environment themselves
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
    const secret = isGiven ? describeOrigin(key.origin) : 'found by its package'
    return [
      `${address}: this address of ${redactText(provider ?? '')} would receive a key from outside this folder (${secret}); set the address in the environment too, name the file with --config, or put the key next to the address`,
    ]
  })

const isFromFile = (origin: Sourced['origin']): boolean => 'file' in origin && origin.file !== null

const isLoopback = (address: string): boolean =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(URL.parse(address)?.hostname ?? '')
