import { barOn, isTenth } from '../terminal/bar.ts'
import type { Io } from '../io.ts'

/** Progress of an evaluation: a bar on a terminal, elsewhere one line per tenth. */
export interface ProgressBar {
  /** Counts one more finished run. */
  step(counts: { readonly right: number; readonly cost: number }): void
  stop(): void
}

export function progressBar(io: Io, total: number): ProgressBar {
  return io.stderr.isTTY ? terminalBar(io, total) : plainLines(io, total)
}

function terminalBar(io: Io, total: number): ProgressBar {
  const bar = barOn(io, '{bar} {value}/{total} · {right} right · {cost} · {eta_formatted} left')
  bar.start(total, 0, { right: 0, cost: '$0' })
  return {
    step: ({ right, cost }) => bar.increment({ right, cost: `$${Number(cost.toPrecision(3))}` }),
    stop: () => bar.stop(),
  }
}

function plainLines(io: Io, total: number): ProgressBar {
  let done = 0
  return {
    step({ right }) {
      done++
      if (isTenth(done, total)) io.stderr.write(`${done} of ${total} runs, ${right} right\n`)
    },
    stop: () => undefined,
  }
}
