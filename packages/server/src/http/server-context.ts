import type { Hono } from 'hono'
import type { Redactor } from 'echelon/internal/redaction'
import type { Clock, Ids, JsonObject } from 'echelon/runtime'
import type { CostBook } from '../access/cost-book.ts'
import type { Principal } from '../access/principal.ts'
import type { Spending } from '../access/spending.ts'
import type { Metrics } from './metrics.ts'
import type { Evaluations } from '../evaluations/evaluations.ts'
import type { TuneSets } from '../rest/tune-routes.ts'
import type { RunHub } from '../runs/run-hub.ts'
import type { ServerStore } from '../runs/server-store.ts'
import type { HttpProblem } from './problem.ts'

/** Variables of a request after authentication. */
export interface Env {
  Variables: { principal: Principal }
}

export type App = Hono<Env>

/** The services that a protocol receives. */
export interface ServerContext {
  readonly hub: RunHub
  readonly store: ServerStore
  readonly clock: Clock
  readonly ids: Ids
  readonly spending: Spending
  readonly costs: CostBook
  readonly metrics: Metrics
  /** Absent without data sets. */
  readonly evaluations: Evaluations | undefined
  /** Absent without recorded answers. */
  readonly tuneSets: TuneSets | undefined
  /** Why it takes no runs at the moment; `undefined` while it does. */
  readonly problem: () => string | undefined
  /** The version of the packages. */
  readonly version: string
  /** The address under which clients reach the server, without a slash at the end. */
  readonly baseUrl: (request: Request) => string
  /** Hides secrets and personal data from those who look into a run. */
  readonly redact: Redactor
  /** Writes one line to the server's log, redacted. Never a prompt or an answer. */
  readonly log: (line: string) => void
}

/** A protocol: one folder, with its mapping table and its routes. */
export interface Protocol {
  readonly name: string
  /** Adds its routes. All are behind authentication, except those of `open`. */
  mount(app: App, context: ServerContext): void
  /** Paths that need no token, such as a public card. `*` is anything at the end, elsewhere one segment. */
  readonly open?: readonly string[]
  /**
   * A refusal in the protocol's own form, such as of a request without a token; `undefined` for a path
   * of others.
   */
  refusal?(problem: HttpProblem, path: string): JsonObject | undefined
}
