import type { Sampling } from '../core/agent/effect.ts'
import {
  type Api,
  APIS,
  type ProviderSettings,
  type Reasoning,
  REASONING,
} from '../core/model/model.ts'
import { isJson, isRecord, type JsonObject } from '../core/value/json.ts'
import {
  type Kind,
  oneOf,
  orNull,
  real,
  setting,
  type SettingTable,
  text,
  texts,
  whole,
  yesOrNo,
} from '../core/setting/setting.ts'
import {
  type KnownSetting,
  listed,
  readSettings,
  refuse,
  valuesOf,
} from '../core/setting/setting-tree.ts'

/** A provider's settings in a file or a variable; null keeps the provider's default. */
export interface ProviderRow {
  readonly base_url: string | null
  readonly api_key: string | null
  readonly api: Api | null
  readonly store: boolean | null
  readonly reasoning: Reasoning | null
  /** Options under the package's own names; null for none. */
  readonly additional: JsonObject | null
  readonly max_answer_bytes: number | null
  readonly input_usd_per_million: number | null
  readonly output_usd_per_million: number | null
}

/** Default sampling of a provider's models; null keeps the model's default. */
export interface SamplingRow {
  readonly temperature: number | null
  readonly top_p: number | null
  readonly frequency_penalty: number | null
  readonly presence_penalty: number | null
  readonly stop: readonly string[] | null
  readonly seed: number | null
}

/** A provider's settings in a file; all are optional. */
export interface ProviderInput extends Partial<ProviderRow> {
  readonly sampling?: Partial<SamplingRow>
}

/** Never quoted in a message, since an invalid address may hold a secret. */
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

/**
 * Checked as a header value: a line break makes `fetch` fail with a message that quotes the key.
 */
const key = text('a key without blanks and line breaks inside', (one) =>
  /^[\x21-\x7e]+$/.test(one.trim()),
)

/** Only the package knows its option names; address and key are never taken from here. */
const additional: Kind<JsonObject> = {
  words:
    'names and values that the package of the provider takes, such as {"organization": "org-1"}, without apiKey and baseURL, which are set as api_key and base_url',
  fits: (value): value is JsonObject => isRecord(value) && isJson(value) && hasNoKey(value),
  fromText: (text) => {
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  },
  quiet: true,
}

const hasNoKey = (value: object): boolean => !('apiKey' in value) && !('baseURL' in value)

const chance = real(0, 2)
const share = real(0, 1)
const penalty = real(-2, 2)
const anySeed = whole()
const stops = texts(text('a text', (one) => one !== ''))

const SAMPLING: SettingTable<{ readonly sampling: SamplingRow }> = {
  sampling: {
    temperature: setting(
      orNull(chance),
      null,
      "Temperature, 0 to 2, unless an agent sets one; null, here and below: the model's default",
    ),
    top_p: setting(
      orNull(share),
      null,
      'Nucleus sampling: share of probability to sample from, 0 to 1',
    ),
    frequency_penalty: setting(
      orNull(penalty),
      null,
      'Penalty for tokens by how often they were used, -2 to 2',
    ),
    presence_penalty: setting(orNull(penalty), null, 'Penalty for tokens already used, -2 to 2'),
    stop: setting(orNull(stops), null, 'Stop sequences, which end an answer'),
    seed: setting(orNull(anySeed), null, 'Seed for repeatable answers, where a model supports it'),
  },
}

const TABLE: SettingTable<{ readonly provider: ProviderRow }> = {
  provider: {
    base_url: setting(orNull(address), null, 'Address of the server'),
    api_key: {
      ...setting(orNull(key), null, 'API key; prefer a variable such as OPENAI_API_KEY'),
      secret: true,
    },
    api: setting(
      orNull(oneOf(APIS)),
      null,
      `API to use: ${APIS.join(', ')}; null: the one that the model supports`,
    ),
    store: setting(orNull(yesOrNo), null, 'Whether the provider may store requests; null: no'),
    reasoning: setting(
      orNull(oneOf(REASONING)),
      null,
      `Reasoning effort: ${REASONING.join(', ')}; null: the provider's default, unless a role asks for less`,
    ),
    additional: {
      ...setting(
        orNull(additional),
        null,
        'Further options of the provider package, by its own names, such as {"organization": "org-1"}',
      ),
      secret: true,
    },
    max_answer_bytes: setting(
      orNull(whole(1)),
      null,
      'Maximum size of one answer in bytes, decompressed; twice that for a stream; null: 33554432',
    ),
    input_usd_per_million: setting(
      orNull(real(0)),
      null,
      'US dollars per million input tokens, for models in no price list',
    ),
    output_usd_per_million: setting(
      orNull(real(0)),
      null,
      'US dollars per million output tokens; set both prices or neither',
    ),
  },
}

