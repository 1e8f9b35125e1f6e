import type { RunEvent } from 'echelon/runtime'
import { clean, widthOf } from './clean.ts'
import type { Io } from '../io.ts'

/** What a person sees while a run works: lines that stay, and on a terminal a spinner below them. */
export interface Progress {
  /** Shows what the run is about to do. */
  follow(event: RunEvent): void
  /** Prints a line that stays. */
  print(line: string): void
  /** Says something to the person that is no part of the output. */
  say(text: string): void
  stop(): void
}

const columns = (io: Io): number => widthOf(io.stdout, 80)

/** @param quiet prints no lines: stdout belongs to the result alone */
export async function createProgress(
  io: Io,
  { quiet }: { readonly quiet: boolean },
): Promise<Progress> {
  // Signals are the command's: the spinner's own handler would leave before the run has ended.
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
