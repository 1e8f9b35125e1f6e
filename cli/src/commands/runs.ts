import { Command } from 'commander'
import type { ExitStatus } from '../exit-status.ts'
import type { Io } from '../io.ts'
import { cancelRun } from './runs/cancel-run.ts'
import { answerRun, forkRun, resumeRun } from './runs/continue-run.ts'
import { listRuns } from './runs/list-runs.ts'
import { pruneRuns } from './runs/prune-runs.ts'
import { actor } from './runs/run-command.ts'
import { showRun } from './runs/show-run.ts'

const AFTERWORD = `
<run> is a run id, the first characters of one, or last: the newest unfinished run,
or else the newest run.
If your own program started the run, answer it with --later.
The full text is shown: personal data is not hidden, the configured API keys are.

Exit status: 0 done (resume, answer, fork: the answer is verified or complete), 1 the run ended
otherwise or data is damaged, 2 bad usage or no such run, 3 the run waits for an answer.`

/** `echelon runs`: shows stored runs and acts on them. */
export function runsCommand(io: Io, finish: (status: ExitStatus) => void): Command {
  const act = actor(io, finish)
  return new Command('runs')
    .description('list, show, answer, resume, cancel, fork and prune stored runs')
    .addHelpText('afterAll', AFTERWORD)
    .addCommand(listRuns(io, act))
    .addCommand(showRun(io, act))
    .addCommand(answerRun(io, act))
    .addCommand(resumeRun(io, act))
    .addCommand(cancelRun(io, act))
    .addCommand(forkRun(io, act))
    .addCommand(pruneRuns(io, act))
}
