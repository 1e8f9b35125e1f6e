import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** What the compiler says of one file, with the options of the repository. */
export async function compile(file: string): Promise<string> {
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
  const flags = Object.entries(compilerOptions).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ])
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [TSC, ...flags, '--ignoreConfig', file],
      { cwd: ROOT },
    )
    return stdout
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)
  }
}
