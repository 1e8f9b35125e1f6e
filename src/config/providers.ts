import { type Api, APIS, type ProviderSettings, type Reasoning, REASONING } from '../core/model.ts'
import { isRecord } from '../core/json.ts'
import {
  type Kind,
  oneOf,
  orNull,
  real,
  setting,
  type SettingTable,
  text,
  yesOrNo,
} from '../core/setting.ts'
import { type KnownSetting, listed, readSettings, refuse, valuesOf } from '../core/setting-tree.ts'

/** A provider as a file or a variable names it; null leaves it to the provider. */
export interface ProviderRow {
  readonly base_url: string | null
  readonly api_key: string | null
  readonly api: Api | null
  readonly store: boolean | null
  readonly reasoning: Reasoning | null
  readonly input_usd_per_million: number | null
  readonly output_usd_per_million: number | null
}

/** Never repeated in a message: what is wrong with an address may be that it holds a secret. */
const address = {
  ...text(
    'an address such as http://localhost:11434/v1, without user, password and query',
    (one) => {
      const url = URL.parse(one)
      const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
      return isWeb && url.username === '' && url.password === '' && !/[?#]/.test(one)
    },
  ),
  quiet: true,
} as const

/** As a header carries it: a line break makes `fetch` fail with a message that quotes the key. */
const key = text('a key without blanks and line breaks inside', (one) =>
  /^[\x21-\x7e]+$/.test(one.trim()),
)

const TABLE: SettingTable<{ readonly provider: ProviderRow }> = {
  provider: {
    base_url: setting(orNull(address), null, 'Address of the server'),
    api_key: {
      ...setting(orNull(key), null, 'Key; better kept in a variable such as OPENAI_API_KEY'),
      secret: true,
    },
    api: setting(
      orNull(oneOf(APIS)),
      null,
      `Interface that is spoken: ${APIS.join(', ')}; null: the one that the model takes`,
    ),
    store: setting(orNull(yesOrNo), null, 'Whether the provider may keep what is sent; null: no'),
    reasoning: setting(
      orNull(oneOf(REASONING)),
      null,
      `How long a model thinks: ${REASONING.join(', ')}; null: least`,
    ),
    input_usd_per_million: setting(
      orNull(real(0)),
      null,
      'US dollars per million tokens sent, where no price list has them',
    ),
    output_usd_per_million: setting(
      orNull(real(0)),
      null,
      'US dollars per million tokens answered; set both prices or none',
    ),
  },
}

/** The settings of any provider. */
export const PROVIDERS: readonly KnownSetting[] = listed(TABLE).map((row) => ({
  ...row,
  path: row.path.replace(/^provider\./, 'providers.*.'),
  default: undefined,
  example: null,
}))

/** Nothing but blanks is left to the provider, as an absent one. */
const orBlank = (kind: Kind<string>): Kind<string> => ({
  ...kind,
  fits: (value): value is string =>
    typeof value === 'string' && (value.trim() === '' || kind.fits(value)),
})

const dollars = real(0)

const price: Kind<NonNullable<ProviderSettings['price']>> = {
  words:
    'two numbers of at least 0, inputPerMillion and outputPerMillion, in US dollars per million tokens',
  fits: (value): value is NonNullable<ProviderSettings['price']> =>
    isRecord(value) &&
    dollars.fits(value['inputPerMillion']) &&
    dollars.fits(value['outputPerMillion']),
  fromText: (text) => text,
  quiet: true,
}

/** The same as a program gives it. */
const GIVEN: { readonly [Key in keyof Required<ProviderSettings>]: Kind<ProviderSettings[Key]> } = {
  baseUrl: orBlank(address),
  apiKey: { ...orBlank(key), quiet: true },
  api: oneOf(APIS),
  store: yesOrNo,
  reasoning: oneOf(REASONING),
  price,
}

const GIVEN_SETTINGS: readonly KnownSetting[] = Object.entries(GIVEN).map(([name, kind]) => ({
  path: `providers.*.${name}`,
  kind,
  default: undefined,
  meaning: name,
}))

/**
 * Checks what a program gives its providers; what is undefined is not given.
 * @throws EchelonError INVALID_CONFIG
 */
export function checkProviders(given: Readonly<Record<string, ProviderSettings>>): void {
  const providers = Object.entries(given).map(([name, one]) => [
    name,
    isRecord(one)
      ? Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined))
      : one,
  ])
  const { problems } = readSettings(GIVEN_SETTINGS, { providers: Object.fromEntries(providers) })
  refuse(problems.map(({ message }) => message))
}

/** What a provider is loaded with, from what was given under its key. */
export function providerSettings(given: unknown): ProviderSettings {
  const { base_url, api_key, api, store, reasoning, ...price } = rowFrom(given)
  const { input_usd_per_million: input, output_usd_per_million: output } = price
  return {
    ...(base_url === null ? {} : { baseUrl: base_url }),
    ...(api_key === null ? {} : { apiKey: api_key.trim() }),
    ...(api === null ? {} : { api }),
    ...(store === null ? {} : { store }),
    ...(reasoning === null ? {} : { reasoning }),
    ...(input === null || output === null
      ? {}
      : { price: { inputPerMillion: input, outputPerMillion: output } }),
  }
}

/** Whether one of the two prices is given without the other. */
export function isHalfPriced(given: unknown): boolean {
  const { input_usd_per_million: input, output_usd_per_million: output } = rowFrom(given)
  return (input === null) !== (output === null)
}

const rowFrom = (given: unknown): ProviderRow => valuesOf(TABLE, { provider: given }).provider
