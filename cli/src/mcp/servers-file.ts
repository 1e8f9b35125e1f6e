import { dirname, join } from 'node:path'
import { EchelonError } from 'echelon/runtime'
import { readGivenTextSync } from 'echelon/config'
import { fileOf, type GlobalOptions } from '../configuration.ts'
import { replaceFile } from '../replace-file.ts'
import { jsonFault } from './json-fault.ts'

/** File name that other MCP clients use too. */
const NAME = '.mcp.json'

export const TRUST = ['nothing', 'reads', 'everything'] as const
export type Trust = (typeof TRUST)[number]

/** A program that speaks MCP. Secrets are written as `${NAME}`, which refers to a variable. */
interface WrittenProgram {
  readonly command: string
  readonly args?: readonly string[] | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  readonly trust?: Trust | undefined
}

interface WrittenAddress {
  /** Other MCP clients require this field. */
  readonly type: 'http'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly trust?: Trust | undefined
}

/** A server entry of the file. */
export type WrittenServer = WrittenProgram | WrittenAddress

/** The servers of a project. */
export interface ServersFile {
  readonly path: string
  readonly servers: Readonly<Record<string, WrittenServer>>
  /** Entries that cannot be used, one sentence each. */
  readonly problems: readonly string[]
}

/** Path of the file: next to the configuration. */
export const serversPath = (global: GlobalOptions): string =>
  join(dirname(fileOf(global).file ?? NAME), NAME)

/**
 * Reads the servers of a project; none if there is no file.
 * @throws EchelonError INVALID_CONFIG if the file is not a list of servers
 */
export function readServers(path: string): ServersFile {
  const servers: [string, WrittenServer][] = []
  const problems: string[] = []
  for (const [name, entry] of Object.entries(contentOf(path).mcpServers)) {
    const server = serverOf(entry)
    if (server === undefined)
      problems.push(`${path}: ${name} is not a server that can be used here`)
    else servers.push([name, server])
  }
  return { path, servers: Object.fromEntries(servers), problems }
}

/** Unknown fields, which other programs use, are ignored. */
function serverOf(entry: unknown): WrittenServer | undefined {
  if (!isFields(entry)) return undefined
  const { command, args, env, cwd, url, headers, trust } = entry
  if (!isTrust(trust)) return undefined
  if (typeof command === 'string' && command !== '') {
    const fits = isList(args) && isWords(env) && (cwd === undefined || typeof cwd === 'string')
    return fits ? { command, args, env, cwd, trust } : undefined
  }
  if (typeof url !== 'string' || !isWords(headers)) return undefined
  return { type: 'http', url, headers, trust }
}

type Fields = Readonly<Record<string, unknown>>
type Words = Readonly<Record<string, string>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isTrust = (value: unknown): value is Trust | undefined =>
  value === undefined || TRUST.some((trust) => trust === value)

const isList = (value: unknown): value is readonly string[] | undefined =>
  value === undefined || (Array.isArray(value) && value.every((word) => typeof word === 'string'))

const isWords = (value: unknown): value is Words | undefined =>
  value === undefined ||
  (isFields(value) && Object.values(value).every((word) => typeof word === 'string'))

/**
 * Adds or removes a server; the rest of the file stays.
 * @throws EchelonError INVALID_CONFIG if the file is not a list of servers or cannot be written
 */
export function changeServer(path: string, name: string, server: WrittenServer | null): void {
  const content = contentOf(path)
  const { [name]: _, ...others } = content.mcpServers
  const mcpServers = server === null ? others : { ...others, [name]: server }
  try {
    replaceFile(path, `${JSON.stringify({ ...content, mcpServers }, null, 2)}\n`)
  } catch (cause) {
    throw notWritten(path, cause)
  }
}

/** Error for a failed write. The old file is still intact. */
export function notWritten(path: string, cause: unknown): EchelonError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new EchelonError(
    'INVALID_CONFIG',
    `${path} cannot be written (${reason}) and was not changed; check that its folder is writable and has space`,
    { cause },
  )
}

function contentOf(path: string): Fields & { readonly mcpServers: Fields } {
  const text = textOf(path)
  if (text === undefined) return { mcpServers: {} }
  const content = jsonOf(path, text)
  if (isFields(content)) {
    const { mcpServers = {} } = content
    if (isFields(mcpServers)) return { ...content, mcpServers }
  }
  throw new EchelonError(
    'INVALID_CONFIG',
    `${path} holds no servers; write them as { "mcpServers": { "name": { "command": … } } }`,
  )
}

function textOf(path: string): string | undefined {
  try {
    return readGivenTextSync(path, MOST_BYTES)
  } catch (cause) {
    if (isMissing(cause)) return undefined
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError('INVALID_CONFIG', `${path} cannot be read (${why}); fix or remove it`, {
      cause,
    })
  }
}

/** Larger than any file written by hand. */
const MOST_BYTES = 1024 * 1024

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new EchelonError('INVALID_CONFIG', `${path} is not JSON: ${jsonFault(text)}`, { cause })
  }
}
