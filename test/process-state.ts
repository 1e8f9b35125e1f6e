import { writeSync } from 'node:fs'

/** Signals that the product listens to while it runs. */
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/**
 * Fails this process at its end if a test left the working directory, an environment variable or a signal
 * listener other than it was. Test files share a process, so each must restore what it changes.
 */
export function failOnChangedProcess(): void {
  const before = processState()
  process.once('exit', () => {
    const after = processState()
    const changed = Object.keys({ ...before, ...after }).filter(
      (name) => before[name] !== after[name],
    )
    if (changed.length === 0) return
    process.exitCode = 1
    writeSync(2, `a test changed and did not restore: ${changed.join(', ')}\n`)
  })
}

function processState(): Readonly<Record<string, string | number | undefined>> {
  const variables = Object.entries(process.env).map(([name, value]) => [`$${name}`, value])
  const listeners = SIGNALS.map((signal) => [
    `listeners of ${signal}`,
    process.listenerCount(signal),
  ])
  return Object.fromEntries([['working directory', process.cwd()], ...variables, ...listeners])
}
