import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

export interface EvaluationSearch {
  readonly dataset?: string
  /** The evaluation that is looked at, and the earlier one that it is compared with. */
  readonly of?: string
  readonly since?: string
  /** The set of recorded answers. */
  readonly set?: string
}

const NAMES = ['dataset', 'of', 'since', 'set'] as const

export const evaluationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/evaluations',
  validateSearch: (search: Record<string, unknown>): EvaluationSearch =>
    Object.fromEntries(
      NAMES.flatMap((name) => {
        const value = search[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    ),
  component: lazyRouteComponent(() => import('./evaluations-view.tsx'), 'EvaluationsView'),
})
