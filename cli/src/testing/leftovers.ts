import type { EventEmitter } from 'node:events'
import { setTimeout } from 'node:timers/promises'

/** What keeps a process alive that a command should have ended. */
const HANDLES: ReadonlySet<string> = new Set(['Timeout', 'ProcessWrap', 'FSEventWrap'])

/** By signal; workers of tools stay warm between commands and are ended at exit, for which they listen. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection'] as const

/** How long what a command has ended may take to be gone, as a process would wait for it. */
const MOST_MS = 2000

/**
 * Watches what a command leaves behind in this process.
 * @returns names what is still left: listeners of signals, timers, child processes
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

/** What the first list has more often than the second. */
function more(now: readonly string[], before: readonly string[]): readonly string[] {
  const rest = [...before]
  return now.filter((name) => {
    const at = rest.indexOf(name)
    if (at !== -1) rest.splice(at, 1)
    return at === -1
  })
}
