import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

export const ROOT: string = join(import.meta.dirname, '..')
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** The compiler's output for these arguments. */
export async function tsc(args: readonly string[], cwd: string = ROOT): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [TSC, ...args], { cwd })
    return stdout
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)
  }
}

/** The compiler's output for one file, with the repository's options and these. */
export function compile(file: string, more: readonly string[] = [], cwd?: string): Promise<string> {
  const { compilerOptions } = JSON.parse(readFileSync(join(ROOT, 'tsconfig.json'), 'utf8'))
  const flags = Object.entries(compilerOptions).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ])
  return tsc([...flags, '--ignoreConfig', ...more, file], cwd)
}