/** The settings of any provider. */
export const PROVIDERS: readonly KnownSetting[] = [
  ...listed(TABLE).map((row) => ({
    ...row,
    path: row.path.replace(/^provider\./, 'providers.*.'),
  })),
  ...listed(SAMPLING).map((row) => ({ ...row, path: `providers.*.${row.path}` })),
].map((row) => ({ ...row, default: undefined, example: null }))

/** Blank text counts as absent. */
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

const GIVEN_SAMPLING: { readonly [Key in keyof Required<Sampling>]: Kind<Sampling[Key]> } = {
  temperature: chance,
  topP: share,
  frequencyPenalty: penalty,
  presencePenalty: penalty,
  stop: stops,
  seed: anySeed,
}

const sampling: Kind<Sampling> = {
  words: `an object of ${Object.entries(GIVEN_SAMPLING)
    .map(([name, kind]) => `${name} (${kind.words})`)
    .join(', ')}`,
  fits: (value): value is Sampling =>
    isRecord(value) &&
    Object.entries(value).every(([name, one]) =>
      Object.entries(GIVEN_SAMPLING).some(([known, kind]) => known === name && kind.fits(one)),
    ),
  fromText: (text) => text,
}

/** The same settings as a program passes them. */
const GIVEN: { readonly [Key in keyof Required<ProviderSettings>]: Kind<ProviderSettings[Key]> } = {
  baseUrl: orBlank(address),
  apiKey: { ...orBlank(key), quiet: true },
  api: oneOf(APIS),
  store: yesOrNo,
  reasoning: oneOf(REASONING),
  sampling,
  // A program may pass values that are not JSON, such as its own `fetch`.
  additional: {
    ...additional,
    fits: (value): value is NonNullable<ProviderSettings['additional']> =>
      isRecord(value) && hasNoKey(value),
  },
  maxAnswerBytes: whole(1),
  price,
}

const GIVEN_SETTINGS: readonly KnownSetting[] = Object.entries(GIVEN).map(([name, kind]) => ({
  path: `providers.*.${name}`,
  kind,
  default: undefined,
  meaning: name,
}))

/**
 * Checks the provider settings of a program. Undefined counts as absent.
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

/** Converts the settings given under a provider's key to the form in which it is loaded. */
export function providerSettings(given: unknown): ProviderSettings {
  const row = rowFrom(given)
  const { base_url, api_key, api, store, reasoning, additional: more, max_answer_bytes } = row
  const words = samplingFrom(given)
  const { input_usd_per_million: input, output_usd_per_million: output } = row
  return {
    ...(base_url === null ? {} : { baseUrl: base_url }),
    ...(api_key === null ? {} : { apiKey: api_key.trim() }),
    ...(api === null ? {} : { api }),
    ...(store === null ? {} : { store }),
    ...(reasoning === null ? {} : { reasoning }),
    ...(Object.keys(words).length === 0 ? {} : { sampling: words }),
    ...(more === null ? {} : { additional: more }),
    ...(max_answer_bytes === null ? {} : { maxAnswerBytes: max_answer_bytes }),
    ...(input === null || output === null
      ? {}
      : { price: { inputPerMillion: input, outputPerMillion: output } }),
  }
}

/** Whether exactly one of the two prices is given. */
export function isHalfPriced(given: unknown): boolean {
  const { input_usd_per_million: input, output_usd_per_million: output } = rowFrom(given)
  return (input === null) !== (output === null)
}

function rowFrom(given: unknown): ProviderRow {
  const { sampling: _, ...provider } = isRecord(given) ? given : {}
  return valuesOf(TABLE, { provider }).provider
}

function samplingFrom(given: unknown): Sampling {
  const sampling = isRecord(given) ? given['sampling'] : undefined
  const row = valuesOf(SAMPLING, { sampling: sampling }).sampling
  return {
    ...(row.temperature === null ? {} : { temperature: row.temperature }),
    ...(row.top_p === null ? {} : { topP: row.top_p }),
    ...(row.frequency_penalty === null ? {} : { frequencyPenalty: row.frequency_penalty }),
    ...(row.presence_penalty === null ? {} : { presencePenalty: row.presence_penalty }),
    ...(row.stop === null ? {} : { stop: row.stop }),
    ...(row.seed === null ? {} : { seed: row.seed }),
  }
}
