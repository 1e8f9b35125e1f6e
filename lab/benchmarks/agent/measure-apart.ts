import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Measured } from './bars.ts'

const run = promisify(execFile)
const PROGRAM = fileURLToPath(new URL('../agent.ts', import.meta.url))

/** Measures in a new process, since earlier code influences V8's optimizations. */
export async function measureApart(options: readonly string[]): Promise<readonly Measured[]> {
  const args = ['--expose-gc', '--conditions=echelon-source', PROGRAM, '--json', ...options]
  const env = { ...process.env, NODE_ENV: 'production' }
  return JSON.parse((await run(process.execPath, args, { env })).stdout)
}
