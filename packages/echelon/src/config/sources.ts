import { dirname, extname, join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { brokenLines } from './dotenv-lines.ts'
import { readTextFile, type TextFile } from './text-file.ts'
import type { Variables } from './variables.ts'

export interface SourceOptions {
  /** The configuration file. Default `config.yaml` in the working folder, where it may be absent. */
  readonly file?: string
  /** The environment. Default that of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** All that a configuration is made of, as it was read. */
export interface Sources {
  /** YAML files, the weakest first. */
  readonly files: readonly TextFile[]
  readonly dotenv: TextFile
  /** Variables, the weakest first. */
  readonly variables: readonly Variables[]
  /** Whether somebody named the file; else the folder's are taken as they are found. */
  readonly isNamed: boolean
  /** What is odd and harms nothing: sentences. */
  readonly warnings: readonly string[]
  /** What is wrong before anything is read in them: sentences. */
  readonly problems: readonly string[]
}

const DEFAULT_FILE = 'config.yaml'

/** The folder in which all files of a configuration lie. */
export const folderOf = ({ file = DEFAULT_FILE }: SourceOptions, from: string): string =>
  dirname(resolve(from, file))

/**
 * Reads what there is: the file, `.env` beside it, and where `ECHELON_ENV` names an environment the
 * file of that name beside it, such as `config.production.yaml`.
 * @param from folder that a relative path begins at
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
      (line) => `${dotenv.path}:${line}: this line says nothing; write it as NAME=value`,
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

/** Only a plain name, so that it cannot lead elsewhere. */
async function environmentFile({ path, name, from }: EnvironmentFile): Promise<TextFile> {
  const ending = extname(path)
  const beside = `${path.slice(0, path.length - ending.length)}.${name}${ending}`
  if (/^\w[\w-]*$/.test(name)) return readTextFile(beside, from)
  const problem = 'ECHELON_ENV must be a word such as production, of letters, digits, _ and -'
  return { path: beside, text: null, problem, isShared: false }
}

const absence = ({ path, text, problem }: TextFile): string | null =>
  text === null && problem === null ? absent(path) : null

export const absent = (path: string): string => `there is no file ${path}; make it, or name another`
