/** Ctrl-C, as a signal that a run can be canceled by. */
export interface Interrupt {
  readonly signal: AbortSignal
  readonly release: () => void
}

/** The first Ctrl-C ends the run with what there is, the second leaves at once. */
export function cancelOnInterrupt(say: (text: string) => void): Interrupt {
  const controller = new AbortController()
  const onInterrupt = (): void => {
    if (controller.signal.aborted) process.exit(130)
    say('canceling …')
    controller.abort()
  }
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onInterrupt)
  return {
    signal: controller.signal,
    release() {
      process.off('SIGINT', onInterrupt)
      process.off('SIGTERM', onInterrupt)
    },
  }
}
