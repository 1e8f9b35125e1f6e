import { globSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EchelonError } from 'echelon/runtime'
import { type Metrics, type PlannedRun, type RunTrace, writtenMetrics } from 'echelon/evals'
import { replaceFile } from '../replace-file.ts'
import { openTrace } from '../run/trace-file.ts'

/** The folder of an evaluation: `metrics.json`, and a `trace.jsonl` for each case. */
export interface OutFolder {
  /** The trace of one run; what an earlier evaluation left under its name is replaced. */
  traceOf(run: PlannedRun): RunTrace
  writeMetrics(metrics: Metrics): string
  /** What could not be written, if anything. */
  readonly problems: ReadonlySet<string>
}

/** @throws EchelonError INVALID_CONFIG when the folder cannot be made */
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
          // Until a run has ended there is nothing to put in the place of what was measured before.
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
      return attempt(path, () => {
        // Complete or not at all: a comparison must not read half a file.
        replaceFile(path, writtenMetrics(metrics), 0o600)
        return path
      })
    },
  }
}

/** What an earlier evaluation left would be taken for this one's; nothing else is touched. */
function removeEarlier(folder: string, own: ReadonlySet<string>): void {
  const traces = globSync('cases/*/trace*.jsonl', { cwd: folder }).filter((file) => !own.has(file))
  for (const file of ['metrics.json', ...traces]) {
    attempt(join(folder, file), () => rmSync(join(folder, file), { force: true }))
  }
}

/** The first round is `trace.jsonl`; further ones, and the run for latency, are told apart. */
function traceName({ purpose, round }: PlannedRun): string {
  if (purpose === 'latency') return 'trace-latency.jsonl'
  return round === 1 ? 'trace.jsonl' : `trace-${round}.jsonl`
}

const makeFolder = (path: string): void =>
  attempt(path, () => void mkdirSync(path, { recursive: true, mode: 0o700 }))

function attempt<Result>(path: string, act: () => Result): Result {
  try {
    return act()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EchelonError(
      'INVALID_CONFIG',
      `${path} cannot be written (${reason}); choose another place with --out`,
      { cause },
    )
  }
}
