import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const ROOT = join(import.meta.dirname, '..')
const PAGE = 'test/capability-types.ts'
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')

/** What the compiler says of one file, with the options of the repository. */
async function compile(file: string): Promise<string> {
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

test('what an actor may not do does not compile, and what it may does', async () => {
  const page = readFileSync(join(ROOT, PAGE), 'utf8')
  assert.ok((page.match(/@ts-expect-error/g) ?? []).length >= 20)
  assert.equal(await compile(PAGE), '')
})
