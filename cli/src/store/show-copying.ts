import yoctoSpinner from 'yocto-spinner'
import type { Io } from '../io.ts'

/** Progress of a copy, in pages or rows. */
interface Copying {
  readonly done: number
  readonly total: number
}

/** Shorter copies show no progress. */
const QUIET_MS = 500

/** Shows progress: continuously on a terminal, elsewhere one line per tenth. */
export function showCopying(io: Io): {
  readonly follow: (progress: Copying) => void
  readonly stop: () => void
} {
  const began = performance.now()
  const spinner = io.stderr.isTTY
    ? yoctoSpinner({ stream: io.stderr, handleSignals: false })
    : undefined
  let shown = 0
  return {
    follow({ done, total }) {
      if (performance.now() - began < QUIET_MS) return
      const tenth = Math.floor((done * 10) / total)
      if (spinner !== undefined) {
        spinner.text = `copied ${Math.floor((done * 100) / total)} %`
        if (!spinner.isSpinning) spinner.start()
      } else if (tenth > shown) io.stderr.write(`copied ${tenth * 10} %\n`)
      shown = tenth
    },
    stop() {
      if (spinner?.isSpinning === true) spinner.stop()
    },
  }
}
