import type { Io } from '../io.ts'

/** A cancel signal from outside the run. */
export interface Interrupt {
  readonly signal: AbortSignal
  readonly release: () => void
}

/**
 * Cancels the run on the first Ctrl-C and exits on the second. SIGTERM and SIGHUP (a closed terminal)
 * count as Ctrl-C.
 * @param leave suspends a run that waits for a person, so that it can be resumed elsewhere. @returns
 * whether it did; otherwise the run is canceled
 */
export function cancelOnInterrupt(
  io: Io,
  say: (text: string) => void,
  leave: () => boolean = () => false,
): Interrupt {
  const controller = new AbortController()
  let isLeft = false
  const onInterrupt = (): void => {
    if (controller.signal.aborted || isLeft) return io.exit(130)
    isLeft = leave()
    if (isLeft) return
    say('canceling …')
    controller.abort()
  }
  const onEnding = (): void => {
    if (controller.signal.aborted || leave()) return
    controller.abort()
    // Deferred until a prompt has left its line.
    queueMicrotask(() => say('asked to stop: canceling …'))
  }
  const { signal: ending } = io.ending
  const heed = io.ending.heed()
  io.signals.on('SIGINT', onInterrupt)
  ending.addEventListener('abort', onEnding)
  if (ending.aborted) controller.abort()
  return {
    signal: controller.signal,
    release() {
      io.signals.off('SIGINT', onInterrupt)
      ending.removeEventListener('abort', onEnding)
      heed[Symbol.dispose]()
    },
  }
}
