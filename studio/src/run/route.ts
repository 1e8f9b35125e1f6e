import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { rootRoute } from '../app/root-route.tsx'

export const RUN_TABS = ['timeline', 'budget', 'messages', 'journal', 'events'] as const
export type RunTab = (typeof RUN_TABS)[number]

export const runRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/runs/$run',
  validateSearch(given: Record<string, unknown>): { readonly tab?: RunTab } {
    const tab = RUN_TABS.find((each) => each === given['tab'])
    return tab === undefined ? {} : { tab }
  },
  component: lazyRouteComponent(() => import('./run-view.tsx'), 'RunView'),
})
