import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Measures one figure in a process of its own; what it prints. */
export async function inOwnProcess(script: string, args: readonly string[]): Promise<string> {
  const node = ['--expose-gc', '--conditions=echelon-source', script, ...args]
  const env = { ...process.env, NODE_ENV: 'production' }
  const { stdout } = await run(process.execPath, node, { env, maxBuffer: 1e8 })
  return stdout
}
