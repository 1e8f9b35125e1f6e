import { Presets, SingleBar } from 'cli-progress'
import type { Io } from '../io.ts'

/** Progress of an evaluation: a bar on a terminal, elsewhere one line per tenth. */
export interface ProgressBar {
  /** Counts one more finished run. */
  step(counts: { readonly right: number; readonly cost: number }): void
  stop(): void
}

const LINES = 10

export function progressBar(io: Io, total: number): ProgressBar {
  return io.stderr.isTTY ? terminalBar(io, total) : plainLines(io, total)
}

function terminalBar(io: Io, total: number): ProgressBar {
  const bar = new SingleBar(
    {
      format: '{bar} {value}/{total} · {right} right · {cost} · {eta_formatted} left',
      stream: io.stderr,
      barsize: 30,
      clearOnComplete: true,
      hideCursor: true,
      // The command handles signals itself and stops the bar.
      gracefulExit: false,
    },
    Presets.shades_classic,
  )
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
      const isTenth = Math.floor((done * LINES) / total) > Math.floor(((done - 1) * LINES) / total)
      if (isTenth) io.stderr.write(`${done} of ${total} runs, ${right} right\n`)
    },
    stop: () => undefined,
  }
}
