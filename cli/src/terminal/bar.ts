import { Presets, SingleBar } from 'cli-progress'
import type { Io } from '../io.ts'

/** A progress bar on standard error. */
export const barOn = ({ stderr }: Io, format: string): SingleBar =>
  new SingleBar(
    {
      format,
      stream: stderr,
      barsize: 30,
      clearOnComplete: true,
      hideCursor: true,
      // The command handles signals itself and stops the bar.
      gracefulExit: false,
    },
    Presets.shades_classic,
  )

/** Lines that are printed instead of the bar without a terminal. */
export const LINES = 10

/** Whether this step completes a tenth of the total. */
export const isTenth = (done: number, total: number): boolean =>
  Math.floor((done * LINES) / total) > Math.floor(((done - 1) * LINES) / total)
