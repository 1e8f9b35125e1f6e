import type { Context } from 'hono'
import type { FigureView, TuneView } from 'echelon/client'
import type { PolicyFigures, TuneReport } from 'echelon/evals'
import { HttpProblem, notFound } from '../http/problem.ts'
import type { Env, ServerContext } from '../http/server-context.ts'
import { type Api, endpoint, none } from './endpoint.ts'
import { tuneSetList, tuneView } from './evaluation-schemas.ts'

/** Sets of recorded answers, with what `echelon tune` finds in them. */
export interface TuneSets {
  /** Names of the sets. */
  list(): Promise<readonly string[]>
  /** @throws EchelonError INVALID_INPUT for a set that cannot be used */
  report(name: string): Promise<TuneReport>
}

/** The frontier of cost against accuracy of recorded answers. For operators. */
export function tuneRoutes(api: Api, { tuneSets }: ServerContext): void {
  const allowed = (c: Context<Env>): TuneSets => {
    if (c.get('principal').isOperator !== true) {
      throw new HttpProblem(403, 'operators_only', 'only operators may do this')
    }
    if (tuneSets === undefined) {
      throw new HttpProblem(404, 'no_traces', 'this server has no folder of recorded answers')
    }
    return tuneSets
  }
  endpoint(api, {
    method: 'get',
    path: '/tune',
    tag: 'Evaluations',
    summary: 'List the sets of recorded answers; for operators',
    query: none,
    body: none,
    answers: { 200: tuneSetList },
    errors: [403, 404],
    handle: async (c) => c.json({ sets: await allowed(c).list() }),
  })
  endpoint(api, {
    method: 'get',
    path: '/tune/{name}',
    tag: 'Evaluations',
    summary: 'Read accuracy and cost at each threshold of recorded answers; for operators',
    query: none,
    body: none,
    answers: { 200: tuneView },
    errors: [403, 404],
    async handle(c) {
      const [sets, name] = [allowed(c), c.req.param('name') ?? '']
      if (!(await sets.list()).includes(name)) throw notFound(`set of recorded answers ${name}`)
      return c.json(viewOf(name, await sets.report(name)))
    },
  })
}

const viewOf = (
  name: string,
  { halves, price, ladders, frontier, proposal }: TuneReport,
): TuneView => ({
  name,
  tasks: { fit: halves.fit.tasks, test: halves.test.tasks },
  price,
  ladders: ladders
    .filter(({ curve }) => curve.length > 0)
    .map(({ models, curve }) => ({
      models,
      points: curve.map(({ threshold, figures }) => ({
        threshold,
        accuracy: figureOf(figures.accuracy),
        cost: figureOf(figures.cost),
        escalated: figures.escalated.value,
        asked_last: figures.asked_last,
        wrong_accepts: figures.wrong_accepts.value,
      })),
    })),
  frontier,
  proposal: proposal && { models: proposal.models, threshold: proposal.threshold },
})

const figureOf = ({ value, low, high }: PolicyFigures['accuracy']): FigureView => ({
  value,
  low,
  high,
})
