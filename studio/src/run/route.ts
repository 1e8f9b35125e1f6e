import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

export const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$run',
  component: lazyRouteComponent(() => import('./run-view.tsx'), 'RunView'),
})
