import type { Io } from '../io.ts'

export interface Stoppable {
  /** Lets go of its runs. */
  readonly stop: () => Promise<void>
  /** Called once signals are heeded. */
  readonly told: () => void
}

/** Returns when a server or worker has suspended its runs. A second signal ends the process at once. */
export async function untilStopped(io: Io, { stop, told }: Stoppable): Promise<void> {
  const { signal: ending } = io.ending
  using _heed = io.ending.heed()
  const asked = Promise.withResolvers<void>()
  let isAsked = false
  const ask = (): void => {
    if (isAsked) return io.exit(130)
    isAsked = true
    asked.resolve()
  }
  const end = (): void => asked.resolve()
  io.signals.on('SIGINT', ask)
  ending.addEventListener('abort', end, { once: true })
  if (ending.aborted) end()
  try {
    told()
    await asked.promise
    io.stderr.write('stopping: runs are suspended …\n')
    await stop()
  } finally {
    io.signals.off('SIGINT', ask)
    ending.removeEventListener('abort', end)
  }
}
