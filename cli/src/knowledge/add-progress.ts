import type { AddProgress } from '@echelon/knowledge'
import { barOn, isTenth, LINES } from '../terminal/bar.ts'
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
  const bar = barOn(io, '{bar} {value}/{total} · {source}')
  return {
    show: ({ done, total, source = '' }) =>
      done === 0
        ? bar.start(total, 0, { source })
        : bar.update(done, { source: cut(clean(source), NAME_WIDTH) }),
    stop: () => bar.stop(),
  }
}

const NAME_WIDTH = 40
function plainLines(io: Io): AddBar {
  return {
    show({ done, total }) {
      if (done > 0 && total >= LINES && isTenth(done, total)) {
        io.stderr.write(`${done} of ${total} documents\n`)
      }
    },
    stop: () => undefined,
  }
}
