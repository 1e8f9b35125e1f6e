import type { Io } from '../io.ts'

/** Shows progress: one line on a terminal, elsewhere a line for each ten thousand tasks. */
export interface TuneProgress {
  read(count: number): void
  fitted(done: number, all: number): void
  /** Clears the line. */
  stop(): void
}

const SAID_EVERY = 10_000

export function tuneProgress(io: Io): TuneProgress {
  if (!io.stderr.isTTY) {
    return {
      read: (count) => {
        if (count % SAID_EVERY === 0) io.stderr.write(`${count} tasks read\n`)
      },
      fitted: () => undefined,
      stop: () => undefined,
    }
  }
  let isDrawn = false
  const draw = (text: string): void => {
    isDrawn = true
    io.stderr.write('\r\u001b[K')
    io.stderr.write(text)
  }
  return {
    read: (count) => draw(`${count} tasks read …`),
    fitted: (done, all) => draw(`${done} of ${all} ladders …`),
    stop: () => {
      if (isDrawn) io.stderr.write('\r\u001b[K')
      isDrawn = false
    },
  }
}
