import type { RunEvent } from 'echelon/runtime'
import { clean, widthOf } from './clean.ts'

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

const columns = (): number => widthOf(process.stdout, 80)

/** @param quiet prints no lines: stdout belongs to the result alone */
export async function createProgress({ quiet }: { readonly quiet: boolean }): Promise<Progress> {
  // Signals are the command's: the spinner's own handler would leave before the run has ended.
  const spinner = process.stderr.isTTY
    ? (await import('yocto-spinner')).default({ stream: process.stderr, handleSignals: false })
    : undefined
  const wrapped = process.stdout.isTTY ? (await import('./markdown/wrap.ts')).wrapLines : asGiven
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
      process.stdout.write(`${wrapped(line, columns())}\n`)
      if (wasSpinning) spinner.start()
    },
    say(text) {
      if (spinner?.isSpinning === true) spinner.text = text
      else process.stderr.write(`${text}\n`)
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
