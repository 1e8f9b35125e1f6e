import { globSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Metrics, type PlannedRun, type RunTrace, writtenMetrics } from 'echelon/evals'
import { replaceFile } from '../replace-file.ts'
import { makeFolder, written } from '../out-folder.ts'
import { openTrace } from '../run/trace-file.ts'

/** The folder of an evaluation: `metrics.json`, and a `trace.jsonl` for each case. */
export interface OutFolder {
  /** Trace of one run; replaces a trace of that name from an earlier evaluation. */
  traceOf(run: PlannedRun): RunTrace
  writeMetrics(metrics: Metrics): string
  /** Files that could not be written, as sentences. */
  readonly problems: ReadonlySet<string>
}

/** @throws EchelonError INVALID_CONFIG if the folder cannot be created */
export function outFolder(folder: string): OutFolder {
  const problems = new Set<string>()
  makeFolder(folder)
  const own = new Set<string>()
  let isMeasured = false
  return {
    problems,
    traceOf(run) {
      const place = join(folder, 'cases', run.asked.id)
      makeFolder(place)
      own.add(join('cases', run.asked.id, traceName(run)))
      const trace = openTrace(join(place, traceName(run)), { replace: true })
      return {
        write: (entry) => trace.write(entry),
        end(record) {
          // Earlier results stay until there is at least one new one.
          if (!isMeasured) removeEarlier(folder, own)
          isMeasured = true
          trace.write({ kind: 'result', case: run.asked.id, ...record })
          const problem = trace.close()
          if (problem !== undefined) problems.add(problem)
        },
      }
    },
    writeMetrics(metrics) {
      const path = join(folder, 'metrics.json')
      return written(path, () => {
        // Written atomically: a comparison must not read half a file.
        replaceFile(path, writtenMetrics(metrics), 0o600)
        return path
      })
    },
  }
}

/** Removes results of an earlier evaluation, which would look like results of this one. */
function removeEarlier(folder: string, own: ReadonlySet<string>): void {
  const traces = globSync('cases/*/trace*.jsonl', { cwd: folder }).filter((file) => !own.has(file))
  for (const file of ['metrics.json', ...traces]) {
    written(join(folder, file), () => rmSync(join(folder, file), { force: true }))
  }
}

/** `trace.jsonl` for the first round; later rounds and the latency run have a suffix. */
function traceName({ purpose, round }: PlannedRun): string {
  if (purpose === 'latency') return 'trace-latency.jsonl'
  return round === 1 ? 'trace.jsonl' : `trace-${round}.jsonl`
}
