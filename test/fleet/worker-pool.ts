import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { fileOf } from '../programs.ts'
import type { WorkerOrder } from './worker-process.ts'

/** Processes that work for no test now, or are about to be loaded. */
const free: Promise<ChildProcess>[] = []
const all = new Set<ChildProcess>()

after(() => {
  for (const child of all) child.kill('SIGKILL')
})

/** Loads so many processes ahead, for a test that kills some. */
export function loadAhead(count: number): void {
  while (free.length < count) free.push(loaded())
}

/** Starts a worker in a process that no test uses. */
export async function takeWorker(
  work: Omit<WorkerOrder & { type: 'work' }, 'type'>,
): Promise<ChildProcess> {
  const child = await (free.shift() ?? loaded())
  await told(child, { type: 'work', ...work })
  return child
}

/** Stops the worker of a process, and keeps the process for the next test. */
export async function freeWorker(child: ChildProcess): Promise<void> {
  await told(child, { type: 'rest' })
  free.push(Promise.resolve(child))
}

/** Ends a process as if its machine failed. */
export async function killWorker(child: ChildProcess): Promise<void> {
  const over = once(child, 'exit')
  child.kill('SIGKILL')
  await over
}

async function loaded(): Promise<ChildProcess> {
  const child = fork(fileOf('fleet/worker-process.ts'), {
    execArgv: ['--conditions=echelon-source', '--no-warnings'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  all.add(child)
  child.once('exit', () => all.delete(child))
  await done(child)
  return child
}

async function told(child: ChildProcess, order: WorkerOrder): Promise<void> {
  const answered = done(child)
  child.send(order)
  await answered
}

/** Waits until a process has done what it was told. */
function done(child: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const ended = (code: number | null): void => reject(new Error(`the worker ended with ${code}`))
  child.once('exit', ended)
  child.once('message', () => {
    child.off('exit', ended)
    resolve()
  })
  return promise
}
