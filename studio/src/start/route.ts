import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

export interface StartSearch {
  readonly agent?: string
  /** What is asked, such as by a link. The run is not started by the link. */
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
