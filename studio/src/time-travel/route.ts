import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

export const timeTravelRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$run/steps',
  /** `step` is the number of the step that is shown. */
  validateSearch({ step }: Record<string, unknown>): { readonly step?: number } {
    return typeof step === 'number' && Number.isInteger(step) && step >= 0 ? { step } : {}
  },
  component: lazyRouteComponent(() => import('./time-travel-view.tsx'), 'TimeTravelView'),
})
