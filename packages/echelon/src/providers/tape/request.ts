import { createHash } from 'node:crypto'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { isRecord, type Json, type JsonObject } from '../../core/value/json.ts'
import type { SettingsByProvider } from '../registry.ts'
import type { Cleaner } from './secrets.ts'
import { type FileForm, toJson } from './json-form.ts'

/** A request to a model. */
export interface Asked {
  readonly model: string
  readonly stream: boolean
  /** Prompt, sampling, response format, tools, provider options and settings, cleaned. */
  readonly request: Json
}

/**
 * The provider settings that change the request, where they differ from the defaults. The provider
 * applies them downstream of the recording.
 */
export function settingsOf(name: string, id: string, settings: SettingsByProvider): JsonObject {
  const full = name.includes('/') ? name : id
  const key = full.slice(0, full.indexOf('/'))
  const own = (Object.hasOwn(settings, key) ? settings[key] : undefined) ?? {}
  // Tapes of earlier versions omit `least`, which was the default.
  const { api = 'auto', store = false, reasoning = 'least' } = own
  return {
    ...(api === 'auto' ? {} : { api }),
    ...(store ? { store } : {}),
    ...(reasoning === 'least' ? {} : { reasoning }),
  }
}

/** The model, its provider settings, and whether the answer streams. */
interface AskedHow extends Pick<Asked, 'model' | 'stream'> {
  readonly settings: JsonObject
}

/** A call in its recorded form. Cleaning it makes recording and replay hide the same values. */
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

/** Headers that hold secrets or the trace position, which differs between runs. */
const UNRECORDED_HEADER =
  /auth|cookie|credential|key|pass|secret|session|signature|token|^trace(?:parent|state)$/i

/** A user's file is identified by its digest; its content is not recorded. */
const asDigest: FileForm = (content) => ({ length: content.length, sha256: sha256(content) })

/** SHA-256 of the request, independent of field order. */
export const keyOf = ({ model, stream, request }: Asked): string =>
  sha256(JSON.stringify({ model, stream, request }, sortFields))

function sortFields(_: string, value: unknown): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}

const sha256 = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex')
