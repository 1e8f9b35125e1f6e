import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Starts a process that opens the store at an address and runs a program with it. */
export function processOn(address: string, program: string): ChildProcess {
  const code = `
    import { openStore } from '@echelon/store'
    const store = await openStore(${JSON.stringify(address)})
    ${program}`
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return spawn(
    process.execPath,
    ['--conditions=echelon-source', '--input-type=module', '--eval', code],
    {
      env,
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
}

export async function outputOf(child: ChildProcess): Promise<string> {
  let output = ''
  child.stdout?.setEncoding('utf8').on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  assert.equal(code, 0)
  return output.trim()
}
