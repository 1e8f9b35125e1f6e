import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

/** The ids of the two runs. */
export interface CompareSearch {
  readonly a?: string
  readonly b?: string
}

export const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/compare',
  validateSearch: ({ a, b }: Record<string, unknown>): CompareSearch => ({
    ...(typeof a === 'string' && { a }),
    ...(typeof b === 'string' && { b }),
  }),
  component: lazyRouteComponent(() => import('./compare-view.tsx'), 'CompareView'),
})
