import type { Protocol } from '../http/server-context.ts'
import { OpenApi } from './open-api.ts'
import { statusRoutes } from './status-routes.ts'

/** Health, readiness and metrics alone, for a process that takes no requests, such as a worker. */
export const statusApi: Protocol = {
  name: 'status',
  open: ['/healthz', '/readyz'],
  mount(app, context) {
    statusRoutes({ app, document: new OpenApi() }, context)
  },
}
