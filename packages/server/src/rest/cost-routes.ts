import { dayOf } from '../access/spending.ts'
import { HttpProblem } from '../http/problem.ts'
import type { ServerContext } from '../http/server-context.ts'
import { type Api, endpoint, none } from './endpoint.ts'
import { costQuery, costReport } from './schemas.ts'

const DAY_MS = 86_400_000
const DAYS = 30
const MOST_DAYS = 366

/** The costs of the user's runs; an operator sees those of all users. */
export function costRoutes(api: Api, { clock, costs, spending }: ServerContext): void {
  endpoint(api, {
    method: 'get',
    path: '/costs',
    tag: 'Costs',
    summary: 'Sum up what runs cost, by day, agent, model or user',
    query: costQuery,
    body: none,
    answers: { 200: costReport },
    async handle(c, { query }) {
      const now = clock.now()
      const { by = 'day', until = dayOf(now) } = query
      const { since = dayOf(Date.parse(until) - (DAYS - 1) * DAY_MS) } = query
      const days = (Date.parse(until) - Date.parse(since)) / DAY_MS + 1
      if (!(days >= 1 && days <= MOST_DAYS)) {
        throw new HttpProblem(400, 'invalid_input', `ask for 1 to ${MOST_DAYS} days`)
      }
      const { name, usdPerDay = null, isOperator = false } = c.get('principal')
      const listed = Array.from({ length: days }, (_, index) =>
        dayOf(Date.parse(since) + index * DAY_MS),
      )
      const sums = await costs.sum(listed, { by, user: isOperator ? undefined : name })
      const today = { ...(await spending.spentOn(name, now)), limit: usdPerDay }
      return c.json({ by, since, until, ...sums, today })
    },
  })
}
