import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { StoreMeasured } from './bars.ts'

const run = promisify(execFile)
const PROGRAM = fileURLToPath(new URL('../store.ts', import.meta.url))

/** Measures in a new process, since earlier code influences V8's optimizations. */
export async function measureStore(figure: string): Promise<readonly StoreMeasured[]> {
  const args = ['--conditions=echelon-source', PROGRAM, '--json', '--only', figure]
  const env = { ...process.env, NODE_ENV: 'production' }
  const found: readonly StoreMeasured[] = JSON.parse(
    (await run(process.execPath, args, { env })).stdout,
  )
  return found
}
