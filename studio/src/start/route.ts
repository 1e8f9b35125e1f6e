import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

export interface StartSearch {
  readonly agent?: string
  /** A question to fill in, such as from a link. A link does not start the run. */
  readonly input?: string
}

export const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/new',
  validateSearch: ({ agent, input }: Record<string, unknown>): StartSearch => ({
    ...(typeof agent === 'string' && { agent }),
    ...(typeof input === 'string' && { input }),
  }),
  component: lazyRouteComponent(() => import('./start-view.tsx'), 'StartView'),
})
