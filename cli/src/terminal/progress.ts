import type { RunEvent } from 'echelon/runtime'
import { clean, widthOf } from './clean.ts'
import type { Io } from '../io.ts'

/** Display of a running run: permanent lines, and on a terminal a spinner below them. */
export interface Progress {
  /** Shows the next action of the run. */
  follow(event: RunEvent): void
  /** Prints a permanent line. */
  print(line: string): void
  /** Prints a note on stderr. */
  say(text: string): void
  stop(): void
}

const columns = (io: Io): number => widthOf(io.stdout, 80)

/** @param quiet prints no lines, because stdout is for the result only */
export async function createProgress(
  io: Io,
  { quiet }: { readonly quiet: boolean },
): Promise<Progress> {
  // The command handles signals; the spinner's handler would exit before the run has ended.
  const spinner = io.stderr.isTTY
    ? (await import('yocto-spinner')).default({ stream: io.stderr, handleSignals: false })
    : undefined
  const wrapped = io.stdout.isTTY ? (await import('../markdown/wrap.ts')).wrapLines : asGiven
  return {
    follow(event) {
      const text = doing(event)
      if (spinner === undefined || text === undefined) return
      spinner.text = text
      if (!spinner.isSpinning) spinner.start()
    },
    print(line) {
      if (quiet) return
      const wasSpinning = spinner?.isSpinning === true
      if (wasSpinning) spinner.stop()
      io.stdout.write(`${wrapped(line, columns(io))}\n`)
      if (wasSpinning) spinner.start()
    },
    say(text) {
      if (spinner?.isSpinning === true) spinner.text = text
      else io.stderr.write(`${text}\n`)
    },
    stop() {
      if (spinner?.isSpinning === true) spinner.stop()
    },
  }
}

const asGiven = (line: string): string => line

function doing(event: RunEvent): string | undefined {
  if (event.type === 'retry-wait') {
    return `${clean(event.problem.message)}; again in ${(event.waitMs / 1000).toFixed(1)} s`
  }
  if (event.type !== 'step-start') return undefined
  const who = event.actor === 'verifier' ? 'checking with' : 'running'
  return event.effect === 'generate'
    ? `asking ${event.targets.join(', ')}`
    : `${who} ${event.targets.join(', ')}`
}
