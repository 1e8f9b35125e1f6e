import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'

const MAIN = join(import.meta.dirname, '../main.js')

/** What the command gave back. */
export interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Where the command keeps its compiled modules if `npm test` names no folder; safe to delete. */
const COMPILED = join(tmpdir(), 'echelon-compiled')

/**
 * Environment of the command under test: nothing of this process that changes what it does, above all
 * no keys. Compiled modules are kept, since most of a short command's time goes into compiling them.
 */
export function plainEnvironment(
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const { PATH = '', HOME = '', TZ, NODE_COMPILE_CACHE = COMPILED } = process.env
  return {
    PATH,
    HOME,
    NO_COLOR: '1',
    ...(TZ === undefined ? {} : { TZ }),
    NODE_COMPILE_CACHE,
    ...more,
  }
}

/** Starts the command in a folder. */
export const begin = (
  args: readonly string[],
  folder: string,
  more: Readonly<Record<string, string>> = {},
): ChildProcess =>
  spawn(process.execPath, ['--conditions=echelon-source', MAIN, ...args], {
    cwd: folder,
    env: plainEnvironment(more),
  })

/** Waits for its end. */
export async function finish(child: ChildProcess, input: string | Uint8Array = ''): Promise<Ran> {
  assert.ok(child.stdin !== null && child.stdout !== null && child.stderr !== null)
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    child.exitCode === null ? once(child, 'exit') : null,
  ])
  return { status: child.exitCode, stdout, stderr }
}

/** A folder that is gone after the test. */
export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-cli-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** One run in a folder of its own. */
export const echelon = (t: TestContext, ...args: string[]): Promise<Ran> =>
  finish(begin(args, folderFor(t)))
