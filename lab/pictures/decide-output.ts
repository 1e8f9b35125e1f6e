import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const MAIN = join(import.meta.dirname, '../../cli/src/main.js')
const TASK = 'A shirt costs $40 and is 25% off; what do three cost?'
const OPTIONS = ['--small', 'offline/small', '--big', 'offline/big', '--no-store', '--no-records']

/** A task that the small offline model declines: the command, and what it prints. */
export async function decideOutput(): Promise<readonly string[]> {
  const words = ['--conditions=echelon-source', MAIN, 'decide', TASK, ...OPTIONS]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  return [`$ echelon decide '${TASK}'`, ...stdout.trimEnd().split('\n')]
}
