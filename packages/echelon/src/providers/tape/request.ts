import { createHash } from 'node:crypto'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { isRecord, type Json, type JsonObject } from '../../core/value/json.ts'
import type { SettingsByProvider } from '../registry.ts'
import type { Cleaner } from './secrets.ts'
import { type FileForm, toJson } from './json-form.ts'

/** What a model was asked. */
export interface Asked {
  readonly model: string
  readonly stream: boolean
  /** Prompt, sampling, response format, tools, options and settings of the provider, cleaned. */
  readonly request: Json
}

/**
 * The settings of a model's provider that change what it is asked, where they are not the defaults:
 * the provider adds them to a call on its way, beyond where it is recorded.
 */
export function settingsOf(name: string, id: string, settings: SettingsByProvider): JsonObject {
  const full = name.includes('/') ? name : id
  const key = full.slice(0, full.indexOf('/'))
  const own = (Object.hasOwn(settings, key) ? settings[key] : undefined) ?? {}
  // Tapes of earlier versions say nothing of `least`, which was the default.
  const { api = 'auto', store = false, reasoning = 'least' } = own
  return {
    ...(api === 'auto' ? {} : { api }),
    ...(store ? { store } : {}),
    ...(reasoning === 'least' ? {} : { reasoning }),
  }
}

/** Which model is asked, how, and under which settings of its provider. */
interface AskedHow extends Pick<Asked, 'model' | 'stream'> {
  readonly settings: JsonObject
}

/** A call as it is recorded and found again: cleaned, so that both sides hide the same. */
export function askedOf(
  { settings, ...of }: AskedHow,
  options: LanguageModelV4CallOptions,
  clean: Cleaner,
): Asked {
  const { abortSignal: _, headers = {}, ...asked } = options
  const open = Object.entries(headers).filter(([name]) => !UNRECORDED_HEADER.test(name))
  const request = {
    ...asked,
    ...(open.length === 0 ? {} : { headers: Object.fromEntries(open) }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  }
  return { ...of, request: clean(toJson(request, asDigest)) }
}

/** Secrets, and where in a trace a call stands: that is another place in each run. */
const UNRECORDED_HEADER =
  /auth|cookie|credential|key|pass|secret|session|signature|token|^trace(?:parent|state)$/i

/** A file of the user's is known again by its digest; what it shows is nothing for a tape. */
const asDigest: FileForm = (content) => ({ length: content.length, sha256: sha256(content) })

/** SHA-256 of what was asked, whatever the order of fields. */
export const keyOf = ({ model, stream, request }: Asked): string =>
  sha256(JSON.stringify({ model, stream, request }, sortFields))

function sortFields(_: string, value: unknown): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')
