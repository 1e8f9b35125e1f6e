import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

export const timeTravelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$run/steps',
  component: lazyRouteComponent(() => import('./time-travel-view.tsx'), 'TimeTravelView'),
})
