import type { Io } from '../io.ts'

/** What cancels a run from outside. */
export interface Interrupt {
  readonly signal: AbortSignal
  readonly release: () => void
}

/**
 * The first Ctrl-C ends the run with what there is, the second leaves at once. So does a process that
 * is told to end (SIGTERM), or whose terminal is closed (SIGHUP).
 * @param leave lets go of a run that waits for a person and can go on elsewhere. @returns whether it
 * did: the run is canceled otherwise
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
    // A prompt is off its line by then.
    queueMicrotask(() => say('told to end: canceling …'))
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
