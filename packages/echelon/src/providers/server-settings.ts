import { EchelonError } from '../core/value/error.ts'
import type { Api, ProviderSettings } from '../core/model/model.ts'
import { boundedFetch } from './bounded-fetch.ts'

/**
 * The address of a server, checked. It is never quoted in a message: what is wrong with it may be
 * that it holds a secret.
 *
 * @param examples addresses that would do
 * @throws EchelonError INVALID_CONFIG
 */
export function checkedBaseUrl(text: string, examples: string): URL {
  const url = URL.parse(text)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw invalidSetting(`the base URL must begin with http:// or https://, such as ${examples}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidSetting('the base URL holds a user or password; take them out and pass an API key')
  }
  // Read from the text: `URL` drops a lone "?", after which the path could not be appended.
  if (/[?#]/.test(text)) {
    throw invalidSetting(
      'the base URL holds a query or fragment; end it with the path, such as /v1',
    )
  }
  return url
}

/** The address that is set, checked, or else the one where the service is found. */
export const addressOr = (usual: string, baseUrl = ''): URL =>
  checkedBaseUrl(baseUrl.trim() === '' ? usual : baseUrl, usual)

/** The address as SDKs take it, which append their paths. */
export const withoutSlash = ({ href }: URL): string => href.replace(/\/+$/, '')

/**
 * A key, checked and without blanks around it; nothing where there is none. A key with a line break
 * makes `fetch` fail with a message that quotes the key.
 *
 * @throws EchelonError INVALID_CONFIG
 */
export function checkedApiKey(text: string | undefined): string | undefined {
  const key = text?.trim()
  if (key === undefined || key === '') return undefined
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw invalidSetting(
    'the API key holds blanks or characters that no HTTP header can carry; copy it anew',
  )
}

/**
 * A key where there must be one.
 *
 * @param from where a key comes from, such as `openai` and `OPENAI_API_KEY`
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
 * Refuses settings that nothing would come of: which interface to speak, where a provider has but
 * one, and to keep a conversation, where it is not asked.
 *
 * @param only the interface that is spoken anyway, if it has one of these names
 * @throws EchelonError INVALID_CONFIG
 */
export function refuseInterface(
  provider: string,
  { api = 'auto', store = false }: ProviderSettings,
  only: Api = 'auto',
): void {
  if (api !== 'auto' && api !== only) {
    throw invalidSetting(
      `${provider} has one interface alone; take out api: ${api}, openai takes it`,
    )
  }
  if (store) throw invalidSetting(`${provider} stores nothing; take out store, openai takes it`)
}

/**
 * What else a package takes, without a type of its own: the package checks what it reads. All that it
 * sends goes through a `fetch` whose answers have limits.
 */
export const moreOf = (settings: ProviderSettings): object => ({
  ...settings.additional,
  fetch: boundedFetch(settings),
})

export const invalidSetting = (message: string): EchelonError =>
  new EchelonError('INVALID_CONFIG', message)
