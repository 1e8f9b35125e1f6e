import { createHash } from 'node:crypto'
import { realpathSync, type Stats, statSync } from 'node:fs'
import { basename, delimiter, extname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { EchelonError } from 'echelon/runtime'
import { readGivenFileSync } from 'echelon/config'
import type { FilledProgram } from './filled-in.ts'
import type { Io } from '../io.ts'

/** A file that is allowed with its current content. */
interface BoundFile {
  /** Path as shown: relative to the project folder, or absolute. */
  readonly path: string
  readonly digest: string
}

/** Files that a program consists of, as far as they are known before it runs. */
export interface Bound {
  /** Path of the program; undefined if no program has that name. */
  readonly program: string | undefined
  /** The same path with links resolved. */
  readonly real: string | undefined
  /** Files that anyone who can write to the project can change. */
  readonly files: readonly BoundFile[]
  /** Whether the program fetches or chooses what it runs, which cannot be checked here. */
  readonly fetches: boolean
}

/**
 * Finds the program as the system would, and the project files that it is or is told to run. Of files
 * outside the project only the path is bound, so that an update of Node needs no new approval.
 * @param project folder of `.mcp.json`
 * @throws EchelonError INVALID_CONFIG for a file that is too large to check
 */
export function boundFiles(io: Pick<Io, 'env'>, project: string, server: FilledProgram): Bound {
  const program = programOf(io, server)
  const real = program === undefined ? undefined : realOf(program)
  const words = wordsOf(server)
  if (words.size > MOST_WORDS) throw tooMuch()
  const fetches =
    RUNNER.test(basename(server.command.text, extname(server.command.text))) || words.has('--run')
  const named = [
    ...(program === undefined ? [] : [program]),
    ...[...words].flatMap((word) => candidates(word, server.cwd, fetches)),
    ...(fetches ? RUNNER_FILES.map((name) => join(server.cwd, name)) : []),
  ]
  const script = scriptOf(server)
  const folders = [...new Set([project, server.cwd].map((folder) => realOf(folder) ?? folder))]
  const found = new Map<string, BoundFile>()
  for (const path of named) {
    const target = realOf(path)
    if (target === undefined || found.has(target)) continue
    const isTheirs = folders.some((folder) => isWithin(folder, target) || isWithin(folder, path))
    const isPart =
      path === program || path === script || !isData(target) || (fetches && isSettings(path))
    if (isTheirs && isPart && isFile(target)) found.set(target, bound(project, target))
  }
  return { program, real, files: [...found.values()], fetches }
}

/** Programs that fetch a package, or read from a file what to run, as `node --run` does. */
const RUNNER =
  /^(?:npm|npx|pnpm|pnpx|yarn|yarnpkg|bun|bunx|uv|uvx|pipx|deno|make|just|docker|podman)$/i

/** Files in their folder that decide what such programs run. */
const RUNNER_FILES = [
  '.npmrc',
  '.pnpmfile.cjs',
  '.yarnrc.yml',
  'bunfig.toml',
  'compose.yaml',
  'deno.json',
  'docker-compose.yml',
  'justfile',
  'Makefile',
  'package.json',
  'pyproject.toml',
  'uv.toml',
]

// ---- the program ----

function programOf(io: Pick<Io, 'env'>, { command, env, cwd }: FilledProgram): string | undefined {
  const { text } = command
  const names = extensions(io).map((extension) => `${text}${extension}`)
  if (isAbsolute(text) || text.includes('/') || (WINDOWS && text.includes('\\'))) {
    return names.map((name) => resolve(cwd, name)).find(canRun)
  }
  const path = env['PATH']?.text ?? io.env['PATH'] ?? ''
  return path
    .split(delimiter)
    .flatMap((folder) => names.map((name) => resolve(cwd, folder, name)))
    .find(canRun)
}

const WINDOWS = process.platform === 'win32'

const extensions = (io: Pick<Io, 'env'>): readonly string[] =>
  WINDOWS ? ['', ...(io.env['PATHEXT'] ?? '.EXE;.CMD;.BAT;.COM').split(';')] : ['']

const canRun = (path: string): boolean => {
  const stats = statOf(path)
  return stats?.isFile() === true && (WINDOWS || (stats.mode & 0o111) !== 0)
}

// ---- what it is told to run ----

/** Words that may name a file: arguments, parts of them, values of options, and words in variables. */
const wordsOf = ({ args, env }: FilledProgram): ReadonlySet<string> =>
  new Set([
    ...args.flatMap(({ text }) => [
      text,
      ...text.split(/[=,\s]+/),
      ...text.split(/[\s'"`()<>;|&]+/),
      text.replace(/^-[a-zA-Z]/, ''),
    ]),
    ...Object.values(env).flatMap(({ text }) => text.split(/[=,;:\s]+/)),
  ])

const INTERPRETER =
  /^(?:node|bun|deno|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|Rscript|pwsh|(?:ba|da|fi|k|z)?sh)$/i

/** The script that an interpreter runs, regardless of its name. */
function scriptOf({ command, args, cwd }: FilledProgram): string | undefined {
  if (!INTERPRETER.test(basename(command.text, '.exe'))) return undefined
  const first = args.find(({ text }) => !text.startsWith('-'))
  return first && resolve(cwd, first.text)
}

/** Each word is looked up on disk. */
const MOST_WORDS = 2000

const tooMuch = (): EchelonError =>
  new EchelonError(
    'INVALID_CONFIG',
    `an MCP server with more than ${MOST_WORDS} words of arguments and variables is not started; put them into a file`,
  )

/** Extensions to try, since a module may be named without one, or by its folder. */
const ENDINGS = ['.js', '.cjs', '.mjs', '.ts', '.py', '.sh']
const ENTRIES = ['index.js', 'index.mjs', 'index.cjs', 'package.json', '__main__.py', '__init__.py']
const LONGEST = 1024

function candidates(word: string, cwd: string, fetches: boolean): readonly string[] {
  if (word === '' || word.length > LONGEST || word.includes('\0')) return []
  const path = resolve(cwd, word.startsWith('file:') ? word.slice(5).replace(/^\/\//, '') : word)
  const stats = statOf(path)
  if (stats?.isFile() === true) return [path]
  if (stats?.isDirectory() === true) return ENTRIES.map((name) => join(path, name))
  const dotted = resolve(cwd, word.replaceAll('.', sep))
  const module = [path, dotted].flatMap((one) => ENDINGS.map((ending) => `${one}${ending}`))
  const packages = ENTRIES.map((name) => join(dotted, name))
  return [...module, ...packages, ...(fetches ? [join(cwd, 'node_modules/.bin', word)] : [])]
}

/** Files that a server works on and writes to; a file of any other name may be code. */
const DATA =
  /\.(?:db|sqlite3?|duckdb|csv|tsv|jsonl?|txt|md|log|xml|ya?ml|toml|parquet|pdf|png|jpe?g|gif|webp|svg|html?|zip|gz)$/i

/** Whether a file is data. `package.json` and executable files are not. */
const isData = (path: string): boolean =>
  DATA.test(path) && basename(path) !== 'package.json' && (WINDOWS || !canRun(path))

/** Settings of programs that fetch packages. */
const isSettings = (path: string): boolean =>
  RUNNER_FILES.includes(basename(path)) || /\.(?:json|toml|ya?ml)$/i.test(path)

// ---- files ----

/** Larger than any program that is shared in a project. */
const MOST_BYTES = 256 * 1024 * 1024

function bound(project: string, path: string): BoundFile {
  const below = relative(realOf(project) ?? project, path)
  const shown = below.startsWith('..') || isAbsolute(below) ? path : below
  try {
    const digest = createHash('sha256').update(readGivenFileSync(path, MOST_BYTES)).digest('hex')
    return { path: shown, digest }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError(
      'INVALID_CONFIG',
      `${shown} belongs to an MCP server and cannot be read (${why}); make it readable, or keep it outside the project`,
      { cause },
    )
  }
}

const isWithin = (folder: string, path: string): boolean => path.startsWith(join(folder, sep))

const isFile = (path: string): boolean => statOf(path)?.isFile() === true

const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
