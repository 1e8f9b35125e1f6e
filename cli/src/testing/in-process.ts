import assert from 'node:assert/strict'
import type { EventEmitter } from 'node:events'
import type { Io } from '../io.ts'
import { runProgram } from '../program.ts'
import { leftovers } from './leftovers.ts'

/** `Io` of a command under test. */
export interface TestIo extends Io {
  readonly signals: EventEmitter
  /** Resolves with the status if the command exits before its work ends. */
  readonly left: Promise<number>
}

/**
 * Runs the command in this process, in a folder, and checks that it leaves nothing behind.
 *
 * Commands run one at a time, since the working folder and the environment belong to the process. A test
 * that needs two commands at once spawns one of them.
 */
export function runInProcess(args: readonly string[], folder: string, io: TestIo): Promise<number> {
  const ran = queue.then(() => runNow(args, folder, io))
  queue = ran.catch(() => undefined)
  return ran
}

let queue: Promise<unknown> = Promise.resolve()

async function runNow(args: readonly string[], folder: string, io: TestIo): Promise<number> {
  const before = { folder: process.cwd(), env: { ...process.env } }
  const left = leftovers(io.signals)
  process.chdir(folder)
  setEnvironment(io.env)
  try {
    const status = await Promise.race([runProgram(args, io), io.left])
    assert.deepEqual(await left(), [], `left behind by echelon ${args.join(' ')}`)
    return status
  } finally {
    setEnvironment(before.env)
    process.chdir(before.folder)
  }
}

/** Changes the environment in place, because Node reads time zone and home folder from the original object. */
function setEnvironment(env: Io['env']): void {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  for (const [name, value] of Object.entries(env)) {
    if (process.env[name] !== value) process.env[name] = value
  }
}
