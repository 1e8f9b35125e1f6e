import type { CaseOptions, CaseResult } from 'echelon/decide'
import { logRuns } from '@echelon/telemetry'
import { cancelOnInterrupt } from './cancel-on-interrupt.ts'
import { createProgress } from '../terminal/progress.ts'
import { logFor, type LogOptions } from './run-log.ts'
import { describeEntry, describeResult, errorIn } from '../terminal/show-case.ts'
import type { OpenedStore } from '../store/keep-store.ts'
import { openTrace } from './trace-file.ts'
import type { Io } from '../io.ts'

/** Options for showing a case. */
export interface CaseView extends LogOptions {
  readonly json?: true
  readonly trace?: string
  /** Whether the user asked for a certain answer or tools; then no hint is shown. */
  readonly isAsked: boolean
  /** Store of its events, if any. */
  readonly events?: OpenedStore['events'] | undefined
  /** Sentences to print at the end. */
  remarks(): readonly string[]
}

/** Case options that the display sets. */
export type Watching = Required<Pick<CaseOptions, 'signal' | 'onLog'>> & {
  readonly onEvent: Extract<CaseOptions['onEvent'], (...args: never[]) => void>
}

/** Shows a case step by step, then its result. Ctrl-C ends it with a partial result. */
export async function watchCase(
  io: Io,
  view: CaseView,
  work: (watching: Watching) => Promise<CaseResult>,
): Promise<CaseResult> {
  const log = await logFor(view)
  const logged = log && logRuns(log)
  const kept = view.events?.listener
  const progress = await createProgress(io, { quiet: view.json === true })
  const trace = view.trace === undefined ? undefined : openTrace(view.trace)
  let shown: string | undefined
  const interrupt = cancelOnInterrupt(io, (text) => progress.say(text))
  try {
    const result = await work({
      signal: interrupt.signal,
      onEvent: (event, run) => {
        progress.follow(event)
        logged?.hear(event, run)
        kept?.hear(event, run)
      },
      onLog(entry) {
        trace?.write(entry)
        const line = describeEntry(entry, shown)
        if (line !== undefined) progress.print(line)
        shown = errorIn(entry) ?? shown
      },
    })
    progress.stop()
    if (view.json) io.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
    else progress.print(describeResult(result, view.isAsked))
    return result
  } finally {
    progress.stop()
    interrupt.release()
    const incomplete = trace?.close()
    const said = [...(incomplete === undefined ? [] : [incomplete]), ...view.remarks()]
    for (const sentence of said) io.stderr.write(`echelon: ${sentence}\n`)
  }
}
