import type { Io } from '../io.ts'
import type { Display, DisplayOptions } from './display.ts'
import { pipeDisplay } from './pipe-display.ts'
import { TerminalDisplay } from './terminal-display.ts'

/** Uses the terminal if input and output are one and no JSON is wanted, else pipes. */
export const openDisplay = (io: Io, options: DisplayOptions): Display =>
  options.json !== true && io.stdin.isTTY === true && io.stdout.isTTY === true
    ? new TerminalDisplay(io, options.approve)
    : pipeDisplay(io, options)
