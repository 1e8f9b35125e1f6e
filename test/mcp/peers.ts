import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestContext } from 'node:test'
import type { ToolContext } from '../../packages/echelon/src/core/tool/tool.ts'
import { artifactFolder } from '../../packages/echelon/src/platform/artifact-folder.ts'
import type { McpProgram } from '../../packages/mcp/src/server.ts'

/** Skips measuring images. */
const unmeasured = (): Promise<null> => Promise.resolve(null)

const EVERYTHING = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
)
const FILES = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
)

/** Shares the compile cache of the tests. */
const env = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' }

/** The reference server of the protocol, as a program. */
export const everything: McpProgram = {
  name: 'everything',
  command: process.execPath,
  args: [EVERYTHING, 'stdio'],
  env,
}

/** The reference server for files, which may see one folder. */
export const filesIn = (folder: string): McpProgram => ({
  name: 'files',
  command: process.execPath,
  args: [FILES, folder],
  env,
})

/** A server with behavior that the reference servers lack: see `odd-server.ts`. */
export const odd: McpProgram = {
  name: 'odd',
  command: process.execPath,
  args: [join(import.meta.dirname, 'odd-server.ts')],
  env,
}

/** A hostile server: see `hostile-server.ts`. */
export const hostile: McpProgram = {
  name: 'hostile',
  command: process.execPath,
  args: [join(import.meta.dirname, 'hostile-server.ts')],
  env,
}

/** Starts the server through a shell that writes its process id to a file. */
export function traceable(
  { name, command, args = [], ...rest }: McpProgram,
  folder: string,
): { readonly server: McpProgram; readonly kill: () => void } {
  const file = join(folder, 'pid')
  const script = 'echo $$ > "$0"; exec "$@"'
  return {
    server: { ...rest, name, command: 'sh', args: ['-c', script, file, command, ...args] },
    kill: () => process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL'),
  }
}

/** A temporary folder, removed after the test. */
export function folderFor(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'echelon-mcp-')))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A tool context outside of a run. */
export function contextIn(folder: string, more: Partial<ToolContext> = {}): ToolContext {
  return {
    key: 'run:1:0',
    signal: new AbortController().signal,
    at: 0,
    timeZone: 'UTC',
    artifacts: artifactFolder({ folder }, unmeasured),
    progress: () => undefined,
    ...more,
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  server.close()
  await once(server, 'close')
  return address.port
}

/** Starts the reference server at a port. Resolves when it listens. */
export async function everythingAt(port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await once(child.stderr, 'data')
  return child
}

/** Ends a program and waits for its exit. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Resolves when the condition is true. Has no time limit. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5))
}
