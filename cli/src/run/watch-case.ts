import type { CaseOptions, CaseResult, LogEntry } from 'echelon/decide'
import { logRuns } from '@echelon/telemetry'
import { cancelOnInterrupt } from './cancel-on-interrupt.ts'
import { createProgress, type Progress } from '../terminal/progress.ts'
import { logFor, type LogOptions } from './run-log.ts'
import { describeEntry, describeResult } from '../terminal/show-case.ts'
import type { OpenedStore } from '../store/keep-store.ts'
import { openTrace, type Trace } from './trace-file.ts'
import type { Io } from '../io.ts'

/** How a case is shown. */
export interface CaseView extends LogOptions {
  readonly json?: true
  readonly trace?: string
  /** Whether nothing is to be said of how a better answer is had. */
  readonly isAsked: boolean
  /** Where its events are kept, if they are. */
  readonly events?: OpenedStore['events'] | undefined
  /** What is said when it is over. */
  remarks(): readonly string[]
}

/** What a case is told by whoever shows it. */
export type Watching = Required<Pick<CaseOptions, 'signal' | 'onLog'>> & {
  readonly onEvent: Extract<CaseOptions['onEvent'], (...args: never[]) => void>
}

/** Shows a case as it is decided, and its result. Ctrl-C ends it with what there is. */
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
  const interrupt = cancelOnInterrupt(io, (text) => progress.say(text))
  try {
    const result = await work({
      signal: interrupt.signal,
      onEvent: (event, run) => {
        progress.follow(event)
        logged?.hear(event, run)
        kept?.hear(event, run)
      },
      onLog: (entry) => show(entry, progress, trace),
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

function show(entry: LogEntry, progress: Progress, trace: Trace | undefined): void {
  trace?.write(entry)
  const line = describeEntry(entry)
  if (line !== undefined) progress.print(line)
}
