import type { Protocol } from '../http/server-context.ts'
import { agentRoutes } from './agent-routes.ts'
import { approvalRoutes } from './approval-routes.ts'
import { artifactRoutes } from './artifact-routes.ts'
import { costRoutes } from './cost-routes.ts'
import { docsRoutes } from './docs-routes.ts'
import { evaluationRoutes } from './evaluation-routes.ts'
import { inspectionRoutes } from './inspection-routes.ts'
import { intentRoutes } from './intent-routes.ts'
import { OpenApi } from './open-api.ts'
import { runRoutes } from './run-routes.ts'
import { sessionRoutes } from './session-routes.ts'
import { statusRoutes } from './status-routes.ts'
import { tuneRoutes } from './tune-routes.ts'

/** Our own API: runs and their events, conversations, approvals, agents, costs, and the server's state. */
export const restApi: Protocol = {
  name: 'rest',
  open: ['/', '/healthz', '/readyz', '/openapi.json', '/docs', '/docs/*'],
  mount(app, context) {
    const api = { app, document: new OpenApi() }
    runRoutes(api, context)
    artifactRoutes(api, context)
    inspectionRoutes(api, context)
    sessionRoutes(api, context)
    approvalRoutes(api, context)
    agentRoutes(api, context)
    intentRoutes(api, context)
    costRoutes(api, context)
    evaluationRoutes(api, context)
    tuneRoutes(api, context)
    statusRoutes(api, context)
    docsRoutes(api, context)
  },
}
