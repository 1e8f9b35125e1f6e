import { Presets, SingleBar } from 'cli-progress'
import type { AddProgress } from '@echelon/knowledge'
import { clean, cut } from '../terminal/clean.ts'
import type { Io } from '../io.ts'

/** Progress of adding documents: a bar on a terminal, elsewhere one line per tenth. */
export interface AddBar {
  readonly show: (progress: AddProgress) => void
  readonly stop: () => void
}

/** Shows nothing. */
export const NO_BAR: AddBar = { show: () => undefined, stop: () => undefined }

export const addBar = (io: Io): AddBar => (io.stderr.isTTY ? terminalBar(io) : plainLines(io))

function terminalBar(io: Io): AddBar {
  const bar = new SingleBar(
    {
      format: '{bar} {value}/{total} · {source}',
      stream: io.stderr,
      barsize: 30,
      clearOnComplete: true,
      hideCursor: true,
      // The command handles signals itself and stops the bar.
      gracefulExit: false,
    },
    Presets.shades_classic,
  )
  return {
    show: ({ done, total, source = '' }) =>
      done === 0
        ? bar.start(total, 0, { source })
        : bar.update(done, { source: cut(clean(source), NAME_WIDTH) }),
    stop: () => bar.stop(),
  }
}

const NAME_WIDTH = 40
const LINES = 10

function plainLines(io: Io): AddBar {
  return {
    show({ done, total }) {
      const isTenth = Math.floor((done * LINES) / total) > Math.floor(((done - 1) * LINES) / total)
      if (done > 0 && total >= LINES && isTenth) {
        io.stderr.write(`${done} of ${total} documents\n`)
      }
    },
    stop: () => undefined,
  }
}
