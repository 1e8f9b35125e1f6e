import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

export const runsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs',
  component: lazyRouteComponent(() => import('./runs-view.tsx'), 'RunsView'),
})
