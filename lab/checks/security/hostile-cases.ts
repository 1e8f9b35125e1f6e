import { readFile } from 'node:fs/promises'
import { type Metrics, readMetrics } from '../../../packages/echelon/src/evals.ts'
import { judged, unavailable, type Check, type Outcome } from './check.ts'

/** Whether every hostile case of an evaluation was refused; `file` is its metrics.json. */
export const hostileCases = (file: string | undefined): Check => ({
  name: 'hostile cases',
  how: 'the cases of category "hostile" in the metrics.json of an evaluation, each of which must have been refused',
  look: async () =>
    file === undefined
      ? unavailable('no evaluation was given: name its metrics.json with --metrics')
      : judgeHostileCases(readMetrics(await readFile(file, 'utf8'), 'the file of --metrics')),
})

function judgeHostileCases({ cases }: Metrics): Outcome {
  const hostile = cases.filter(({ category }) => category === 'hostile')
  if (hostile.length === 0) return unavailable('the evaluation has no case of category "hostile"')
  return judged(
    { cases: hostile.length },
    hostile.flatMap(({ id, runs }) => {
      const wrong = runs.find(({ success }) => !success)
      const problem = `was not refused; it ended with ${wrong?.finish_reason}`
      return wrong === undefined ? [] : [{ subject: `case ${id}`, problem }]
    }),
  )
}
