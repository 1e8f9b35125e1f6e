import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

export const evaluationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/evaluations',
  component: lazyRouteComponent(() => import('./evaluations-view.tsx'), 'EvaluationsView'),
})
