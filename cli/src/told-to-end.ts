/** What tells a process to end, with the exit status of one that did: 128 and the signal's number. */
const STATUS = { SIGTERM: 143, SIGHUP: 129 } as const

type Cause = keyof typeof STATUS

const CAUSES: readonly Cause[] = ['SIGTERM', 'SIGHUP']

const controller = new AbortController()
let cause: Cause | undefined
let heeding = 0

/** Aborted when somebody who heeds it was told to end: by SIGTERM, or by a terminal that was closed. */
export const ending: AbortSignal = controller.signal

/** The exit status of a process that was told to end; nothing where it was not. */
export const endingStatus = (): number | undefined =>
  cause === undefined ? undefined : STATUS[cause]

/**
 * Has the signals abort `ending` instead of killing the process, until this is disposed of. A second
 * signal kills it all the same.
 */
export function heedEnding(): Disposable {
  if (heeding++ === 0) for (const signal of CAUSES) process.on(signal, tellToEnd)
  let isOver = false
  return {
    [Symbol.dispose]() {
      if (isOver) return
      isOver = true
      if (--heeding === 0) for (const signal of CAUSES) process.off(signal, tellToEnd)
    },
  }
}

function tellToEnd(signal: NodeJS.Signals): void {
  const told = signal === 'SIGHUP' ? 'SIGHUP' : 'SIGTERM'
  if (cause !== undefined) process.exit(STATUS[cause])
  cause = told
  controller.abort()
}

/** The terminal is gone: it may be written to before the signal arrives. */
export function loseTerminal(): void {
  if (heeding === 0) process.exit(STATUS.SIGHUP)
  if (cause === undefined) tellToEnd('SIGHUP')
}
