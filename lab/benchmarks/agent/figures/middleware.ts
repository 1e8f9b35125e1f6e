import { defineMiddleware } from '../../../../packages/echelon/src/core/extension/define-middleware.ts'
import type { Middleware } from '../../../../packages/echelon/src/core/extension/defined-middleware.ts'
import { userMessage } from '../../../../packages/echelon/src/core/message/thread.ts'
import type { BarName, Measured } from '../bars.ts'
import { adder } from '../contestant.ts'
import { echelon } from '../echelon.ts'
import { median, race } from '../measure.ts'
import { ANSWER, looping } from '../model.ts'

const MIDDLEWARES = 10
const STEPS = 10
/** Model calls and tool calls of a run. */
const CALLS = STEPS + 1 + STEPS

/** Ten pass-through middleware against none, in whole runs. */
export const middleware = (): Promise<readonly Measured[]> =>
  perMiddleware('middleware', CALLS, (index, hooked) =>
    defineMiddleware({
      name: `middleware${index}`,
      generate: (call, next) => {
        hooked()
        return next(call)
      },
      tool: (call, next) => {
        hooked()
        return next(call)
      },
    })(),
  )

const ADDED = userMessage('The office is closed on Friday.')

/** Ten filters that each append a message, against none. */
export const filter = (): Promise<readonly Measured[]> =>
  perMiddleware('filter', STEPS + 1, (index, hooked) =>
    defineMiddleware({
      name: `filter${index}`,
      prompt: (prompt, next) => {
        hooked()
        return next({ ...prompt, tail: [...prompt.tail, ADDED] })
      },
    })(),
  )

async function perMiddleware(
  bar: BarName,
  calls: number,
  make: (index: number, hooked: () => void) => Middleware,
): Promise<readonly Measured[]> {
  let hooks = 0
  const middlewares = Array.from({ length: MIDDLEWARES }, (_, index) => make(index, () => hooks++))
  const setup = () => ({ model: looping({ steps: STEPS, tool: 'add' }), tool: adder() })
  const without = echelon.prepare(setup())
  const within = echelon.prepare({ ...setup(), middlewares })
  const answer = await within.run('go')
  if (answer !== ANSWER || hooks !== MIDDLEWARES * calls) {
    throw new Error(
      `${bar}: the run came to ${answer} after ${hooks} hooks, not ${MIDDLEWARES * calls}`,
    )
  }
  const times = await race([
    { name: 'within', once: () => within.run('go') },
    { name: 'without', once: () => without.run('go') },
  ])
  const differences = times.within.map((time, round) => time - (times.without[round] ?? NaN))
  return [{ bar, echelon: median(differences) / MIDDLEWARES / calls }]
}
