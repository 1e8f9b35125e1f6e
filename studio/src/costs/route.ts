import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

export const costsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/costs',
  component: lazyRouteComponent(() => import('./costs-view.tsx'), 'CostsView'),
})
