import { EchelonError } from 'echelon/runtime'
import { looksSecret } from './secret-value.ts'
import { holdsSecret } from './shown-address.ts'
import type { Trust, WrittenServer } from './servers-file.ts'
import { STARTED_AS } from '../started-as.ts'

/** Options of `tools add mcp`. */
export interface AddOptions {
  readonly url?: string
  readonly env?: readonly string[]
  readonly header?: readonly string[]
  readonly cwd?: string
  readonly trust?: Trust
}

/**
 * Builds the entry of a server from the command line.
 * @throws EchelonError INVALID_INPUT for contradictory options, or a value that looks like a secret
 */
export function writtenServer(words: readonly string[], options: AddOptions): WrittenServer {
  const { url, env = [], header = [], cwd, trust } = options
  const [command, ...args] = words
  const more = { ...(trust !== undefined && { trust }) }
  if (url !== undefined) {
    if (command !== undefined) throw unusable('give a --url or a command, not both')
    if (env.length > 0 || cwd !== undefined) {
      throw unusable('--env and --cwd are for a program; a server at an address takes --header')
    }
    if (holdsSecret(url)) throw secretIn('the address')
    requireAddress(url)
    const headers = Object.fromEntries(header.map(headerOf))
    return { type: 'http', url, ...(header.length > 0 && { headers }), ...more }
  }
  if (command === undefined) {
    throw unusable(
      `say what to run: ${STARTED_AS} tools add mcp NAME -- COMMAND ARGS…, or give a --url`,
    )
  }
  if (header.length > 0) throw unusable('--header is for a --url; a program takes --env')
  for (const arg of args) refuseSecret('an argument', arg)
  return {
    command,
    ...(args.length > 0 && { args }),
    ...(env.length > 0 && { env: Object.fromEntries(env.map(variableOf)) }),
    ...(cwd !== undefined && { cwd }),
    ...more,
  }
}

/** Checks a URL, with `1` in place of variables, since their values are known only later. */
function requireAddress(url: string): void {
  if (url.startsWith('${')) return
  const protocol = URL.parse(url.replaceAll(/\$\{\w+\}/g, '1'))?.protocol
  if (protocol === 'http:' || protocol === 'https:') return
  throw unusable(`--url ${url} is not a URL; write one such as https://example.com/mcp`)
}

/** `NAME` passes a variable on; `NAME=value` writes a value to the file. */
function variableOf(text: string): readonly [string, string] {
  const [, name = '', value] = /^([A-Za-z_]\w*)(?:=([^]*))?$/.exec(text) ?? []
  if (name === '') throw unusable(`--env ${text}: write it as NAME, or as NAME=value`)
  if (value === undefined) return [name, `\${${name}}`]
  refuseSecret(name, value)
  return [name, value]
}

function headerOf(text: string): readonly [string, string] {
  const [, name = '', value = ''] = /^([\w-]+):\s*([^]+)$/.exec(text) ?? []
  if (name === '') throw unusable(`--header ${text}: write it as "Name: value"`)
  refuseSecret(name, value)
  return [name, value]
}

/** The file is shared, so secrets must stay in the environment. */
function refuseSecret(name: string, value: string): void {
  if (!looksSecret(name, value)) return
  throw secretIn(name)
}

const secretIn = (name: string): EchelonError =>
  unusable(
    `${name} looks like a secret, and secrets are not written to the file: set a variable, and name it as '\${NAME}' or with --env NAME`,
  )

const unusable = (message: string): EchelonError => new EchelonError('INVALID_INPUT', message)
