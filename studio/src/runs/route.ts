import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { RUN_STATUSES } from 'echelon/client'
import { rootRoute } from '../app/root-route.tsx'

/** The filters of the list. They are kept in its address, so that a view can be shared as a link. */
export interface RunsSearch {
  readonly status?: (typeof RUN_STATUSES)[number]
  readonly agent?: string
  readonly session?: string
  readonly search?: string
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

export const runsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs',
  validateSearch(given: Record<string, unknown>): RunsSearch {
    const status = RUN_STATUSES.find((each) => each === given['status'])
    const agent = text(given['agent'])
    const session = text(given['session'])
    const search = text(given['search'])
    return {
      ...(status !== undefined && { status }),
      ...(agent !== undefined && { agent }),
      ...(session !== undefined && { session }),
      ...(search !== undefined && { search }),
    }
  },
  component: lazyRouteComponent(() => import('./runs-view.tsx'), 'RunsView'),
})
