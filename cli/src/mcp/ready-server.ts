import { createHash } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import type { McpAuth, McpServer } from '@echelon/mcp'
import { clean } from '../terminal/clean.ts'
import { type Bound, boundFiles } from './bound-files.ts'
import { type Filled, filledIn, type FilledAddress, type FilledProgram } from './filled-in.ts'
import type { Trust, WrittenServer } from './servers-file.ts'
import type { Io } from '../io.ts'

/** A server as it would start now. The same value is shown, allowed and run. */
export interface ReadyServer {
  readonly name: string
  readonly trust: Trust | undefined
  /** Digest of everything that decides what runs and with which values, secrets included. */
  readonly digest: string
  /** On one line, without secrets. */
  readonly shown: string
  /** Parts that the digest does not cover; empty if it covers all. */
  readonly unbound: string
  /** @param auth how to sign in; used only over a private connection */
  connectable(auth: McpAuth): McpServer
}

/**
 * Fills a server in and finds its program.
 * @throws EchelonError INVALID_CONFIG for a variable that is not set
 */
export function readyServer(
  io: Pick<Io, 'env'>,
  path: string,
  name: string,
  written: WrittenServer,
): ReadyServer {
  const server = filledIn(io, path, name, written)
  const { trust } = written
  if ('url' in server) return atAddress(name, server, trust)
  return asProgram(name, server, trust, boundFiles(io, dirname(resolve(path)), server))
}

function atAddress(name: string, server: FilledAddress, trust: Trust | undefined): ReadyServer {
  const { url, headers } = server
  const isPlain = Object.keys(headers).length === 0
  return {
    name,
    trust,
    digest: digestOf(['address', url.text, pairs(headers), trust ?? null]),
    shown: line([url.shown, ...shownPairs(headers, ': ')], trust),
    unbound: '',
    connectable: (auth) => ({
      name,
      url: url.text,
      ...(!isPlain && { headers: texts(headers) }),
      ...(isPrivate(url.text) && { auth }),
    }),
  }
}

function asProgram(
  name: string,
  server: FilledProgram,
  trust: Trust | undefined,
  bound: Bound,
): ReadyServer {
  const { command, args, env, cwd } = server
  const words = args.map(({ text }) => text)
  const { program, real, files } = bound
  return {
    name,
    trust,
    digest: digestOf([
      { kind: 'program', command: command.text, program, real, words, cwd, trust, files },
      pairs(env),
    ]),
    shown: line(
      [
        [program ?? command.shown, ...args.map(({ shown }) => shown)].map(quoted).join(' '),
        `in ${cwd}`,
        ...shownPairs(env, '='),
      ],
      trust,
    ),
    unbound: unboundOf(bound),
    // Uses the path that was checked instead of searching again.
    connectable: () => ({
      name,
      command: program ?? command.text,
      args: words,
      ...(Object.keys(env).length > 0 && { env: texts(env) }),
      cwd,
    }),
  }
}

function unboundOf({ files, fetches, program }: Bound): string {
  const shown = files.map(({ path }) => clean(path)).join(', ')
  const bound = files.length === 0 ? '' : `bound to the current content of ${shown}; `
  if (fetches) {
    return `${bound}what it fetches or starts is not checked, so pin a version or name a program of your own`
  }
  if (program === undefined) return `${bound}there is no such program yet`
  return `${bound}other files that it loads are not checked`
}

/** Digest of values in a fixed order, so that the layout of an entry does not matter. */
const digestOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex')

type FilledWords = Readonly<Record<string, Filled>>

const pairs = (words: FilledWords): readonly (readonly [string, string])[] =>
  Object.entries(words)
    .map(([name, { text }]) => [name, text] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))

const texts = (words: FilledWords): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(words).map(([name, { text }]) => [name, text]))

const shownPairs = (words: FilledWords, between: string): readonly string[] =>
  Object.entries(words).map(([name, { shown }]) => `${name}${between}${shown}`)

const line = (parts: readonly string[], trust: Trust | undefined): string =>
  clean([...parts, ...(trust === undefined ? [] : [`trust ${trust}`])].join('; '))

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)

/** Tokens are sent only where no third party can read them. */
const isPrivate = (url: string): boolean =>
  /^https:|^http:\/\/(localhost|127(\.\d+){3}|\[::1\])([:/]|$)/.test(url)
