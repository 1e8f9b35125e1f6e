import { EchelonError } from '../core/value/error.ts'
import type { Api, ProviderSettings } from '../core/model/model.ts'
import { boundedFetch } from './bounded-fetch.ts'

/**
 * Parses and checks a server's address. Messages never quote it, since an invalid address may hold
 * a secret.
 *
 * @param examples valid addresses for the message
 * @throws EchelonError INVALID_CONFIG
 */
export function checkedBaseUrl(text: string, examples: string): URL {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw invalidSetting(`the base URL must begin with http:// or https://, such as ${examples}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidSetting('the base URL holds a user or password; remove them and pass an API key')
  }
  // Checked in the text: `URL` drops a lone "?", after which the path could not be appended.
  if (/[?#]/.test(text)) {
    throw invalidSetting(
      'the base URL holds a query or fragment; end it with the path, such as /v1',
    )
  }
  return url
}

/** The configured address, checked, or the usual one. */
export const addressOr = (usual: string, baseUrl = ''): URL =>
  checkedBaseUrl(baseUrl.trim() === '' ? usual : baseUrl, usual)

/** The address without a trailing slash, since SDKs append their paths. */
export const withoutSlash = ({ href }: URL): string => href.replace(/\/+$/, '')

/**
 * Checks and trims a key; undefined if it is empty. A key with a line break would make `fetch` fail
 * with a message that quotes the key.
 *
 * @throws EchelonError INVALID_CONFIG
 */
export function checkedApiKey(text: string | undefined): string | undefined {
  const key = text?.trim()
  if (key === undefined || key === '') return undefined
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw invalidSetting(
    'the API key holds blanks or characters that no HTTP header can carry; copy it again',
  )
}

/**
 * A required key.
 *
 * @param from the provider and the variable of the key, such as `openai` and `OPENAI_API_KEY`
 * @throws EchelonError MISSING_KEY, or INVALID_CONFIG
 */
export function neededApiKey(
  text: string | undefined,
  from: { readonly provider: string; readonly variable: string },
): string {
  const key = checkedApiKey(text)
  if (key !== undefined) return key
  throw new EchelonError(
    'MISSING_KEY',
    `${from.provider} needs a key; set the environment variable ${from.variable}, or pass apiKey`,
    { details: { ...from } },
  )
}

/**
 * Rejects `api` and `store` for a provider that does not support them.
 *
 * @param only the provider's single interface, if `api` has a name for it
 * @throws EchelonError INVALID_CONFIG
 */
export function refuseInterface(
  provider: string,
  { api = 'auto', store = false }: ProviderSettings,
  only: Api = 'auto',
): void {
  if (api !== 'auto' && api !== only) {
    throw invalidSetting(
      `${provider} has only one interface; remove api: ${api}, which only openai supports`,
    )
  }
  if (store)
    throw invalidSetting(
      `${provider} does not store conversations; remove store, which only openai supports`,
    )
}

/**
 * Additional, untyped settings for the vendor package, which checks them itself. Its requests go
 * through a `fetch` that limits answers.
 */
export const moreOf = (settings: ProviderSettings): object => ({
  ...settings.additional,
  fetch: boundedFetch(settings),
})

export const invalidSetting = (message: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', message)
