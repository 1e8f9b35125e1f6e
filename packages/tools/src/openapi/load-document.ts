import type * as Yaml from 'yaml'
import { EchelonError, isJson, isJsonObject } from 'echelon/internal/value'
import type { JsonObject } from 'echelon/runtime'
import { readGivenText, UnreadableFileError } from 'echelon/internal/platform'
import { parseYaml } from 'echelon/internal/yaml'
import { boundedFetch } from '../stock/bounded-fetch.ts'

/** A document, and the URL that it was loaded from, if any. */
export interface LoadedDocument {
  readonly document: JsonObject
  readonly url: URL | undefined
}

/** Limit of a document from any source. */
const MAX_BYTES = 5 * 1024 * 1024
const TIMEOUT_MS = 10_000

/**
 * Loads an OpenAPI 3 document from a URL, a file or an object. Accepts JSON, and YAML if the
 * package yaml is installed.
 * @throws EchelonError INVALID_INPUT if it cannot be read or is not such a document
 */
export async function loadDocument(source: string | URL | JsonObject): Promise<LoadedDocument> {
  if (typeof source !== 'string' && !(source instanceof URL)) {
    return { document: checked(source, 'the document'), url: undefined }
  }
  const url = URL.parse(String(source))
  const isAddress = url !== null && /^https?:$/.test(url.protocol)
  if (isAddress && (url.username !== '' || url.password !== '')) {
    throw unusable(`the address at ${url.host} holds a user name or password; fetch it yourself`)
  }
  const name = isAddress ? url.host : String(source)
  const text = isAddress ? await fetched(url) : await read(source)
  const document = checked(await parsed(text, name), name)
  return { document, url: isAddress ? url : undefined }
}

async function fetched(url: URL): Promise<string> {
  try {
    const { status, text } = await boundedFetch({
      url,
      headers: new Headers(),
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      signal: new AbortController().signal,
    })
    if (status === 200) return text
    throw unusable(`${url.host} answered with status ${status}`)
  } catch (error) {
    if (error instanceof EchelonError || !(error instanceof Error)) throw error
    throw unusable(error.message)
  }
}

async function read(file: string | URL): Promise<string> {
  try {
    return await readGivenText(file, MAX_BYTES)
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw unusable(`${String(file)} cannot be read`)
    if (error.isTooLarge) throw unusable(`${String(file)} is larger than ${MAX_BYTES} bytes`)
    throw unusable(`${String(file)} cannot be read: ${error.message}`)
  }
}

async function parsed(text: string, name: string): Promise<unknown> {
  try {
    if (text.trimStart().startsWith('{')) return JSON.parse(text)
    return fromYaml(await import('yaml'), text)
  } catch (error) {
    if (error instanceof EchelonError) throw error
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw unusable(`${name} is neither JSON nor YAML (${first})`)
  }
}

function fromYaml(yaml: typeof Yaml, text: string): unknown {
  const parsedYaml = parseYaml(yaml, text, { keys: 'any' })
  if (parsedYaml === undefined) throw new Error('it is nested too deeply')
  const { document, lines } = parsedYaml
  const [error] = document.errors
  if (error === undefined) return document.toJS()
  throw new Error(`line ${lines.linePos(error.pos[0]).line}: ${error.message}`)
}

function checked(document: unknown, name: string): JsonObject {
  if (!isJson(document) || !isJsonObject(document)) throw unusable(`${name} is not a JSON object`)
  const { openapi, swagger, paths } = document
  if (typeof openapi === 'string' && /^3\.[01](?:\.\d+)?$/.test(openapi)) {
    if (isJsonObject(paths ?? null)) return document
    throw unusable(`${name} has no paths`)
  }
  const version =
    typeof swagger === 'string'
      ? `Swagger ${swagger}`
      : `openapi ${JSON.stringify(openapi ?? null)}`
  throw unusable(`${name} has version ${version}; OpenAPI 3.0 or 3.1 is required`)
}

const unusable = (why: string): EchelonError =>
  new EchelonError('INVALID_INPUT', `the OpenAPI document cannot be used: ${why}`)
