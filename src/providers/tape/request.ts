import { createHash } from 'node:crypto'
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { isRecord, type Json } from '../../core/json.ts'
import type { Cleaner } from './secrets.ts'
import { type FileForm, toJson } from './json-form.ts'

/** What a model was asked. */
export interface Asked {
  readonly model: string
  readonly stream: boolean
  /** Prompt, settings, response format, tools and options of the provider, cleaned. */
  readonly request: Json
}

/** A call as it is recorded and found again: cleaned, so that both sides hide the same. */
export function askedOf(
  of: Pick<Asked, 'model' | 'stream'>,
  options: LanguageModelV4CallOptions,
  clean: Cleaner,
): Asked {
  const { abortSignal: _, headers = {}, ...asked } = options
  const open = Object.entries(headers).filter(([name]) => !SECRET_HEADER.test(name))
  const request = { ...asked, ...(open.length === 0 ? {} : { headers: Object.fromEntries(open) }) }
  return { ...of, request: clean(toJson(request, asDigest)) }
}

const SECRET_HEADER = /auth|cookie|credential|key|pass|secret|session|signature|token/i

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
