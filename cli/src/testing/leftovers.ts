import type { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'

/** Handles that keep a process alive, which a command should have closed. */
const HANDLES: ReadonlySet<string> = new Set(['Timeout', 'ProcessWrap', 'FSEventWrap'])

/** Signals whose listeners count. `exit` is not among them: warm tool workers listen for it. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const

/** Time that closed handles may take to disappear. */
const MOST_MS = 2000

/**
 * Detects what a command leaves behind in this process.
 * @returns a function that names leftover signal listeners, timers and child processes
 */
export function leftovers(signals: EventEmitter): () => Promise<readonly string[]> {
  const before = [...handles(), ...listeners(process)]
  return async () => {
    const until = Date.now() + MOST_MS
    for (;;) {
      const left = more([...handles(), ...listeners(process), ...listeners(signals)], before)
      if (left.length === 0 || Date.now() > until) return left
      await setTimeout(5)
    }
  }
}

const handles = (): readonly string[] =>
  process.getActiveResourcesInfo().filter((name) => HANDLES.has(name))

const listeners = (emitter: EventEmitter): readonly string[] =>
  SIGNALS.flatMap((name) => emitter.listeners(name).map(() => `a listener of ${name}`))

/** Items that occur more often in the first list than in the second. */
function more(now: readonly string[], before: readonly string[]): readonly string[] {
  const rest = [...before]
  return now.filter((name) => {
    const at = rest.indexOf(name)
    if (at !== -1) rest.splice(at, 1)
    return at === -1
  })
}
