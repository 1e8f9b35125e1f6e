import type { CaseResult } from 'echelon/decide'
import pc from 'picocolors'
import { clean, cleanLines, cut } from '../terminal/clean.ts'
import type { PicturedRun } from './picture.ts'
import type { ReplayedFile } from './replayed-file.ts'
import { describeStep } from './show-step.ts'
import { verdictOf } from '../terminal/show-case.ts'
import type { Io } from '../io.ts'

/** Line width without a terminal. */
const COLUMNS = 140

/** Formats a recording: its runs, step by step. */
export function describeRuns(
  io: Pick<Io, 'stdout'>,
  { record, about, runs, result }: ReplayedFile,
  { until = Infinity }: { readonly until?: number },
): string {
  const columns = (io.stdout.columns ?? COLUMNS) - 1
  const shown = runs.flatMap((run) => {
    const steps = stepsUpTo(run, until)
    const began = run === runs[0] || steps.length > 0
    return began ? describeRun({ ...run, steps }, columns, steps.length === run.steps.length) : []
  })
  const isWhole = runs.at(-1)?.steps.every(({ n = 0 }) => n <= until) ?? false
  if (isWhole && result !== undefined) shown.splice(-1, 0, describeAnswer(result, columns))
  const what = about === undefined ? 'recorded by a program' : about.command
  return [`${pc.bold(clean(record.path))} ${pc.dim(`· ${what}`)}`, '', ...shown].join('\n')
}

function describeAnswer(result: CaseResult, columns: number): string {
  const text = cut(clean(result.answer ?? 'no answer'), columns - 32)
  const verdict = result.verified ? pc.green('verified') : pc.yellow(verdictOf(result))
  return `     ${pc.bold(text)} ${verdict}`
}

/** Steps up to a number, with the sub-agent steps that belong to them. */
function stepsUpTo({ steps }: PicturedRun, until: number): PicturedRun['steps'] {
  const beyond = steps.findIndex(({ n }) => n !== undefined && n > until)
  const last = steps.findLastIndex(({ n }) => n !== undefined && n <= until)
  return beyond < 0 ? steps : steps.slice(0, last + 1)
}

function describeRun(run: PicturedRun, columns: number, isWhole: boolean): readonly string[] {
  const { agent, input, steps, end } = run
  const ended =
    end === undefined ? pc.yellow('the recording is cut off here') : pc.dim(`ends: ${clean(end)}`)
  return [
    `${pc.cyan(clean(agent))} ${cut(clean(input), columns - agent.length - 1)}`,
    ...steps.map((step) => describeStep(step, columns)),
    ...(isWhole ? [`     ${ended}`] : []),
    '',
  ]
}

/** Whether the replay matches the recording, in one or a few sentences. */
export function describeLikeness({ likeness, problem, runs }: ReplayedFile): string {
  const parted = problem === undefined ? [] : [pc.yellow(cleanLines(problem))]
  switch (likeness?.type) {
    case undefined:
      return 'shown as recorded, not run again: only the program that made it can do that (replayRecording)'
    case 'exact':
      return `${pc.green('exact')}: replayed from the recording alone, with the same result, events and journal`
    case 'breaks-off':
      return [
        `${pc.yellow('cut off')}: the recording was interrupted; up to there the replay is identical`,
        ...parted,
      ].join('\n')
    case 'parted': {
      const { run, seq, message } = likeness
      const step = runs
        .find(({ id }) => id === run)
        ?.steps.find((one) => one.path === '' && one.seq === seq)?.n
      const where = step === undefined ? 'before its first step' : `at step ${step}`
      return [`${pc.red('differs')} ${where}: ${cleanLines(message)}`, ...parted].join('\n')
    }
  }
}
