import { dirname, extname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { brokenLines } from './dotenv-lines.ts'
import { readTextFile, type TextFile } from './text-file.ts'
import type { Variables } from './variables.ts'

export interface SourceOptions {
  /** The configuration file. Default: `config.yaml` in the working folder, which may be absent. */
  readonly file?: string
  /** The environment. Default: that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** The sources of a configuration, as read. */
export interface Sources {
  /** YAML files, the weakest first. */
  readonly files: readonly TextFile[]
  readonly dotenv: TextFile
  /** Variables, the weakest first. */
  readonly variables: readonly Variables[]
  /** Whether the file was named explicitly; otherwise the folder's files are used. */
  readonly isNamed: boolean
  /** Harmless oddities, as sentences. */
  readonly warnings: readonly string[]
  /** Problems found before parsing, as sentences. */
  readonly problems: readonly string[]
}

const DEFAULT_FILE = 'config.yaml'

/** The folder with all files of a configuration. */
export const folderOf = ({ file = DEFAULT_FILE }: SourceOptions, from: string): string =>
  dirname(resolve(from, file))

/**
 * Reads the existing sources: the file, `.env` next to it, and the file of the environment named by
 * `ECHELON_ENV`, such as `config.production.yaml`.
 * @param from the folder for relative paths
 */
export async function readSources(
  { file, env = process.env }: SourceOptions,
  from: string = process.cwd(),
): Promise<Sources> {
  const path = file ?? DEFAULT_FILE
  const [main, dotenv] = await Promise.all([
    readTextFile(path, from),
    readTextFile(join(dirname(path), '.env'), from),
  ])
  const standIns = dotenv.text === null ? {} : parseEnv(dotenv.text)
  const name = env['ECHELON_ENV'] || standIns['ECHELON_ENV'] || null
  const beside = name === null ? null : await environmentFile({ path, name, from })
  const problems = [
    file === undefined ? null : absence(main),
    beside === null ? null : absence(beside),
    dotenv.problem,
  ]
  return {
    files: beside === null ? [main] : [main, beside],
    isNamed: file !== undefined,
    warnings: brokenLines(dotenv.text ?? '').map(
      (line) => `${dotenv.path}:${line}: this line sets nothing; write it as NAME=value`,
    ),
    dotenv,
    variables: [
      { values: standIns, file: dotenv.path },
      { values: env, file: null },
    ],
    problems: problems.filter((problem) => problem !== null),
  }
}

interface EnvironmentFile {
  readonly path: string
  readonly name: string
  readonly from: string
}

/** The name is a plain word, so that it cannot lead to another folder. */
async function environmentFile({ path, name, from }: EnvironmentFile): Promise<TextFile> {
  const ending = extname(path)
  const beside = `${path.slice(0, path.length - ending.length)}.${name}${ending}`
  if (/^\w[\w-]*$/.test(name)) return readTextFile(beside, from)
  const problem = 'ECHELON_ENV must be a word such as production, of letters, digits, _ and -'
  return { path: beside, text: null, problem, isShared: false }
}

const absence = ({ path, text, problem }: TextFile): string | null =>
  text === null && problem === null ? absent(path) : null

export const absent = (path: string): string =>
  `there is no file ${path}; create it, or name another`
